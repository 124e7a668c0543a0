package text

import (
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
		if diff := cmp.Diff(want, WithoutCommands(in)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}
