package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// OptionName is an option to resolve a conflict.
func OptionName(k conflict.ResolutionKind) string {
	return map[conflict.ResolutionKind]string{
		conflict.Force: "Force", conflict.StopManaging: "Stop managing", conflict.UseLiveValue: "Use the live value",
	}[k]
}

// Recommendation is an option with the reason for it; where none is recommended, the reason.
func Recommendation(k conflict.ResolutionKind, reason text.Text) model.Text {
	what := k.Does()
	if what == "" {
		return model.Textf("%v", reason)
	}
	return model.Textf("%v %v", model.Strong.Of("Recommended: "+what+"."), reason)
}

// WithRefusal adds to an item why the server refuses a resolution.
func WithRefusal(item model.Item, w conflict.Resolution) model.Item {
	if w.Outcome.Refused() && w.Message != "" {
		item.Blocks = append(item.Blocks, Paragraph("%v", text.FirstLine(w.Message)))
	}
	return item
}

// OptionText is the verdict on an option for one field.
func OptionText(w conflict.Resolution, s conflict.Conflict) string {
	switch {
	case !w.Impossible.IsZero():
		return "not possible: " + w.Impossible.String()
	case w.Outcome == report.Conflicted:
		return "refused (409): still a conflict"
	case w.Outcome.Refused():
		return fmt.Sprintf("refused (%d)", w.Code)
	}
	switch w.Kind {
	case conflict.Force:
		if !s.Difference.Changes() {
			return "accepted; the stored value stays as it is"
		}
		return "accepted; your value is stored"
	case conflict.StopManaging:
		return unmanaged(w)
	}
	if w.Write != nil && w.Edit == nil {
		return "accepted; write " + Short(w.Write.Value)
	}
	return "accepted; write the live value"
}

// unmanaged is what happens to the value once the manifest no longer has it.
func unmanaged(w conflict.Resolution) string {
	switch {
	case w.After == nil || w.After.Missing && len(w.Changes) == 0:
		return "accepted; nothing changes in the live object"
	case w.After.Missing:
		return "accepted; the field is removed"
	case len(w.Changes) > 0:
		return "accepted; the field becomes " + Short(w.After.Value)
	case w.Needed:
		return "accepted; the live value stays, but the manifest could no longer create the object"
	}
	return "accepted; the live value stays"
}

// TogetherText is the verdict on an option for all fields.
func TogetherText(w conflict.Resolution) string {
	switch {
	case !w.Impossible.IsZero():
		return "not possible: " + w.Impossible.String()
	case w.Outcome.Refused():
		return fmt.Sprintf("refused (%d)", w.Code)
	case len(w.Changes) > 0:
		return "accepted; " + words.Count(len(w.Changes), "field") + " of the live object would change"
	case w.Kind == conflict.StopManaging:
		return "accepted; the live values stay"
	}
	return "accepted; the live object keeps the values"
}

// inSentence is how much of a value stands in a sentence.
const inSentence = 60

// Short is a value in one line, cut where it is long.
func Short(v any) string { return glyph.Cut(words.Scalar(v), inSentence) }

// Effects are what changes beside the field itself, what its owners do next, and how the
// manifest changes.
func Effects(w conflict.Resolution, s conflict.Conflict) []model.Block {
	var out []model.Block
	changes := slices.DeleteFunc(slices.Clone(w.Changes), func(c report.Change) bool {
		return c.Field == s.Field && w.Kind == conflict.Force
	})
	if len(changes) > 0 {
		out = append(out, Changes(changes))
	}
	for _, r := range w.Reactions {
		out = append(out, Paragraph("%v", r.Says))
	}
	if w.NotEdited != "" {
		out = append(out, Paragraph("manifest: %v", w.NotEdited))
	}
	if e := w.Edit; e != nil {
		out = append(out, edited(e))
	}
	return out
}

// edited is how the manifest changes, behind the line where that is.
func edited(e *conflict.Edit) model.Diff {
	d := model.Diff{Shown: Shown, Lines: []model.DiffLine{{Kind: model.Place,
		Text: model.Say(words.Place(&report.Source{File: e.File, Line: e.Line}))}}}
	add := func(kind model.LineKind, lines []string) {
		for _, l := range lines {
			d.Lines = append(d.Lines, model.DiffLine{Kind: kind, Text: model.Say(" " + strings.TrimRight(l, "\r"))})
		}
	}
	add(model.Removed, e.Removed)
	add(model.Added, e.Added)
	return d
}

// Of is the apply that is explained.
func (o Options) Of(e conflict.Explanation) fixes.Asked {
	return o.OnObject(e.Target, e.Source, e.LiveSource, e.Manager, o.Several)
}

// RecommendedCommand does what is recommended for a field; empty where no command does
// just that.
func (o Options) RecommendedCommand(e conflict.Explanation, s conflict.Conflict) shell.Line {
	if !s.Command.None() {
		return s.Command
	}
	field := cmp.Or(s.AskedAs, s.Field)
	switch s.Recommended {
	case conflict.None:
		if s.Because.Kind == conflict.WrongManager {
			return o.Of(e).As(s.Because.Managers[0]).Explain()
		}
		return shell.Line{}
	case conflict.Force:
		return o.Of(e).Force()
	case conflict.Migrate:
		return o.Of(e).Migrate(s.Because.Managers...)
	case conflict.HandOver:
		return shell.Line{}
	}
	if s.ByHand {
		return shell.Line{}
	}
	return o.Of(e).Resolve(fixes.Resolving(s.Recommended, []string{field})...)
}

// AllCommand does what is recommended for all fields; empty where that differs.
func (o Options) AllCommand(e conflict.Explanation) shell.Line {
	if !Agreed(e.Conflicts) {
		return shell.Line{}
	}
	switch e.Conflicts[0].Recommended {
	case conflict.Force, conflict.Migrate:
		return o.RecommendedCommand(e, e.Conflicts[0])
	case conflict.StopManaging, conflict.UseLiveValue:
		if slices.ContainsFunc(e.Conflicts, func(c conflict.Conflict) bool { return c.ByHand }) {
			return shell.Line{}
		}
		return o.Of(e).Resolve(fixes.ResolvingAll(e.Conflicts[0].Recommended)...)
	}
	return shell.Line{}
}

// Agreed reports whether one option is recommended for all fields.
func Agreed(list []conflict.Conflict) bool {
	return !slices.ContainsFunc(list, func(c conflict.Conflict) bool { return c.Recommended != list[0].Recommended })
}

// DifferenceText says how the two values differ, where that is not seen.
func DifferenceText(s conflict.Conflict) string {
	d := s.Difference
	switch d.Kind {
	case conflict.Spelling:
		stored := "it does"
		if d.Stored != nil {
			stored = Short(d.Stored.Value)
		}
		return "only another spelling: the server stores yours as " + stored + ", which is the live value; it compares what is written, not what is meant"
	case conflict.Dropped:
		return "no difference in the object: the server stores nothing for your value, as that is what the field is without it"
	case conflict.Defaulted:
		return "no difference in the object: the live value is yours with defaults filled in at " + strings.Join(
			FirstOf(d.Filled, 4),
			", ",
		)
	case conflict.WriteOnly:
		return "the same value is stored already, but stringData is write-only: its owner conflicts with everybody else forever"
	case conflict.Real:
		if d.Stored == nil {
			return "the values differ: another value would be stored in data; stringData itself is write-only and never seen"
		}
		if s.Live.Missing {
			return "the values differ: the field is owned without a value, as its owner applied an empty one, and yours would be stored"
		}
		return ""
	}
	return "not known whether the difference is real: the server refuses to store your value"
}

// FirstOf shortens a list for a sentence.
func FirstOf(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(slices.Clone(list[:n]), "…")
}

// whole says what it means to be atomic.
const whole = " has one owner and is compared and replaced as a whole, so that one differing "

// Nature says what the field is for Server-Side Apply.
func Nature(s conflict.Conflict) string {
	n := s.Nature
	keys := cmp.Or(strings.Join(n.Keys, " and "), "their keys")
	what, then := map[conflict.NatureKind]string{
		conflict.Scalar:      "a single value",
		conflict.GranularMap: "a map; each key is a field of its own",
		conflict.AtomicMap:   "an atomic map",
		conflict.AtomicList:  "an atomic list",
		conflict.KeyedList:   "a list of items keyed by " + keys + ", each a field of its own",
		conflict.Set:         "a set: each value of the list is a field of its own",
		conflict.KeyedItem:   "an item of a list whose items are keyed by " + keys,
		conflict.SetItem:     "one value of a set",
	}[n.Kind], map[conflict.NatureKind]string{
		conflict.AtomicMap:  ": it" + whole + "key makes all of it conflict",
		conflict.AtomicList: ": it" + whole + "item, or default in an item, makes all of it conflict",
	}[n.Kind]
	if n.List != "" && n.Kind != conflict.KeyedItem && n.Kind != conflict.SetItem {
		what += " in an item of " + n.List
		if len(n.ListKeys) > 0 {
			what += " (keyed by " + strings.Join(n.ListKeys, " and ") + ")"
		}
	}
	if n.Deduced {
		then += "; no schema is known for the kind, so every list counts as atomic"
	}
	return what + then
}

// ManagerKind is what kind of writer owns the field, and how sure that is.
func ManagerKind(c writers.ManagerKind) string {
	if !c.Certain {
		return "probably " + c.Name
	}
	return c.Name
}
