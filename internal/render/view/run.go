package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Run is what simulated writes have in common: it is given the facts of each, in
// their order, and keeps little of them.
type Run struct {
	o         Options
	command   string
	noLive    bool
	objects   int
	appliers  map[string]bool
	decisions decisions
	taken     groups
	risks     riskGroups
	rejected  rejections
	ownership kinds
	cautions  tallied
	warnings  warnings
	// contested and lost are the fields of which the rows of tables are reported.
	contested, lost rows
}

// NewRun gives a run of which nothing is known yet.
func NewRun(o Options) *Run { return &Run{o: o, appliers: map[string]bool{}} }

// Head is what is known before the first write.
func (w *Run) Head(start stream.Start) model.Head {
	w.command, w.noLive = start.Command, start.NoLive
	return model.Head{
		Title: cmp.Or(writeTitles[start.Command], "Server-Side Apply"), Server: start.Server.Version, Made: w.o.made(), Total: start.Total,
		Problems: Problems(start.Problems), Rules: writeRules, Brief: true,
	}
}

// writeTitles are those of commands other than an apply.
var writeTitles = map[string]string{"create": "Create", "update": "Update", "patch": "Patch", "scale": "Scale", "delete": "Delete"}

// applies reports whether the writes are applies.
func (w *Run) applies() bool { return writeTitles[w.command] == "" }

// Facts are what a run keeps of a write.
type Facts struct {
	target    report.Target
	applier   string
	contested []contested
	taken     []report.Transfer
	risks     []report.Risk
	// ownership: nothing changes but who owns what.
	ownership bool
	cautions  []Caution
	warnings  []string
	faults    []rejectedFor
}

// FactsOf are those of a result.
func FactsOf(r report.Result) Facts {
	f := Facts{target: r.Target, applier: r.Manager, warnings: r.Warnings, faults: faultsOf(r), ownership: onlyOwnership(r), cautions: Cautions(r.Confidence, r.Target)}
	if tabled(r) {
		f.contested = contestedOf(r)
	}
	f.risks = slices.DeleteFunc(slices.Clone(r.Risks), func(k report.Risk) bool { return priced(r, k) })
	if !r.Outcome.Refused() {
		f.taken = slices.DeleteFunc(slices.Clone(r.Transfers), func(t report.Transfer) bool { return t.Kind != report.Overridden })
	}
	return f
}

// Add takes the facts of the next write.
func (w *Run) Add(f Facts) {
	w.objects++
	if f.applier != "" {
		w.appliers[f.applier] = true
	}
	for _, c := range f.contested {
		for _, owner := range c.owners {
			w.decisions.add(w.objects, f, c, owner.Writer)
			w.contested.add(append(rowOf(f.target, c.Field, owner.Writer, w.o), model.Say(words.Place(c.Source))))
		}
	}
	for _, t := range f.taken {
		w.taken.add(w.objects, f.target, ownerOf(t), t.Field, f.applier)
		w.lost.add(rowOf(f.target, t.Field, ownerOf(t), w.o)[:3])
	}
	w.rejected.add(w.objects, f.target, f.faults)
	for _, k := range f.risks {
		w.risks.add(w.objects, f.target, k)
	}
	for _, text := range f.warnings {
		w.warnings.add(text, f.target)
	}
	if f.ownership {
		w.ownership.add(f.target)
	}
	for _, c := range f.cautions {
		w.cautions.add(c)
	}
}

// Tail is what is known after the last write.
func (w *Run) Tail(e stream.Ending) model.Tail {
	doc := e.Report
	t := model.Tail{State: stateOfRun(doc), Interrupted: interruptedText(doc.Interrupted)}
	s := doc.Summary
	if s.Total != 1 || w.o.Headline || doc.Interrupted != nil || len(doc.Problems) > 0 {
		t.Headline = w.headline(doc)
	}
	if s.Total > 1 {
		t.First = slices.Concat(w.commonCautions(s.Total), w.decide(), w.rejected.block(), w.lose(), w.risks.block())
		t.Blocks = slices.Concat(w.unseen(), w.warned(), w.tables(), w.overview(e))
	}
	t.Listed = Unmatched(doc.Unmatched)
	if s.Total > 1 && w.o.Brief && s.Total > s.Unchanged {
		more := "-v shows the details of each object, -o html=FILE everything to browse."
		if w.applies() && s.Conflicted > 0 {
			more = "-v shows the details of each object, ssactl explain those of conflicts, -o html=FILE everything to browse."
		}
		t.Blocks = append(t.Blocks, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of(more)}})
	}
	return t
}

// tables have a row for each field that is contested or taken, where the sections
// do not show them.
func (w *Run) tables() []model.Block {
	if w.o.Listing || w.o.Differences && !w.o.Verbose {
		return nil
	}
	return append(w.contested.table("Conflicts", "OBJECT", "FIELD", "OWNED BY", "SINCE", "AT"),
		w.lost.table("Fields taken", "OBJECT", "FIELD", "TAKEN FROM")...)
}

func stateOfRun(doc report.Report) model.State {
	switch {
	case len(doc.Problems) > 0 || doc.Interrupted != nil || doc.Summary.Failed > 0:
		return model.Failed
	case doc.Summary.Refused():
		return model.Refused
	}
	return model.Accepted
}

// headline is the answer of the whole: what would happen, how many of each, and
// what else there is to know.
func (w *Run) headline(doc report.Report) []model.Text {
	counts := outcomes(doc.Summary, w.manager())
	if n := doc.Summary.Unmatched; n != nil && *n > 0 {
		hint := ""
		if len(doc.Unmatched) == 0 {
			hint = " (--unmatched lists them)"
		}
		counts = model.Textf("%v; %v that no manifest names%v", counts, words.Count(*n, "live object"), hint)
	}
	return append([]model.Text{w.verdict(doc), counts}, interruptedLine(doc.Interrupted)...)
}

// manager is the field manager of all the writes where their titles leave it out; empty
// elsewhere, and for several.
func (w *Run) manager() string {
	if !w.o.Brief || w.objects < 2 || w.command == "delete" || len(w.appliers) != 1 {
		return ""
	}
	for name := range w.appliers {
		return name
	}
	return ""
}

// verdict is the answer in a sentence.
func (w *Run) verdict(doc report.Report) model.Text {
	s := doc.Summary
	refused := s.Conflicted + s.Invalid + s.Failed
	unread := ""
	if n := len(doc.Problems); n > 0 {
		unread = fmt.Sprintf(" %s could not be read.", words.Count(n, "input"))
	}
	switch {
	case s.Total == 0:
		return model.Textf("%v%v", model.Bad.Of("No object could be answered."), unread)
	case refused == s.Failed && refused > 0:
		return model.Textf("%v%v", model.Bad.Of(fmt.Sprintf("No answer for %d of %s.", refused, words.Count(s.Total, "object"))), unread)
	case refused > 0:
		if refused == s.Invalid {
			return model.Textf("%v: %v.%v%v", model.Bad.Of(fmt.Sprintf("%d of %s would be rejected by the API server", refused, words.Count(s.Total, "object"))), w.rejected.causes(), w.price(" "), unread)
		}
		return model.Textf("%v: %v.%v%v", model.Bad.Of(fmt.Sprintf("%d of %s would be refused", refused, words.Count(s.Total, "object"))), w.causes(s), w.price(" "), unread)
	case w.taken.fields > 0:
		return model.Textf("%v%v%v", model.Changed.Of("Accepted, and "), w.price(""), unread)
	case s.Risky > 0:
		return model.Textf("%v%v", model.Changed.Of(fmt.Sprintf("Accepted, with risky changes to %s.", words.Count(s.Risky, "object"))), unread)
	case len(w.cautions.list) > 0:
		return model.Textf("%v what was given may not be what the cluster has.%v", model.Changed.Of("Accepted, with caution:"), unread)
	case w.noLive:
		return model.Textf("%v no live objects are given (--live), so that each is taken as absent from the cluster.%v", model.Changed.Of("Accepted, with caution:"), unread)
	case s.Unchanged == s.Total:
		return model.Textf("%v%v", model.Good.Of("Nothing to do: no object would change."), unread)
	}
	return w.nothingAgainst(unread)
}

// price is who loses how many fields to the accepted writes; empty for nobody.
func (w *Run) price(before string) model.Text {
	if w.taken.fields == 0 {
		return nil
	}
	return model.Textf("%v%v %v.", before, model.Changed.Of(words.Count(w.taken.fields, "field")+" taken:"), lossesOf(w.taken))
}

// nothingAgainst is the answer where every write is accepted, as far as they could be
// read.
func (w *Run) nothingAgainst(unread string) model.Text {
	switch {
	case unread != "":
		return model.Textf("%v%v", model.Bad.Of("Not everything has an answer:"), unread+" The others would be accepted.")
	case w.command == "delete":
		return model.Text{model.Changed.Of("Every delete would be accepted.")}
	case !w.applies():
		return model.Text{model.Good.Of("Every write would be accepted.")}
	}
	return model.Text{model.Good.Of("No conflicts; every object would be accepted.")}
}

// causes are why writes are refused.
func (w *Run) causes(s report.Summary) model.Text {
	var parts []model.Text
	if s.Conflicted > 0 {
		parts = append(parts, w.decisions.owners())
	}
	if s.Invalid > 0 {
		parts = append(parts, model.Textf("%v rejected by the API server (%v)", s.Invalid, w.rejected.causes()))
	}
	if s.Failed > 0 {
		parts = append(parts, model.Textf("%v without an answer", s.Failed))
	}
	return model.Join(parts, "; ")
}

// overview is who takes part, and what was not simulated.
func (w *Run) overview(e stream.Ending) []model.Block {
	o := e.Report.Overview
	if o == nil {
		return nil
	}
	var out []model.Block
	if len(o.Managers) > 0 && !w.o.Brief {
		t := model.Table{Columns: []model.Column{{Title: "MANAGER"}, {Title: "OBJECTS", Right: true}}, Shown: shown}
		for _, m := range o.Managers {
			t.Rows = append(t.Rows, []model.Text{
				writerOf(report.Writer{Manager: m.Manager, Operation: m.Operation, Subresource: m.Subresource}), model.Say(fmt.Sprint(m.Objects))})
		}
		out = append(out, part("Field managers after the run", t))
	}
	if w.o.Brief {
		out = append(out, notSimulatedOf(o.Notes, e.Report.Summary.Total)...)
	}
	return append(out, timings(e.Timings)...)
}

// notSimulatedOf says once what holds for many objects.
func notSimulatedOf(notes []report.NoteCount, total int) []model.Block {
	l := model.List{Marked: true, Shown: shown}
	for _, n := range notes {
		if n.Rule != "" {
			continue
		}
		text := n.Note
		if n.Objects < total {
			text = fmt.Sprintf("%s (in %d of %s)", n.Note, n.Objects, words.Count(total, "object"))
		}
		l.Items = append(l.Items, model.Item{Text: model.Say(text)})
	}
	if l.Items == nil {
		return nil
	}
	return []model.Block{part("Not simulated", l)}
}

// Unmatched lists the live objects that no manifest names.
func Unmatched(targets []report.Target) []model.Block {
	if len(targets) == 0 {
		return nil
	}
	l := model.List{}
	for _, t := range targets {
		l.Items = append(l.Items, model.Item{Text: model.Say(words.Object(t) + words.Where(t))})
	}
	return []model.Block{part("Live objects that no manifest names", l)}
}
