package cmd

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/ssactl/ssactl/test/figures"
)

// command is one that no format of ours writes.
const command = "set-env name=INJECTED"

// injections are what a terminal or a runner acts on.
var injections = []string{
	"\x1b[31mred", "\x1b]0;title\a", "\x1b]8;;http://example.com\alink", "\x1b[2J", "\x1bc", "\u009b31m", "\u0090q", "a\r\x1b[2Kb", "a\b\b\bb", "a\x00b", "a\x7fb",
	"\u202etxt.exe", "\u2066a\u2069", "a\u200eb", "a\u2028b", "a\u0085b",
	"::" + command + "::x", "\n::" + command + "::x", "a\r::" + command + "::x", "a\n  ::" + command + "::x\nb", "\t::" + command + "::x",
	"##[" + command + "]x", "a\n##[" + command + "]x\n", strings.Repeat("word ", 30) + "::" + command + "::x", strings.Repeat("w", 78) + " ::" + command + "::x",
	"::" + command + "::x: y", "- ::" + command + "::x",
}

// TestHostileInjection: nothing of what is printed, on either stream and in any
// format, acts on a terminal or on the runner of a CI system.
func TestHostileInjection(t *testing.T) {
	runs := figures.Runs(300)
	hostileRuns(t, 20, runs, hostileLines(), injections, hostileRun.checkHarmless)
	figures.Record(
		t,
		"injection",
		"puts escape sequences, overrides of direction and commands to runners anywhere into files and flags, in every command and format: none on standard output or standard error",
		fmt.Sprintf("%d runs", runs),
	)
}

// checkHarmless is the law for both streams.
func (h hostileRun) checkHarmless(t *testing.T, got outcome) {
	t.Helper()
	h.check(t, got)
	for name, stream := range map[string]string{"output": got.stdout, "error": got.stderr} {
		if fault := acts(stream); fault != "" {
			t.Errorf(
				"ssactl %s: standard %s has %s, from %q\nlive %s\nmanifest %s", h.line, name, fault, h.text,
				h.files["LIVE"],
				h.files["MANIFEST"],
			)
		}
	}
}

// ours are the commands of -o github: a runner that has found one looks for no
// other in the line.
var ours = regexp.MustCompile(`^::(error|warning|notice) .*::`)

// acts is what of a text a terminal or a runner would act on; empty for nothing.
func acts(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		for _, r := range strings.TrimSuffix(line, "\r") {
			if unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
				return fmt.Sprintf("%q in %q", r, line)
			}
		}
		start := strings.TrimSpace(line)
		if strings.HasPrefix(start, "::"+command) || strings.Contains(line, "##["+command) && !ours.MatchString(start) {
			return fmt.Sprintf("the command %q", line)
		}
	}
	return ""
}
