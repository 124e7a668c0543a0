// Package shell writes command lines for a POSIX shell, to be read by people,
// pasted into a terminal, or run as a script.
//
// Law: a text from an input is the value of a flag or an operand, and never a flag,
// a command, or a line of its own. Programs, their commands and the names of flags
// are constants (no other package can make one of a text), a long flag carries its
// value behind an equals sign, and operands stand behind "--". Whatever a value
// holds, the shell gives it to the command unchanged, and runs nothing else.
package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/program"
)

// constant is a text of ours. Other packages cannot name the type, so that they can
// give nothing for it but a literal.
type constant string

// Flag is a flag with its value.
type Flag struct {
	name, value string
	valued      bool
}

// Switch is a flag without a value.
func Switch(name constant) Flag { return Flag{name: string(name)} }

// Value is a flag with a value: --to=VALUE, or -n VALUE.
func Value(name constant, value string) Flag { return Flag{string(name), value, true} }

// File is a flag with the path of a file, or with - for a standard stream.
func File(name constant, path string) Flag {
	if strings.HasPrefix(path, "-") && path != "-" {
		path = "./" + path
	}
	return Value(name, path)
}

// Is reports whether the flag has a name.
func (f Flag) Is(name string) bool { return f.name == name }

// Stream reports whether the value is -, a standard stream.
func (f Flag) Stream() bool { return f.valued && f.value == "-" }

// As is the flag under another name.
func (f Flag) As(name constant) Flag {
	f.name = string(name)
	return f
}

// String is the flag as it stands in a line.
func (f Flag) String() string {
	switch {
	case !f.valued:
		return f.name
	case f.apart():
		return f.name + " " + Quote(f.value)
	case f.value == "":
		return f.name + "="
	}
	return f.name + "=" + Quote(f.value)
}

// apart reports whether the value is a word of its own: that of a short flag, unless
// it could be read as another flag.
func (f Flag) apart() bool {
	return f.valued && !strings.HasPrefix(f.name, "--") && (f.value == "-" || !strings.HasPrefix(f.value, "-"))
}

func (f Flag) args() []string {
	switch {
	case !f.valued:
		return []string{f.name}
	case f.apart():
		return []string{f.name, f.value}
	}
	return []string{f.name + "=" + f.value}
}

// Line is a command line. The zero Line is none.
type Line struct {
	words    []string
	flags    []Flag
	operands []string
	output   string
	err      error
}

// Command is the line that runs a program: its name, commands, and flags of ours.
// The program ssactl is written as its user calls it.
func Command(words ...constant) Line {
	var l Line
	for _, word := range words {
		l.words = append(l.words, string(word))
	}
	return l
}

// Refused is the line that there is none of, and why.
func Refused(err error) Line { return Line{err: err} }

// With is the line with more flags.
func (l Line) With(flags ...Flag) Line {
	l.flags = slices.Concat(l.flags, flags)
	for _, f := range flags {
		l.check(f.value)
	}
	return l
}

// On is the line with more operands.
func (l Line) On(operands ...string) Line {
	l.operands = slices.Concat(l.operands, operands)
	l.check(operands...)
	return l
}

// To is the line whose output goes to a file.
func (l Line) To(file string) Line {
	l.output = file
	l.check(file)
	return l
}

var errBroken = errors.New("an argument has a line break or a NUL")

func (l *Line) check(texts ...string) {
	if l.err == nil && slices.ContainsFunc(texts, func(s string) bool { return strings.ContainsAny(s, "\n\r\x00") }) {
		l.err = errBroken
	}
}

// Err is why there is no such line.
func (l Line) Err() error { return l.err }

// None reports whether there is nothing to run.
func (l Line) None() bool { return l.err != nil || l.words == nil }

// Args are the words of the line, without where its output goes; nil for none.
func (l Line) Args() []string {
	if l.None() {
		return nil
	}
	words := slices.Clone(l.words)
	for _, f := range l.flags {
		words = append(words, f.args()...)
	}
	if len(l.operands) > 0 {
		words = append(append(words, "--"), l.operands...)
	}
	return words
}

// String is the line; empty for none.
func (l Line) String() string {
	if l.None() {
		return ""
	}
	words := slices.Clone(program.Args(l.words...))
	for _, f := range l.flags {
		words = append(words, f.String())
	}
	if len(l.operands) > 0 {
		words = append(words, "--")
	}
	for _, operand := range l.operands {
		words = append(words, Quote(operand))
	}
	if l.output != "" {
		words = append(words, ">", Quote(l.output))
	}
	return strings.Join(words, " ")
}

// IsZero reports whether there is nothing to run: documents leave it out.
func (l Line) IsZero() bool { return l.None() }

// MarshalJSON writes the line.
func (l Line) MarshalJSON() ([]byte, error) { return json.Marshal(l.String()) }

// UnmarshalJSON reads no line: the text of a document may be from anywhere, and is no command
// of ours.
func (l *Line) UnmarshalJSON([]byte) error {
	*l = Line{}
	return nil
}

// Equal compares what is run.
func (l Line) Equal(other Line) bool {
	return l.String() == other.String() && errors.Is(l.err, other.err)
}

// Mapped is the line with its values and operands mapped, which are all in it that is
// no constant.
func (l Line) Mapped(f func(string) string) any {
	l.flags, l.operands = slices.Clone(l.flags), slices.Clone(l.operands)
	for i := range l.flags {
		l.flags[i].value = f(l.flags[i].value)
	}
	for i := range l.operands {
		l.operands[i] = f(l.operands[i])
	}
	return l
}

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
