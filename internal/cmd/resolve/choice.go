package resolve

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
)

// Choice says what to do about which conflicts.
type Choice struct {
	// StopManaging and UseLiveValue are FIELDs as people type them: see explain.Names.
	StopManaging, UseLiveValue []string
	// OwnedBy are the field managers whose conflicts are looked at; empty for all.
	OwnedBy []string
	// Rest is for the conflicts that no FIELD names; empty leaves them.
	Rest    Action
	Secrets interactive.Secrets
	// Masking is for what the document tells; files never get masks.
	Masking Masking
}

// plan gives every claim its action. A FIELD that means nothing at all, or
// several conflicts that have nothing to do with each other, is an error; one
// that exists but does not conflict is a notice, and so is a manager that owns none.
func (c Choice) plan(sessions []*session) (notices []string, _ error) {
	met := map[string]bool{}
	for _, s := range sessions {
		for i := range s.claims {
			one := &s.claims[i]
			decided := s.decided[one.Field()]
			one.action, one.bulk = cmp.Or(decided, c.Rest, Leave), decided == ""
			for _, owner := range one.Conflicts {
				met[owner.Manager] = true
			}
		}
	}
	named := naming{sessions: sessions, by: map[*claim]string{}}
	named.take("--stop-managing", c.StopManaging, StopManaging)
	named.take("--use-live-value", c.UseLiveValue, UseLiveValue)
	notices = named.notices
	for _, s := range sessions {
		for i := range s.claims {
			if one := &s.claims[i]; !c.concerns(one) {
				one.action = Leave
			}
		}
	}
	for _, manager := range c.OwnedBy {
		if !met[manager] {
			notices = append(notices, "--owned-by "+manager+": it owns no field that conflicts")
		}
	}
	return notices, errors.Join(named.errs...)
}

// naming gives the claims that FIELDs mean their actions.
type naming struct {
	sessions []*session
	// by is the FIELD that a claim was named by.
	by      map[*claim]string
	notices []string
	errs    []error
}

// take gives an action to the claims that the FIELDs of a flag mean.
func (n *naming) take(flag string, fields []string, action Action) {
	for _, field := range fields {
		found, err := find(n.sessions, field)
		switch unknown := isUnknown(err); {
		case unknown && exists(n.sessions, field):
			n.notices = append(n.notices, flag+" "+field+": the field does not conflict")
		case unknown:
			n.errs = append(n.errs, fmt.Errorf("%s %s: %w", flag, field, unknownField(n.sessions, err)))
		case err != nil:
			n.errs = append(n.errs, fmt.Errorf("%s %s: %w", flag, field, err))
		}
		for _, claim := range found {
			if before := n.by[claim]; before != "" && claim.action != action {
				n.errs = append(
					n.errs,
					fmt.Errorf("%s is asked to leave the manifest and to take the live value (%s, %s)", claim.Field(), before, field),
				)
			}
			n.by[claim], claim.action, claim.bulk = field, action, false
		}
	}
}

// concerns reports whether a conflict is to be looked at.
func (c Choice) concerns(one *claim) bool {
	return len(c.OwnedBy) == 0 || slices.ContainsFunc(one.Conflicts, func(owner report.Conflict) bool {
		return slices.Contains(c.OwnedBy, owner.Manager)
	})
}

// isUnknown reports whether an error says that nothing has the name of a field.
func isUnknown(err error) bool {
	var name *conflict.NameError
	return errors.As(err, &name) && len(name.Fits) == 0
}

// find gives the conflicts that a FIELD means: the one of that name, or all
// those below it. In several objects one FIELD may mean the same field; two
// fields are ambiguous. The error is a *explain.NameError where nothing is
// found.
func find(sessions []*session, text string) ([]*claim, error) {
	var found []*claim
	var means []string
	var unknown error
	for _, s := range sessions {
		claims, meant, err := s.find(text)
		var name *conflict.NameError
		switch {
		case isUnknown(err):
			if errors.As(err, &name) && len(name.Nearest) > 0 || unknown == nil {
				unknown = err
			}
		case err != nil:
			return nil, err
		default:
			found = append(found, claims...)
			means = append(means, meant)
		}
	}
	slices.Sort(means)
	if means = slices.Compact(means); len(means) > 1 {
		return nil, fmt.Errorf("it may be any of %s", strings.Join(means, ", "))
	}
	if len(found) == 0 {
		return nil, unknown
	}
	return found, nil
}

// find gives the claims that a FIELD means, and the field that it means.
func (s *session) find(text string) ([]*claim, string, error) {
	var out []*claim
	var paths []fieldpath.Path
	for i := range s.claims {
		c := &s.claims[i]
		if c.Field() == text {
			return []*claim{c}, text, nil
		}
		if c.Path != nil {
			paths = append(paths, c.Path)
		}
	}
	object, _ := s.body.decoded.(map[string]any)
	found, err := conflict.NamesAmong(s.Type.ParseableType, object, paths).Find(text)
	if err != nil {
		return nil, "", err
	}
	for i := range s.claims {
		if c := &s.claims[i]; len(c.Path) >= len(found.Path) && c.Path[:len(found.Path)].Equals(found.Path) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, "", &conflict.NameError{Typed: text}
	}
	return out, found.Path.String(), nil
}

// exists reports whether a manifest or a live object has a field of that name.
func exists(sessions []*session, text string) bool {
	return slices.ContainsFunc(sessions, func(s *session) bool {
		for _, object := range []any{s.body.decoded, s.before.Live} {
			fields, _ := object.(map[string]any)
			if _, err := conflict.NewNames(s.Type.ParseableType, fields).Find(text); !isUnknown(err) {
				return true
			}
		}
		return false
	})
}

// unknownField reports what conflicts instead.
func unknownField(sessions []*session, err error) error {
	var fields []string
	for _, s := range sessions {
		for _, c := range s.claims {
			fields = append(fields, c.Field())
		}
	}
	slices.Sort(fields)
	fields = slices.Compact(fields)
	var name *conflict.NameError
	switch {
	case errors.As(err, &name) && len(name.Nearest) > 0:
		return fmt.Errorf("no such field; did you mean %s?", strings.Join(name.Nearest, " or "))
	case len(fields) == 0:
		return errors.New("no such field, and nothing conflicts")
	case len(fields) > shownFields:
		fields = append(fields[:shownFields], fmt.Sprintf("%d more", len(fields)-shownFields))
	}
	return fmt.Errorf("no such field; in conflict are %s", strings.Join(fields, ", "))
}

// shownFields bounds how many fields an error names.
const shownFields = 10
