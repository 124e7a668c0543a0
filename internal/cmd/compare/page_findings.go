package compare

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// comparedFindings are what an object differs in: one for each rule and each manager
// that did it. What may only be due to how a dump was fetched is left out.
func comparedFindings(c Comparison) []model.Finding {
	f := comparedObject{c}
	var out []model.Finding
	if n := c.Next; n != nil && n.After.Outcome.Refused() {
		out = append(out, f.rejected(*n))
	}
	if c.State == Removed || c.State == Recreated {
		out = append(out, f.finding(ObjectRemoved, "", nil, "the object is "+comparedStates[c.State].Text))
	}
	if c.Bare == "" {
		out = append(append(out, f.moved()...), f.lost()...)
	}
	return append(out, f.values()...)
}

type comparedObject struct{ Comparison }

// finding is one on the object; fields are those that it is about.
func (c comparedObject) finding(rule finding.Rule, by string, fields []string, message string) model.Finding {
	source := c.After
	if source == nil {
		source = c.Before
	}
	t := c.Target
	out := model.Finding{
		Rule: "ssactl/compare/" + rule.Name, Level: page.Severities[rule.Severity].Level, Title: rule.Name + ": " + words.Object(t), Message: message,
		File: source.File, Line: source.Line, Class: page.Class(t), Object: page.Qualified(t), Name: t.Name,
		Identity: []string{rule.Name, t.APIVersion, t.Kind, t.Namespace, t.Name, by},
	}
	if len(fields) > 0 {
		out.Field = fields[0]
	}
	return out
}

// rejected is the next apply, at the line of the manifest.
func (c comparedObject) rejected(n Next) model.Finding {
	message := fmt.Sprintf("the API server would answer %d to the next apply by %s: %s", n.After.Code, n.Manager, glyph.FirstLine(n.After.Message))
	out := c.finding(ApplyRejected, n.Manager, nil, message)
	out.Fails, out.File, out.Line = true, n.Source.File, n.Source.Line
	for _, conflict := range n.Conflicts {
		if out.Field == "" {
			out.Field = conflict.Field
		}
		if conflict.Source != nil {
			out.File, out.Line = conflict.Source.File, conflict.Source.Line
			break
		}
	}
	return out
}

// moveRules are the rules of moves, with the words for what happened.
var moveRules = map[MoveKind]struct {
	rule finding.Rule
	says func(fields, from, to string) string
}{
	Taken: {OwnershipTaken, func(fields, from, to string) string { return to + " took " + fields + " from " + from }},
	Unowned: {FieldUnowned, func(fields, from, _ string) string {
		return "no manager owns " + fields + " any more, " + from + " did"
	}},
	Joined:  {OwnersChanged, func(fields, _, to string) string { return to + " owns " + fields + " too" }},
	Left:    {OwnersChanged, func(fields, from, _ string) string { return from + " no longer owns " + fields + ", others do" }},
	Claimed: {OwnersChanged, func(fields, _, to string) string { return to + " owns " + fields + ", which had no owner" }},
}

// moved are the moves of fields that stay, those of the same managers together.
func (c comparedObject) moved() []model.Finding {
	type move struct {
		kind     MoveKind
		from, to string
	}
	var order []move
	fields := map[move][]string{}
	for _, m := range c.Moves {
		if !m.Stays() {
			continue
		}
		key := move{m.Kind, words.Writers(m.From), words.Writers(m.To)}
		if fields[key] == nil {
			order = append(order, key)
		}
		fields[key] = append(fields[key], m.Field)
	}
	var out []model.Finding
	for _, m := range order {
		r := moveRules[m.kind]
		out = append(out, c.finding(r.rule, string(m.kind)+" "+m.from+" "+m.to, fields[m], r.says(someFields(fields[m]), m.from, m.to)))
	}
	return out
}

func (c comparedObject) lost() []model.Finding {
	var out []model.Finding
	for _, e := range c.Entries {
		if e.Kind == EntryRemoved {
			by := words.Writer(e.Writer)
			out = append(out, c.finding(EntryLost, by, nil, fmt.Sprintf("the entry of %s is lost; it owned %s", by, words.Count(e.Fields, "field"))))
		}
	}
	return out
}

// values are the values that are others, those of the same writers together.
func (c comparedObject) values() []model.Finding {
	var order []string
	by := map[string][]string{}
	for _, v := range c.Values {
		writer := words.Writers(v.By)
		if len(v.By) == 0 {
			writer = ""
		}
		if by[writer] == nil {
			order = append(order, writer)
		}
		by[writer] = append(by[writer], v.Field)
	}
	slices.Sort(order)
	var out []model.Finding
	for _, writer := range order {
		says := someFields(by[writer]) + " changed"
		if writer != "" {
			says = writer + " changed " + someFields(by[writer])
		} else if c.State == Recreated {
			says += ", with the object"
		}
		first := c.Values[slices.IndexFunc(c.Values, func(v Value) bool { return v.Field == by[writer][0] })]
		if len(by[writer]) == 1 {
			says += ": " + shortValues(report.Change{Kind: first.Kind, Before: first.Before, After: first.After}).String()
		}
		out = append(out, c.finding(ValueChanged, writer, by[writer], says))
	}
	return out
}

// someFields names a few of many.
func someFields(fields []string) string {
	const few = 3
	return words.Some(fields, few, len(fields))
}
