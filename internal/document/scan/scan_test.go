package scan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Skip accepts what encoding/json accepts, wherever reads end.
func FuzzSkip(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,true,null,"\u00e9\n"],"b":{}}`, `[]`, `01`, `"\x"`, `{"a" :}`, "[1,]", "-", "1e", "\"\x01\"", "nul", `{"a":1}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, r := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text))} {
			s := New(NewWindow(r, 0, 1<<20), 1<<20)
			s.Skip()
			err := s.Err()
			if c := s.Next(); err == nil && s.Err() == nil {
				err = fmt.Errorf("%q is behind it", c)
			}
			if valid := json.Valid(text); valid != (err == nil) {
				t.Errorf("Skip of %q gives %v, encoding/json accepts: %v", text, err, valid)
			}
		}
	})
}

// TestMessages: what is wrong is said as encoding/json says it, at the byte that is wrong.
func TestMessages(t *testing.T) {
	for _, text := range []string{
		`{"a" 1}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":1,}`, `[1 2]`, `[1,]`, `tru1`, `falsy`, `nil`, `x`, `-x`, `1.x`, `1ex`, `1e+x`, `[01]`,
		`"\x"`, `"\u12x4"`, "\"\x01\"", `{"a":]}`, `{]`,
	} {
		var syntax *json.SyntaxError
		if !errors.As(json.Unmarshal([]byte(text), new(any)), &syntax) {
			t.Fatalf("%s is JSON", text)
		}
		s := Bytes([]byte(text), AnyDepth)
		s.Skip()
		s.Done()
		var got *SyntaxError
		if !errors.As(s.Err(), &got) || !strings.HasPrefix(syntax.Error(), got.Error()) ||
			!strings.Contains(got.Error(), fmt.Sprintf(" %q ", text[s.Offset()])) {
			t.Errorf("%s: %v at %d, want %v", text, s.Err(), s.Offset(), syntax)
		}
	}
	for _, text := range []string{``, ` `, `[`, `{"a"`, `{"a":`, `"a`, `"\u00`, `tr`, `-`, `1.`, `1e`, `{"a":1`} {
		s := Bytes([]byte(text), AnyDepth)
		if s.Skip(); !errors.Is(s.Err(), ErrEnds) {
			t.Errorf("%q: %v, want %v", text, s.Err(), ErrEnds)
		}
	}
}

// TestText: the value of a string is what encoding/json gives.
func TestText(t *testing.T) {
	for _, text := range []string{`""`, `"a"`, `"a\nb\"\/\u00e9"`, `"é"`, `"\ud83d\ude00 \ud83d"`, "\"\xff\"", `"a" `, `"a`, `a`} {
		var want string
		err := json.Unmarshal([]byte(text), &want)
		s := Bytes([]byte(text), 0)
		if got := string(s.Text()); err == nil && (got != want || !s.Done()) || err != nil && (got != "" || s.Err() == nil) {
			t.Errorf("%s: %q, %v, want %q, %v", text, got, s.Err(), want, err)
		}
	}
}

// walk is what a scanner passes, a line a thing.
func walk(s *Scanner) []string {
	var out []string
	var value func()
	value = func() {
		at := s.Line()
		switch s.Next() {
		case '{':
			s.Members(func(key []byte) {
				out = append(out, fmt.Sprintf("key %s at %d", key, s.KeyOffset()))
				value()
			})
		case '[':
			s.Elements(value)
		case '"':
			out = append(out, fmt.Sprintf("text %s from line %d", s.Text(), at))
		default:
			out = append(out, "word "+string(s.Word()))
		}
	}
	value()
	if err := s.Err(); err != nil {
		out = append(out, err.Error())
	}
	return out
}

// TestWalk: keys, elements and words come in their order, whatever pieces the text is read
// in; keys with escapes and spaces before their colons are read as others.
func TestWalk(t *testing.T) {
	const text = "{ \"a\" : [1, -2e3,\n true], \"b\\n\" :\"x\\ty\", \"\":{}, \"c\":\"é\"}"
	want := []string{
		"key a at 2", "word 1", "word -2e3", "word true", "key b\n at 26", "text x\ty from line 2",
		"key  at 41", "key c at 48", "text é from line 2",
	}
	for name, s := range map[string]*Scanner{
		"held":         Bytes([]byte(text), AnyDepth),
		"byte by byte": New(NewWindow(iotest.OneByteReader(strings.NewReader(text)), 0, 1<<10), AnyDepth),
	} {
		if diff := cmp.Diff(want, walk(s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestLevels: the levels are limited, and those below an open value by themselves; an error
// ends the scanner until it begins again.
func TestLevels(t *testing.T) {
	s := Bytes([]byte(`[[[]]]`), 2)
	if s.Skip(); !errors.Is(s.Err(), ErrTooDeep) {
		t.Errorf("three levels of two: %v", s.Err())
	}
	at := s.Offset()
	if s.Skip(); s.Offset() != at || s.Done() || s.Value() != "" {
		t.Errorf("behind an error it goes on, from %d to %d", at, s.Offset())
	}
	s.Restart()
	if s.Skip(); s.Err() != nil || s.Offset() != at+2 {
		t.Errorf("begun again: %v at %d", s.Err(), s.Offset())
	}
	s = Bytes([]byte(`{"a":[[[1]],[[[1]]]]}`), 1)
	n := 0
	s.Members(func([]byte) {
		s.Within(3, func() {
			s.Elements(func() {
				n++
				s.Skip()
			})
		})
	})
	if n != 2 || !errors.Is(s.Err(), ErrTooDeep) {
		t.Errorf("%d elements, %v", n, s.Err())
	}
}

// TestValue: of any value it gives the text if that is what it is, and passes it.
func TestValue(t *testing.T) {
	s := Bytes([]byte(`[ "a", {"b":"c"}, 1, null, "d\u0041" ]`), AnyDepth)
	var got []string
	s.Elements(func() { got = append(got, s.Value()) })
	if diff := cmp.Diff([]string{"a", "", "", "", "dA"}, got); diff != "" || !s.Done() {
		t.Errorf("%v (-want +got):\n%s", s.Err(), diff)
	}
	failed := errors.New("failed")
	s = Bytes([]byte(`{"a":[1,2],"b":3}`), AnyDepth)
	if s.Members(func([]byte) { s.Fail(failed) }); !errors.Is(s.Err(), failed) || s.Done() {
		t.Errorf("a failure is %v", s.Err())
	}
}

// lines reads all lines of a window, with what it says of each.
func lines(w *Window) []string {
	var out []string
	for {
		number, at := w.LineNo(), w.Offset()
		line, err := w.ReadLine()
		if err != nil {
			if failure := w.Failure(); failure != nil {
				out = append(out, failure.Error())
			}
			return out
		}
		out = append(out, fmt.Sprintf("%d at %d: %q lost %v", number, at, line[:min(len(line), 10)], w.Lost()))
	}
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", 3*Chunk)
	broken := errors.New("broken")
	tests := []struct {
		name string
		r    io.Reader
		max  int
		want []string
	}{
		{
			"line ends",
			strings.NewReader("a\r\n\nb"),
			10,
			[]string{`1 at 7: "a\r\n" lost false`, `2 at 10: "\n" lost false`, `3 at 11: "b" lost false`},
		},
		{
			"byte by byte",
			iotest.OneByteReader(strings.NewReader("ab\nc\n")),
			10,
			[]string{`1 at 7: "ab\n" lost false`, `2 at 10: "c\n" lost false`},
		},
		{
			"a long line that is kept",
			strings.NewReader(long + "\nb\n"),
			4 * Chunk,
			[]string{`1 at 7: "xxxxxxxxxx" lost false`, `2 at 196616: "b\n" lost false`},
		},
		{
			"a long line that is not",
			strings.NewReader(long + "\nb\n"),
			Chunk,
			[]string{`1 at 7: "xxxxxxxxxx" lost true`, `2 at 196616: "b\n" lost true`},
		},
		{"nothing", strings.NewReader(""), 10, nil},
		{"a read that fails", io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10,
			[]string{`1 at 7: "a\n" lost false`, `2 at 9: "b" lost false`, "broken"}},
		{"a reader that gives nothing", stuck{}, 10, []string{io.ErrNoProgress.Error()}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, lines(NewWindow(tt.r, 7, tt.max))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestWindow: what is behind the mark is kept and can be gone back to, with the number of
// its line; what was let go of is not.
func TestWindow(t *testing.T) {
	w := NewWindow(iotest.HalfReader(strings.NewReader("one\n  two\n  three\nfour\n{}")), 100, 1<<10)
	_, _ = w.ReadLine()
	if from := w.Start(); from != 104 || w.StartsLine() || !w.StartsWith("  two") || w.StartsWith("two") {
		t.Errorf("it starts at %d with %q", from, w.Ahead(5))
	}
	w.PassLines(2, 7)
	if w.Offset() != 110 || w.LineNo() != 3 || !w.StartsLine() {
		t.Errorf("seven bytes at most: it is at %d, line %d", w.Offset(), w.LineNo())
	}
	w.Held(20)
	w.PassLines(2, 1<<10)
	if got := string(w.Kept()); got != "  two\n  three\n" || w.LineNo() != 4 || string(w.Slice(106, 109)) != "two" {
		t.Errorf("kept is %q at line %d", got, w.LineNo())
	}
	w.Back(110)
	if line, err := w.ReadLine(); err != nil || string(line) != "  three\n" || w.LineNo() != 4 {
		t.Errorf("gone back, the line is %q, and then %d; %v", line, w.LineNo(), err)
	}
	w.Release(110)
	if w.Keeps(109) || !w.Keeps(110) || string(w.Held(100)) != "  three\nfour\n{}" || !w.Ended() || w.Failure() != nil {
		t.Errorf("held is %q", w.Held(0))
	}
}

// TestShrink: a buffer that grew for what was kept does not stay for what comes after.
func TestShrink(t *testing.T) {
	line := strings.Repeat("x", 1<<10) + "\n"
	w := NewWindow(strings.NewReader(strings.Repeat(line, 16<<10)), 0, 1<<30)
	for range 8 << 10 {
		_, _ = w.ReadLine()
	}
	grown := cap(w.buf)
	for err := error(nil); err == nil; {
		w.Start()
		_, err = w.ReadLine()
	}
	if grown < 8<<20 || cap(w.buf) > roomy {
		t.Errorf("the buffer has %d bytes where 8 MiB are kept, and %d where a line is", grown, cap(w.buf))
	}
}
