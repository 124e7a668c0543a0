package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
)

// annotationsPerKind is how many errors, warnings and notices each GitHub
// shows for a step.
const annotationsPerKind = 10

// GitHub writes workflow commands that annotate the lines of the manifests:
// errors, warnings and notices, at most ten of each, the most important ones
// first. Where there are more, the tenth counts the rest.
func GitHub(w io.Writer, report engine.Report, _ Options) error {
	byLevel := map[level][]finding{}
	for _, f := range findings(report) {
		byLevel[f.rule.level] = append(byLevel[f.rule.level], f)
	}
	var b strings.Builder
	for _, l := range []level{levelError, levelWarning, levelNotice} {
		list := byLevel[l]
		shown := list
		if len(list) > annotationsPerKind {
			shown = list[:annotationsPerKind-1]
		}
		for _, f := range shown {
			b.WriteString(annotation(l, f))
		}
		if rest := list[len(shown):]; len(rest) > 0 {
			b.WriteString(annotation(l, finding{title: "More " + l.word() + "s", message: restOf(rest, l)}))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l level) word() string { return [...]string{"error", "warning", "notice"}[l] }

// restOf counts findings by the titles of their kinds, in their order.
func restOf(rest []finding, l level) string {
	counts := map[string]int{}
	var order []string
	for _, f := range rest {
		if counts[f.rule.name] == 0 {
			order = append(order, f.rule.name)
		}
		counts[f.rule.name]++
	}
	for i, name := range order {
		order[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	return fmt.Sprintf("%d more %ss are not shown as annotations: %s", len(rest), l.word(), strings.Join(order, ", "))
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
