package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// Source is a place in an input. It converts to engine.Source.
type Source struct {
	// File is the path as the user gave it (below a directory: joined to
	// it); "-" is standard input.
	File string
	// Document counts from 1 in its file; empty documents count. 0 when the
	// place is the file as a whole.
	Document int
	// Line counts from 1; 0 when it is not known.
	Line int
}

// String names the place for messages: "web.yaml, document 2: line 14". What
// is 0 is left out; standard input is named so.
func (s Source) String() string {
	var b strings.Builder
	if s.File == "-" {
		b.WriteString("standard input")
	} else {
		b.WriteString(s.File)
	}
	if s.Document > 0 {
		fmt.Fprintf(&b, ", document %d", s.Document)
	}
	if s.Line > 0 {
		fmt.Fprintf(&b, ": line %d", s.Line)
	}
	return b.String()
}

// Problem is an input that gave no object. The others of the same file are
// still read where the text allows it.
type Problem struct {
	Source Source
	// Item counts from 1 in a List; 0 outside of one.
	Item int
	// Op is what was done: "read" or "parse".
	Op  string
	Err error
}

// Error returns operation, place and cause.
func (p *Problem) Error() string {
	return p.Op + " " + p.Source.String() + ": " + p.Message()
}

// Message is the cause without the place.
func (p *Problem) Message() string {
	if p.Item > 0 {
		return fmt.Sprintf("item %d of the list: %v", p.Item, p.Err)
	}
	return p.Err.Error()
}

func (p *Problem) Unwrap() error { return p.Err }

// Notice is a remark on an input that was read.
type Notice struct {
	Source  Source
	Message string
	// Incomplete is the kind of a list that is not all of it (metadata.continue is set);
	// empty for others.
	Incomplete string
	// Unread is how many folders were left out that have files to read.
	Unread int
}

func (n Notice) String() string { return n.Source.String() + ": " + n.Message }

// The causes that callers may want to tell apart.
var (
	// ErrTooLarge: a document is larger than Options.MaxDocumentBytes.
	ErrTooLarge = errors.New("larger than the limit")
	// ErrTooManyValues: a document has more than Options.MaxValues.
	ErrTooManyValues = errors.New("more values than the limit")
	// ErrTooLong: an input has more bytes than Options.MaxInputBytes.
	ErrTooLong = errors.New("the input has more bytes than the limit")
	// ErrTooManyObjects: an input has more objects than Options.MaxObjects.
	ErrTooManyObjects = errors.New("the input has more objects than the limit")
	// ErrTooDeep: a document is nested deeper than Options.MaxDepth.
	ErrTooDeep = scan.ErrTooDeep
	// ErrChanged: a file is not as it was when a part of it was read that is needed again.
	ErrChanged = errors.New(
		"the file changed after it was read, and part of it is needed again: run again, on a copy if it keeps changing",
	)
)

// placed is an error at a line of the input.
type placed struct {
	line int
	err  error
}

func (p *placed) Error() string { return p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

var (
	yamlLine = regexp.MustCompile(
		`^(?:error converting YAML to JSON: )?yaml: (?:unmarshal errors:\s*)?(?:line (\d+): )?`,
	)
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
	{
		unknownAnchor,
		"a value that begins with * is an alias in YAML, and there is no such anchor: put the value in quotes",
	},
	{regexp.MustCompile(`(?s)^anchor '.*' value contains itself$`), "the value of an anchor contains itself"},
	{regexp.MustCompile("(?s)^cannot decode (\\S+) `.*` as an? (\\S+)$"), "the value is $1, and not $2 as its tag says"},
	{regexp.MustCompile(`(?s)^invalid map key: .*`), "a map or list is no key: put the key in quotes"},
	{
		regexp.MustCompile(`(?s)^unsupported map key of type: .*`),
		"null or too large a number is no key: put the key in quotes",
	},
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
	use := regexp.MustCompile(`(?m)^(?:[^#'"\n]*[\t\f\r ,\[{])?\*` + regexp.QuoteMeta(name) + `(?:[\s,\]}]|$)`)
	uses := use.FindAllIndex(raw, 2)
	if len(uses) != 1 {
		return 0
	}
	return 1 + bytes.Count(raw[:uses[0][0]], newline)
}

// unreadable are the messages about bytes that YAML cannot have, which tell no
// place.
var unreadable = regexp.MustCompile(
	`^(control characters are not allowed|invalid Unicode character|(invalid|incomplete) .*UTF-8.*)$`,
)

// unreadableAt finds the first character that YAML cannot have as it is
// (go.yaml.in/yaml/v2, readerc.go), and says what to do; nil where there is none.
func unreadableAt(raw []byte) (line int, cause error) {
	line = 1
	for at := 0; at < len(raw); {
		r, size := utf8.DecodeRune(raw[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return line, errors.New("a byte is no UTF-8: save the file as UTF-8, and put binary data into base64")
		case r < 0x20 && r != '\t' && r != '\n' && r != '\r', r >= 0x7f && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return line, fmt.Errorf(
				"the control character U+%04X is not allowed in YAML: write it as an escape in double quotes",
				r,
			)
		case r == '\n':
			line++
		}
		at += size
	}
	return 0, nil
}

const (
	tabIndents = "a tab indents the line, and YAML takes spaces only: replace tabs (expand -t 2 FILE)"
	tabWithin  = "a tab stands where YAML takes spaces only: replace tabs (expand -t 2 FILE)"
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
			return fmt.Errorf("a value cannot begin with %c: put it in quotes", found[1][0])
		}
	}
	return nil
}

// reserved are the characters that YAML keeps for itself, at the begin of a value.
var reserved = regexp.MustCompile("(?:^|[:\\-,\\[{] *)([@`%])")
