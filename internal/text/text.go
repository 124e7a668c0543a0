// Package text is what people read: sentences whose arguments keep their meaning.
//
// Who finds something says it, where it is found, with New. A Text is a format and typed
// arguments: a field path, the name of a manager, a value of an object, words of
// others. It marshals as the sentence. Secrets are masked argument by argument
// (internal/report/redact walks a Text as it walks every document), and renderers color
// arguments by their roles (Spans).
package text

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Text is a sentence, or a part of one. The zero Text says nothing.
type Text struct {
	// Format is the program's own words, with a %v for each argument.
	Format string `secret:"public"`
	Args   []Arg
}

// Arg is an argument of a Text. Exactly one of its members says what it is, except that
// Field is also the path of Value.
type Arg struct {
	// Name is never a value: the name of a manager, an object, a file, a version.
	Name string `secret:"public"`
	// Role is that of Name.
	Role Role
	// Several stands for Name or Value where a text is about more than one; empty for the same.
	Several string `secret:"public"`
	// Field is a field path.
	Field string `secret:"path"`
	// Value is a JSON value of Field, where HasValue.
	Value    any
	HasValue bool
	// Said is a text of others, such as the API server's.
	Said string
	// Text is a sentence in the sentence.
	Text *Text
}

// Argument is an Arg or a Text. A bare string is none: it must say what it is.
type Argument interface{ argument() Arg }

func (a Arg) argument() Arg  { return a }
func (t Text) argument() Arg { return Arg{Text: &t} }

// New gives the text in which each %v of the format stands for the next argument.
func New(format string, args ...Argument) Text {
	t := Text{Format: format}
	for _, arg := range args {
		t.Args = append(t.Args, arg.argument())
	}
	return t
}

// Number is a number.
func Number(n int) Arg { return Arg{Name: strconv.Itoa(n)} }

// Count is a number with its noun: 1 field, 2 fields.
func Count(n int, noun string) Arg {
	switch stem, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
	case y && !strings.ContainsAny(stem[len(stem)-1:], "aeou"):
		noun = stem + "ies"
	default:
		noun += "s"
	}
	return Arg{Name: strconv.Itoa(n) + " " + noun}
}

// Plural is a kind in the plural, as people write it.
func Plural(kind string) string {
	switch {
	case strings.HasSuffix(kind, "ss"), strings.HasSuffix(kind, "x"), strings.HasSuffix(kind, "ch"):
		return kind + "es"
	case strings.HasSuffix(kind, "s"):
		return kind
	case strings.HasSuffix(kind, "y") && !strings.HasSuffix(kind, "ey") && !strings.HasSuffix(kind, "ay"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}

// Agree is the words that go with a number: the first with one, the second with others.
func Agree(n int, one, several string) Text {
	if n == 1 {
		return Text{Format: one}
	}
	return Text{Format: several}
}

// Either is the words that agree with how many a text is about: the first with one, the
// second with others. They are the first until For says how many.
func Either(one, several string) Arg { return Arg{Name: one, Several: several} }

// For is the text about so many.
func (t Text) For(n int) Text {
	t.Args = slices.Clone(t.Args)
	for i, arg := range t.Args {
		switch {
		case arg.Text != nil:
			of := arg.Text.For(n)
			t.Args[i].Text = &of
		case arg.Several != "" && n != 1:
			t.Args[i] = Arg{Name: arg.Several, Role: arg.Role}
		}
	}
	return t
}

// Entry names a managed fields entry: helm (Apply), hpa (Update of scale).
func Entry(manager, operation, subresource string) Text {
	if subresource != "" {
		operation += " of " + subresource
	}
	return New("%v (%v)", By(cmp.Or(manager, "a manager without name")), Name(operation))
}

// Name is a name that is never a value: of an object, a file, a version, a key.
func Name(name string) Arg { return Arg{Name: name} }

// By is the name of a field manager.
func By(manager string) Arg { return Arg{Name: manager, Role: Manager} }

// Path is a field path.
func Path(field string) Arg { return Arg{Field: field} }

// ValueOf is a JSON value of a field, quoted as compact JSON.
func ValueOf(field string, value any) Arg { return Arg{Field: field, Value: value, HasValue: true} }

// OneValueOf is ValueOf in a text about one, and words in a text about others.
func OneValueOf(field string, value any, several string) Arg {
	return Arg{Field: field, Value: value, HasValue: true, Several: several}
}

// Said is a text of others.
func Said(text string) Arg { return Arg{Said: text} }

// Names lists names: a, b and c; the first of very many, and how many more there are.
func Names(names []string) Text { return List(names, maxNames, Name) }

// maxNames is how many names a sentence has at most.
const maxNames = 50

// List lists items: the first most of them, and how many more there are.
func List[T any, A Argument](items []T, most int, arg func(T) A) Text {
	return list(items[:min(most, len(items))], len(items), arg)
}

// Paths lists field paths: the first most of them, and how many more there are of all.
func Paths(fields []string, most, all int) Text {
	return list(fields[:min(most, len(fields))], all, Path)
}

func list[T any, A Argument](items []T, all int, arg func(T) A) Text {
	var t Text
	for i, item := range items {
		switch {
		case i > 0 && i == all-1:
			t.Format += " and "
		case i > 0:
			t.Format += ", "
		}
		t.Format += "%v"
		t.Args = append(t.Args, arg(item).argument())
	}
	if more := all - len(items); more > 0 {
		return New("%v and %v more", t, Number(more))
	}
	return t
}

// Join joins texts by a separator.
func Join(texts []Text, separator string) Text {
	var t Text
	for _, one := range texts {
		t = t.And(separator, one)
	}
	return t
}

// And adds what else there is to say behind a text; nothing to an empty one.
func (t Text) And(separator string, more Text) Text {
	switch {
	case t.IsZero():
		return more
	case more.IsZero():
		return t
	}
	return New("%v"+separator+"%v", t, more)
}

// IsZero reports whether nothing is said.
func (t Text) IsZero() bool { return t.Format == "" }

// String is the sentence.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t.Spans() {
		b.WriteString(s.Text)
	}
	return b.String()
}

// MarshalJSON writes the sentence.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }

// UnmarshalJSON reads a sentence, in which nothing keeps its meaning.
func (t *Text) UnmarshalJSON(b []byte) error {
	var said string
	if err := json.Unmarshal(b, &said); err != nil {
		return err
	}
	*t = Text{}
	if said != "" {
		*t = New("%v", Said(said))
	}
	return nil
}

// Spans are the pieces of the sentence with their roles; none of them is empty.
func (t Text) Spans() []Span {
	var out []Span
	for i, words := range strings.Split(t.Format, "%v") {
		if i > 0 {
			out = append(out, t.Args[i-1].spans()...)
		}
		if words != "" {
			out = append(out, Plain.Of(words))
		}
	}
	return out
}

func (a Arg) spans() []Span {
	switch {
	case a.Text != nil:
		return a.Text.Spans()
	case a.HasValue:
		return []Span{Value.Of(quoted(a.Value))}
	case a.Field != "":
		return []Span{Field.Of(a.Field)}
	case a.Said != "":
		return []Span{Plain.Of(a.Said)}
	case a.Name != "":
		return []Span{a.Role.Of(a.Name)}
	}
	return nil
}

// maxValue is how many characters of a value a sentence quotes.
const maxValue = 60

// quoted is a value as compact JSON, cut.
func quoted(v any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "a value"
	}
	text := []rune(strings.TrimSuffix(b.String(), "\n"))
	if len(text) > maxValue {
		return string(text[:maxValue]) + "…"
	}
	return string(text)
}

// Role is the meaning of a piece of text; formats style it.
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

// Span is a piece of text of one role. A newline in it is no line break: it
// comes from an input, and formats escape it.
type Span struct {
	Role Role
	Text string
}

// Of is a span of this role.
func (r Role) Of(text string) Span { return Span{r, text} }

// FirstLine is a text up to its first line break.
func FirstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}
