package page

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Settings are those that rule answers, as formats show them.
func Settings(list []report.Setting) []model.Setting {
	var out []model.Setting
	for _, s := range list {
		out = append(out, model.Setting{Text: s.Message, File: s.Source.File, Line: s.Source.Line})
	}
	return out
}

// Options are what sentences depend on.
type Options struct {
	// Now is what ages are counted to; zero leaves ages out.
	Now time.Time
	fixes.Call
	// Verbose says also what repeats.
	Verbose bool
	// Files is true where the files that commands name are written too; with
	// Folders, those of each object stand in its own.
	Files, Folders bool
	// Unfolds: of several objects, Verbose unfolds lists only.
	Unfolds bool
	// Brief is true where blocks of several sections are left out, so that the
	// tail says what they have in common.
	Brief bool
	// Headline is wanted of one object too.
	Headline bool
	// Several is true for a run over several objects.
	Several bool
	// Sent: the writes were sent to a server, and have happened.
	Sent bool
	// Findings are reported to systems of CI; Grouped ones by their causes.
	Findings, Grouped bool
	// Digest: findings come as one for each group, with what force takes.
	Digest bool
	// Differences are shown as YAML, and Listing is the object with its owners, where
	// a format has room for them.
	Differences, Listing bool
	// FailOn says which risks make the run fail.
	FailOn report.FailOn
	// Objects are how objects are shown in differences.
	Objects objects.Options
}

// Shown is how many lines of a list are enough where a format folds.
const Shown = 12

// Made is when the answer is given, as pages show it.
func (o Options) Made() string {
	if o.Now.IsZero() {
		return ""
	}
	return words.Date(&o.Now)
}

// Document has what the documents of all plans have, with a section for each of
// the objects.
func Document[T any](
	o Options,
	title string,
	h report.Head,
	e report.Ending,
	objects []T,
	section func(Options, T) model.Section,
) model.Document {
	out := model.Document{Head: model.Head{
		Title: title, Server: h.Server.Version, Live: o.Live(h.Snapshots), Made: o.Made(), Total: len(objects),
		Problems: Problems(e.Problems),
	}}
	for _, object := range objects {
		out.Sections = append(out.Sections, section(o, object))
	}
	out.State, out.Interrupted = StateOf(e), words.Interrupted(e.Interrupted)
	for _, s := range out.Sections {
		if s.Subject != nil {
			out.State = max(out.State, s.Subject.State)
		}
	}
	return out
}

// Titled is the title of an object's section: its name, and a verdict.
func Titled(t report.Target, verdict model.Text) model.Text {
	return model.Textf("%v%v: %v", model.Strong.Of(words.Object(t)), words.Where(t), verdict)
}

// NoAnswer is the verdict where none could be given, with the first line of why.
func NoAnswer(message string) model.Text {
	return model.Textf("%v: %v", model.Bad.Of("no answer"), text.FirstLine(message))
}

// SubjectOf is an object for systems of CI.
func SubjectOf(t report.Target, source report.Source, outcome report.Outcome, verdict model.Text) *model.Subject {
	s := &model.Subject{
		Name: words.Object(t) + words.Where(t), Class: Class(t), Kind: KindName(t),
		File: source.File, Line: source.Line, Reason: string(outcome), Gist: verdict.String(),
	}
	switch {
	case outcome == report.Failed:
		s.State = model.Failed
	case outcome.Refused():
		s.State = model.Refused
	}
	return s
}

// KindName is the kind with its group, which distinguishes kinds of the same name.
func KindName(t report.Target) string {
	if group, _ := words.GroupVersion(t.APIVersion); group != "" {
		return t.Kind + "." + group
	}
	return t.Kind
}

// Class groups objects by namespace and kind, as reports of tests show classes.
func Class(t report.Target) string { return cmp.Or(t.Namespace, "cluster") + "." + t.Kind }

// WeightOf is that of a section with this outcome; what changes nothing is a
// detail.
func WeightOf(outcome report.Outcome) model.Weight {
	switch {
	case outcome.Refused():
		return model.Decision
	case outcome == report.Unchanged:
		return model.Detail
	}
	return model.Change
}

// Problems are inputs that gave no object. The place is left to messages that
// name it.
func Problems(problems []report.Problem) []model.Problem {
	var out []model.Problem
	for _, p := range problems {
		at := words.Place(&p.Source)
		if p.Source.Line > 0 && p.Source.Document > 0 {
			at += fmt.Sprintf(" (document %d)", p.Source.Document)
		}
		if strings.Contains(p.Message, p.Source.File+":") {
			at = ""
		}
		out = append(out, model.Problem{At: at, File: p.Source.File, Line: p.Source.Line, Message: p.Message})
	}
	return out
}

// StateOf is the state of a run, but for what came of its objects.
func StateOf(e report.Ending) model.State {
	switch {
	case len(e.Problems) > 0 || e.Interrupted != nil:
		return model.Failed
	case e.FailOn.Met():
		return model.Refused
	}
	return model.Accepted
}

// InterruptedLine is a headline on how far a run came; none for one that came to
// its end.
func InterruptedLine(i *report.Interruption) []model.Text {
	if i == nil {
		return nil
	}
	return []model.Text{{model.Bad.Of(words.Interrupted(i))}}
}

// Part is a section below that of an object.
func Part(title string, blocks ...model.Block) model.Section {
	return model.Section{Title: model.Say(title), Blocks: blocks}
}

// Paragraph is a sentence in a section.
func Paragraph(format string, parts ...any) model.Paragraph {
	return model.Paragraph{Text: model.Textf(format, parts...)}
}

// Sentences are a list of these.
func Sentences(texts []model.Text) model.List {
	l := model.List{Marked: true}
	for _, t := range texts {
		l.Items = append(l.Items, model.Item{Text: t})
	}
	return l
}

// Fields is a list of field paths.
func Fields(paths []string) model.List {
	return model.List{Shown: Shown, Items: Sentences(model.Spans(model.Field, paths)).Items}
}

// Owned is a table of fields with those who own them.
func Owned(list []report.FieldOwners) model.Table {
	t := model.Table{Columns: make([]model.Column, 2), Shown: Shown}
	for _, f := range list {
		t.Rows = append(t.Rows, []model.Text{{model.Field.Of(f.Field)}, {model.Manager.Of(words.Writers(f.Managers))}})
	}
	return t
}

// WriterOf names a managed fields entry.
func WriterOf(w report.Writer) model.Text {
	return model.Textf("%v %v", model.Manager.Of(w.Manager), words.WriterRole(w))
}

// And lists field managers in a sentence.
func And(managers []string) model.Text {
	return model.Textf("%v", text.List(managers, len(managers), text.By))
}

// Remarks are a part of an object's section; none without any.
func Remarks(list []report.Finding) []model.Block { return Saying("Remarks", Messages(list)) }

// Messages are what findings say.
func Messages(list []report.Finding) []model.Text {
	var texts []text.Text
	for _, f := range list {
		texts = append(texts, f.Message)
	}
	return model.Said(texts)
}

// Notes are remarks, each a text.
func Notes(remarks []string) []model.Text { return model.Spans(model.Plain, remarks) }

// Total is a count of objects with its parts.
func Total(n int, noun string, parts ...Counted) model.Text { return TotalAs(n, noun, nil, parts...) }

// TotalAs is total with the field manager of all the objects; nil for none.
func TotalAs(n int, noun string, manager model.Text, parts ...Counted) model.Text {
	out := model.Textf("%v", model.Strong.Of(words.Count(n, noun)))
	if manager != nil {
		out = model.Textf("%v as %v", out, manager)
	}
	if counts := Enumerated(parts); counts != nil {
		return model.Textf("%v: %v", out, counts)
	}
	return out
}

// Enumerated are the counts that are not zero; empty for none.
func Enumerated(parts []Counted) model.Text {
	var texts []model.Text
	for _, c := range parts {
		if c.N > 0 {
			texts = append(texts, c.Text)
		}
	}
	return model.Join(texts, ", ")
}

// Counted is a text on so many; none of nothing.
type Counted struct {
	N    int
	Text model.Text
}

// Of counts in a role: "3 refused".
func Of(role model.Role, n int, what string) Counted {
	return Counted{n, model.Text{role.Of(fmt.Sprintf("%d %s", n, what))}}
}

// Saying is a part of sentences; none without any.
func Saying(title string, texts []model.Text) []model.Block {
	if len(texts) == 0 {
		return nil
	}
	return []model.Block{Part(title, Sentences(texts))}
}

// LabeledItem is an item with a label before it.
func LabeledItem(label string, text model.Text) model.Item {
	return model.Item{Label: model.Say(label), Text: text}
}

// Qualified is the name of an object with its namespace.
func Qualified(t report.Target) string {
	if t.Namespace == "" {
		return words.Object(t)
	}
	return t.Namespace + "/" + words.Object(t)
}

// Live says of when the live objects are, of the oldest where there are several.
func (o Options) Live(list []report.Snapshot) string {
	if len(list) == 0 {
		return ""
	}
	text := ", on live objects of " + words.Date(&list[0].Taken)
	if age := words.Age(&list[0].Taken, o.Now); age != "" {
		text += " (" + age + " ago)"
	}
	return text
}

// EntryNoun is what a managed fields entry is called.
const EntryNoun = "managed fields entry"

// Fails reports whether a risk makes the run fail.
func (o Options) Fails(f report.Finding) bool {
	return f.Counts() && o.FailOn.Fails(o.FailOn.FailsBy(f))
}

// Owner is one of a field: since when, and what kind of writer it is.
func (o Options) Owner(owner conflict.Owner) model.Text {
	return model.Textf(
		"%v, %v: %v", WriterOf(owner.Writer), words.Since(owner.Time, o.Now),
		ManagerKind(owner.ManagerKind),
	)
}

// ExitReason is why the exit code is 1 though nothing is refused: what --fail-on or a
// policy says no to. It is empty where the exit code is another, or has another reason.
func ExitReason(s report.Summary, e report.Ending) string {
	if refused, failed := s.Decisive(); refused+failed > 0 || StateOf(e) != model.Refused {
		return ""
	}
	return "exit 1: " + e.FailOn.String()
}

// OnResult is the apply of the object of a result.
func (o Options) OnResult(r report.Result) fixes.Asked {
	return o.OnObject(r.Target, r.Source, r.LiveSource, r.Manager, o.Several)
}
