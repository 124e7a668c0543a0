package cmd

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/test/figures"
)

// bending are texts that bend a command line which takes them as they are.
var bending = []string{
	"--kubeconfig=evil.kubeconfig", "--server=https://evil.example.com", "--insecure-skip-tls-verify", "--raw=/api", "-A", "-x", "--", "-",
	"a\nkubectl delete namespace shop", "a; evil", "$(evil)", "`evil`", "a' evil '", "##[" + command + "]", "a\n::" + command + "::x", "--all -o kubectl",
}

// TestHostileCommands: whatever is in the files, no command line that is printed has a
// flag, a command or a line of it.
func TestHostileCommands(t *testing.T) {
	runs, lines := figures.Runs(300), 0
	printing := slices.DeleteFunc(hostileLines(), func(line string) bool { return !printsCommands.MatchString(line) })
	hostileRuns(t, 31, runs, printing, bending, func(h hostileRun, t *testing.T, got outcome) {
		h.checkHarmless(t, got)
		for _, line := range commandLines(h.line, got.stdout) {
			lines++
			h.checkCommand(t, line)
		}
	})
	if lines < runs/4 {
		t.Errorf("only %d lines in %d runs", lines, runs)
	}
	figures.Record(
		t,
		"commands",
		"puts flags, commands and line breaks anywhere into files and flags: no command line that is printed has a flag, a command or a line of them",
		fmt.Sprintf("%d runs", runs),
	)
}

var printsCommands = regexp.MustCompile(
	`^(clear|migrate|snapshot|audit|explain|why|transfer) .*-o (kubectl|json|report)`,
)

// commandLines are those of a script, and of a document.
func commandLines(asked, stdout string) []string {
	if strings.Contains(asked, "-o kubectl") {
		var lines []string
		for line := range strings.Lines(stdout) {
			if line = strings.TrimSuffix(line, "\n"); line != "set -e" && !strings.HasPrefix(line, "#") &&
				!strings.Contains(stdout, "<<'") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	var document any
	if json.Unmarshal([]byte(stdout), &document) != nil {
		return nil
	}
	return commandsIn(document)
}

func commandsIn(v any) []string {
	var lines []string
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			lines = append(lines, commandsIn(item)...)
		}
	case map[string]any:
		for key, value := range v {
			if line, ok := value.(string); ok && key == "command" && strings.Contains(line, " -") {
				lines = append(lines, line)
			}
			lines = append(lines, commandsIn(value)...)
		}
	}
	return lines
}

// ourFlag is a flag that is whole, or has its value behind it.
var ourFlag = regexp.MustCompile(`(?s)^(-[fnkloR]|-n=.*|--[a-z][a-z-]*(=.*)?)$`)

// checkCommand has a shell say what the words of a line are.
func (h hostileRun) checkCommand(t *testing.T, line string) {
	t.Helper()
	const words = "kubectl() { printf '%s\\0' kubectl \"$@\"; }; ssactl() { printf '%s\\0' ssactl \"$@\"; }; helm() { printf '%s\\0' helm \"$@\"; }; evil() { printf 'evil\\0--evil\\0'; }\n"
	line, _, _ = strings.Cut(line, " > ")
	cmd := exec.Command("sh", "-c", words+line)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	args := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if err != nil || strings.Contains(line, "\n") || !slices.Contains([]string{"kubectl", "ssactl", "helm"}, args[0]) {
		t.Errorf("ssactl %s: %q is no command line of ours: %v", h.line, line, err)
		return
	}
	for i, arg := range args[1:] {
		if arg == "--" {
			if i+2 == len(args) {
				t.Errorf("ssactl %s: %s has no operands", h.line, line)
			}
			return
		}
		if strings.HasPrefix(arg, "-") && arg != "-" && (!ourFlag.MatchString(arg) || arg == h.text) {
			t.Errorf("ssactl %s: %s has the flag %s, from %q", h.line, line, arg, h.text)
		}
	}
}
