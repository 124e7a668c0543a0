package cluster

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
)

// NoteSnapshots says before all else how old the snapshots are, the oldest first.
func (c *Cluster) NoteSnapshots() {
	now := c.Now
	if now.IsZero() {
		now = input.TimeNow()
	}
	var notes []string
	for _, s := range c.Snapshots {
		notes = append(notes, aged(s, now))
		if lacks := lacking(s); lacks != "" {
			notes = append(notes, lacks)
		}
	}
	if len(c.Left) > 0 && c.App.Secrets.Shows() {
		notes = append(
			notes,
			"--show-secrets shows digests where the snapshot has no values: what is printed is not to be applied",
		)
	}
	c.Notices = append(notes, c.Notices...)
}

// NoteReleases says of the snapshots what answers to writes say themselves.
func (w *World) NoteReleases() {
	var notes []string
	for _, s := range w.Snapshots {
		if note := otherServer(s, w.Server.Version()); note != "" {
			notes = append(notes, note)
		}
	}
	w.Notices = append(notes, w.Notices...)
}

// skew is how far the clocks of two machines may be apart.
const skew = 10 * time.Minute

// fromTheFuture is the error of a snapshot that was taken after now: its date is wrong, or
// the clock, and so is all that is said of ages.
func (w *World) fromTheFuture(now time.Time) error {
	if now.IsZero() {
		now = input.TimeNow()
	}
	for _, s := range w.Snapshots {
		if s.Taken.After(now.Add(skew)) {
			return fmt.Errorf(
				program.In(
					"%s is a snapshot of %s, which is in the future (it is %s): correct the clock, or take it again with 'ssactl snapshot'",
				),
				s.File,
				words.Date(&s.Taken),
				words.Date(&now),
			)
		}
	}
	return nil
}

// stale is the age from which a snapshot is warned about.
const stale = 24 * time.Hour

func aged(s report.Snapshot, now time.Time) string {
	text := fmt.Sprintf("%s is a snapshot of %s", s.File, words.Date(&s.Taken))
	if age := words.Age(&s.Taken, now); age != "" {
		text += " (" + age + " ago)"
	}
	if s.Context != "" {
		text += " from context " + s.Context
	}
	if now.Sub(s.Taken) > stale {
		text += program.In(": live objects may have changed since; 'ssactl snapshot' takes a new one")
	}
	return text
}

// otherServer says that a snapshot is of another minor version than the one that is
// simulated; empty where it is not.
func otherServer(s report.Snapshot, simulated string) string {
	minor := minorOf(s.Server)
	switch {
	case minor == "" || minor == minorOf(simulated):
		return ""
	case !slices.Contains(server.Versions(), minor):
		return fmt.Sprintf("the cluster of %s runs %s, which is not simulated: %s is", s.File, s.Server, simulated)
	}
	return fmt.Sprintf(
		"the cluster of %s runs %s, and %s is simulated: add --kubernetes-version %s", s.File, s.Server,
		simulated, minor,
	)
}

// minorOf is 1.36 of v1.36.3; empty for what is no version.
func minorOf(version string) string {
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	if len(parts) < 3 {
		return ""
	}
	return parts[0] + "." + parts[1]
}

// lacking names what kubectl could not get; empty for nothing.
func lacking(s report.Snapshot) string {
	var list []string
	for _, m := range s.Missing {
		list = append(list, missingText(m))
	}
	if list == nil {
		return ""
	}
	return fmt.Sprintf("%s lacks what kubectl could not get (%s): %s", s.File, s.Missing[0].Reason, Some(list))
}

func missingText(m report.Missing) string {
	text := m.Kind
	if m.Group != "" {
		text += "." + m.Group
	}
	if len(m.Names) > 0 {
		text += " " + Some(m.Names)
	}
	if m.Namespace != "" {
		text += " of namespace " + m.Namespace
	}
	return text
}

// snapshots say of live objects when they were fetched, and what was not.
type snapshots []report.Snapshot

// notFetched is the error of a manifest whose live object a snapshot does not have, as
// it could not be fetched.
func (all snapshots) notFetched(key live.Key) error {
	for _, s := range all {
		if reason := s.Lacks(key.Group, key.Kind, key.Namespace, key.Name); reason != "" {
			return fmt.Errorf(
				"whether there is a live object %s is not known, as kubectl could not get it for %s: %s", key,
				s.File, reason,
			)
		}
	}
	return nil
}

// covered reports whether a snapshot was taken for the object of a key, which then is not
// in the cluster where it is not in the snapshot.
func (all snapshots) covered(key live.Key) bool {
	return slices.ContainsFunc(
		all,
		func(s report.Snapshot) bool { return s.Covers(key.Group, key.Kind, key.Namespace, key.Name) },
	)
}
