package shell

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote gives a word that a POSIX shell reads as arg: as it is where that is
// safe, or else in single quotes. Control characters other than newline and
// tab, invisible characters and bytes that are not UTF-8 would act on the
// terminal that shows the command, or hide in it; they are written as octal
// escapes for printf. NUL is left out, as no argument can carry it.
//
//	web             web
//	it's            'it'\''s'
//	ESC[2J          "$(printf '\033')"'[2J'
func Quote(arg string) string {
	if isSafe(arg) {
		return arg
	}
	arg = strings.ReplaceAll(arg, "\x00", "")
	if arg == "" {
		return "''"
	}
	var b strings.Builder
	for arg != "" {
		plain, unseen := cut(arg)
		b.WriteString(quoted(plain))
		b.WriteString(escaped(unseen))
		arg = arg[len(plain)+len(unseen):]
	}
	return b.String()
}

// isSafe reports whether no shell treats a character of arg specially. An equals
// sign is safe behind a flag's dash only: in front of a command it assigns,
// and zsh expands a leading one.
func isSafe(arg string) bool {
	for _, r := range arg {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("_-./:,@+%", r):
		case r == '=' && arg[0] == '-':
		default:
			return false
		}
	}
	return arg != ""
}

// runnerCommand is what runners of CI systems take commands by, wherever in a line it
// stands.
var runnerCommand = regexp.MustCompile(`(##[A-Za-z]*)\[`)

// quoted is a text in single quotes, and no command to a runner; nothing for an empty
// one.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return "'" + runnerCommand.ReplaceAllString(strings.ReplaceAll(s, "'", `'\''`), `$1'"["'`) + "'"
}

// escaped is a text that printf writes. A command substitution would lose
// newlines at its end, but none is among what is escaped.
func escaped(s string) string {
	if s == "" {
		return ""
	}
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, `\%03o`, s[i])
	}
	return `"$(printf '` + b.String() + `')"`
}

// cut gives the visible characters that s begins with, and the others that
// follow them.
func cut(s string) (plain, unseen string) {
	n := 0
	for n < len(s) {
		size, shown := next(s[n:])
		if !shown {
			break
		}
		n += size
	}
	end := n
	for end < len(s) {
		size, shown := next(s[end:])
		if shown {
			break
		}
		end += size
	}
	return s[:n], s[n:end]
}

// next is the size of the first character, and whether it shows itself.
func next(s string) (size int, shown bool) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return size, false
	case r == '\n', r == '\t':
		return size, true
	}
	return size, unicode.IsPrint(r)
}
