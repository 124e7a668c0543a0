package stories

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// failedRule is the rule of an expectation that does not hold.
const failedRule = "ssactl/expectation"

// pageOf shows stories: those that fail in full, with what each step did; of the others the
// transcript where everything is asked for.
func pageOf(d Document, o page.Options) model.Document {
	out := model.Document{Head: model.Head{
		Title: "Stories", Server: d.Server.Version, Made: o.Made(), Total: len(d.Stories),
		Rules: []model.Rule{{
			ID: failedRule, Name: "Expectation", Level: model.Error, Short: "An expectation of a story does not hold.",
			Help: "What the API server does differs from what the story expects: correct the one that is wrong.",
		}},
		Lead: []model.Text{headline(d.Summary)},
	}}
	for _, t := range d.Stories {
		out.Sections = append(out.Sections, section(t))
	}
	if d.Summary.Failed > 0 {
		out.State = model.Refused
	}
	if d.Summary.Broken > 0 {
		out.State = model.Failed
	}
	out.Interrupted = words.Interrupted(d.Interrupted)
	return out
}

func headline(s Summary) model.Text {
	line := model.Text{model.Strong.Of(fmt.Sprintf("%s: %d passed", words.Count(s.Total, "story"), s.Passed))}
	if s.Failed > 0 {
		line = append(line, model.Bad.Of(fmt.Sprintf(", %d failed", s.Failed)))
	}
	if s.Broken > 0 {
		line = append(line, model.Bad.Of(fmt.Sprintf(", %d cannot be told", s.Broken)))
	}
	return append(line, model.Plain.Of("."))
}

// section is a story.
func section(t Told) model.Section {
	s := model.Section{Weight: model.Dull, Subject: &model.Subject{
		Name: t.Name, Class: "ssactl.story", Kind: "Story", File: t.Source.File, Line: t.Source.Line,
		State: model.Accepted, Reason: string(t.Outcome), Gist: t.Name,
	}}
	mark := model.Good.Of("ok")
	switch t.Outcome {
	case Failed:
		mark, s.Weight, s.Severity = model.Bad.Of("FAIL"), model.Decision, "error"
		s.Subject.State = model.Refused
	case Broken:
		mark, s.Weight, s.Severity = model.Bad.Of("no answer"), model.Decision, "error"
		s.Subject.State, s.Subject.Gist = model.Failed, t.Problem
	}
	s.Title = model.Text{mark, model.Plain.Of("  "), model.Strong.Of(t.Name), model.Faint.Of("  " + place(t.Source))}
	if t.Problem != "" {
		s.Under = append(s.Under, model.Paragraph{Text: model.Say(t.Problem)})
		s.Findings = append(s.Findings, finding(t, t.Source, t.Problem))
	}
	for _, step := range t.Steps {
		for _, f := range step.Fails {
			says := fmt.Sprintf("%s: %s: expected %s, got %s", place(f.Source), concerns(f), f.Expected, f.Actual)
			s.Under = append(s.Under, model.Paragraph{Text: model.Say(says)})
			s.Findings = append(s.Findings, finding(t, f.Source, says))
			if s.Subject.Gist == t.Name {
				s.Subject.Gist = says
			}
		}
	}
	if t.Outcome == Passed {
		s.Blocks = transcript(t)
	} else {
		s.Under = append(s.Under, transcript(t)...)
	}
	return s
}

func concerns(f Expectation) string {
	if f.Field == "" {
		return f.Key
	}
	return f.Key + " " + f.Field
}

func finding(t Told, at report.Source, says string) model.Finding {
	return model.Finding{
		Rule: failedRule, Level: model.Error, Title: t.Name, Message: says, File: at.File, Line: at.Line,
		Class: "ssactl.story", Object: t.Name, Name: t.Name, Identity: []string{t.Name, says}, Fails: true,
	}
}

func place(s report.Source) string { return words.Place(&s) }

// transcript says of each step who did what, what the API server answered, and how ownership
// moved.
func transcript(t Told) []model.Block {
	list := model.List{Numbered: true}
	for _, step := range t.Steps {
		item := model.Item{Text: model.Say(step.Name)}
		for _, o := range step.Objects {
			line := o.Object + " " + lower(o.Outcome)
			if o.Manager != "" {
				line += " as " + o.Manager
			}
			if o.Code >= 400 || o.Message != "" {
				line += fmt.Sprintf(" (%d): %s", o.Code, o.Message)
			}
			if o.Settles != "" {
				line += "; settles: " + o.Settles
			}
			item.Blocks = append(item.Blocks, model.Paragraph{Text: model.Say(line)})
			for _, says := range slices.Concat(o.Changes[:min(len(o.Changes), shownChanges)], o.Transfers, o.Cycle) {
				item.Blocks = append(item.Blocks, model.Paragraph{Text: model.Say("  " + says)})
			}
			if more := len(o.Changes) - shownChanges; more > 0 {
				item.Blocks = append(item.Blocks, model.Paragraph{Text: model.Say(fmt.Sprintf("  %d more values change", more))})
			}
		}
		list.Items = append(list.Items, item)
	}
	if len(list.Items) == 0 {
		return nil
	}
	return []model.Block{list}
}

// shownChanges is how many changes of a step a transcript has.
const shownChanges = 8

func lower(outcome string) string {
	if outcome == "" {
		return ""
	}
	return string(outcome[0]|0x20) + outcome[1:]
}
