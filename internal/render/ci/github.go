// Package ci shows the findings of the presentation model to systems of
// continuous integration, and knows no command: annotations of GitHub, SARIF for
// code scanning, JUnit for reports of tests. Each gives the most important
// findings first, at their lines.
package ci

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// unreadable is the rule of inputs that gave no object.
var unreadable = model.Rule{
	ID: "ssactl/unreadable-input", Name: "UnreadableInput", Level: model.Error,
	Short: "An input file has no object that could be read.",
	Help: "A manifest or a file with live objects cannot be read, or is not YAML or JSON of a Kubernetes object. " +
		"The other inputs were still answered. Correct the file at the reported line.",
}

// advice is the message of a finding, and what fixes it where the message does not have that.
func advice(f model.Finding) string {
	if f.Fix == "" || strings.Contains(f.Message, f.Fix) {
		return f.Message
	}
	return f.Message + "\nTo fix it: " + f.Fix
}

// kind is what findings are kept by.
type kind struct {
	level model.Level
	rule  int
}

// findings collect what a document has to say, by level and rule.
type findings struct {
	head model.Head
	// rules are the document's, behind that of unreadable inputs.
	rules  []model.Rule
	byKind map[kind][]model.Finding
	// counts are those of all findings; most bounds how many of a kind are
	// kept, 0 for no bound.
	counts map[kind]int
	most   int
}

// Begin takes what is known before the first section.
func (l *findings) Begin(h model.Head) error {
	l.head, l.rules = h, append([]model.Rule{unreadable}, h.Rules...)
	l.byKind, l.counts = map[kind][]model.Finding{}, map[kind]int{}
	for _, p := range h.Problems {
		l.add(model.Finding{Rule: unreadable.ID, File: p.File, Line: p.Line, Title: "Unreadable input", Message: p.Message,
			Identity: []string{unreadable.ID, "", "", "", "", "", "", "", p.File, p.Message}})
	}
	return nil
}

// Part takes the findings of a section; several may be taken at once.
func (l *findings) Part(s model.Section) (any, error) { return s.Findings, nil }

// Add takes those of the next section.
func (l *findings) Add(part any) error {
	for _, f := range part.([]model.Finding) {
		l.add(f)
	}
	return nil
}

func (l *findings) add(f model.Finding) {
	k := kind{f.Level, slices.IndexFunc(l.rules, func(r model.Rule) bool { return r.ID == f.Rule })}
	if l.counts[k]++; l.most == 0 || l.counts[k] <= l.most {
		l.byKind[k] = append(l.byKind[k], f)
	}
}

// kinds are those with findings, the most important first: by
// level, then by rule.
func (l *findings) kinds() []kind {
	return slices.SortedFunc(maps.Keys(l.counts), func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.rule,
			b.rule))
	})
}

// AnnotationsPerKind is how many annotations of a kind GitHub shows of a step;
// it leaves the others out without a word.
const AnnotationsPerKind = 10

// GitHub writes workflow commands that annotate the lines of the inputs: errors,
// warnings and notices, at most ten of each, the most important ones first.
// Where there are more, the tenth counts the rest.
type GitHub struct {
	findings
	w io.Writer
}

// NewGitHub gives a writer of the github format.
func NewGitHub(w io.Writer) *GitHub {
	return &GitHub{findings: findings{most: AnnotationsPerKind}, w: w}
}

// End writes the annotations.
func (s *GitHub) End(tail model.Tail) error {
	for _, f := range tail.Findings {
		s.add(f)
	}
	var b strings.Builder
	settings := slices.Concat(s.head.Settings, tail.Settings)
	for _, of := range settings {
		b.WriteString(annotation(model.Warning,
			model.Finding{Title: "Settings", Message: of.Text, File: of.File, Line: of.Line}))
	}
	if tail.Interrupted != "" {
		b.WriteString(annotation(model.Error, model.Finding{Title: "Interrupted", Message: tail.Interrupted}))
	}
	room := AnnotationsPerKind
	for _, of := range []string{tail.Unanswered, tail.Exit} {
		if of != "" {
			b.WriteString(annotation(model.Error, model.Finding{Title: s.head.Title, Message: of}))
			room--
		}
	}
	b.WriteString(s.annotations(model.Error, room))
	b.WriteString(s.annotations(model.Warning, max(1, AnnotationsPerKind-len(settings))))
	assumed := ""
	room = AnnotationsPerKind
	for _, of := range []string{tail.Compared, tail.Assumed} {
		if of != "" {
			assumed += annotation(model.Note, model.Finding{Title: s.head.Title, Message: of})
			room--
		}
	}
	b.WriteString(s.annotations(model.Note, room) + assumed)
	_, err := io.WriteString(s.w, b.String())
	return err
}

// annotations are those of one level, as far as there is room.
func (s *GitHub) annotations(l model.Level, room int) string {
	total := 0
	rest := map[kind]int{}
	for k, n := range s.counts {
		if k.level == l {
			rest[k] = n
			total += n
		}
	}
	if total > room {
		room--
	}
	var b strings.Builder
	for _, k := range s.kinds() {
		if k.level != l {
			continue
		}
		for _, f := range s.byKind[k][:min(room, len(s.byKind[k]))] {
			b.WriteString(annotation(l, f))
			rest[k]--
			total--
			room--
		}
	}
	if total == 0 {
		return b.String()
	}
	var parts []string
	for _, k := range s.kinds() {
		if n := rest[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s.rules[k.rule].Name))
		}
	}
	more := fmt.Sprintf("%d more %ss are not shown as annotations: %s", total, word(l), strings.Join(parts, ", "))
	return b.String() + annotation(l, model.Finding{Title: "More " + word(l) + "s", Message: more})
}

// word is what GitHub calls a level.
func word(l model.Level) string { return [...]string{"error", "warning", "notice"}[l] }

// annotation is one workflow command, a line.
func annotation(l model.Level, f model.Finding) string {
	var properties []string
	if f.File != "" && f.File != "-" {
		properties = append(properties, "file="+commandProperty(f.File))
		if f.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", f.Line))
		}
	}
	properties = append(properties, "title="+commandProperty(f.Title))
	return fmt.Sprintf("::%s %s::%s\n", word(l), strings.Join(properties, ","), commandData(advice(f)))
}

// commandData escapes the text of a workflow command as the runner reads it
// back. Newlines stay newlines for the reader; whatever else does not show
// itself is shown as an escape.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(glyph.Lines(s))
}

// commandProperty is commandData for a value in front of the text, where colon
// and comma separate.
func commandProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(s))
}
