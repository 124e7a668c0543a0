package view

import (
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// shownRisks is how many risks of an object are enough where a format folds.
const shownRisks = 10

// risks stand right under the title: the server says yes, and yet somebody is to
// look. Of many objects they are said together.
func (o Options) risks(list []report.Risk, on asked) []model.Block {
	l := model.List{Shown: shownRisks}
	if o.Brief && o.Several {
		return nil
	}
	for _, r := range list {
		text := model.Textf("%v %v", riskWord(r), riskText(r))
		if at := words.Place(r.Source); at != "" {
			text = model.Textf("%v, %v", text, model.Faint.Of(at))
		}
		item := model.Item{Text: text}
		if r.Rule == risk.Takeover {
			item.Blocks = commands(some(on.migrate(r.Manager)))
		}
		l.Items = append(l.Items, item)
	}
	if l.Items == nil {
		return nil
	}
	return []model.Block{l}
}

// fails reports whether a risk makes the run fail.
func (o Options) fails(r report.Risk) bool { return o.FailOn.Fails(r.Rule, r.Severity) }

// riskWord is how a risk is called by its severity.
func riskWord(r report.Risk) model.Span {
	switch r.Severity {
	case report.SeverityError:
		return model.Bad.Of("Risk:")
	case report.SeverityWarning:
		return model.Changed.Of("Risky:")
	}
	return model.Plain.Of("Note:")
}

// riskText is a risk with its rule, which --fail-on takes.
func riskText(r report.Risk) model.Text {
	if r.Field == "" {
		return model.Textf("%v (%v)", r.Message, r.Rule)
	}
	return model.Textf("%v: %v (%v)", model.Field.Of(r.Field), r.Message, r.Rule)
}
