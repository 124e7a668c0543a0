package resolve

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/answer/writes"
	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// layOut shows what was done about the conflicts of each manifest, and how the
// files change.
func layOut(d Document, o page.Options) model.Document {
	o.Several = len(d.Objects) > 1
	out := page.Document(o, "Resolve conflicts", d.Head, d.Ending, d.Objects, resolution)
	if o.Several {
		out.Headline = []model.Text{resolvedTotal(d.Objects)}
		out.First = left(o, d.Objects)
	}
	out.Rules = writes.AnswerRules(writes.ConflictRule)
	for _, f := range d.Files {
		out.Tail.Blocks = append(out.Tail.Blocks, unified(f.Diff))
	}
	for _, n := range d.Notices {
		out.Tail.Blocks = append(out.Tail.Blocks, model.Paragraph{Label: model.Say("Notice:"), Text: model.Say(n)})
	}
	return out
}

// unified is a unified diff, line by line.
func unified(text string) model.Diff {
	d := model.Diff{}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case d.Old == "" && strings.HasPrefix(line, "--- "):
			d.Old = line[4:]
		case d.New == "" && strings.HasPrefix(line, "+++ "):
			d.New = line[4:]
		case strings.HasPrefix(line, "@@"):
			d.Lines = append(d.Lines, model.DiffLine{Kind: model.Place, Text: model.Say(line)})
		case strings.HasPrefix(line, "+"):
			d.Lines = append(d.Lines, model.DiffLine{Kind: model.Added, Text: model.Say(line[1:])})
		case strings.HasPrefix(line, "-"):
			d.Lines = append(d.Lines, model.DiffLine{Kind: model.Removed, Text: model.Say(line[1:])})
		default:
			d.Lines = append(d.Lines, model.DiffLine{Text: model.Say(strings.TrimPrefix(line, " "))})
		}
	}
	return d
}

// resolution is the section of one manifest.
func resolution(o page.Options, r Resolution) model.Section {
	verdict := resolved(r)
	s := model.Section{
		Before: page.CautionBlocks(r.Confidence, r.Target), Weight: page.WeightOf(r.After),
		Title:   page.Titled(r.Target, verdict),
		Subject: page.SubjectOf(r.Target, r.Source, r.After, verdict),
	}
	if r.Before == report.Conflicted && s.Weight == model.Detail {
		s.Weight = model.Change
	}
	s.Findings = writes.AnswerFindings(page.Options{}, report.Result{
		Target: r.Target, Source: r.Source, Outcome: r.After, Code: r.Code, Error: r.Message,
		Status:  &report.Status{Message: r.Message},
		Notices: r.Notices, Confidence: r.Confidence,
	})
	l := model.List{}
	for _, step := range r.Steps {
		if !o.Brief || !o.Several || step.Outcome != NotAsked {
			l.Items = append(l.Items, resolvedStep(step, r))
		}
		if step.Outcome != Done {
			s.Findings = append(s.Findings, unresolved(step, r))
		}
	}
	for _, n := range r.Notices {
		s.Blocks = append(s.Blocks, model.Paragraph{Label: model.Say("Notice:"), Text: model.Say(n)})
	}
	if l.Items != nil {
		s.Blocks = append(s.Blocks, l)
	}
	s.Blocks = append(s.Blocks, stillToDo(o, r)...)
	if o.Brief && o.Several && untouched(r) && s.Before == nil {
		s.Weight = model.Dull
	}
	return s
}

// stillToDo says why a manifest is refused for another reason than a conflict, or else how to
// decide what is not decided.
func stillToDo(o page.Options, r Resolution) []model.Block {
	switch {
	case r.After == report.Failed && !strings.Contains(r.Message, "\n"):
	case r.After.Refused() && r.After != report.Conflicted:
		return []model.Block{model.Quote{Text: r.Message}}
	case r.Confidence.Has(report.RuleNoManagedFields), o.Several:
	case slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Outcome == NotAsked }):
		return []model.Block{page.Paragraph(
			program.In(
				"Decide with --stop-managing FIELD, --use-live-value FIELD, --all-stop-managing or --all-use-live-value; 'ssactl explain' simulates each.",
			),
		)}
	}
	return nil
}

// resolved is the verdict on a manifest.
func resolved(r Resolution) model.Text {
	conflicts := words.Count(len(r.Steps), "conflict")
	gone := fmt.Sprintf("%d of %s resolved", r.Resolved(), conflicts)
	switch {
	case r.After == report.Conflicted && r.Resolved() == 0:
		return model.Text{model.Bad.Of(conflicts + " left")}
	case r.After == report.Conflicted:
		return model.Text{model.Bad.Of(gone)}
	case r.After == report.Failed:
		return page.NoAnswer(r.Message)
	case r.After.Refused():
		return model.Text{model.Bad.Of("rejected by the API server")}
	case r.Before == report.Conflicted:
		return model.Textf("%v, would be %v", model.Good.Of(gone), strings.ToLower(string(r.After)))
	case r.Resolved() > 0:
		return model.Textf(
			"%v, would be %v",
			model.Good.Of(words.Count(r.Resolved(), "field")+" no longer managed"),
			strings.ToLower(string(r.After)),
		)
	}
	return model.Text{model.Good.Of("no conflicts")}
}

// resolvedStep is one field: where it stands, what was done, and what its owners
// may do then.
func resolvedStep(s Step, r Resolution) model.Item {
	item := model.Item{Text: model.Text{model.Field.Of(s.Field)}}
	if at := words.Place(s.Source); at != "" {
		item.Text = model.Textf("%v, %v", item.Text, model.Faint.Of(at))
	}
	item.Blocks = []model.Block{page.Paragraph("%v", stepText(s, r.Source.File))}
	for _, c := range s.Consequences {
		item.Blocks = append(item.Blocks, page.Paragraph("%v", consequence(c)))
	}
	return item
}

func stepText(s Step, file string) model.Text {
	owners, at := model.Manager.Of(words.Writers(s.Owners)), ""
	if s.At != "" {
		at = " as " + s.At
	}
	switch {
	case s.Outcome == Refused && s.Line > 0:
		return model.Textf("%v %v (%v:%v)", model.Bad.Of("not resolved:"), s.Reason, words.FileOrStdin(file), s.Line)
	case s.Outcome == Refused:
		return model.Textf("%v %v", model.Bad.Of("not resolved:"), s.Reason)
	case s.Outcome == NotAsked:
		return model.Textf("not decided; owned by %v", owners)
	case s.Action == Leave:
		return model.Say("resolved together with another field")
	case s.Action == UseLiveValue:
		return model.Textf("set%v to the live value %v; shared with %v", at, model.Value.Of(page.Short(s.Written)), owners)
	case s.Removed != "":
		return model.Textf(
			"removed%v with the list item %v, which had nothing else; left to %v", at,
			model.Field.Of(s.Removed), owners,
		)
	}
	if len(s.Owners) == 0 ||
		slices.ContainsFunc(s.Consequences, func(c Consequence) bool { return c.Kind == KubectlRemoves }) {
		return model.Textf("removed%v", at)
	}
	return model.Textf("removed%v; left to %v", at, owners)
}

// consequence is what an owner of a shared field may do.
func consequence(c Consequence) model.Text {
	manager := model.Manager.Of(c.Manager)
	switch c.Kind {
	case Overwrites:
		return model.Textf("%v writes by updates: once it changes the value, this apply conflicts again.", manager)
	case KubectlRemoves:
		return model.Textf(
			"kubectl removes it from the live object, too: kubectl apply --server-side moves all fields of %v to its own and applies again.",
			manager,
		)
	case Conflicts:
		return model.Textf(
			"If %v's manifest says %v as this one did, its next apply conflicts: write the stored spelling in both.",
			manager,
			model.Value.Of(words.Scalar(c.Spelling)),
		)
	}
	return model.Textf("%v can go on applying this value; the first of you to change it gets the conflict.", manager)
}

// unresolved is a conflict that stays, for systems of CI.
func unresolved(s Step, r Resolution) model.Finding {
	t := r.Target
	out := model.Finding{
		Rule: writes.ConflictRule.ID, Level: model.Error, Fails: true, Title: "Conflict: " + words.Object(t),
		Message: s.Field + ": " + stepText(s, r.Source.File).String(),
		File:    r.Source.File, Line: r.Source.Line, Class: page.Class(t), Object: page.Qualified(t), Name: t.Name,
		Field:    s.Field,
		Identity: []string{writes.ConflictRule.ID, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, s.Field},
	}
	if s.Source != nil {
		out.File, out.Line = s.Source.File, s.Source.Line
	}
	return out
}

// review shows what decisions make of manifests: what is edited in which file, and
// what is left to force. The objects of both documents are the same ones.
func review(d Document, applies conflict.Document, forced []interactive.Question, o page.Options) []model.Block {
	var out []model.Block
	for _, r := range d.Objects {
		l := model.List{}
		for _, step := range r.Steps {
			if step.Outcome != NotAsked {
				l.Items = append(l.Items, resolvedStep(step, r))
			}
		}
		switch {
		case l.Items == nil && r.After.Refused() && r.After != report.Conflicted:
			out = append(
				out,
				model.Paragraph{Apart: out != nil, Text: page.Titled(r.Target, resolved(r))},
				model.Quote{Text: r.Message},
			)
		case l.Items != nil:
			title := model.Item{Text: page.Titled(r.Target, resolved(r)), Blocks: []model.Block{l}}
			out = append(out, model.List{Apart: out != nil, Items: []model.Item{title}})
		}
	}
	if after := forcing(o, d, applies, forced); after != nil {
		out = append(out, after...)
	}
	for _, f := range d.Files {
		out = append(out, page.Part("The edit of "+f.File, unified(f.Diff)))
	}
	return out
}

// forcing names what only force resolves, and the command.
func forcing(o page.Options, d Document, applies conflict.Document, forced []interactive.Question) []model.Block {
	if len(forced) == 0 {
		return nil
	}
	l := model.List{}
	var files []string
	var commands []model.Block
	for _, q := range forced {
		l.Items = append(l.Items, model.Item{Text: model.Textf("%v of %v", q.Title, q.Of)})
		e := applies.Objects[q.Object]
		if !slices.Contains(files, e.Source.File) {
			files, commands = append(files, e.Source.File), append(commands, forceCommand(o, e)...)
		}
	}
	concerned := func(object int) bool { return slices.Contains(files, applies.Objects[object].Source.File) }
	blocks := append([]model.Block{l}, commands...)
	if undecidedSteps(d, concerned) > len(forced) {
		blocks = append(blocks, page.Paragraph(conflict.ForceTakesAll))
	}
	return []model.Block{page.Part("Left to force, which no edit does", blocks...)}
}

// forceCommand is the apply with force of the file of an object, or where that is said
// to the client that applies.
func forceCommand(o page.Options, e conflict.Explanation) []model.Block {
	if line := o.Of(e).Of(fixes.Operands{}).Force(); !line.None() {
		return []model.Block{model.Command{Line: line.String()}}
	}
	return page.InClient(conflict.ClientOf(e.Manager), string(conflict.Force))
}

// undecidedSteps are the conflicts of the objects concerned that nothing was edited for.
func undecidedSteps(d Document, concerned func(object int) bool) int {
	n := 0
	for i, r := range d.Objects {
		if r.After != report.Conflicted || !concerned(i) {
			continue
		}
		for _, s := range r.Steps {
			if s.Outcome == NotAsked {
				n++
			}
		}
	}
	return n
}

// formatsOf is the answer of resolve.
func formatsOf(d Document) show.Answer {
	return show.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, show.Options) error{
			// As patch reads it.
			"diff": func(w io.Writer, _ show.Options) error {
				for _, f := range d.Files {
					if _, err := io.WriteString(w, f.Diff); err != nil {
						return err
					}
				}
				return nil
			},
			"text": func(w io.Writer, o show.Options) error {
				v := o.View()
				v.Brief = !o.Verbose
				return show.Show(text.New(w, o.Text()), layOut(d, v))
			},
		},
	}
}
