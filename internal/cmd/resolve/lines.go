package resolve

import (
	"bytes"
	"strings"

	"github.com/ssactl/ssactl/internal/textdiff"
)

// lineAt is the line, from 1, of an offset.
func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:offset], []byte("\n"))
}

// formerLine is the line of the old text that stands at a line of the new one;
// of an inserted line, the one before it.
func formerLine(old, new []byte, line int) int {
	former, current := 0, 0
	hunks := textdiff.Lines(string(old), string(new), strings.Count(string(old), "\n")+1)
	if len(hunks) == 0 {
		return line
	}
	for _, edit := range hunks[0].Lines {
		if edit.Kind != textdiff.Insert {
			former++
		}
		if edit.Kind != textdiff.Delete {
			if current++; current == line {
				return max(former, 1)
			}
		}
	}
	return max(former, 1)
}
