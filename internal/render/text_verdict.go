package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// verdict is the answer for one object in one line, in kubectl's words.
func (p *printer) verdict(r report.Result) string {
	line := p.bold(objectName(r.Target)) + " " + p.outcome(r) + where(r.Target) + as(r)
	if gist := gist(r); gist != "" {
		line += ": " + gist
	}
	return line
}

// as names the field manager of a write that makes or keeps entries.
func as(r report.Result) string {
	if r.Manager == "" || r.Operation == report.Delete {
		return ""
	}
	return " as " + visible(r.Manager)
}

func (p *printer) outcome(r report.Result) string {
	word := strings.ToLower(string(r.Outcome))
	switch {
	case r.Outcome.Refused():
		return p.red(word)
	case r.Deleted:
		return p.yellow("deleted")
	case r.Operation == report.Delete && r.Outcome == report.Configured:
		return p.yellow("deleting")
	case r.Outcome == report.Created:
		return p.green(word)
	case r.Outcome == report.Configured:
		return p.yellow(word)
	}
	return word
}

// gist is what a refusal comes down to.
func gist(r report.Result) string {
	switch r.Outcome {
	case report.Conflicted:
		return count(fieldsOf(r.Conflicts), "field") + " held by " + count(managersOf(r.Conflicts), "other manager")
	case report.Invalid:
		return strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, reason(r)))
	case report.Failed:
		first, _, _ := strings.Cut(r.Error, "\n")
		return visible(first)
	}
	return ""
}

func fieldsOf(conflicts []report.Conflict) int {
	seen := map[string]bool{}
	for _, c := range conflicts {
		seen[c.Field] = true
	}
	return len(seen)
}

func managersOf(conflicts []report.Conflict) int {
	seen := map[string]bool{}
	for _, c := range conflicts {
		seen[c.Manager] = true
	}
	return len(seen)
}

// summary counts the outcomes that occur, and what no manifest names.
func (p *printer) summary(doc report.Report) {
	p.styled(p.counts(doc.Summary))
	if n := doc.Summary.Unmatched; n != nil && *n > 0 {
		hint := ""
		if len(doc.Unmatched) == 0 {
			hint = " (--unmatched lists them)"
		}
		p.paragraph("", count(*n, "live object")+" that no manifest names"+hint)
	}
	p.interrupted(doc.Interrupted)
}

// interrupted tells how far a run came that did not come to its end.
func (p *printer) interrupted(i *report.Interruption) {
	if i != nil {
		p.styled(p.red(interruptedText(*i)))
	}
}

// interruptedComment is the same as the last line of a script.
func interruptedComment(i *report.Interruption) string {
	if i == nil {
		return ""
	}
	return "# " + interruptedText(*i) + "\n"
}

// interruptedSentence is the same on a page.
func interruptedSentence(i report.Interruption) string {
	return "The run was " + interruptedText(i) + "."
}

// counts are those of the outcomes that occur.
func (p *printer) counts(s report.Summary) string {
	var parts []string
	add := func(n int, word string, paint style) {
		if n > 0 {
			parts = append(parts, paint(fmt.Sprintf("%d %s", n, word)))
		}
	}
	plain := func(s string) string { return s }
	add(s.Created, "created", p.green)
	add(s.Configured-s.Deleted-s.Deleting, "configured", p.yellow)
	add(s.Deleted, "deleted", p.yellow)
	add(s.Deleting, "deleting", p.yellow)
	add(s.Unchanged, "unchanged", plain)
	add(s.Conflicted, "conflicted", p.red)
	add(s.Invalid, "invalid", p.red)
	add(s.Failed, "failed", p.red)
	if s.Risky > 0 {
		parts = append(parts, p.red(fmt.Sprintf("%d risky", s.Risky)))
	}
	return totals(p.bold(count(s.Total, "object")), parts)
}

// totals is a total with its parts, if there are any.
func totals(total string, parts []string) string {
	if len(parts) == 0 {
		return total
	}
	return total + ": " + strings.Join(parts, ", ")
}

// problems are inputs that gave no object.
func (p *printer) problems(problems []report.Problem) {
	for _, problem := range problems {
		message := visibleLines(problem.Message)
		if at := documentPlace(problem.Source); at != "" && !strings.Contains(message, visible(problem.Source.File)+":") {
			message = at + ": " + message
		}
		p.line(p.red("error:") + " " + message)
	}
}

// documentPlace names the document too, since a file may have many.
func documentPlace(s report.Source) string {
	at := place(&s)
	if s.Line > 0 && s.Document > 0 {
		at += fmt.Sprintf(" (document %d)", s.Document)
	}
	return at
}

// count is a number with its noun in the right form.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
