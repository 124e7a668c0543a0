package writes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Run is what simulated writes have in common: it is given the facts of each, in
// their order, and keeps little of them.
type Run struct {
	o page.Options
	// one is the only apply of the run, where it is about one object; nil else.
	one *fixes.Asked
	// Explains: options are shown, and no command that shows them.
	Explains   bool
	command    string
	noLive     bool
	objects    int
	appliers   map[string]bool
	forces     bool
	Groups     finding.Groups
	changes    changesMade
	ownership  finding.Objects
	cautions   finding.Groups
	Assumed    page.Assumed
	warnings   finding.Groups
	namespaces map[string]bool
	// options are those to resolve the first conflict of a group, simulated.
	options map[*finding.Group][]model.Block
	differs compared
	// lost are the fields that managers lose by force, where that is asked for.
	lost keyed[string, loss]
}

// NewRun returns an empty run.
func NewRun(o page.Options) *Run {
	return &Run{
		o:          o,
		appliers:   map[string]bool{},
		namespaces: map[string]bool{},
		options:    map[*finding.Group][]model.Block{},
	}
}

// Head is what is known before the first write.
func (w *Run) Head(start stream.Start) model.Head {
	w.command, w.noLive = start.Command, start.NoLive
	w.o.Sent = w.sent()
	return model.Head{
		Title: cmp.Or(
			writeTitles[start.Command],
			"Server-Side Apply",
		), Server: start.Server.Version, Live: w.o.Live(start.Snapshots),
		Made: w.o.Made(), Total: start.Total, Sent: w.sent(),
		Problems: page.Problems(start.Problems), Rules: WriteRules, Brief: true, Unfolds: true, Ruled: start.Ruled,
	}
}

// writeTitles are those of commands other than an apply.
var writeTitles = map[string]string{
	"create": "Create",
	"update": "Update",
	"patch":  "Patch",
	"scale":  "Scale",
	"delete": "Delete",
	"serve":  "Served",
}

// sent reports whether the writes were sent to a server, so that nothing is simulated.
func (w *Run) sent() bool { return w.command == "serve" }

// applies reports whether the writes are applies.
func (w *Run) applies() bool { return writeTitles[w.command] == "" }

// Facts are what a run keeps of a write.
type Facts struct {
	target    report.Target
	applier   string
	forces    bool
	found     []report.Finding
	changes   changedIn
	ownership bool
	assumed   page.Assumed
	differs   compared
	lost      []lostField
	// Options are those to resolve a conflict, simulated; nil where they are not shown.
	Options func(report.Finding) []model.Block
}

// FactsOf are those of a result.
func FactsOf(r report.Result) Facts {
	f := Facts{target: r.Target, applier: r.Manager, forces: r.Force, found: findingsOf(r), changes: changesOf(r),
		ownership: onlyOwnership(r), differs: comparedIn(r)}
	f.assumed.Add(r.Confidence)
	return f
}

// findingsOf are all that is said of a result, without what is fixed.
func findingsOf(r report.Result) []report.Finding {
	if r.Findings == nil {
		return findings.Listed(r)
	}
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f report.Finding) bool {
		return f.Cause == report.FixedByChange
	})
}

// risksOf are what an accepted write does that is to be looked at.
func risksOf(r report.Result) []report.Finding {
	return slices.DeleteFunc(slices.Clone(findingsOf(r)), func(f report.Finding) bool { return !f.IsRisk() })
}

// Add takes the facts of the next write.
func (w *Run) Add(f Facts) {
	w.objects++
	if f.applier != "" {
		w.appliers[f.applier] = true
	}
	w.forces = w.forces || f.forces
	if f.target.Namespace != "" {
		w.namespaces[f.target.Namespace] = true
	}
	for _, one := range f.found {
		switch one.Rule {
		case report.RuleCaveat:
			w.cautions.Add(w.objects, one)
		case report.RuleServerWarning:
			w.warnings.Add(w.objects, one)
		default:
			if began := w.Groups.Add(w.objects, one); began != nil && f.Options != nil {
				w.options[began] = f.Options(one)
			}
		}
	}
	w.changes.add(w.objects, f.target, f.changes)
	w.differs.add(f.differs)
	w.addLost(f.lost)
	w.Assumed = cmp.Or(w.Assumed, f.assumed)
	if f.ownership {
		w.ownership.Add(f.target)
	}
}

// Tail is what is known after the last write.
func (w *Run) Tail(e stream.Ending) model.Tail {
	doc := e.Report
	s := doc.Summary
	t := model.Tail{
		State: stateOf(doc), Unanswered: w.unansweredLine(s), Exit: w.Exit(doc), Code: e.Code, Decided: w.sent(),
		Interrupted: words.Interrupted(doc.Interrupted), Settings: page.Settings(doc.Settings),
	}
	t.Severity, t.Severities = w.severities()
	if s.Total != 1 || s.Comparison != nil || w.o.Headline || doc.Interrupted != nil || len(doc.Problems) > 0 {
		t.Headline = w.Headline(doc)
	}
	if s.Comparison != nil {
		t.Compared, t.Blocks = model.Join(t.Headline, " ").String(), w.compared()
	}
	if s.Total > 1 {
		t.First = w.Look(w.Groups.Sorted())
		if w.o.Brief {
			t.First = slices.Concat(t.First, w.Cautious(s.Total), w.changed())
		}
		t.Blocks = slices.Concat(t.Blocks, w.warned(), w.overview(e))
		if w.o.Headline {
			t.Blocks = slices.Concat(w.changed(), t.Blocks)
		}
	}
	switch {
	case w.o.Digest:
		w.digest(&t, e)
	case w.o.Grouped:
		t.Findings = w.findings()
	}
	t.Blocks = append(t.Blocks, w.unmatchedLine(doc)...)
	w.Assumed.Tell(&t)
	t.Listed = Unmatched(doc.Unmatched)
	if s.Total > 1 && w.o.Brief && s.Total > s.Unchanged {
		said := model.Faint.Of("-v unfolds the lists, -vv shows each object, -o html=FILE everything to browse.")
		t.Blocks = append(t.Blocks, model.Paragraph{Apart: true, Text: model.Text{said}})
	}
	return t
}

// stateOf is how a run ended, and how its objects fare.
func stateOf(doc report.Report) model.State {
	state := page.StateOf(doc.Ending)
	switch refused, failed := doc.Summary.Decisive(); {
	case failed > 0:
		return model.Failed
	case refused > 0:
		return max(state, model.Refused)
	}
	return state
}

// unansweredLine says how many of several objects have no answer, and why where there is one
// reason; empty where all have one.
func (w *Run) unansweredLine(s report.Summary) string {
	_, failed := s.Decisive()
	if failed == 0 || s.Total <= 1 {
		return ""
	}
	line := fmt.Sprintf("No answer for %d of %s", failed, words.Count(s.Total, "object"))
	if list := w.Groups.Under(report.RuleNoAnswer); len(list) == 1 {
		line += ": " + text.FirstLine(list[0].Quote)
	}
	return line
}

// severities are the worst severity of the groups, and how many that count have each; empty
// and nil without groups.
func (w *Run) severities() (worst string, count map[string]int) {
	list := w.Groups.Sorted()
	if list == nil {
		return "", nil
	}
	count = map[string]int{}
	for _, g := range list {
		if g.Counts() {
			count[string(g.Severity)]++
		}
	}
	return string(list[0].Severity), count
}

// unmatchedLine counts the live objects that no manifest has; nil where they are listed, and
// where there are many: those are the objects of a cluster.
func (w *Run) unmatchedLine(doc report.Report) []model.Block {
	n := doc.Summary.Unmatched
	if n == nil || *n == 0 || *n >= doc.Summary.Total && !w.o.Verbose || len(doc.Unmatched) > 0 {
		return nil
	}
	said := fmt.Sprintf(
		"%d live %s in no manifest; --unmatched lists %s.", *n, words.Agree(*n, "object is", "objects are"), words.Them(*n),
	)
	return []model.Block{model.Paragraph{Apart: true, Text: model.Say(said)}}
}

// Exit says why the exit code is 1, with the numbers of the headline.
func (w *Run) Exit(doc report.Report) string {
	if f := doc.FailOn; f.Met() {
		causes := report.FailOn{Values: f.Values, Default: f.Default}
		for _, g := range w.Groups.Sorted() {
			if g.Counts() {
				causes.CountFinding(g.Finding)
			}
		}
		if causes.Met() {
			doc.FailOn = &causes
		}
	}
	return page.ExitReason(doc.Summary, doc.Ending)
}

// Remarks are what standard error says of a run next to a format for programs: in a line
// that there is something to look at, and what is doubtful; grouped is what is refused, too.
func (w *Run) Remarks(e stream.Ending, grouped bool) model.Tail {
	if w.Groups.Len()+w.cautions.Len() == 0 {
		return model.Tail{}
	}
	t := model.Tail{Headline: w.Headline(e.Report)}
	list := slices.DeleteFunc(slices.Clone(w.Groups.Sorted()), func(g *finding.Group) bool {
		refused := g.Rule == report.RuleConflict || quotes(g)
		return !w.o.Fails(g.Finding) && !(grouped && refused) || refused && !grouped
	})
	t.First = append(w.Look(list), w.Cautious(w.objects)...)
	return t
}

// Unanswered are the same of objects without an answer alone.
func (w *Run) Unanswered(e stream.Ending) model.Tail {
	if e.Report.Summary.Failed == 0 {
		return model.Tail{}
	}
	return model.Tail{Headline: w.Headline(e.Report), First: w.Look(w.Groups.Under(report.RuleNoAnswer))}
}

// overview is who takes part, and what was not simulated.
func (w *Run) overview(e stream.Ending) []model.Block {
	o := e.Report.Overview
	if o == nil {
		return nil
	}
	var out []model.Block
	if len(o.Managers) > 0 && !w.o.Brief {
		t := model.Table{Columns: []model.Column{{Title: "MANAGER"}, {Title: "OBJECTS", Right: true}}, Shown: page.Shown}
		for _, m := range o.Managers {
			t.Rows = append(t.Rows, []model.Text{
				page.WriterOf(
					report.Writer{Manager: m.Manager, Operation: m.Operation, Subresource: m.Subresource},
				), model.Say(fmt.Sprint(m.Objects))})
		}
		out = append(out, page.Part("Field managers after the run", t))
	}
	if w.o.Brief {
		out = append(out, notSimulatedOf(o.Notes, e.Report.Summary.Total)...)
	}
	return out
}

// notSimulatedOf says once what holds for many objects.
func notSimulatedOf(notes []report.NoteCount, total int) []model.Block {
	l := model.List{Marked: true, Shown: page.Shown}
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
	return []model.Block{page.Part("Not simulated", l)}
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
	return []model.Block{page.Part("Live objects that no manifest names", l)}
}

// maxGroups bounds what a run keeps of each kind: hostile input has as many
// different fields as it wants.
const maxGroups = 1000

// keyed are things by what those of one have in common, in the order of their first
// ones. What has no room any more is left out.
type keyed[K comparable, T any] struct {
	list []*T
	at   map[K]*T
}

// of is the one of a key, which is made for the first; nil where there is no room.
func (k *keyed[K, T]) of(key K, made func() *T) *T {
	if one := k.at[key]; one != nil || len(k.list) >= maxGroups {
		return one
	}
	if k.at == nil {
		k.at = map[K]*T{}
	}
	one := made()
	k.at[key], k.list = one, append(k.list, one)
	return one
}
