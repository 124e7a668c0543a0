package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

const (
	// shownRows is how many fields of a cause are enough, shownCauses how many causes.
	shownRows   = 3
	shownCauses = 10
	// shownPlaces is how many objects of a cause are named in a line where their values
	// say nothing.
	shownPlaces = 5
)

// Look is what is to be looked at, the worst first. What holds for all conflicts is said
// once, behind them.
func (w *Run) Look(list []*cause) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l, said := model.List{Shown: shownCauses}, map[string]bool{}
	for _, c := range list {
		l.Items = append(l.Items, w.item(c, said))
	}
	out := []model.Block{l}
	if w.o.Headline && w.one == nil {
		out = []model.Block{w.overall(list), l}
	}
	if i := slices.IndexFunc(list, func(c *cause) bool { return c.Rule == Conflicting }); i >= 0 && !w.Explains && (w.o.Brief || w.one != nil) {
		if line := w.on(list[i]).Explain(); !said[line] {
			out = append(out, model.Paragraph{Apart: w.one == nil, Text: model.Say("What each option would do, field by field:")}, model.Command{Line: line})
		}
	}
	return out
}

// overall is a table of causes with their fields, for formats that have room for it.
func (w *Run) overall(list []*cause) model.Table {
	t := model.Table{Columns: []model.Column{{Title: "Severity"}, {Title: "Object"}, {Title: "Field"}, {Title: "Before → after"}, {Title: "From"}, {Title: "Line"}}}
	for _, c := range list {
		if c.Rule == risk.Takeover {
			t.Rows = append(t.Rows, []model.Text{{SeverityWord(c.severity)}, model.Say(c.kinds.gist()), model.Say(words.Count(c.fields, "field") + " (takeover)"), nil, {model.Manager.Of(c.owner.Manager)}, nil})
			continue
		}
		for i, row := range c.rows {
			object := w.object(row.target)
			if i == shownRows && c.fields > shownRows+1 {
				object = fmt.Sprintf("… %d more", c.fields-i)
				row = causeRow{}
			}
			t.Rows = append(t.Rows, []model.Text{{SeverityWord(c.severity)}, model.Say(object), {model.Field.Of(row.Field)}, row.values, fromWhom(row), faintly(words.Place(row.source))})
			if row.target.Kind == "" {
				break
			}
		}
	}
	return t
}

// fromWhom is whose field of a row it was; nil for none.
func fromWhom(row causeRow) model.Text {
	if row.from == "" {
		return nil
	}
	return model.Text{model.Manager.Of(row.from)}
}

// item is a cause: what it is, its fields, and what to do. A command that an item before
// it has is not said again.
func (w *Run) item(c *cause, said map[string]bool) model.Item {
	item := model.Item{Label: model.Text{SeverityWord(c.severity)}, Text: w.says(c)}
	if !w.o.Headline || w.one != nil || c.Rule == rejected || c.Rule == unanswered {
		item.Blocks = append(item.Blocks, w.rows(c)...)
	}
	item.Blocks = append(item.Blocks, c.options...)
	fix, lines := w.fix(c)
	if len(fix) > 0 {
		item.Blocks = append(item.Blocks, model.Paragraph{Text: fix})
	}
	for _, line := range lines {
		if !said[line] {
			said[line] = true
			item.Blocks = append(item.Blocks, model.Command{Line: line})
		}
	}
	for _, b := range w.inClient(c) {
		key := fmt.Sprint(b)
		if !said[key] {
			said[key] = true
			item.Blocks = append(item.Blocks, b)
		}
	}
	return item
}

// on is the apply that a cause is about.
func (w *Run) on(c *cause) page.Asked {
	if w.one != nil {
		return *w.one
	}
	return w.o.Run(c.applier, c.subresource)
}

// says is what a cause is.
func (w *Run) says(c *cause) model.Text {
	switch c.Rule {
	case Conflicting:
		if n := len(c.owners); n > 1 {
			return model.Textf("%v own %v", w.owners(c), w.what(c))
		}
		return model.Textf("%v owns %v; %v", page.WriterOf(c.owner), w.what(c), page.ManagerKind(conflict.ManagerKindOf(c.owner, c.applier)))
	case rejected:
		answer, _, _ := strings.Cut(c.causeKey.says, "\n")
		if answer == refusedByClient {
			return model.Textf("refused by the client, which sends no request: %v", c.kinds.gist())
		}
		return model.Textf("rejected by the API server (%v): %v", answer, c.kinds.gist())
	case unanswered:
		return model.Textf("no answer: %v", c.kinds.gist())
	case risk.Takeover:
		return model.Textf("%v loses %v of %v to %v, a takeover: %v (%v)", model.Manager.Of(c.owner.Manager), words.Count(c.fields, "field"), c.kinds.gist(), model.Manager.Of(c.applier),
			nextOf(c.owner, c.applier, c.fields), c.Rule)
	case risk.TakenByForce, risk.AtomicReplaced:
		if conflict.ManagerKindOf(c.owner, c.applier).Kind == conflict.Person {
			return model.Textf("%v made by hand as %v %v overwritten (%v)", words.Count(c.fields, "change"), model.Manager.Of(c.owner.Manager), words.Agree(c.fields, "is", "are"), c.Rule)
		}
		return model.Textf("%v loses %v; %v (%v)", page.WriterOf(c.owner), w.what(c), nextOf(c.owner, c.applier, c.fields), c.Rule)
	}
	if c.common == "" {
		return model.Textf("%v (%v)", c.message, c.Rule)
	}
	return model.Textf("%v: %v (%v)", w.what(c), c.message, c.Rule)
}

// shownOwners is how many owners of a field are shown.
const shownOwners = 10

// owners name those of the fields of a conflict.
func (w *Run) owners(c *cause) string {
	most := len(c.owners)
	if !w.o.Verbose {
		most = min(most, shownOwners)
	}
	return words.Some(c.owners, most, len(c.owners))
}

// what is the field of a cause, or how many there are, and of which objects where they are
// several.
func (w *Run) what(c *cause) model.Text {
	what := model.Say(words.Count(c.fields, "field"))
	if c.common != "" {
		what = model.Text{model.Field.Of(report.Filled(c.common, c.at))}
	}
	if c.objects > 1 {
		return model.Textf("%v of %v", what, c.kinds.gist())
	}
	return what
}

// rows are the fields of a cause, each with its values and its line; of a takeover they
// are changes like others.
func (w *Run) rows(c *cause) []model.Block {
	var out []model.Block
	switch c.Rule {
	case risk.Takeover:
		return nil
	case Conflicting:
		if recommendedIn(c.advice) == conflict.Migrate {
			return nil
		}
	case rejected, unanswered:
		if quote := c.quote(); quote.Text != "" {
			out = append(out, quote)
		}
	}
	if text := c.places(w); text != nil {
		return append(out, model.Paragraph{Text: text})
	}
	t := model.Table{}
	for i, row := range c.rows {
		if i == shownRows && c.fields > shownRows+1 && !w.o.Verbose {
			break
		}
		t.Rows = append(t.Rows, w.row(c, row))
	}
	if t = filled(t); len(t.Columns) == 0 {
		return out
	}
	out = append(out, listed(w.o, t))
	if more := c.fields - len(t.Rows); more > 0 {
		out = append(out, model.Paragraph{Text: model.Text{model.Faint.Of(fmt.Sprintf("… %d more", more))}})
	}
	return out
}

// row are the cells of a field: those that all fields of the cause share are left out.
func (w *Run) row(c *cause, row causeRow) []model.Text {
	var cells []model.Text
	if w.one == nil {
		cells = append(cells, model.Say(w.object(row.target)))
	}
	if c.common == "" && row.Field != "" {
		cells = append(cells, model.Text{model.Field.Of(row.Field)})
	}
	age := ""
	if row.since != nil && !w.o.Now.IsZero() {
		age = words.Age(row.since, w.o.Now) + " ago"
	}
	return append(cells, row.values, model.Say(age), faintly(words.Place(row.source)))
}

// faintly is a text in the background; nil for none.
func faintly(text string) model.Text {
	if text == "" {
		return nil
	}
	return model.Text{model.Faint.Of(text)}
}

// listed is a table without a header, where a format has none: its rows are a list.
func listed(o page.Options, t model.Table) model.Block {
	if !o.Headline {
		return t
	}
	l := model.List{Shown: t.Shown}
	for _, row := range t.Rows {
		l.Items = append(l.Items, model.Item{Text: model.Join(slices.DeleteFunc(row, func(c model.Text) bool { return len(c) == 0 }), "  ")})
	}
	return l
}

// filled is a table without the columns that are empty.
func filled(t model.Table) model.Table {
	if len(t.Rows) == 0 {
		return t
	}
	used := make([]bool, len(t.Rows[0]))
	for _, row := range t.Rows {
		for i, cell := range row {
			used[i] = used[i] || len(cell) > 0
		}
	}
	for r, row := range t.Rows {
		var cells []model.Text
		for i, cell := range row {
			if used[i] {
				cells = append(cells, cell)
			}
		}
		t.Rows[r] = cells
	}
	t.Columns = make([]model.Column, len(t.Rows[0]))
	return t
}

// object names an object by its kind, without the group; its namespace is left out where
// all objects have the same one.
func (w *Run) object(t report.Target) string {
	name := strings.ToLower(t.Kind) + "/" + t.Name
	if t.Subresource != "" {
		name += " (" + t.Subresource + ")"
	}
	if w.namespaces.n == 1 {
		return name
	}
	return name + words.Where(t)
}

// places are the objects of a cause in a line, where there are no values to show; nil
// elsewhere, and empty for the only one.
func (c *cause) places(w *Run) model.Text {
	if w.one != nil && c.common != "" {
		return nil
	}
	var parts []string
	for _, row := range c.rows {
		if len(row.values) > 0 || c.Rule == Conflicting {
			return nil
		}
		name := w.object(row.target)
		if at := words.Place(row.source); at != "" {
			name += " (" + at + ")"
		}
		if !slices.Contains(parts, name) {
			parts = append(parts, name)
		}
	}
	return model.Say(words.Some(parts, shownPlaces, max(c.objects, min(len(parts), shownPlaces))))
}

// quote is the answer of the server, or why there is none.
func (c *cause) quote() model.Quote {
	_, message, _ := strings.Cut("\n"+c.causeKey.says, "\n")
	if c.Rule == rejected {
		_, message, _ = strings.Cut(c.causeKey.says, "\n")
	}
	if c.objects == 1 && len(c.rows[0].note) > 0 {
		message = c.rows[0].note.String()
	}
	if c.common != "" {
		message = report.Filled(c.common, c.at) + ": " + message
	}
	return model.Quote{Text: message}
}

// failure is why objects have no answer, where that is one thing for all of them; empty
// elsewhere.
func (w *Run) failure() string {
	list := slices.DeleteFunc(slices.Clone(w.Causes.list), func(c *cause) bool { return c.Rule != unanswered })
	if len(list) != 1 {
		return ""
	}
	return ": " + glyph.FirstLine(list[0].causeKey.says)
}

// fix is what to do about a cause, with the commands that do just that.
func (w *Run) fix(c *cause) (model.Text, []string) {
	on := w.on(c)
	switch c.Rule {
	case Conflicting:
		advice := recommendation(c.advice)
		if recommendedIn(c.advice) == conflict.Force && w.forcesOthers() {
			advice = advice.With(" " + page.ForceTakesAll)
		}
		return advice, w.resolving(c, on)
	case rejected, unanswered:
		return nil, nil
	case risk.Takeover:
		return model.Say("To hand them over for good:"), Some(on.Migrate(c.owner.Manager))
	case risk.TakenByForce:
		if !w.applies() || !c.live || !returns(c.owner, c.applier) {
			return nil, nil
		}
		return model.Textf("To leave %v to %v:", words.Them(c.fields), model.Manager.Of(c.owner.Manager)),
			Some(on.Resolve(shell.Value("--owned-by", c.owner.Manager), shell.Switch("--all-stop-managing")))
	}
	rule := risk.Rules().Of(c.Rule)
	if rule.Fix == "" {
		return nil, w.helping(c, on)
	}
	return model.Textf("%v %v", model.Strong.Of("Recommended:"), rule.Fix), w.helping(c, on)
}

// returns reports whether a manager takes back what it loses without being run.
func returns(w report.Writer, applier string) bool {
	again := conflict.ManagerKindOf(w, applier).Returns
	return again == conflict.Always || again == conflict.OnSync
}

// resolving are the commands that follow the advice on conflicts for all objects, and do
// nothing else; where no edit does, the one that shows what each option would do.
func (w *Run) resolving(c *cause, on page.Asked) []string {
	kind := recommendedIn(c.advice)
	var lines []string
	switch all := page.ResolvingAll(kind); {
	case kind == conflict.Migrate:
		return Some(on.Migrate(c.owner.Manager))
	case kind == conflict.Force:
		return Some(on.Force())
	case all == nil:
	case w.one != nil && !c.edits.Many:
		return Some(on.Resolve(page.Resolving(kind, c.edits.List[0].Fields)...))
	case len(w.conflicts()) == 1:
		return Some(on.Resolve(all...))
	case len(c.owners) == 1 && w.agreedOn(c.owner.Manager, kind):
		return Some(on.Resolve(shell.Value("--owned-by", c.owner.Manager), all[0]))
	default:
		lines = w.editing(c, on, kind)
	}
	if lines == nil && !w.Explains {
		return Some(on.Explain())
	}
	return lines
}

// editing are the commands that edit just the fields of a cause; none where they are too
// many to be named.
func (w *Run) editing(c *cause, on page.Asked, kind conflict.ResolutionKind) []string {
	if w.one != nil && !c.edits.Many {
		return Some(on.Resolve(page.Resolving(kind, c.edits.List[0].Fields)...))
	}
	return c.edits.Commands(on, kind)
}

// conflicts are the causes that are conflicts.
func (w *Run) conflicts() []*cause {
	return slices.DeleteFunc(slices.Clone(w.Causes.list), func(c *cause) bool { return c.Rule != Conflicting })
}

// forcesOthers reports whether force takes fields for which something else is recommended.
func (w *Run) forcesOthers() bool {
	return slices.ContainsFunc(w.conflicts(), func(c *cause) bool { return recommendedIn(c.advice) != conflict.Force })
}

// agreedOn reports whether one option is recommended for all conflicts with a manager.
func (w *Run) agreedOn(manager string, kind conflict.ResolutionKind) bool {
	return !slices.ContainsFunc(w.conflicts(), func(c *cause) bool { return c.owner.Manager == manager && recommendedIn(c.advice) != kind })
}

// inClient is the setting of the client that applies which follows the advice on a
// conflict, or leaves fields to those from whom they are taken; none for others.
func (w *Run) inClient(c *cause) []model.Block {
	switch {
	case c.Rule == Conflicting && c.advice != nil:
		return page.InClient(conflict.ClientOf(c.applier), c.advice.InClient)
	case c.owner.Manager != "" && c.Rule != risk.Takeover:
		s := w.leaving[[2]string{c.applier, c.owner.Manager}]
		return page.InClient(s.Client, s.Kind)
	}
	return nil
}

// helping are the commands that help with a risk: replicas are left to the
// autoscaler, of what is owned already by a transfer, as dropping it sets the default;
// a line that removes what an injector put there is deleted. None helps with others, where
// the live object has no such field, a note asks for no decision, or there are more objects
// than a command names.
func (w *Run) helping(c *cause, on page.Asked) []string {
	live := w.liveInputs()
	switch {
	case !w.applies() || live == nil || c.severity == report.SeverityNote || !c.live:
		return nil
	case stopped[c.Rule] && c.taken:
		return w.editing(c, on, conflict.StopManaging)
	case c.Rule == risk.ReplicasAutoscaled && c.owned:
		return c.transfers(live, w.o.Repeated)
	}
	return nil
}

// stopped are the rules about fields that a manifest is better without.
var stopped = map[string]bool{risk.ReplicasAutoscaled: true, risk.InjectedField: true}

// transfers hand the field of the objects over to its controller.
func (c *cause) transfers(live, flags []shell.Flag) []string {
	if c.edits.Many {
		return nil
	}
	var targets []report.Target
	for _, e := range c.edits.List {
		targets = append(targets, e.Target)
	}
	var out []string
	for _, objects := range page.OperandsOf(targets, flags) {
		line := shell.Command("ssactl", "transfer").With(live...).With(objects.In...).With(shell.Value("--from", c.applier), shell.Switch("--to-controller"))
		out = append(out, line.On(objects.Names...).On(c.rows[0].Field).String())
	}
	return out
}

// liveInputs are the flags that name the live objects, for commands on these; empty for
// none.
func (w *Run) liveInputs() []shell.Flag {
	var out []shell.Flag
	for _, f := range w.o.Inputs {
		if f.Is("--live") {
			out = append(out, f.As("-f"))
		}
	}
	if out == nil {
		return nil
	}
	for _, f := range w.o.Repeated {
		if !f.Is("-k") {
			out = append(out, f)
		}
	}
	return out
}
