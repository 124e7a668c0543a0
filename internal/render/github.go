package render

import (
	"fmt"
	"io"
	"strings"
)

// annotationsPerKind is how many errors, warnings and notices each GitHub
// shows for a step.
const annotationsPerKind = 10

// newGitHub writes workflow commands that annotate the lines of the manifests:
// errors, warnings and notices, at most ten of each, the most important ones
// first. Where there are more, the tenth counts the rest.
func newGitHub(w io.Writer, _ Options) Stream {
	return &githubStream{newFindings(rules, annotationsPerKind), sink{w}}
}

type githubStream struct {
	*findings
	sink
}

// End implements Stream.
func (s *githubStream) End(e Ending) error {
	var b strings.Builder
	if i := e.Report.Interrupted; i != nil {
		b.WriteString(annotation(levelError, finding{title: "Interrupted", message: interruptedText(*i)}))
	}
	for _, l := range []level{levelError, levelWarning, levelNotice} {
		b.WriteString(s.annotations(l))
	}
	return s.write(b.String())
}

// annotations are those of one level.
func (s *githubStream) annotations(l level) string {
	total := 0
	rest := map[rule]int{}
	for _, rule := range s.rules {
		if rule.level == l {
			rest[rule] = s.counts[rule]
			total += s.counts[rule]
		}
	}
	room := annotationsPerKind
	if total > room {
		room--
	}
	var b strings.Builder
	for _, f := range s.list() {
		if f.rule.level == l && room > 0 {
			b.WriteString(annotation(l, f))
			rest[f.rule]--
			total--
			room--
		}
	}
	if total > 0 {
		b.WriteString(annotation(l, finding{title: "More " + l.word() + "s", message: s.restOf(rest, total, l)}))
	}
	return b.String()
}

func (l level) word() string { return [...]string{"error", "warning", "notice"}[l] }

// restOf counts findings by the titles of their kinds, in the order of the
// rules.
func (s *githubStream) restOf(rest map[rule]int, total int, l level) string {
	var parts []string
	for _, rule := range s.rules {
		if n := rest[rule]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, rule.name))
		}
	}
	return fmt.Sprintf("%d more %ss are not shown as annotations: %s", total, l.word(), strings.Join(parts, ", "))
}

// annotation is one workflow command, a line.
func annotation(l level, f finding) string {
	var properties []string
	if f.source.File != "" && f.source.File != "-" {
		properties = append(properties, "file="+commandProperty(f.source.File))
		if f.source.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", f.source.Line))
		}
	}
	properties = append(properties, "title="+commandProperty(f.title))
	return fmt.Sprintf("::%s %s::%s\n", l.word(), strings.Join(properties, ","), commandData(f.message))
}

// commandData escapes the text of a workflow command as the runner reads it
// back. Newlines stay newlines for the reader; whatever else does not show
// itself is shown as an escape.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(visibleLines(s))
}

// commandProperty is commandData for a value in front of the text, where colon
// and comma separate.
func commandProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(s))
}
