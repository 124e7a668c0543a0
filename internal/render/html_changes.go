package render

import "github.com/ssactl/ssactl/internal/report"

// changeView is one changed field.
type changeView struct {
	Sign, Word, Field string
	// Class is that of the style sheet.
	Class string
	// Before and After are nil where the field was not or is not there.
	Before, After *string
	Why           string
}

// Changes tells what changes and why. Of a new object, these are the fields
// that the server set: the others stand in the manifest.
func (v *objectView) Changes() []changeView {
	list := v.r.Changes
	if v.r.Outcome == report.Created {
		list = nil
		for _, c := range v.r.Changes {
			if c.Reason != report.ReasonApplied {
				list = append(list, c)
			}
		}
	}
	return changeViews(list)
}

// ChangesTitle heads the changes.
func (v *objectView) ChangesTitle() string {
	if v.r.Outcome == report.Created {
		return "Set by the server"
	}
	return "Why each field changes"
}

func changeViews(changes []report.Change) []changeView {
	out := make([]changeView, len(changes))
	for i, c := range changes {
		out[i] = changeView{Sign: signs[c.Kind], Word: visible(string(c.Kind)), Field: visible(c.Field), Class: changeClasses[c.Kind], Why: because(c)}
		if c.Kind != report.Added {
			out[i].Before = pointer(scalar(c.Before))
		}
		if c.Kind != report.Removed {
			out[i].After = pointer(scalar(c.After))
		}
	}
	return out
}

var changeClasses = map[report.ChangeKind]string{report.Added: "added", report.Modified: "modified", report.Removed: "removed"}

func pointer(s string) *string { return &s }

// transferView is what one managed fields entry wins or loses.
type transferView struct {
	look
	Role, Verb string
	Fields     []string
}

// Transfers tells who wins and loses fields by the write. Of a new object,
// everything goes to its manager, which needs no list.
func (v *objectView) Transfers() []transferView {
	if v.r.Outcome == report.Created {
		return nil
	}
	return v.cast.transfers(v.r.Transfers)
}

// transfers groups by kind and entry; the order is that of transferKinds, and
// within a kind that of the report.
func (c *cast) transfers(list []report.Transfer) []transferView {
	type group struct {
		kind                report.TransferKind
		manager, role, verb string
	}
	at := map[group]*transferView{}
	byKind := map[report.TransferKind][]*transferView{}
	for _, t := range list {
		role := roleOf(t.Operation, t.Subresource)
		g := group{t.Kind, t.Manager, role, transferVerb(t)}
		if at[g] == nil {
			at[g] = &transferView{look: c.of(t.Manager), Role: role, Verb: visible(g.verb)}
			byKind[t.Kind] = append(byKind[t.Kind], at[g])
		}
		at[g].Fields = append(at[g].Fields, visible(t.Field))
	}
	var out []transferView
	for _, kind := range transferKinds {
		for _, t := range byKind[kind] {
			out = append(out, *t)
		}
	}
	return out
}

var transferKinds = []report.TransferKind{report.Acquired, report.Shared, report.Overridden, report.Relinquished, report.TransferRemoved}
