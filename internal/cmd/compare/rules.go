package compare

import (
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// The rules of what two dumps differ in.
var (
	applyRejected = finding.Rule{
		Name:     "next-apply-rejected",
		Severity: report.SeverityError,
		Title:    "The next apply of a manifest is rejected.",
		Why:      "The API server would answer the next apply with an error; docs/compare.md says how it is simulated.",
		Fix:      "run ssactl explain with the manifest and the later dump: it shows why, and what to do",
	}
	objectRemoved = finding.Rule{
		Name:     "object-removed",
		Severity: report.SeverityWarning,
		Title:    "An object is gone, or was created again.",
		Why:      "With it went the managed fields of all its owners.",
	}
	ownershipTaken = finding.Rule{
		Name:     "ownership-taken",
		Severity: report.SeverityWarning,
		Title:    "A field manager took ownership from another.",
		Why:      "The next apply of the former owner conflicts, or takes the field back where it forces.",
	}
	entryLost = finding.Rule{
		Name:     "entry-lost",
		Severity: report.SeverityWarning,
		Title:    "A managed fields entry is lost.",
		Why:      "Its manager owns nothing any more: fields that it leaves out are not removed, and others overwrite its fields without a conflict.",
		Fix:      "have the manager apply its manifest once more",
	}
	fieldUnowned = finding.Rule{
		Name:     "field-unowned",
		Severity: report.SeverityWarning,
		Title:    "A field has no owner any more.",
		Why:      "The next manager to write it meets no conflict, and no apply removes it.",
	}
	ownersChanged = finding.Rule{
		Name:     "owners-changed",
		Severity: report.SeverityNote,
		Title:    "The owners of a field are others.",
		Why:      "A manager owns it as well, or no longer.",
	}
	valueChanged = finding.Rule{Name: "value-changed", Severity: report.SeverityNote, Title: "A value is another one.",
		Why: "The managers that own it and have written since are named."}
)

// Rules are all rules, the heaviest first.
func Rules() finding.Rules {
	return finding.Rules{
		applyRejected, objectRemoved, ownershipTaken, entryLost, fieldUnowned, ownersChanged,
		valueChanged,
	}
}

// differences are what objects differ in, the worst first: one for each rule and each manager
// that did it, and one of a field. What may only be due to how a dump was fetched is left
// out.
func differences(objects []Comparison) []report.Finding {
	run := finding.Run{Rules: Rules(), PerField: true}
	for _, c := range objects {
		for _, find := range []func(Comparison) []report.Finding{findRejected, findRemoved, findLost, findMoved, findValues} {
			run.Findings = append(run.Findings, find(c)...)
		}
	}
	return finding.Conclude(run).Findings
}

// finding is one on the object, of the manager that did it.
func (c Comparison) finding(rule finding.Rule, by string, says text.Text, fields ...string) report.Finding {
	f := rule.On(c.Target, c.at(), says).About(fields...)
	f.Manager = by
	return f
}

// findRejected finds the next apply, at the line of the manifest.
func findRejected(c Comparison) []report.Finding {
	if !c.refused() {
		return nil
	}
	n := c.Next
	var fields []string
	at := n.Source
	for _, conflict := range n.Conflicts {
		if fields = append(fields, conflict.Field); conflict.Source != nil && at == n.Source {
			at = *conflict.Source
		}
	}
	f := c.finding(
		applyRejected,
		n.Manager,
		text.New(
			"the API server would answer %v to the next apply by %v: %v",
			text.Number(n.After.Code),
			text.By(n.Manager),
			text.Said(text.FirstLine(n.After.Message)),
		),
		fields...)
	f.Source = at
	return []report.Finding{f}
}

func findRemoved(c Comparison) []report.Finding {
	switch c.State {
	case Removed:
		return []report.Finding{c.finding(objectRemoved, "", text.New("the object is removed"))}
	case Recreated:
		return []report.Finding{c.finding(objectRemoved, "", text.New("the object is deleted and created again"))}
	}
	return nil
}

func findLost(c Comparison) []report.Finding {
	var out []report.Finding
	for _, e := range c.Entries {
		if e.Kind == EntryRemoved && c.Bare == "" {
			out = append(
				out,
				c.finding(
					entryLost,
					e.Manager,
					text.New("the entry of %v is lost; it owned %v", named([]report.Writer{e.Writer}), text.Count(e.Fields, "field")),
				),
			)
		}
	}
	return out
}

// moveRules are the rules of moves, with the words for what happened to fields.
var moveRules = map[MoveKind]struct {
	rule finding.Rule
	says func(fields, from, to text.Text) text.Text
}{
	Taken: {
		ownershipTaken,
		func(fields, from, to text.Text) text.Text { return text.New("%v took %v from %v", to, fields, from) },
	},
	Unowned: {fieldUnowned, func(fields, from, _ text.Text) text.Text {
		return text.New("no manager owns %v any more, %v did", fields, from)
	}},
	Joined: {ownersChanged, func(fields, _, to text.Text) text.Text { return text.New("%v owns %v too", to, fields) }},
	Left: {ownersChanged, func(fields, from, _ text.Text) text.Text {
		return text.New("%v no longer owns %v, others do", from, fields)
	}},
	Claimed: {
		ownersChanged,
		func(fields, _, to text.Text) text.Text { return text.New("%v owns %v, which had no owner", to, fields) },
	},
}

// findMoved finds the moves of fields that stay, those of the same managers together. What
// an entry owned that is lost is said with the entry.
func findMoved(c Comparison) []report.Finding {
	lost := func(w report.Writer) bool {
		return slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.Kind == EntryRemoved && sameWriter(e.Writer, w) })
	}
	var moves []Move
	fields := map[int][]string{}
	for _, m := range c.Moves {
		if !m.Stays() || c.Bare != "" ||
			m.Kind == Unowned && !slices.ContainsFunc(m.From, func(w report.Writer) bool { return !lost(w) }) {
			continue
		}
		i := slices.IndexFunc(moves, func(o Move) bool {
			return o.Kind == m.Kind && slices.EqualFunc(o.From, m.From, sameWriter) && slices.EqualFunc(o.To, m.To, sameWriter)
		})
		if i < 0 {
			i, moves = len(moves), append(moves, m)
		}
		fields[i] = append(fields[i], m.Field)
	}
	var out []report.Finding
	for i, m := range moves {
		r := moveRules[m.Kind]
		out = append(
			out,
			c.finding(
				r.rule,
				first(slices.Concat(m.To, m.From)),
				r.says(few(fields[i]), named(m.From), named(m.To)),
				fields[i]...),
		)
	}
	return out
}

func sameWriter(a, b report.Writer) bool {
	return a.Manager == b.Manager && a.Operation == b.Operation && a.Subresource == b.Subresource
}

// findValues finds the values that are others, those of the same writers together.
func findValues(c Comparison) []report.Finding {
	by := map[string][]Value{}
	for _, v := range c.Values {
		writer := named(v.By).String()
		by[writer] = append(by[writer], v)
	}
	var out []report.Finding
	for _, writer := range slices.Sorted(maps.Keys(by)) {
		var fields []string
		for _, v := range by[writer] {
			fields = append(fields, v.Field)
		}
		v := by[writer][0]
		says := text.New("%v changed", few(fields))
		if v.By != nil {
			says = text.New("%v changed %v", named(v.By), few(fields))
		} else if c.State == Recreated {
			says = says.And(", ", text.New("with the object"))
		}
		if len(fields) == 1 && v.Kind == report.Modified &&
			!(managedfields.Composite(v.Before) && managedfields.Composite(v.After)) {
			says = says.And(": ", text.New("%v -> %v", text.ValueOf(v.Field, v.Before), text.ValueOf(v.Field, v.After)))
		}
		out = append(out, c.finding(valueChanged, first(v.By), says, fields...))
	}
	return out
}

// few names a few of many fields.
func few(fields []string) text.Text { return text.Paths(fields, 3, len(fields)) }

// named names managed fields entries.
func named(list []report.Writer) text.Text {
	var names []text.Text
	for _, w := range list {
		names = append(names, text.Entry(w.Manager, w.Operation, w.Subresource))
	}
	return text.Join(names, ", ")
}
