package interactive

import (
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Question is a conflict or a risk that somebody is to decide about.
type Question struct {
	// Object is the place of the object in the document, Target its name.
	Object int
	Target report.Target
	// Field is written as the API server writes it; empty for a risk of the object.
	Field string
	// Rule is that of a risk; empty for a conflict.
	Rule string
	// File is where the manifest stands.
	File string
	// Of is the object, Title what of it is decided.
	Of, Title model.Text
	// Facts are what is known, Advice what is recommended.
	Facts, Advice []model.Block
	Options       []Option
	// Identity distinguishes the question from others, and from the same one about
	// other values or owners. Of Secrets it has no values.
	Identity []string
}

// Option is one option of a question, simulated.
type Option struct {
	Choice Choice
	// Name is the option, Text its result, Blocks the details.
	Name        string
	Text        model.Text
	Blocks      []model.Block
	Recommended bool
	// Off is true where it cannot be chosen; the text says why.
	Off bool
}

// Choice is what can be decided about a question.
type Choice string

// The choices. Keep leaves a risk as it is, Later leaves the question open.
const (
	StopManaging Choice = "stop-managing"
	UseLiveValue Choice = "use-live-value"
	Force        Choice = "force"
	Keep         Choice = "keep"
	Later        Choice = "later"
)

// Secrets says whether the live values of Secrets may be written into manifests.
type Secrets bool

// The ways with the live values of Secrets.
const (
	KeepSecrets  Secrets = false
	ShareSecrets Secrets = true
)

// Questions are the conflicts of applies, and the risks of those that are accepted,
// in the order of the document. The result of no longer managing a field with a
// risk is among the stops.
func Questions(d conflict.Document, stops []conflict.Stop, secrets Secrets, o page.Options) []Question {
	var out []Question
	for i, e := range explain.WithSettings(d).Objects {
		of := model.Textf(
			"%v%v as %v",
			model.Strong.Of(words.Object(e.Target)),
			words.Where(e.Target),
			model.Manager.Of(e.Manager),
		)
		var questions []Question
		for _, s := range e.Conflicts {
			questions = append(questions, conflictQuestion(o, e, s, secrets))
		}
		for _, r := range e.OtherRisks() {
			if r.Severity != report.SeverityNote {
				questions = append(questions, riskQuestion(e, r, stops))
			}
		}
		// What makes the answer about the object doubtful.
		doubts := page.CautionBlocks(e.Confidence, e.Target)
		for _, n := range e.Notices {
			doubts = append(doubts, model.Paragraph{Label: model.Say("Notice:"), Text: model.Say(n)})
		}
		for _, q := range questions {
			q.Object, q.Of, q.Facts = i, of, slices.Concat(doubts, q.Facts)
			out = append(out, q)
		}
	}
	return out
}

// conflictQuestion is that about one conflicting field.
func conflictQuestion(o page.Options, e conflict.Explanation, s conflict.Conflict, secrets Secrets) Question {
	q := Question{
		Target: e.Target, Field: s.Field, File: e.Source.File,
		Title:    explain.FieldAt(s.Field, s.Source),
		Facts:    []model.Block{explain.Facts(o, s)},
		Advice:   []model.Block{model.Paragraph{Apart: true, Text: page.Recommendation(s.Recommended, s.Reason)}},
		Identity: append(identityOf(e, "conflict", s.Field), conflictIdentity(e.Target, s)...),
	}
	// Stopping comes first: it is what is right for most.
	for _, kind := range []conflict.ResolutionKind{conflict.StopManaging, conflict.UseLiveValue, conflict.Force} {
		if i := slices.IndexFunc(s.Resolutions, func(r conflict.Resolution) bool { return r.Kind == kind }); i >= 0 {
			q.Options = append(q.Options, conflictOption(e, s, s.Resolutions[i], secrets))
		}
	}
	return q
}

// optionChoices are the options of conflicts.
var optionChoices = map[conflict.ResolutionKind]Choice{
	conflict.StopManaging: StopManaging, conflict.UseLiveValue: UseLiveValue, conflict.Force: Force,
}

func conflictOption(e conflict.Explanation, s conflict.Conflict, r conflict.Resolution, secrets Secrets) Option {
	out := Option{
		Choice: optionChoices[r.Kind], Name: page.OptionName(r.Kind), Text: model.Say(page.OptionText(r, s)),
		Recommended: s.Recommended == r.Kind, Off: !r.Impossible.IsZero() || r.Outcome.Refused(),
	}
	switch {
	case !r.Impossible.IsZero():
		return out
	case r.Outcome.Refused():
		out.Blocks = page.WithRefusal(model.Item{}, r).Blocks
		return out
	case r.Uneditable() != "":
		out.Off, out.Text = true, model.Say("not possible: "+r.Uneditable())
		return out
	case r.Kind == conflict.UseLiveValue && isSecret(e.Target) && secrets == KeepSecrets:
		out.Off, out.Text = true, model.Say(
			"not possible: it would write a value of a Secret into the manifest, for which --share-secrets is needed",
		)
		return out
	}
	then := model.Say("then")
	if r.After != nil {
		then = model.Textf("then %v", explain.ShortValue(*r.After))
	}
	out.Blocks = append(out.Blocks, page.Paragraph("%v, owned by %v", then, model.Join(ownersAfter(e, s, r), ", ")))
	out.Blocks = append(out.Blocks, page.Effects(r, s)...)
	return out
}

// ownersAfter are the owners of a field after an option that is accepted.
func ownersAfter(e conflict.Explanation, s conflict.Conflict, r conflict.Resolution) []model.Text {
	var out []model.Text
	if r.Kind != conflict.StopManaging {
		out = append(out, model.Textf("%v (you)", model.Manager.Of(e.Manager)))
	}
	if r.Kind == conflict.Force {
		return out
	}
	for _, owner := range s.Owners {
		who := owner.Writer
		who.APIVersion = ""
		out = append(out, page.WriterOf(who))
	}
	return out
}

func isSecret(t report.Target) bool { return t.APIVersion == "v1" && t.Kind == "Secret" }

// riskQuestion is that about one risk of an apply that is accepted.
func riskQuestion(e conflict.Explanation, r report.Finding, stops []conflict.Stop) Question {
	q := Question{
		Target: e.Target, Field: r.Field, Rule: r.Rule, File: e.Source.File,
		Title: explain.FieldAt(r.Field, &r.Source),
		Facts: []model.Block{
			model.Paragraph{Text: model.Textf("%v: %v (%v)", page.SeverityWord(r.Severity), r.Message, r.Rule)},
		},
		Identity: append(identityOf(e, r.Rule, r.Field), r.Manager),
	}
	if r.Field == "" {
		q.Title = model.Say("the object as a whole")
	}
	if !isSecret(e.Target) {
		q.Identity = append(q.Identity, r.Message.String())
	}
	if i := slices.IndexFunc(stops, func(s conflict.Stop) bool {
		return s.Target == e.Target && s.Field == r.Field
	}); i >= 0 {
		q.Options = append(q.Options, stopOption(stops[i].Resolution))
	}
	q.Options = append(
		q.Options,
		Option{Choice: Keep, Name: "Keep", Text: model.Say("the apply would succeed; leave the manifest as it is")},
	)
	return q
}

// stopOption is to stop managing a field that does not conflict.
func stopOption(r conflict.Resolution) Option {
	out := Option{
		Choice: StopManaging,
		Name:   page.OptionName(conflict.StopManaging),
		Off:    !r.Impossible.IsZero() || r.Outcome.Refused() || r.Uneditable() != "",
	}
	if out.Text = model.Say(page.OptionText(r, conflict.Conflict{})); r.Impossible.IsZero() && r.Uneditable() != "" {
		out.Text = model.Say("not possible: " + r.Uneditable())
		return out
	}
	out.Blocks = page.WithRefusal(model.Item{}, r).Blocks
	if r.Impossible.IsZero() {
		out.Blocks = append(out.Blocks, page.Effects(r, conflict.Conflict{})...)
	}
	return out
}

// identityOf distinguishes the questions about an object.
func identityOf(e conflict.Explanation, rule, field string) []string {
	t := e.Target
	return []string{e.Source.File, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, e.Manager, rule, field}
}

// conflictIdentity is who owns a field, since when, and the two values.
func conflictIdentity(t report.Target, s conflict.Conflict) []string {
	var out []string
	for _, owner := range s.Owners {
		since := ""
		if owner.Time != nil {
			since = owner.Time.UTC().Format(time.RFC3339)
		}
		out = append(out, words.Writer(owner.Writer), since)
	}
	if isSecret(t) {
		return out
	}
	for _, v := range []conflict.Value{s.Yours, s.Live} {
		text := "-"
		if !v.Missing {
			text = "=" + words.Scalar(v.Value)
		}
		out = append(out, text)
	}
	return out
}
