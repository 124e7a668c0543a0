package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithoutCommands(t *testing.T) {
	for in, want := range map[string]string{
		"a::b":                     "a::b",
		"  ::error::x":             `  \x3a:error::x`,
		"a\n::set-output name=a::": "a\n" + `\x3a:set-output name=a::`,
		"x ##[command]y":           `x #\x23[command]y`,
	} {
		if diff := cmp.Diff(want, withoutCommands(in)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// TestTextIsNoCommand shows every attack in the formats for people.
func TestTextIsNoCommand(t *testing.T) {
	for _, s := range attacks {
		for _, o := range []Options{{Now: now}, {Now: now, Verbose: true, Owners: true}} {
			var out bytes.Buffer
			if err := play(newText(&out, o), attacked(s)); err != nil {
				t.Fatal(err)
			}
			if err := play(newStructured(&out, o), attacked(s)); err != nil {
				t.Fatal(err)
			}
			for _, l := range strings.Split(out.String(), "\n") {
				if strings.HasPrefix(strings.TrimSpace(l), "::") || strings.Contains(l, "##[") {
					t.Errorf("a runner takes this for a command: %q", l)
				}
			}
		}
	}
}
