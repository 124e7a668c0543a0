package explain

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// rivals are what the owners of a field do after it was taken from them.
func (s *session) rivals(r report.Result, owners []Owner) []Rival {
	if r.Object == nil {
		return nil
	}
	var out []Rival
	for _, h := range owners {
		v := Rival{Writer: h.Writer, FightsBack: h.ManagerKind.Returns == Always || h.ManagerKind.Returns == OnSync || h.ManagerKind.Returns == OnRun && h.Operation == managedfields.Apply}
		if h.Operation == managedfields.Apply {
			v.NextApply = s.nextApply(h.Writer, r.Object, nil)
		}
		v.Says = afterTaking(h, v)
		out = append(out, v)
	}
	return out
}

// partners are what the owners of a field do once it is shared with them:
// each may change its mind, and an Apply manager whose manifest is spelled as
// yours was is refused from then on.
func (s *session) partners(r report.Result, t Story, at fieldpath.Path) []Rival {
	if r.Object == nil {
		return nil
	}
	var out []Rival
	for _, h := range t.Owners {
		v := Rival{Writer: h.Writer, FightsBack: h.ManagerKind.Returns == Always}
		if h.Operation == managedfields.Apply {
			v.NextApply = s.nextApply(h.Writer, r.Object, func(body any) any { return body })
			v.FightsBack = v.FightsBack || v.NextApply.Refused()
			if spelled := s.spelledAsYours(h, r, t, at); spelled == report.Conflicted {
				v.FightsBack, v.NextApply = true, spelled
			}
		}
		v.Says = afterSharing(h, v, t.Difference)
		out = append(out, v)
	}
	return out
}

// spelledAsYours is the outcome of the owner's next apply if its manifest
// writes the field as yours does; empty where the two really differ.
func (s *session) spelledAsYours(h Owner, r report.Result, t Story, at fieldpath.Path) report.Outcome {
	if t.Difference.Changes() || t.Difference.Kind == WriteOnly || t.Yours.Missing {
		return ""
	}
	return s.nextApply(h.Writer, r.Object, func(body any) any {
		return fieldtree.With(s.shape, body, at, t.Yours.Value)
	})
}

// nextApply is the outcome of an owner's next apply to an object: of what it
// applied last, as far as the live object tells, edited or not.
func (s *session) nextApply(owner report.Writer, object map[string]any, edited func(any) any) report.Outcome {
	w, body, err := s.lastApplied(owner)
	if err != nil {
		return ""
	}
	if edited != nil {
		body = edited(body)
	}
	return s.simulate(extract.On(w, object), body).Outcome
}

func afterTaking(h Owner, v Rival) string {
	name := h.Manager
	switch {
	case h.ManagerKind.Returns == Never:
		return fmt.Sprintf("Nothing writes as %s by itself: the value stays yours.", name)
	case h.Operation == managedfields.Apply && h.ManagerKind.Forces:
		return fmt.Sprintf("%s applies again by itself and forces: it takes the field back, and you fight for ever.", name)
	case h.Operation == managedfields.Apply && h.ManagerKind.Returns == Always:
		return fmt.Sprintf("%s applies again by itself: it is refused then, or takes the field back with force.", name)
	case h.Operation == managedfields.Apply && v.NextApply == report.Conflicted:
		return fmt.Sprintf("%s's next apply of its own manifest is refused with the same conflict, until the field is taken out there; with force it takes the field back.", name)
	case h.Operation == managedfields.Apply:
		return fmt.Sprintf("%s's next apply may set its value again.", name)
	case h.ManagerKind.Returns == Always:
		return fmt.Sprintf("%s writes by updates, which never conflict: it sets its value again as soon as it looks, and then your next apply conflicts again.", name)
	case h.ManagerKind.Returns == OnSync:
		return fmt.Sprintf("%s sets its value again at its next sync.", name)
	}
	return fmt.Sprintf("%s sets its value again only when somebody runs it again.", name)
}

func afterSharing(h Owner, v Rival, d Difference) string {
	name := h.Manager
	switch {
	case h.Operation == managedfields.Apply && v.NextApply == report.Conflicted && !d.Changes():
		return fmt.Sprintf("If %s's manifest writes the value as yours does now, its next apply is refused: the stored spelling has to be written in both.", name)
	case h.Operation == managedfields.Apply && h.ManagerKind.Returns != Always:
		return fmt.Sprintf("%s can go on applying the same value; whoever of you changes it first gets the conflict.", name)
	case h.ManagerKind.Returns == Always:
		return fmt.Sprintf("%s may change the value at any time, and then your next apply conflicts again.", name)
	case h.ManagerKind.Returns == Never:
		return fmt.Sprintf("Nothing writes as %s by itself; it stays recorded as an owner, so that the field stays when you drop it later.", name)
	}
	return fmt.Sprintf("%s may change the value when it runs again, and then your next apply conflicts again.", name)
}
