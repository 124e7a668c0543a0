package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// optionName is an option to resolve a conflict.
func optionName(k explain.ResolutionKind) string {
	return map[explain.ResolutionKind]string{
		explain.Force: "Force", explain.StopManaging: "Stop managing", explain.UseLiveValue: "Use the live value",
	}[k]
}

// recommended is the option in a sentence.
func recommended(k explain.ResolutionKind) string {
	text := map[explain.ResolutionKind]string{
		explain.Force:        "force (take ownership)",
		explain.StopManaging: "stop managing the field (remove it from the manifest)",
		explain.UseLiveValue: "use the live value (share ownership)",
		explain.Migrate:      "migrate (hand the object over)",
	}[k]
	if text == "" {
		return "none is safe"
	}
	return text
}

// options are the options to resolve the conflict of one field, each simulated.
func options(s explain.Conflict) []model.Block {
	l := model.List{}
	for _, w := range s.Resolutions {
		item := model.Item{Label: model.Text{model.Strong.Of(optionName(w.Kind))}, Text: model.Say(optionText(w, s))}
		if w.Impossible.IsZero() {
			item = withRefusal(item, w)
			item.Blocks = append(item.Blocks, effects(w)...)
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{model.Paragraph{Apart: true, Text: model.Text{model.Strong.Of("Options to resolve it:")}}, l}
}

func withRefusal(item model.Item, w explain.Resolution) model.Item {
	if w.Outcome.Refused() && w.Message != "" {
		item.Blocks = append(item.Blocks, paragraph("%v", w.Message))
	}
	return item
}

// optionText is the verdict on an option for one field.
func optionText(w explain.Resolution, s explain.Conflict) string {
	switch {
	case !w.Impossible.IsZero():
		return "not possible: " + w.Impossible.String()
	case w.Outcome == report.Conflicted:
		return "refused (409): still a conflict"
	case w.Outcome.Refused():
		return fmt.Sprintf("refused (%d)", w.Code)
	}
	switch w.Kind {
	case explain.Force:
		if !s.Difference.Changes() {
			return "accepted; the stored value stays as it is"
		}
		return "accepted; your value is stored"
	case explain.StopManaging:
		return unmanaged(w)
	}
	if w.Write != nil && w.Edit == nil {
		return "accepted; write " + short(w.Write.Value)
	}
	return "accepted; write the live value"
}

// unmanaged is what happens to the value once the manifest no longer has it.
func unmanaged(w explain.Resolution) string {
	switch {
	case w.After == nil || w.After.Missing && len(w.Changes) == 0:
		return "accepted; nothing changes in the live object"
	case w.After.Missing:
		return "accepted; the field is removed"
	case len(w.Changes) > 0:
		return "accepted; the field becomes " + short(w.After.Value)
	case w.Needed:
		return "accepted; the live value stays, but the manifest could no longer create the object"
	}
	return "accepted; the live value stays"
}

// togetherText is the verdict on an option for all fields.
func togetherText(w explain.Resolution) string {
	switch {
	case !w.Impossible.IsZero():
		return "not possible: " + w.Impossible.String()
	case w.Outcome.Refused():
		return fmt.Sprintf("refused (%d)", w.Code)
	case len(w.Changes) > 0:
		return "accepted; " + words.Count(len(w.Changes), "field") + " of the live object would change"
	case w.Kind == explain.StopManaging:
		return "accepted; the live values stay"
	}
	return "accepted; the live object keeps the values"
}

// inSentence is how much of a value stands in a sentence.
const inSentence = 60

func short(v any) string { return glyph.Cut(words.Scalar(v), inSentence) }

// effects are what changes beside the field itself, or of it, who loses the
// field, what its owners do next, and how the manifest changes.
func effects(w explain.Resolution) []model.Block {
	var out []model.Block
	if len(w.Changes) > 0 {
		out = append(out, changes(w.Changes))
	}
	if taken := takenFrom(w); taken != nil && w.Kind == explain.Force {
		out = append(out, paragraph("takes ownership from %v", model.Join(taken, ", ")))
	}
	for _, r := range w.Reactions {
		out = append(out, paragraph("%v", r.Says))
	}
	if w.NotEdited != "" {
		out = append(out, paragraph("manifest: %v", w.NotEdited))
	}
	if e := w.Edit; e != nil {
		out = append(out, edited(e))
	}
	return out
}

// takenFrom names who loses a field by an option.
func takenFrom(w explain.Resolution) []model.Text {
	var out []model.Text
	seen := map[string]bool{}
	for _, t := range w.Transfers {
		who := report.Writer{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		if name := words.Writer(who); t.Kind == report.Overridden && !seen[name] {
			seen[name] = true
			out = append(out, writerOf(who))
		}
	}
	return out
}

// edited is how the manifest changes, behind the line where that is.
func edited(e *explain.Edit) model.Diff {
	d := model.Diff{Shown: shown, Lines: []model.DiffLine{{Kind: model.Place,
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

// of is the apply that is explained.
func (o Options) of(e explain.Explanation) asked {
	return o.one(e.Target, e.Source, e.LiveSource, e.Manager)
}

// recommendedCommand does what is recommended for a field; empty where no command does
// just that.
func (o Options) recommendedCommand(e explain.Explanation, s explain.Conflict) string {
	field := cmp.Or(s.AskedAs, s.Field)
	switch s.Recommended {
	case explain.Force:
		return o.of(e).force()
	case explain.Migrate:
		return o.of(e).migrate(s.Because.Managers...)
	}
	return o.of(e).resolve(resolving(s.Recommended, []string{field})...)
}

// allCommand does what is recommended for all fields; empty where that differs.
func (o Options) allCommand(e explain.Explanation) string {
	if !agreed(e.Conflicts) {
		return ""
	}
	switch e.Conflicts[0].Recommended {
	case explain.Force, explain.Migrate:
		return o.recommendedCommand(e, e.Conflicts[0])
	case explain.StopManaging, explain.UseLiveValue:
		return o.of(e).resolve(resolvingAll(e.Conflicts[0].Recommended)...)
	}
	return ""
}
