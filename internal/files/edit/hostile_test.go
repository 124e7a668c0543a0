package edit

import (
	"fmt"
	"strings"
	"testing"
)

// TestHostileText: large texts made to be slow or deep are answered, whatever
// the answer is; a hang is reported by the test's own time limit.
func TestHostileText(t *testing.T) {
	var anchors, dashes strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&anchors, "%sk%d: &a%d\n", strings.Repeat(" ", i%200), i, i)
		fmt.Fprintf(&dashes, "%s- # c\n", strings.Repeat(" ", i%100))
	}
	n := 20000
	for name, text := range map[string]string{
		"brackets":  "a: " + strings.Repeat("[", n),
		"closed":    "a: " + strings.Repeat("[", n) + strings.Repeat("]", n),
		"JSON":      `{"a": ` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}",
		"braces":    "a: 1\nb: '" + strings.Repeat("{{ ", n) + "'\nc: x " + strings.Repeat("{{y}} ", n) + "\n",
		"dashes":    "a:\n" + strings.Repeat("- ", n) + "1\n",
		"anchors":   anchors.String(),
		"comments":  "a: 1\n" + strings.Repeat("# c\n", n) + "b: 2\n",
		"blank":     "a: |\n" + strings.Repeat("\n", n) + "b: 2\n",
		"items":     "a:\n" + strings.Repeat("-\n", n) + "b: 2\n",
		"fields":    "a: {" + strings.Repeat("x, ", n) + "}\nb: 2\n",
		"bomb":      "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n" + strings.Repeat("d: [*c,*c,*c,*c]\n", 1000),
		"tabs":      strings.Repeat("\t", n) + "a: 1\n",
		"low lines": dashes.String(),
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := Document([]byte(text))
			if err != nil {
				return
			}
			for _, p := range []string{"a", "b"} {
				if err := doc.Set(path(p), "x"); err == nil && mustRead(t, doc).(map[string]any)[p] != "x" {
					t.Errorf("%s is not set", p)
				}
				if err := doc.Remove(path(p)); err == nil {
					mustRead(t, doc)
				}
			}
		})
	}
}
