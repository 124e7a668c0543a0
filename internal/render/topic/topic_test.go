package topic

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
)

const markdown = `# A ` + "`page`" + `

<!-- a comment -->
See [the
other](b.md#c), **now**, *or* \*later\*: ` + "`ssactl lint --rule \\*`" + ` <https://example.com>.

![a picture](p.svg)

` + "```console\n$ ssactl a\n# no heading\n\n  far\n```" + `

- one
- two, which
  goes on

  with more
1. first

| name | what | why |
|---|---|---|
| ` + "`a`" + ` | b \| c | d |

## Then
`

// TestBlocks: the text has the words of the page and none of its markup.
func TestBlocks(t *testing.T) {
	for width, table := range map[int]string{
		40: "name  what   why\na     b | c  d\n",
		10: "name a\n  what  b | c\n  why   d\n",
	} {
		want := `A PAGE

See the other, now, or *later*: ssactl lint --rule \* https://example.com.

  $ ssactl a
  # no heading

    far

- one
- two, which goes on
  with more

1. first

` + table + `
Then
----
`
		var got []string
		for _, b := range Blocks([]byte(markdown), width) {
			got = append(got, text.Blocks([]model.Block{b}, text.Options{}))
		}
		if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("at %d columns (-want +got):\n%s", width, diff)
		}
	}
}

// TestTwoColumns: a wide table of two columns has its cells side by side, and nothing is
// cut off.
func TestTwoColumns(t *testing.T) {
	page := "| a | b |\n|---|---|\n| one | " + strings.Repeat("word ", 30) + "|\n| three | end |\n"
	got := text.Blocks(Blocks([]byte(page), 60), text.Options{Width: 60})
	if below := text.Blocks(Blocks([]byte(strings.Replace(page, "three", strings.Repeat("x", 25), 1)), 60), text.Options{Width: 60}); !strings.Contains(
		below,
		strings.Repeat("x", 25)+"\n  end\n",
	) {
		t.Errorf("got\n%s", below)
	}
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if !strings.HasPrefix(lines[0], "one    word word") || !strings.HasPrefix(lines[1], "       word") ||
		lines[len(lines)-1] != "three  end" ||
		strings.Count(got, "word") != 30 {
		t.Errorf("got\n%s", got)
	}
}
