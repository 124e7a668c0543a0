package model

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/text"
)

// Role is what a piece of text is; formats give it its look.
type Role = text.Role

// The roles.
const (
	Plain   = text.Plain
	Strong  = text.Strong
	Faint   = text.Faint
	Field   = text.Field
	Manager = text.Manager
	Value   = text.Value
	Good    = text.Good
	Bad     = text.Bad
	Changed = text.Changed
	Code    = text.Code
)

// Span is a piece of text of one role.
type Span = text.Span

// Text is a run of spans in one paragraph, cell or title.
type Text []Span

// Say is a plain text.
func Say(words string) Text {
	if words == "" {
		return nil
	}
	return Text{Plain.Of(words)}
}

// Textf is a text in which each %v stands for the next part: a Span, a Text, a sentence
// of a finder, a string or a number.
func Textf(format string, parts ...any) Text {
	var out Text
	for i, literal := range strings.Split(format, "%v") {
		if i > 0 {
			out = out.With(parts[i-1])
		}
		out = out.With(literal)
	}
	return out
}

// With appends a part; neighbors of one role become one span, so that t
// itself is not to be used any more.
func (t Text) With(part any) Text {
	switch part := part.(type) {
	case Text:
		for _, s := range part {
			t = t.With(s)
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
	case text.Text:
		return t.With(Text(part.Spans()))
	case string:
		return t.With(Plain.Of(part))
	}
	return t.With(Plain.Of(fmt.Sprint(part)))
}

// Join puts texts together with a separator between them.
func Join(texts []Text, separator string) Text {
	var out Text
	for i, t := range texts {
		if i > 0 {
			out = out.With(separator)
		}
		out = out.With(t)
	}
	return out
}

// Said are sentences as the finder says them.
func Said(sentences []text.Text) []Text {
	out := make([]Text, len(sentences))
	for i, s := range sentences {
		out[i] = s.Spans()
	}
	return out
}

// Spans gives each of several strings the same role.
func Spans(r Role, texts []string) []Text {
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

// Words cuts a text at its spaces. Field paths, code and numbers with their nouns stay
// whole.
func (t Text) Words() []Text {
	var out []Text
	open := false
	add := func(s Span) {
		if !open {
			out = append(out, nil)
		}
		last := len(out) - 1
		out[last] = out[last].With(s)
		open = true
	}
	for _, s := range t {
		if s.Role == Field || s.Role == Code {
			add(s)
			continue
		}
		for i, word := range strings.Split(s.Text, " ") {
			if i > 0 && open {
				// What comes next stays with a number.
				_, err := strconv.Atoi(out[len(out)-1].String())
				if open = err == nil; open && word != "" {
					add(s.Role.Of(" "))
				}
			}
			if word != "" {
				add(s.Role.Of(word))
			}
		}
	}
	return out
}
