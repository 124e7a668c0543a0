package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/program"
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
	// unanswered counts the errors of objects without an answer.
	unanswered map[string]int
	ownership  kinds
	cautions   tallied
	assumed    assumed
	warnings   warnings
	// contested and lost are the fields that the rows of tables list.
	contested, lost rows
	// leaving are settings that leave fields to managers, by the names of both.
	leaving map[[2]string]report.ClientFix
	// former are those whose objects are taken over, by the names of both.
	former map[[2]string]bool
}

// NewRun returns an empty run.
func NewRun(o Options) *Run {
	return &Run{o: o, appliers: map[string]bool{}, unanswered: map[string]int{}, leaving: map[[2]string]report.ClientFix{}, former: map[[2]string]bool{}}
}

// Head is what is known before the first write.
func (w *Run) Head(start stream.Start) model.Head {
	w.command, w.noLive = start.Command, start.NoLive
	return model.Head{
		Title: cmp.Or(writeTitles[start.Command], "Server-Side Apply"), Server: start.Server.Version, Live: w.o.live(start.Snapshots), Made: w.o.made(), Total: start.Total,
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
	risks     []risked
	// ownership: nothing changes but who owns what.
	ownership bool
	cautions  []Caution
	assumed   assumed
	warnings  []string
	faults    []rejectedFor
	// failure is why there is no answer; empty where there is one.
	failure string
	// inClient are settings by which fields are left to those from whom they are taken.
	inClient []report.ClientFix
	// former is whose object is taken over; empty for nobody's.
	former string
}

// FactsOf are those of a result.
func FactsOf(r report.Result) Facts {
	f := Facts{target: r.Target, applier: r.Manager, warnings: r.Warnings, failure: r.Error, faults: faultsOf(r), ownership: onlyOwnership(r), cautions: Cautions(r.Confidence, r.Target)}
	f.assumed.add(r.Confidence)
	if tabled(r) {
		f.contested = contestedOf(r)
	}
	f.risks = riskedIn(r)
	if !r.Outcome.Refused() {
		f.inClient, f.former = r.InClient, formerOf(r)
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
		w.decisions.contest(c)
		for _, owner := range c.owners {
			w.decisions.add(w.objects, f, c, owner.Writer)
			w.contested.add(append(rowOf(f.target, c.Field, owner.Writer, w.o), model.Say(words.Place(c.Source))))
		}
	}
	for _, t := range f.taken {
		w.taken.add(w.objects, f.target, ownerOf(t), t.Field, f.applier)
		w.lost.add(rowOf(f.target, t.Field, ownerOf(t), w.o)[:3])
	}
	for _, s := range f.inClient {
		for _, owner := range s.Managers {
			w.leaving[[2]string{f.applier, owner}] = s
		}
	}
	if f.former != "" {
		w.former[[2]string{f.applier, f.former}] = true
	}
	w.rejected.add(w.objects, f.target, f.faults)
	if _, known := w.unanswered[f.failure]; f.failure != "" && (known || len(w.unanswered) < maxGroups) {
		w.unanswered[f.failure]++
	}
	for _, k := range f.risks {
		w.risks.add(w.objects, f, k)
	}
	w.assumed = cmp.Or(w.assumed, f.assumed)
	for _, text := range f.warnings {
		w.warnings.add(text, f.target)
	}
	if f.ownership {
		w.ownership.add(f.target)
	}
	for _, c := range f.cautions {
		w.cautions.add(c, f.target)
	}
}

// Tail is what is known after the last write.
func (w *Run) Tail(e stream.Ending) model.Tail {
	doc := e.Report
	t := model.Tail{State: stateOfRun(doc), Interrupted: interruptedText(doc.Interrupted)}
	s := doc.Summary
	t.Exit = ExitReason(s, doc.Ending)
	if s.Failed > 0 && s.Total > 1 {
		t.Unanswered = w.unansweredOf(s, shapes[0])
	}
	if s.Total != 1 || w.o.Headline || doc.Interrupted != nil || len(doc.Problems) > 0 {
		t.Headline = w.headline(doc)
	}
	if s.Total > 1 {
		doubtful, some := w.commonCautions(s.Total)
		t.First = slices.Concat(doubtful, w.decide(), w.rejected.block(), w.lose(), w.risky(), some)
		t.Blocks = slices.Concat(w.unseen(), w.warned(), w.tables(), w.overview(e))
	}
	w.assumed.tell(&t)
	t.Listed = Unmatched(doc.Unmatched)
	if s.Total > 1 && w.o.Brief && s.Total > s.Unchanged {
		more := "-v shows the details of each object, -o html=FILE everything to browse."
		if w.applies() && s.Conflicted > 0 {
			more = program.In("-v shows the details of each object, ssactl explain those of conflicts, -o html=FILE everything to browse.")
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
	case doc.Summary.Refused() || doc.FailOn.Met():
		return model.Refused
	}
	return model.Accepted
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
