package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
)

// isSnapshot reports whether a document says of the others in its file when they were
// fetched, and is no object of a cluster.
func isSnapshot(id manifest.Identity) bool {
	return id.APIVersion == report.APIVersion && id.Kind == report.SnapshotKind
}

// addSnapshot notes what a bundle says of itself.
func (c *Cluster) addSnapshot(d manifest.Document) {
	s := report.Snapshot{}
	if err := json.Unmarshal(d.JSON(), &s); err != nil || s.Taken.IsZero() {
		c.Problems = append(c.Problems, report.Problem{Source: report.Source(d.Source), Message: "it is no Snapshot that this version of ssactl reads"})
		return
	}
	s.File = d.Source.File
	if slices.ContainsFunc(c.Snapshots, func(other report.Snapshot) bool { return other.File == s.File }) {
		return
	}
	c.Snapshots = append(c.Snapshots, s)
	slices.SortStableFunc(c.Snapshots, func(a, b report.Snapshot) int {
		return cmp.Or(a.Taken.Compare(b.Taken), strings.Compare(a.File, b.File))
	})
}

// NoteSnapshots says before all else how old the snapshots are, the oldest first.
func (c *Cluster) NoteSnapshots() {
	var notes []string
	for _, s := range c.Snapshots {
		notes = append(notes, c.aged(s))
		if lacks := lacking(s); lacks != "" {
			notes = append(notes, lacks)
		}
	}
	if len(c.Digests.Left) > 0 && c.App.Secrets.Shows() {
		notes = append(notes, "--show-secrets shows digests where the snapshot has no values: what is printed is not to be applied")
	}
	c.Notices = append(notes, c.Notices...)
}

// NoteReleases says of the snapshots what answers to writes say themselves.
func (c *Cluster) NoteReleases() {
	var notes []string
	for _, s := range c.Snapshots {
		notes = append(notes, c.otherServer(s)...)
	}
	c.Notices = append(notes, c.Notices...)
}

// stale is the age from which a snapshot is warned about.
const stale = 24 * time.Hour

func (c *Cluster) aged(s report.Snapshot) string {
	now := c.Now
	if now.IsZero() {
		now = input.TimeNow()
	}
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
// simulated.
func (c *Cluster) otherServer(s report.Snapshot) []string {
	minor := minorOf(s.Server)
	if minor == "" || minor == minorOf(c.Server.Version()) {
		return nil
	}
	if !slices.Contains(server.Versions(), minor) {
		return []string{fmt.Sprintf("the cluster of %s runs %s, which is not simulated: %s is", s.File, s.Server, c.Server.Version())}
	}
	return []string{fmt.Sprintf("the cluster of %s runs %s, and %s is simulated: add --kubernetes-version %s", s.File, s.Server, c.Server.Version(), minor)}
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

// notFetched is the error of a manifest whose live object a snapshot does not have, as
// it could not be fetched.
func (c *Cluster) notFetched(key live.Key) error {
	for _, s := range c.Snapshots {
		if reason := s.Lacks(key.Group, key.Kind, key.Namespace, key.Name); reason != "" {
			return fmt.Errorf("whether there is a live object %s is not known, as kubectl could not get it for %s: %s", key, s.File, reason)
		}
	}
	return nil
}

// covered reports whether a snapshot was taken for the object of a key, which then is not
// in the cluster where it is not in the snapshot.
func (c *Cluster) covered(key live.Key) bool {
	return slices.ContainsFunc(c.Snapshots, func(s report.Snapshot) bool { return s.Covers(key.Group, key.Kind, key.Namespace, key.Name) })
}

// presumed are the namespaces that may exist, as far as a snapshot shows: those
// that could not be fetched, and those of manifests that it was not taken for.
func (c *Cluster) presumed() []string {
	var names []string
	for _, s := range c.Snapshots {
		for _, m := range s.Missing {
			if m.Group == "" && m.Kind == "Namespace" {
				names = append(names, m.Names...)
			}
		}
	}
	for _, d := range c.Manifests {
		if key := c.Scope.Key(d.Identity); len(c.Snapshots) > 0 && key.Namespace != "" && !c.covered(key) {
			names = append(names, key.Namespace)
		}
	}
	return names
}

// lackKinds has the server know of the kinds that the cluster of a snapshot did not serve.
func (c *Cluster) lackKinds() {
	for _, s := range c.Snapshots {
		for _, k := range s.NotServed {
			c.Server.LackKind(schema.GroupKind{Group: k.Group, Kind: k.Kind})
		}
	}
}
