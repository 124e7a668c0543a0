package answers

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// shownDiff is how many lines of a difference are enough where a format folds.
const shownDiff = 40

// difference is the changed lines from the live object to the result; of a
// conflict, to what force would make of it. An object that goes has none.
func difference(o page.Options, r report.Result) ([]model.Block, error) {
	title := "Difference from live to result"
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
