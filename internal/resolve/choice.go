package resolve

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// SecretPolicy says whether live values of Secrets may be written into
// manifests.
type SecretPolicy int

// The policies. KeepSecrets refuses to share the values of Secrets.
const (
	KeepSecrets SecretPolicy = iota
	ShareSecrets
)

// Choice says what to do about which conflicts.
type Choice struct {
	// GiveUp and Share are FIELDs as people type them: see matches.
	GiveUp, Share []string
	// Rest is for the conflicts that no FIELD names; empty leaves them.
	Rest    Action
	Secrets SecretPolicy
	// Masking is for what the document tells; files never get masks.
	Masking Masking
}

// plan gives every claim its action. A FIELD that means nothing at all, or
// several conflicts that have nothing to do with each other, is an error; one
// that exists but does not conflict is a notice.
func (c Choice) plan(sessions []*session) ([]string, error) {
	for _, s := range sessions {
		for i := range s.claims {
			s.claims[i].action = c.rest()
		}
	}
	var notices []string
	var errs []error
	asked := map[*claim]string{}
	for _, wish := range c.wishes() {
		found, err := find(sessions, wish.field)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s %s: %w", wish.flag, wish.field, err))
			continue
		case len(found) == 0 && exists(sessions, wish.field):
			notices = append(notices, fmt.Sprintf("%s %s: the field does not conflict", wish.flag, wish.field))
		case len(found) == 0:
			errs = append(errs, fmt.Errorf("%s %s: %w", wish.flag, wish.field, unknownField(sessions, wish.field)))
		}
		for _, claim := range found {
			if before := asked[claim]; before != "" && claim.action != wish.action {
				errs = append(errs, fmt.Errorf("%s is asked to be given up and to be shared (%s, %s)", claim.field(), before, wish.field))
			}
			asked[claim], claim.action = wish.field, wish.action
		}
	}
	return notices, errors.Join(errs...)
}

func (c Choice) rest() Action {
	if c.Rest == "" {
		return Leave
	}
	return c.Rest
}

// wish is one FIELD of the command line.
type wish struct {
	flag, field string
	action      Action
}

func (c Choice) wishes() []wish {
	var out []wish
	for _, field := range c.GiveUp {
		out = append(out, wish{"--give-up", field, GiveUp})
	}
	for _, field := range c.Share {
		out = append(out, wish{"--share", field, Share})
	}
	return out
}

// find gives the conflicts that a FIELD means: those of that whole path, else
// those that end in it, else those below it. In several objects one FIELD may
// mean the same path; two paths are ambiguous.
func find(sessions []*session, text string) ([]*claim, error) {
	var best degree
	var found []*claim
	var means []string
	for _, s := range sessions {
		for i := range s.claims {
			claim := &s.claims[i]
			d, meant := claim.spelled.matches(text)
			if d == matchesNot || d < best {
				continue
			}
			if d > best {
				best, found, means = d, nil, nil
			}
			found = append(found, claim)
			if !slices.Contains(means, meant) {
				means = append(means, meant)
			}
		}
	}
	if len(means) > 1 && best != matchesWhole {
		slices.Sort(means)
		return nil, fmt.Errorf("ambiguous: it may mean %s", strings.Join(means, " or "))
	}
	return found, nil
}

// exists tells whether a manifest or a live object has a field of that path.
func exists(sessions []*session, text string) bool {
	return slices.ContainsFunc(sessions, func(s *session) bool {
		return slices.ContainsFunc(s.everyField(), func(f spelled) bool {
			d, _ := f.matches(text)
			return d > matchesAbove
		})
	})
}

func unknownField(sessions []*session, text string) error {
	var fields []string
	for _, s := range sessions {
		for _, c := range s.claims {
			if !slices.Contains(fields, c.field()) {
				fields = append(fields, c.field())
			}
		}
	}
	if len(fields) == 0 {
		return errors.New("there is no such field, and nothing conflicts")
	}
	slices.Sort(fields)
	const most = 10
	if len(fields) > most {
		fields = append(fields[:most], fmt.Sprintf("… %d more", len(fields)-most))
	}
	return fmt.Errorf("there is no such field; in conflict are %s", strings.Join(fields, ", "))
}
