package writes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// shownFaults is how many fields that are wrong are enough where a format folds.
const shownFaults = 10

// faults are what is wrong with a write that is refused for another reason than
// ownership, and the lines of an error for which the title had no room. Of many
// objects the faults are said together.
func faults(o page.Options, r report.Result) []model.Block {
	if _, rest, ok := strings.Cut(r.Error, "\n"); ok && r.Status == nil {
		return []model.Block{model.Quote{Text: rest}}
	}
	if o.Brief && o.Several {
		return nil
	}
	return append(Causes(o, r.Causes), o.Refusals(r)...)
}

// Causes are what is wrong, field by field, each with its line; none where the
// server's message alone says no less.
func Causes(o page.Options, list []report.Cause) []model.Block {
	if len(list) == 0 || len(list) == 1 && list[0].Source == nil {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 3), Shown: shownFaults}
	for _, c := range list {
		says := faultText(c)
		if o.Verbose {
			says = c.With(text.FirstLine(c.Message))
		}
		t.Rows = append(
			t.Rows,
			[]model.Text{{model.Field.Of(c.Field)}, {model.Faint.Of(words.Place(c.Source))}, model.Say(says)},
		)
	}
	return []model.Block{listed(o, t)}
}

// faultText is what is wrong, and what may be meant. Lines behind the first, as of
// a difference, are left to the API server's sentence.
func faultText(c report.Cause) string {
	return c.With(shortMessage(text.FirstLine(c.Message)))
}

// quotedValue is how much of a value a message quotes.
const quotedValue = 120

// shortMessage cuts the value that a message quotes, after a path or without one: of a
// template that must not change the API server quotes all there is.
func shortMessage(message string) string {
	kind, rest, ok := strings.Cut(message, " value: ")
	_, fault, pathed := strings.Cut(kind, ": ")
	if !pathed {
		fault = kind
	}
	if !ok || strings.Contains(fault, " ") {
		return message
	}
	d := json.NewDecoder(strings.NewReader(rest))
	var value json.RawMessage
	if d.Decode(&value) != nil {
		return message
	}
	end := d.InputOffset()
	return kind + " value: " + glyph.Cut(rest[:end], quotedValue) + rest[end:]
}

// shownAnswer is how much of the API server's sentence is shown where its faults
// are reported one by one, unless all is asked for.
const shownAnswer = 4000

// serverAnswer is the API server's message, word for word: it is what people
// search for.
func serverAnswer(o page.Options, r report.Result) []model.Block {
	message := serverMessage(o, r)
	if message == nil {
		return nil
	}
	return []model.Block{page.Part(Answerer(r), message...)}
}

// Answerer says who refuses a write: the client, or the API server with its code.
func Answerer(r report.Result) string {
	switch {
	case answerOf(r) != refusedByClient:
		return "The API server would answer " + answerOf(r)
	case r.Client.Sends():
		return "The client fails after these requests"
	}
	return "The client refuses it, and sends no request"
}

func serverMessage(o page.Options, r report.Result) []model.Block {
	if r.Status == nil {
		return nil
	}
	text := glyph.Lines(strings.TrimRight(r.Status.Message, "\n"))
	if o.Verbose || len(r.Causes) == 0 || glyph.Columns(text) <= shownAnswer {
		return []model.Block{model.Quote{Text: text}}
	}
	return []model.Block{
		model.Quote{Text: glyph.Cut(text, shownAnswer)},
		model.Paragraph{Text: model.Text{model.Faint.Of("cut; -v shows all")}},
	}
}

// withoutNoise leaves out the fields that the server alone keeps.
func withoutNoise(changes []report.Change) []report.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c report.Change) bool {
		name, ok := strings.CutPrefix(c.Field, ".metadata.")
		return ok && slices.Contains(objects.ServerFields, name)
	})
}

// conflicted is what force would do, and the server's answer: who owns the fields, and what
// to do, stands above.
func conflicted(o page.Options, r report.Result) []model.Block {
	var out []model.Block
	if len(r.Conflicts) > 0 && !r.Confidence.Has(report.RuleNoManagedFields) {
		if settings(o) {
			out = append(out, page.ClientParts(page.ResultDocument(r).InClient)...)
		}
		out = append(out, WithForce(o, r)...)
	}
	return append(out, serverAnswer(o, r)...)
}

// settings reports whether a format has room for the settings of clients in full.
func settings(o page.Options) bool { return o.Verbose || o.Listing || o.Differences && !o.Several }

// WithForce is what the same apply would do with force, as far as the conflicts do
// not say it.
func WithForce(o page.Options, r report.Result) []model.Block {
	f := r.Forced
	switch {
	case f == nil:
		return nil
	case f.Outcome.Refused():
		blocks := Causes(o, f.Causes)
		if f.Status != nil && (len(blocks) == 0 || o.Verbose) {
			blocks = append(blocks, model.Quote{Text: f.Status.Message})
		}
		r.Refusals = f.Refusals
		blocks = append(blocks, o.Refusals(r)...)
		return []model.Block{page.Part("With --force-conflicts it would still be refused", blocks...)}
	}
	told := func(field string) bool {
		return !o.Verbose && !o.Differences &&
			slices.ContainsFunc(r.Conflicts, func(c report.Conflict) bool { return managedfields.Within(field, c.Field) })
	}
	rest := slices.DeleteFunc(withoutNoise(f.Changes), func(c report.Change) bool { return told(c.Field) })
	if len(rest) == 0 {
		return nil
	}
	return []model.Block{
		page.Part(
			fmt.Sprintf("With --force-conflicts it would be %s", strings.ToLower(string(f.Outcome))),
			listed(o, changesWhy(rest)),
		),
	}
}

// shownDiff is how many lines of a difference are enough where a format folds.
const shownDiff = 40

// difference is the changed lines from the live object to the result; of a
// conflict, to what force would make of it. An object that goes has none.
func difference(o page.Options, r report.Result) ([]model.Block, error) {
	title := "Difference from live to result"
	if r.Former != "" && !r.Former.Refused() {
		title = "Difference from the result before the change"
	}
	switch {
	case !o.Differences || r.Deleted:
		return nil, nil
	case r.Outcome == report.Conflicted && r.Forced != nil && r.Forced.Object != nil:
		title, r.Outcome, r.Object = "Difference, if forced", report.Configured, r.Forced.Object
	case r.Outcome.Refused():
		return nil, nil
	}
	diff, err := objects.DiffOf(r, o.Objects)
	if err != nil {
		return nil, fmt.Errorf("difference of %s: %w", words.Object(r.Target), err)
	}
	if len(diff.Hunks) == 0 {
		return nil, nil
	}
	d := model.Diff{Shown: shownDiff}
	inside := diff.Inside()
	for i, h := range diff.Hunks {
		place := strings.TrimSpace(h.Header() + "  " + strings.Join(inside[i], " › "))
		d.Lines = append(d.Lines, model.DiffLine{Kind: model.Place, Text: model.Say(place)})
		d.Lines = append(d.Lines, hunkLines(h.Lines)...)
	}
	return []model.Block{page.Part(title, d)}, nil
}

// hunkLines are lines with the differing words stressed, if as many lines are added as
// removed.
func hunkLines(lines []textdiff.Line) []model.DiffLine {
	var out []model.DiffLine
	for i := 0; i < len(lines); {
		if lines[i].Kind == textdiff.Equal {
			out = append(out, model.DiffLine{Kind: model.Same, Text: model.Say(lineOf(lines[i]))})
			i++
			continue
		}
		gone := run(lines[i:], textdiff.Delete)
		come := run(lines[i+gone:], textdiff.Insert)
		out = append(out, changedLines(lines[i:i+gone], lines[i+gone:i+gone+come])...)
		i += gone + come
	}
	return out
}

func run(lines []textdiff.Line, kind textdiff.Kind) int {
	n := 0
	for n < len(lines) && lines[n].Kind == kind {
		n++
	}
	return n
}

func changedLines(old, new []textdiff.Line) []model.DiffLine {
	before, after := make([]model.DiffLine, len(old)), make([]model.DiffLine, len(new))
	for i, l := range old {
		before[i] = model.DiffLine{Kind: model.Removed, Text: model.Say(lineOf(l))}
	}
	for i, l := range new {
		after[i] = model.DiffLine{Kind: model.Added, Text: model.Say(lineOf(l))}
		if len(old) == len(new) {
			before[i].Text, after[i].Text = stressed(lineOf(old[i]), lineOf(l))
		}
	}
	return append(before, after...)
}

// stressed are two lines with the differing words stressed.
func stressed(old, new string) (before, after model.Text) {
	for _, e := range textdiff.Words(old, new) {
		switch e.Kind {
		case textdiff.Equal:
			before, after = append(before, model.Plain.Of(e.Text)), append(after, model.Plain.Of(e.Text))
		case textdiff.Delete:
			before = append(before, model.Strong.Of(e.Text))
		case textdiff.Insert:
			after = append(after, model.Strong.Of(e.Text))
		}
	}
	return before, after
}

func lineOf(l textdiff.Line) string { return strings.TrimSuffix(l.Text, "\n") }
