package textdiff

import (
	"fmt"
	"strings"
)

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
func (k Kind) Sign() string {
	switch k {
	case Delete:
		return "-"
	case Insert:
		return "+"
	}
	return " "
}

func span(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}
