package render

import (
	"encoding/json"
	"strings"

	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// shownAnswer is how much of the API server's sentence is shown where its faults
// are told one by one, unless all is asked for.
const shownAnswer = 4000

// faultText is what is wrong, and what may be meant. Lines behind the first, as
// of a difference, are left to the API server's sentence.
func faultText(c report.Cause) string {
	return words.Fault(shortValue(firstLine(c.Message)), c)
}

// shortValue cuts the value that a message quotes: of a template that must not
// change the API server quotes all there is.
func shortValue(message string) string {
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
	return kind + " value: " + cut(rest[:end], quotedValue) + rest[end:]
}

// shortAnswer cuts the API server's sentence where its faults are told.
func shortAnswer(r report.Result, o Options) (text string, whole bool) {
	text = visibleLines(strings.TrimRight(r.Status.Message, "\n"))
	if o.Verbose || len(r.Causes) == 0 || columns(text) <= shownAnswer {
		return text, true
	}
	return cut(text, shownAnswer), false
}
