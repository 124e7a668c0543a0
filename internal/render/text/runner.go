package text

import "strings"

// WithoutCommands keeps lines for people from acting on the runner of a CI
// system, which takes commands from whatever a step prints: GitHub's reads a
// line that begins with two colons, and in its older form ##[ anywhere in it.
// Formats that programs read are left as they are; docs/ci.md tells how to
// print those.
func WithoutCommands(s string) string {
	if !strings.Contains(s, "::") && !strings.Contains(s, "##[") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		l = strings.ReplaceAll(l, "##[", `#\x23[`)
		if text := strings.TrimLeft(l, " "); strings.HasPrefix(text, "::") {
			l = l[:len(l)-len(text)] + `\x3a` + text[1:]
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}
