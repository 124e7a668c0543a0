// Package brief shows the presentation model to programs with little room, such as agents: the
// verdict, the findings with what fixes them, what force takes and what was not simulated, as
// one JSON document of at most MaxBytes. It knows no command.
package brief

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/text"
)

// MaxBytes is the most that a document has, in bytes: 1,500 tokens, of four characters each.
const MaxBytes = 6000

// The most that texts have, in bytes of JSON. A command is whole or left out: a part of it would
// be another command.
const (
	verdictBytes = 400
	messageBytes = 320
	commandBytes = 900
	nameBytes    = 120
	otherBytes   = 200
)

// mostOthers is how many lines of each list of texts there are.
const mostOthers = 5

// Document is the answer. A list that is there is never null.
type Document struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Settings rule the answers, and may be a part of the change; absent where there are none.
	Settings []string `json:"settings,omitempty"`
	// Verdict is the answer of the whole, and ExitCode that of the program.
	Verdict  string `json:"verdict"`
	ExitCode int    `json:"exitCode"`
	// Reason says why the exit code is not 0 where the verdict does not; empty elsewhere.
	Reason string `json:"reason,omitempty"`
	// Findings are the worst first, those of one cause as one.
	Findings []Finding `json:"findings"`
	// LeftOut counts the findings that there is no room for; nil for none.
	LeftOut *Count `json:"leftOut,omitempty"`
	// Lost says which fields managers lose by force, of the run or of one that would force; absent
	// for a question that is about no write.
	Lost []string `json:"lostIfForced,omitzero"`
	// NotSimulated is what a real server may do in addition, and what is assumed; absent for a
	// question that is about no write.
	NotSimulated []string `json:"notSimulated,omitzero"`
	// More is where everything is.
	More string `json:"more"`
}

// Count counts findings by severity.
type Count struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

// Finding is one of a cause, on one object or several.
type Finding struct {
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	// Object is the first one, Objects how many there are; 0 for one.
	Object  string `json:"object,omitempty"`
	Objects int    `json:"objects,omitempty"`
	Field   string `json:"field,omitempty"`
	At      string `json:"at,omitempty"`
	Message string `json:"message"`
	// Command is the one that fixes it best; empty where none does, or it is too long. Fix says
	// what to do where no command does it.
	Command string `json:"command,omitempty"`
	Fix     string `json:"fix,omitempty"`
}

// Writer is the brief format.
type Writer struct {
	w        io.Writer
	head     model.Head
	findings [len(severities)][]model.Finding
	// counts are those of all findings by their levels.
	counts [len(severities)]int
	titles []string
	state  model.State
}

// severities are the words of levels.
var severities = [...]string{model.Error: "error", model.Warning: "warning", model.Note: "note"}

// New gives a writer of the brief format.
func New(w io.Writer) *Writer { return &Writer{w: w} }

// Begin takes what is known before the first section.
func (b *Writer) Begin(h model.Head) error {
	b.head = h
	for _, p := range h.Problems {
		b.state = model.Failed
		b.add(model.Finding{Rule: "unreadable-input", File: p.File, Line: p.Line, Message: p.Message})
	}
	return nil
}

// Part takes a section; several may be taken at once.
func (b *Writer) Part(s model.Section) (any, error) { return s, nil }

// kept bounds how many findings are held of a level, and how many titles.
const kept = 100

func (b *Writer) add(list ...model.Finding) {
	for _, f := range list {
		if b.counts[f.Level]++; b.counts[f.Level] <= kept {
			b.findings[f.Level] = append(b.findings[f.Level], f)
		}
	}
}

// Add takes the findings of the next section.
func (b *Writer) Add(part any) error {
	s := part.(model.Section)
	if len(b.titles) < kept {
		b.titles = append(b.titles, s.Title.String())
	}
	b.add(s.Findings...)
	if s.Subject != nil {
		b.state = max(b.state, s.Subject.State)
	}
	return nil
}

// End writes the document.
func (b *Writer) End(tail model.Tail) error {
	b.add(tail.Findings...)
	d := Document{
		APIVersion: "ssactl.dev/v1alpha1", Kind: "Brief",
		Verdict: cut(b.verdict(tail), verdictBytes), ExitCode: b.exitCode(tail),
		Reason:   cut(strings.Join(some(tail.Unanswered, tail.Exit), ". "), messageBytes),
		Findings: []Finding{}, Lost: few(tail.Lost),
		More: "-o report has everything; ssactl help agents says what to do.",
	}
	if list := append(some(tail.Assumed), tail.NotSimulated...); len(list) > 0 || tail.NotSimulated != nil {
		d.NotSimulated = few(list)
	}
	for _, s := range slices.Concat(b.head.Settings, tail.Settings) {
		d.Settings = append(d.Settings, s.Text)
	}
	d.Settings = few(d.Settings)
	text, err := b.fitted(d)
	if err != nil {
		return err
	}
	_, err = io.WriteString(b.w, text)
	return err
}

// verdict is the answer of the whole: the headline, or the title of the only section.
func (b *Writer) verdict(tail model.Tail) string {
	lines := append(slices.Clone(b.head.Lead), tail.Headline...)
	if len(lines) > 0 {
		return model.Join(lines, " ").String()
	}
	if len(b.titles) == 1 {
		return b.titles[0]
	}
	return b.head.Title + ": " + strings.Join(b.titles[:min(mostOthers, len(b.titles))], "; ")
}

// exitCode is that of the tail, or what the states of objects come to.
func (b *Writer) exitCode(tail model.Tail) int {
	code := tail.Code
	if tail.Decided {
		return code
	}
	switch max(b.state, tail.State) {
	case model.Failed:
		code = max(code, 2)
	case model.Refused:
		code = max(code, 1)
	}
	if tail.Exit != "" {
		code = max(code, 1)
	}
	return code
}

// fitted is the document with as many findings as there is room for, the worst first.
func (b *Writer) fitted(d Document) (string, error) {
	rest := b.counts
	d.LeftOut = counted(rest)
	text, err := encoded(d)
	for _, f := range slices.Concat(b.findings[:]...) {
		rest[f.Level]--
		d.Findings, d.LeftOut = append(d.Findings, of(f)), counted(rest)
		longer, errLonger := encoded(d)
		if errLonger != nil || len(longer) > MaxBytes {
			break
		}
		text = longer
	}
	return text, err
}

// counted is a count by levels; nil for none.
func counted(n [len(severities)]int) *Count {
	if n == ([len(severities)]int{}) {
		return nil
	}
	return &Count{Error: n[model.Error], Warning: n[model.Warning], Note: n[model.Note]}
}

// of is a finding with texts that are cut.
func of(f model.Finding) Finding {
	out := Finding{
		Severity: severities[f.Level],
		Rule:     strings.TrimPrefix(f.Rule, "ssactl/"),
		Object:   cut(f.Object, nameBytes), Objects: f.Objects, Field: cut(f.Field, nameBytes),
		Message: cut(f.Message, messageBytes),
	}
	if f.Objects == 1 {
		out.Objects = 0
	}
	if f.File != "" {
		out.At = cut(f.File, nameBytes)
		if f.Line > 0 {
			out.At += fmt.Sprintf(":%d", f.Line)
		}
	}
	switch first := glyph.Visible(text.FirstLine(f.Fix)); {
	case !isCommand.MatchString(first):
		out.Fix = cut(first, messageBytes)
	case size(first) <= commandBytes:
		out.Command = first
	}
	return out
}

// isCommand is how commands begin that are printed.
var isCommand = regexp.MustCompile(`^(ssactl|kubectl) `)

// encoded is the document as JSON, indented by one space.
func encoded(d Document) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	// The arrow between values would be escaped, at six characters each.
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(d)
	return b.String(), err
}

// cut is a text in one line that shows itself, with at most so many bytes of JSON.
func cut(s string, most int) string {
	whole := glyph.Visible(strings.Join(strings.Fields(s), " "))
	short := glyph.Cut(whole, most)
	for columns := most; size(short) > most && columns > 1; {
		columns = columns * 3 / 4
		short = glyph.Cut(whole, columns)
	}
	return short
}

// size is how many bytes a text has in JSON, without its quotes.
func size(s string) int {
	escaped := strings.Count(s, `"`) + strings.Count(s, `\`)
	return len(s) + escaped
}

// few are the first texts of a list, cut, and how many more there are; nil of nil.
func few(list []string) []string {
	if list == nil {
		return nil
	}
	out := []string{}
	for i, s := range list {
		if i == mostOthers-1 && len(list) > mostOthers {
			return append(out, fmt.Sprintf("… %d more", len(list)-i))
		}
		out = append(out, cut(s, otherBytes))
	}
	return out
}

// some are the texts that are not empty.
func some(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
