package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// contested is one field that an apply conflicts about, with all of its owners.
type contested struct {
	report.Conflict
	owners []report.Conflict
}

// contestedOf are the fields of a conflict, each once.
func contestedOf(r report.Result) []contested {
	var out []contested
	for i := 0; i < len(r.Conflicts); {
		j := i + 1
		for j < len(r.Conflicts) && r.Conflicts[j].Field == r.Conflicts[i].Field {
			j++
		}
		out = append(out, contested{r.Conflicts[i], r.Conflicts[i:j]})
		i = j
	}
	return out
}

// conflicted is each field with both values and its owners, what to do, what force
// would do, and the server's answer.
func (o Options) conflicted(r report.Result) []model.Block {
	fields := contestedOf(r)
	var out []model.Block
	for i, c := range fields {
		if i == shownFaults && !o.Verbose && !o.Differences {
			left := words.Count(len(fields)-i, "field")
			out = append(out, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of(left + " more; -v shows all")}})
			break
		}
		out = append(out, o.contested(c))
	}
	if len(fields) > 0 && !r.Confidence.Has(report.RuleNoManagedFields) {
		out = append(out, o.whatToDo(r, fields)...)
		out = append(out, o.forced(r, fields)...)
	}
	return append(out, o.serverAnswer(r)...)
}

// shownOwners is how many owners of a field are shown.
const shownOwners = 10

// moreOwners stands for the owners that are not shown.
func moreOwners(n int) model.Item {
	return model.Item{Text: model.Text{model.Faint.Of(fmt.Sprintf("%d more field managers; -v shows all", n))}}
}

// contested is the part on one field.
func (o Options) contested(c contested) model.Section {
	title := model.Text{model.Field.Of(c.Field)}
	if c.Field == "" {
		title = model.Say("(the object)")
	}
	if at := words.Place(c.Source); at != "" {
		title = model.Textf("%v, %v", title, model.Faint.Of(at))
	}
	facts := model.List{Items: bothValues(c.Conflict)}
	if c.Advice != nil && c.Advice.Same {
		facts.Items = append(facts.Items, model.Item{Text: model.Say("no difference in the object: the server stores yours as the live value")})
	}
	for i, w := range c.owners {
		if i == shownOwners && !o.Verbose {
			facts.Items = append(facts.Items, moreOwners(len(c.owners)-i))
			break
		}
		facts.Items = append(facts.Items, model.Item{Label: model.Say("owned by"),
			Text: model.Textf("%v, %v; %v", writerOf(w.Writer), words.Since(w.Time, o.Now), ManagerKind(explain.ManagerKindOf(w.Writer, "")))})
	}
	return model.Section{Title: title, Blocks: []model.Block{facts}}
}

// bothValues are those of the manifest and of the live object; of large ones what
// differs inside.
func bothValues(c report.Conflict) []model.Item {
	if inside := inside(c.Live, c.Applied); inside.n > 0 {
		return []model.Item{{Label: model.Say("differs"), Text: inside.text("live -> yours"), Blocks: []model.Block{inside.diff()}}}
	}
	return []model.Item{
		{Label: model.Say("yours"), Text: valueOf(explain.Value{Value: c.Applied, Missing: c.AppliedMissing}, model.Good)},
		{Label: model.Say("live"), Text: valueOf(explain.Value{Value: c.Live, Missing: c.LiveMissing}, model.Bad)},
	}
}

// whatToDo is the advice, field by field where it differs, with the commands that
// follow it, and once all options.
func (o Options) whatToDo(r report.Result, fields []contested) []model.Block {
	var out []model.Block
	said := map[string]bool{}
	for _, advised := range advices(fields) {
		text := recommendation(advised.advice)
		if len(advised.fields) < len(fields) {
			text = model.Textf("%v: %v", model.Join(model.Spans(model.Field, advised.fields), ", "), text)
		}
		out = append(out, model.Paragraph{Apart: true, Text: text})
		out = append(out, commands(o.adviceCommands(r, advised))...)
		if a := advised.advice; a != nil && !o.settings() && !said[a.InClient] {
			said[a.InClient] = true
			out = append(out, inClient(explain.ClientOf(r.Manager), a.InClient)...)
		}
	}
	if o.settings() {
		out = append(out, clientParts(ResultDocument(r).InClient)...)
	}
	return append(out, part("Options to resolve it", optionsOnce(), paragraph("Each of them simulated, with what its owner does next:"),
		model.Command{Line: o.onResult(r).explain()}))
}

// settings reports whether a format has room for the settings of clients in full.
func (o Options) settings() bool { return o.Verbose || o.Listing || o.Differences && !o.Several }

// optionsOnce are the options to resolve a conflict, whatever the field.
func optionsOnce() model.List {
	option := func(k explain.ResolutionKind, text string) model.Item {
		return model.Item{Label: model.Text{model.Strong.Of(optionName(k))}, Text: model.Say(text)}
	}
	return model.List{Items: []model.Item{
		option(explain.StopManaging, "remove the field from the manifest; the live value stays"),
		option(explain.UseLiveValue, "write the live value into the manifest; both own the field"),
		option(explain.Force, "apply with --force-conflicts; its owner may set it back"),
	}}
}

// forced is what the same apply would do with force, as far as the conflicts do
// not say it.
func (o Options) forced(r report.Result, fields []contested) []model.Block {
	f := r.Forced
	switch {
	case f == nil:
		return nil
	case f.Outcome.Refused():
		blocks := o.causes(f.Causes)
		if f.Status != nil {
			blocks = append(blocks, model.Quote{Text: f.Status.Message})
		}
		return []model.Block{part("With --force-conflicts it would still be refused", blocks...)}
	}
	told := func(field string) bool {
		return !o.Verbose && !o.Differences && slices.ContainsFunc(fields, func(c contested) bool { return managedfields.Within(field, c.Field) })
	}
	blocks := o.price(f.Transfers, r.Manager)
	rest := slices.DeleteFunc(slices.Clone(f.Changes), func(c report.Change) bool { return told(c.Field) })
	if len(rest) > 0 {
		blocks = append(blocks, changesWhy(rest))
	}
	if blocks == nil {
		return nil
	}
	return []model.Block{part(fmt.Sprintf("With --force-conflicts it would be %s", strings.ToLower(string(f.Outcome))), blocks...)}
}
