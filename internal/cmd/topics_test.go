package cmd

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// TestTopicsOnTerminal: what is written to a terminal has nothing in it that the writer
// of all output has to make harmless.
func TestTopicsOnTerminal(t *testing.T) {
	for _, topic := range topics {
		var out bytes.Buffer
		streams := iostreams.New(strings.NewReader(""), &out, &out, func(name string) string {
			return map[string]string{"CLICOLOR_FORCE": "1", "COLUMNS": "200"}[name]
		})
		streams.OutIsTerminal = true
		Main([]string{"help", topic.name}, streams)
		for line := range strings.SplitSeq(out.String(), "\n") {
			if strings.Contains(line, `\x1b[`) {
				t.Errorf("the topic %s has %q", topic.name, line)
			}
		}
	}
}

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
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, "  ") {
				continue
			}
			// What is escaped takes more columns than it had.
			if utf8.RuneCountInString(line) > 85 {
				t.Errorf("the topic %s is too wide: %s", topic.name, line)
			}
			for _, markup := range []string{"```", "](", "**", "<!--", "|---", "`"} {
				if strings.Contains(strings.ReplaceAll(line, "***", ""), markup) {
					t.Errorf("the topic %s has %q: %s", topic.name, markup, line)
				}
			}
		}
		if len(text) < 1000 {
			t.Errorf("the topic %s is %q", topic.name, text)
		}
	}
}
