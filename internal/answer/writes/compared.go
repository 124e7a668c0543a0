package writes

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// compared is what a run keeps of how its writes differ from those of the manifests before a
// change.
type compared struct {
	// fixed are the findings that the change fixes, and undone the changes that only the
	// manifests before it make.
	fixed  []report.Finding
	undone []undone
	// removed are the objects whose manifests are removed, and that stay as they are; of
	// doubtful ones it is not known.
	removed, doubtful []report.Target
}

// undone is a change of an object that is not made any more.
type undone struct {
	target report.Target
	report.Change
}

// comparedIn is what differs in a result.
func comparedIn(r report.Result) compared {
	var out compared
	for _, f := range r.Findings {
		if f.Cause == report.FixedByChange {
			out.fixed = append(out.fixed, f)
		}
	}
	for _, c := range withoutNoise(r.Undone) {
		if !CarriesVersion(c) && !RewritesLastApplied(c) {
			out.undone = append(out.undone, undone{r.Target, c})
		}
	}
	switch {
	case r.Removed && r.Confidence.Level != report.Exact:
		out.doubtful = []report.Target{r.Target}
	case r.Removed:
		out.removed = []report.Target{r.Target}
	}
	return out
}

func (c *compared) add(in compared) {
	c.fixed, c.undone = append(c.fixed, in.fixed...), append(c.undone, in.undone...)
	c.removed, c.doubtful = append(c.removed, in.removed...), append(c.doubtful, in.doubtful...)
}

// blocks say what the change fixes and no longer does.
func (w *Run) compared() []model.Block {
	var out []model.Block
	list := func(title string, n int, item func(int) model.Text) {
		if n == 0 {
			return
		}
		l := model.List{Shown: page.Shown}
		for i := range n {
			l.Items = append(l.Items, model.Item{Text: item(i)})
		}
		out = append(out, page.Part(title, l))
	}
	list("Fixed by this change", len(w.differs.fixed), func(i int) model.Text {
		f := w.differs.fixed[i]
		says := model.Textf("%v (%v)", f.Message, f.Rule)
		if quotes := f.Rule == report.RuleRefused || f.Rule == report.RuleNoAnswer; quotes {
			says = model.Textf("%v", f.Lead)
		}
		if f.Field != "" {
			says = model.Textf("%v: %v", model.Field.Of(f.Field), says)
		}
		return model.Textf("%v  %v  %v", page.SeverityWord(f.Severity), w.object(f.Target), says)
	})
	list("No longer changed", len(w.differs.undone), func(i int) model.Text {
		c := w.differs.undone[i]
		return model.Textf("%v  %v  %v", w.object(c.target), model.Field.Of(c.Field), becomes(c.Change))
	})
	objects := func(title string, of []report.Target) {
		list(title, len(of), func(i int) model.Text { return model.Say(words.Object(of[i]) + words.Where(of[i])) })
	}
	objects("Removed from the manifests; whether they are deleted is not known", w.differs.doubtful)
	objects("Removed from the manifests, and left as they are", w.differs.removed)
	return out
}

// change is the first words of a headline over a change: how many objects and fields differ.
func change(c report.Comparison, manager model.Text) model.Text {
	total := words.Count(c.Differ+c.Same, "object")
	as := model.Text(nil)
	if manager != nil {
		as = model.Textf(" as %v", manager)
	}
	if c.Differ == 0 {
		return model.Textf("%v%v: %v", model.Strong.Of("This change since "+c.Base), as,
			model.Good.Of("no difference in "+total))
	}
	gist := fmt.Sprintf("%d of %s", c.Differ, total)
	if c.Fields > 0 {
		gist += ", " + words.Count(c.Fields, "field")
	}
	return model.Textf("%v%v: %v", model.Strong.Of("This change since "+c.Base), as, gist)
}

// caused counts the findings that a change causes and fixes.
func caused(c report.Comparison, tally model.Text) model.Text {
	if tally == nil {
		tally = model.Text{model.Good.Of("It causes no findings.")}
	}
	if n := c.Fixed.Total(); n > 0 {
		return model.Textf("%v %v", tally, model.Good.Of(words.Count(n, "finding")+" fixed."))
	}
	return tally
}
