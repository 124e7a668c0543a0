package parity

import (
	"slices"
	"strconv"
	"strings"
)

// warningStart precedes the quoted text in a Warning header.
const warningStart = `299 - `

// warningTexts gives the texts of Warning headers in their order; one that is
// not a whole header is taken as a text.
func warningTexts(headers []string) []string {
	texts := make([]string, len(headers))
	for i, header := range headers {
		texts[i] = header
		quoted, ok := strings.CutPrefix(header, warningStart)
		if !ok {
			continue
		}
		if text, err := strconv.Unquote(quoted); err == nil {
			texts[i] = text
		}
	}
	return texts
}

// inOrder sorts the warnings of a custom resource: a server goes through the fields
// of its definition in any order.
func (d *differ) inOrder(texts []string) []string {
	if isCustom(d.step.Target) {
		return slices.Sorted(slices.Values(texts))
	}
	return texts
}
