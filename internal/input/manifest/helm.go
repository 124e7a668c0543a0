package manifest

import (
	"bytes"
	"errors"
	"regexp"
)

// What helm prints around the manifests of a release: its head before them, lines
// between them and the chart's notes, and messages in front of all of it.
var (
	helmHead    = regexp.MustCompile(`\A(?:Release "[^\n]*\n)?NAME: [^\n]*\n(?:[A-Z ]+: ?[^\n]*\n)*`)
	helmLine    = regexp.MustCompile(`(?m)^(?:NOTES|MANIFEST|HOOKS):[ \t\r]*$`)
	toolMessage = regexp.MustCompile(`\A(?:WARNING|Warning|Error|error|Pulled|Error from server[^\n:]*): `)
)

var (
	errHelmHead    = errors.New("is what helm says of a release, not an object: give what helm template or helm get manifest prints")
	errHelmLine    = errors.New("helm install and helm upgrade print this line, and the notes of the chart, between or behind the manifests: give what helm template or helm get manifest prints")
	errToolMessage = errors.New("is a message of the program that wrote the input, not an object: see what it says, and keep its standard error out of the input (no 2>&1)")
)

// foreign explains, at its line, why a document that is no object is none: other
// programs have printed something into it. It is the given error for others.
func foreign(raw []byte, first int, err error) error {
	text := bytes.TrimLeft(raw, "-\r\n ")
	switch {
	case helmHead.Match(text):
		return &placed{first + bytes.Count(raw[:len(raw)-len(text)], newline), errHelmHead}
	case toolMessage.Match(text):
		return &placed{first + bytes.Count(raw[:len(raw)-len(text)], newline), errToolMessage}
	}
	if line := helmLineAt(raw, first); line > 0 {
		return &placed{line, errHelmLine}
	}
	return err
}

// helmLineAt is the first line of a document that helm has printed into it; 0 for none.
func helmLineAt(raw []byte, first int) int {
	for _, word := range []string{"NOTES:", "MANIFEST:", "HOOKS:"} {
		if !bytes.Contains(raw, []byte(word)) {
			continue
		}
		if at := helmLine.FindIndex(raw); at != nil {
			return first + bytes.Count(raw[:at[0]], newline)
		}
	}
	return 0
}

var newline = []byte{'\n'}
