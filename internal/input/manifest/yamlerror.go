package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// placed is an error at a line of the input.
type placed struct {
	line int
	err  error
}

func (p *placed) Error() string { return p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

var (
	yamlLine      = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: (?:unmarshal errors:\s*)?(?:line (\d+): )?`)
	parserMessage = regexp.MustCompile(`^did not find expected (key|node content|'-' indicator|',' or|<document start>)`)
)

// yamlError takes the line out of a message of the YAML reader and makes it
// one of the input, given the line of the first byte of raw.
func yamlError(err error, raw []byte, first int) error {
	text := err.Error()
	m := yamlLine.FindStringSubmatch(text)
	if m != nil {
		text = strings.TrimPrefix(text, m[0])
	}
	line, cause := quiet(text, raw)
	if m != nil && m[1] != "" {
		line, _ = strconv.Atoi(m[1])
		if parserMessage.MatchString(text) {
			line++ // the reader counts these from 0, its scanner's from 1
		}
	}
	// Of the first line the readers do not tell that it is it.
	for _, n := range []int{line, line + 1} {
		if mistake := tabbed(text, raw, n); mistake != nil {
			line, cause = n, mistake
			break
		}
	}
	if line == 0 {
		return cause
	}
	return &placed{line: first + line - 1, err: cause}
}

// quoting are the messages of the YAML readers that quote the text, and what
// stands for them: what cannot be read may be a Secret, and the word its value.
var quoting = []struct {
	message *regexp.Regexp
	instead string
}{
	{unknownAnchor, "a value that begins with * is an alias in YAML, and there is no such anchor: put the value in quotes"},
	{regexp.MustCompile(`(?s)^anchor '.*' value contains itself$`), "the value of an anchor contains itself"},
	{regexp.MustCompile("(?s)^cannot decode (\\S+) `.*` as an? (\\S+)$"), "the value is $1, and not $2 as its tag says"},
	{regexp.MustCompile(`(?s)^invalid map key: .*`), "a map or list is no key: put the key in quotes"},
	{regexp.MustCompile(`(?s)^unsupported map key of type: .*`), "null or too large a number is no key: put the key in quotes"},
}

var unknownAnchor = regexp.MustCompile(`(?s)^unknown anchor '(.*)' referenced$`)

// quiet reports the same without words of the text, and finds the line of raw
// where that can be done without doubt; else the line is 0.
func quiet(text string, raw []byte) (line int, cause error) {
	if unreadable.MatchString(text) {
		if line, cause := unreadableAt(raw); cause != nil {
			return line, cause
		}
	}
	if m := unknownAnchor.FindStringSubmatch(text); m != nil {
		line = aliasLine(raw, m[1])
	}
	for _, q := range quoting {
		if m := q.message.FindStringSubmatchIndex(text); m != nil {
			return line, errors.New(string(q.message.ExpandString(nil, q.instead, text, m)))
		}
	}
	return line, errors.New(text)
}

// aliasLine is the line on which an alias stands, counted from 1; 0 where it
// may be several.
func aliasLine(raw []byte, name string) int {
	use := regexp.MustCompile(`^(?:[^#'"]*[\s,\[{])?\*` + regexp.QuoteMeta(name) + `(?:[\s,\]}]|$)`)
	found := 0
	for i, line := range strings.Split(string(raw), "\n") {
		if !use.MatchString(line) {
			continue
		}
		if found > 0 {
			return 0
		}
		found = i + 1
	}
	return found
}

// unreadable are the messages about bytes that YAML cannot have, which tell no
// place.
var unreadable = regexp.MustCompile(`^(control characters are not allowed|invalid Unicode character|(invalid|incomplete) .*UTF-8.*)$`)

// unreadableAt finds the first character that YAML cannot have, and says what to
// do; nil where there is none.
func unreadableAt(raw []byte) (line int, cause error) {
	line = 1
	for at := 0; at < len(raw); {
		r, size := utf8.DecodeRune(raw[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return line, errors.New("a byte is no UTF-8: save the file as UTF-8, and put binary data into base64")
		case !readable(r):
			return line, fmt.Errorf("the control character U+%04X is not allowed in YAML: write it as an escape in double quotes", r)
		case r == '\n':
			line++
		}
		at += size
	}
	return 0, nil
}

// readable reports whether a character may stand in YAML as it is (go.yaml.in/yaml/v2,
// readerc.go).
func readable(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return true
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff:
		return false
	}
	return true
}

const (
	tabIndents  = "a tab indents the line, and YAML takes spaces only: replace tabs (expand -t 2 FILE)"
	tabWithin   = "a tab stands where YAML takes spaces only: replace tabs (expand -t 2 FILE)"
	cannotBegin = "a value cannot begin with %c: put it in quotes"
)

// indentedByTab are lines with a tab before their text, or behind the dash of an
// item.
var indentedByTab = regexp.MustCompile(`^[ -]*\t`)

// tabbed explains the error of a YAML reader on a line, counted from 1, that has a
// tab in its indentation, or begins a value with what cannot; nil for others.
func tabbed(message string, raw []byte, n int) error {
	lines := bytes.Split(raw, newline)
	if n < 1 || n > len(lines) {
		return nil
	}
	line := lines[n-1]
	token := strings.Contains(message, "cannot start any token")
	switch {
	case indentedByTab.Match(line):
		return errors.New(tabIndents)
	case token && bytes.IndexByte(line, '\t') >= 0, strings.Contains(message, "found a tab character"):
		return errors.New(tabWithin)
	case token:
		if found := reserved.FindSubmatch(line); found != nil {
			return fmt.Errorf(cannotBegin, found[1][0])
		}
	}
	return nil
}

// reserved are the characters that YAML keeps for itself, at the begin of a value.
var reserved = regexp.MustCompile("(?:^|[:\\-,\\[{] *)([@`%])")
