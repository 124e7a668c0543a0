package answers

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// shownFaults is how many fields that are wrong are enough where a format folds.
const shownFaults = 10

// faults are what is wrong with a write that is refused for another reason than
// ownership, and the lines of an error for which the title had no room. Of many
// objects the faults are said together.
func faults(o page.Options, r report.Result) []model.Block {
	if _, rest, ok := strings.Cut(r.Error, "\n"); ok && r.Status == nil {
		return []model.Block{model.Quote{Text: rest}}
	}
	if o.Brief && o.Several {
		return nil
	}
	return Causes(o, r.Causes)
}

// Causes are what is wrong, field by field, each with its line; none where the
// server's message alone says no less.
func Causes(o page.Options, list []report.Cause) []model.Block {
	if len(list) == 0 || len(list) == 1 && list[0].Source == nil {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 3), Shown: shownFaults}
	for _, c := range list {
		text := faultText(c)
		if o.Verbose {
			text = words.Fault(glyph.FirstLine(c.Message), c)
		}
		t.Rows = append(t.Rows, []model.Text{{model.Field.Of(c.Field)}, {model.Faint.Of(words.Place(c.Source))}, model.Say(text)})
	}
	return []model.Block{listed(o, t)}
}

// faultText is what is wrong, and what may be meant. Lines behind the first, as of
// a difference, are left to the API server's sentence.
func faultText(c report.Cause) string {
	return words.Fault(shortMessage(glyph.FirstLine(c.Message)), c)
}

// quotedValue is how much of a value a message quotes.
const quotedValue = 120

// shortMessage cuts the value that a message quotes: of a template that must not
// change the API server quotes all there is.
func shortMessage(message string) string {
	kind, rest, ok := strings.Cut(message, " value: ")
	if !ok || strings.Contains(kind, " ") {
		return message
	}
	d := json.NewDecoder(strings.NewReader(rest))
	var value json.RawMessage
	if d.Decode(&value) != nil {
		return message
	}
	end := d.InputOffset()
	return kind + " value: " + glyph.Cut(rest[:end], quotedValue) + rest[end:]
}

// shownAnswer is how much of the API server's sentence is shown where its faults
// are reported one by one, unless all is asked for.
const shownAnswer = 4000

// serverAnswer is the API server's message, word for word: it is what people
// search for.
func serverAnswer(o page.Options, r report.Result) []model.Block {
	message := serverMessage(o, r)
	if message == nil {
		return nil
	}
	if byClient(r) {
		return []model.Block{page.Part("The client refuses it, and sends no request", message...)}
	}
	return []model.Block{page.Part("The API server would answer "+answerOf(r), message...)}
}

func serverMessage(o page.Options, r report.Result) []model.Block {
	if r.Status == nil {
		return nil
	}
	text := glyph.Lines(strings.TrimRight(r.Status.Message, "\n"))
	if o.Verbose || len(r.Causes) == 0 || glyph.Columns(text) <= shownAnswer {
		return []model.Block{model.Quote{Text: text}}
	}
	return []model.Block{model.Quote{Text: glyph.Cut(text, shownAnswer)}, model.Paragraph{Text: model.Text{model.Faint.Of("cut; -v shows all")}}}
}

// noise are the fields that the server alone keeps, which differences leave out.
var noise = []string{".metadata.generation", ".metadata.resourceVersion", ".metadata.uid", ".metadata.creationTimestamp"}

func withoutNoise(changes []report.Change) []report.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c report.Change) bool { return slices.Contains(noise, c.Field) })
}
