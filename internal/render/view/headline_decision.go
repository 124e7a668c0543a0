package view

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// refusal is how many writes are refused, and why.
func (w *Run) refusal(s report.Summary, shape shape) model.Text {
	refused := s.Conflicted + s.Invalid + s.Failed
	what := fmt.Sprintf("%d of %s would be refused", refused, words.Count(s.Total, "object"))
	switch refused {
	case s.Invalid:
		what = fmt.Sprintf("%d of %s would be rejected by the API server", refused, words.Count(s.Total, "object"))
		if !shape.answers {
			return model.Textf("%v.", model.Bad.Of(what))
		}
		return model.Textf("%v: %v.", model.Bad.Of(what), w.rejected.causes())
	case s.Conflicted:
		return model.Textf("%v: %v.", model.Bad.Of(what), w.decisions.owners(shape.owners))
	}
	return model.Textf("%v: %v.", model.Bad.Of(what), w.causes(s, shape))
}

// causes are why writes are refused, where that is not one thing.
func (w *Run) causes(s report.Summary, shape shape) model.Text {
	var parts []model.Text
	if s.Conflicted > 0 {
		part := model.Textf("%v conflicted", s.Conflicted)
		if shape.owners > 0 {
			part = model.Textf("%v (%v)", part, w.decisions.owners(shape.owners))
		}
		parts = append(parts, part)
	}
	if s.Invalid > 0 {
		part := model.Textf("%v rejected by the API server", s.Invalid)
		if shape.answers {
			part = model.Textf("%v (%v)", part, w.rejected.causes())
		}
		parts = append(parts, part)
	}
	if s.Failed > 0 {
		parts = append(parts, model.Textf("%v without an answer%v", s.Failed, w.failure(": ", shape)))
	}
	return model.Join(parts, "; ")
}

// price is who loses how many fields to the accepted writes, and what to leave to the one
// who takes them back; empty for nobody.
func (w *Run) price(before string, shape shape) model.Text {
	if w.taken.fields == 0 {
		return nil
	}
	losers, back := byManager(w.taken.list), byManager(returning(w.taken.list))
	who := model.Textf(" from %v", words.Count(len(losers), "manager"))
	if shape.owners > 0 {
		who = model.Textf(": %v", perManager(losers, shape.owners, func(n int) string { return fmt.Sprintf("loses %d", n) }))
	}
	out := model.Textf("%v%v%v.", before, model.Changed.Of(words.Count(w.taken.fields, "field")+" taken"), who)
	switch {
	case len(back) != 1 || !w.applies() || !shape.advice || w.decisions.contested > 0:
		return out
	case len(losers) == 1 && shape.owners > 0:
		return model.Textf("%v Recommended: leave %v to it.", out, words.Them(w.taken.fields))
	}
	return model.Textf("%v Recommended: leave %v to %v.", out, back[0].fields, managerName(back[0].manager))
}

// recommendations are what is recommended for how many of the conflicting fields; empty
// where nothing is.
func (w *Run) recommendations(shape shape) model.Text {
	if !shape.advice || w.decisions.advised[explain.None] == w.decisions.contested {
		return nil
	}
	var parts []string
	for _, one := range []struct {
		kind explain.ResolutionKind
		what string
	}{{explain.Migrate, "migrate %s"}, {explain.StopManaging, "stop managing %s"}, {explain.UseLiveValue, "use the live value of %s"}, {explain.Force, "force %s"}, {explain.None, "decide on %s"}} {
		switch n := w.decisions.advised[one.kind]; {
		case n > 0 && parts == nil:
			parts = append(parts, fmt.Sprintf(one.what, words.Count(n, "field")))
		case n > 0:
			parts = append(parts, fmt.Sprintf(one.what, fmt.Sprint(n)))
		}
	}
	return model.Say(" Recommended: " + strings.Join(parts, ", ") + ".")
}

// owners are who owns how many fields.
func (d *decisions) owners(named int) model.Text {
	counts := byManager(d.groups.list)
	switch {
	case counts == nil:
		return model.Say("other field managers own fields")
	case named == 0:
		return model.Say(fmt.Sprintf("fields of %s", words.Count(len(counts), "manager")))
	}
	return perManager(counts, named, func(n int) string { return "owns " + words.Count(n, "field") })
}

// perManager is a sentence on how many fields managers have, which is said in full of
// the first.
func perManager(counts []managed, named int, said func(n int) string) model.Text {
	var parts []model.Text
	for i, c := range counts {
		switch {
		case i == named && len(counts) > i+1:
			return model.Textf("%v, and %v more managers", model.Join(parts, ", "), len(counts)-i)
		case i == 0:
			parts = append(parts, model.Textf("%v %v", managerName(c.manager), said(c.fields)))
		default:
			parts = append(parts, model.Textf("%v %v", managerName(c.manager), c.fields))
		}
	}
	return model.Join(parts, ", ")
}

// inHeadline is how much of a manager's name stands in a headline.
const inHeadline = 40

// managerName is a manager in a sentence.
func managerName(name string) model.Span {
	if name == "" {
		name = "(no name)"
	}
	return model.Manager.Of(glyph.Cut(name, inHeadline))
}
