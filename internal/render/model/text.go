package model

import (
	"fmt"
	"strings"
)

// Role is what a piece of text is; formats give it its look.
type Role uint8

// The roles. Good, Bad and Changed are verdicts: accepted, refused, and accepted
// with an effect.
const (
	Plain Role = iota
	Strong
	Faint
	Field
	Manager
	Value
	Good
	Bad
	Changed
	Code
)

// Of is a span of this role.
func (r Role) Of(text string) Span { return Span{r, text} }

// Span is a piece of text of one role. A newline in it is no line break: it
// comes from an input, and formats escape it.
type Span struct {
	Role Role
	Text string
}

// Text is a run of spans in one paragraph, cell or title.
type Text []Span

// Say is a plain text.
func Say(text string) Text {
	if text == "" {
		return nil
	}
	return Text{Plain.Of(text)}
}

// Textf is a text in which each %v stands for the next part: a Span, a Text, a
// string or a number.
func Textf(format string, parts ...any) Text {
	var out Text
	for i, literal := range strings.Split(format, "%v") {
		if i > 0 {
			out = out.with(parts[i-1])
		}
		out = out.with(literal)
	}
	return out
}

// with appends a part; neighbors of one role become one span.
func (t Text) with(part any) Text {
	switch part := part.(type) {
	case Text:
		for _, s := range part {
			t = t.with(s)
		}
		return t
	case Span:
		switch last := len(t) - 1; {
		case part.Text == "":
			return t
		case last >= 0 && t[last].Role == part.Role:
			t[last].Text += part.Text
			return t
		}
		return append(t, part)
	}
	return t.with(Plain.Of(fmt.Sprint(part)))
}

// Join puts texts together with a separator between them.
func Join(texts []Text, separator string) Text {
	var out Text
	for i, t := range texts {
		if i > 0 {
			out = out.with(separator)
		}
		out = out.with(t)
	}
	return out
}

// Spans gives each of several strings the same role.
func (r Role) Spans(texts []string) []Text {
	out := make([]Text, len(texts))
	for i, t := range texts {
		out[i] = Text{r.Of(t)}
	}
	return out
}

// String is the text without its roles.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.Text)
	}
	return b.String()
}
