// Package textdiff compares two texts, by line or by word.
//
// The pipeline: a text is cut into tokens (lines or words), tokens become an
// edit script, an edit script becomes hunks, and hunks become unified text.
//
// Laws: applying the hunks of a comparison to the old text gives the new one;
// equal inputs give equal answers on every machine, as nothing depends on a
// clock; the work is bounded, however long the texts are: where the shortest
// script would cost too much, a longer one that is still right is given, cut at
// lines that occur once on each side, and what is not aligned within the bound is
// one block.
package textdiff

import (
	"fmt"
	"strings"
)

// Line is one line of a hunk. Text keeps its newline; only the last line of a
// text can lack one.
type Line = Edit

// Hunk is a run of changed lines with the lines around it. Starts count from
// 1; the start of an empty side is the line before it.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []Line
}

// Lines gives the hunks that turn old into new, each with up to context equal
// lines on both sides; nil when the texts are equal.
func Lines(old, new string, context int) []Hunk {
	if old == new {
		return nil
	}
	return Between(Cut(old), Cut(new), context)
}

// Between is Lines for texts that are cut.
func Between(old, new []string, context int) []Hunk { return hunks(script(old, new), context) }

// Apply gives the text that the hunks make of old. An error means that they
// were not made for it.
func Apply(old string, hunks []Hunk) (string, error) {
	var b strings.Builder
	lines := Cut(old)
	at := 0
	for n, h := range hunks {
		start := h.OldStart - 1
		if h.OldLines == 0 {
			start = h.OldStart
		}
		if start < at || start > len(lines) {
			return "", fmt.Errorf("hunk %d starts at line %d, outside of the text", n+1, h.OldStart)
		}
		b.WriteString(strings.Join(lines[at:start], ""))
		at = start
		for _, line := range h.Lines {
			if line.Kind != Insert {
				if at >= len(lines) || lines[at] != line.Text {
					return "", fmt.Errorf("hunk %d does not match line %d", n+1, at+1)
				}
				at++
			}
			if line.Kind != Delete {
				b.WriteString(line.Text)
			}
		}
	}
	b.WriteString(strings.Join(lines[at:], ""))
	return b.String(), nil
}

// Cut gives the lines of a text with their newlines; the empty text has none.
func Cut(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// hunks groups the changes of a script that are near enough to share context.
func hunks(edits []Edit, context int) []Hunk {
	var out []Hunk
	oldAt, newAt, counted := 0, 0, 0
	for i := 0; i < len(edits); i++ {
		if edits[i].Kind == Equal {
			continue
		}
		from, last := max(0, i-context), i
		for j := i; j < len(edits) && j-last <= 2*context; j++ {
			if edits[j].Kind != Equal {
				last = j
			}
		}
		to := min(len(edits), last+1+context)
		old, new := count(edits[counted:from])
		oldAt, newAt = oldAt+old, newAt+new
		h := Hunk{OldStart: oldAt, NewStart: newAt, Lines: edits[from:to]}
		h.OldLines, h.NewLines = count(h.Lines)
		oldAt, newAt = oldAt+h.OldLines, newAt+h.NewLines
		h.OldStart += min(h.OldLines, 1)
		h.NewStart += min(h.NewLines, 1)
		out = append(out, h)
		counted, i = to, to-1
	}
	return out
}

// count counts the lines of each side.
func count(edits []Edit) (old, new int) {
	for _, e := range edits {
		if e.Kind != Insert {
			old++
		}
		if e.Kind != Delete {
			new++
		}
	}
	return old, new
}

// noNewline marks a last line without newline, as every patch program reads
// it.
const noNewline = "\\ No newline at end of file\n"

// Unified writes the hunks with headers naming both sides, in the form that
// patch accepts; empty when there are no hunks.
func Unified(oldName, newName string, hunks []Hunk) string {
	if len(hunks) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", oldName, newName)
	for _, h := range hunks {
		b.WriteString(h.Header() + "\n")
		for _, line := range h.Lines {
			b.WriteString(line.Kind.Sign() + line.Text)
			if !strings.HasSuffix(line.Text, "\n") {
				b.WriteString("\n" + noNewline)
			}
		}
	}
	return b.String()
}

// Header is the @@ line of a hunk, without newline.
func (h Hunk) Header() string {
	return fmt.Sprintf("@@ -%s +%s @@", span(h.OldStart, h.OldLines), span(h.NewStart, h.NewLines))
}

// Sign is the first character of a line in a unified diff.
func (k Kind) Sign() string { return [...]string{Equal: " ", Delete: "-", Insert: "+"}[k] }

func span(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}
