package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// Only so many items are converted before their turn: not all that were read
// before the text was known to be a List, nor all behind a doubtful one, which
// wait for the end.
func TestItemsAhead(t *testing.T) {
	for name, text := range map[string]string{
		"of a List":         "kind: List\nitems:\n" + filler(),
		"behind a doubtful": "kind: List\nitems:\n" + yamlItem3("    x: &shared y\n- {kind: A, metadata: {name: other, labels: {x: *shared}}}\n") + filler(),
	} {
		given, furthest := 0, 0
		options := Options{Stdin: strings.NewReader("apiVersion: v1\n" + text), Want: func(id Identity) bool {
			n := 0
			if _, err := fmt.Sscanf(id.Name, "f-%d", &n); err == nil {
				furthest = max(furthest, n-given)
			}
			return true
		}}
		for d, err := range Read([]string{"-"}, options) {
			if err == nil && d.Kind == "F" {
				given++
			}
		}
		if given != 1200 || furthest > itemsAhead {
			t.Errorf("%s: of %d items, one was converted %d before its turn, want %d at most", name, given, furthest, itemsAhead)
		}
	}
}
