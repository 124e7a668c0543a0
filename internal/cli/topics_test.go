package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
)

// TestTopics: each topic is listed, is shown as a whole, and has no markup that a
// terminal does not show.
func TestTopics(t *testing.T) {
	run := func(args ...string) string {
		var out bytes.Buffer
		if code := Main(args, iostreams.New(strings.NewReader(""), &out, &out, nil)); code != 0 {
			t.Errorf("ssactl %s ends with %d", strings.Join(args, " "), code)
		}
		return out.String()
	}
	help := run("help")
	for _, topic := range topics {
		if !strings.Contains(help, "ssactl "+topic.name) || !strings.Contains(help, topic.short) {
			t.Errorf("the help does not list %s:\n%s", topic.name, help)
		}
		text := run("help", topic.name)
		if len(text) < 1000 {
			t.Errorf("the topic %s is %q", topic.name, text)
		}
		for _, markup := range []string{"```", "](", "**", "<!--"} {
			if strings.Contains(text, markup) {
				t.Errorf("the topic %s has %q", topic.name, markup)
			}
		}
	}
}

func TestPlainPage(t *testing.T) {
	page := "# A `page`\n\n<!-- x -->\nSee [the\nother](b.md#c), **now**.\n\n```console\n$ ssactl a\n# no heading\n```\n\n## Then\n"
	want := "A PAGE\n\nSee the\nother, now.\n\n  $ ssactl a\n  # no heading\n\nTHEN\n"
	if got := plainPage(page); got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}
