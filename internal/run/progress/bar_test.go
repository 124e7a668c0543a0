package progress

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// clock is a time that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time       { return c.at }
func (c *clock) pass(d time.Duration) { c.at = c.at.Add(d) }
func newClock() *clock                { return &clock{time.Unix(1000, 0)} }
func lastLine(out *bytes.Buffer) string {
	return out.String()[strings.LastIndex(out.String(), "\r")+1:]
}

// shown is what a terminal shows of a text that goes back to the start of its
// line.
func shown(text string) string {
	var line []byte
	at := 0
	for _, c := range []byte(text) {
		switch {
		case c == '\r':
			at = 0
		case at < len(line):
			line[at] = c
			at++
		default:
			line = append(line, c)
			at++
		}
	}
	return strings.TrimRight(string(line), " ")
}

func TestShortRunHasNoBar(t *testing.T) {
	var out bytes.Buffer
	c := newClock()
	b := New(&out, 80, c.now)
	b.Start("reading", 100, Bytes)
	b.Add(50)
	c.pass(delay / 2)
	b.Start("answering", 10, Objects)
	b.Add(5)
	b.End()
	if out.Len() > 0 {
		t.Errorf("drew %q", out.String())
	}
}

func TestLongRunHasOne(t *testing.T) {
	cases := []struct {
		name  string
		total int64
		unit  Unit
		want  string
	}{
		{"objects", 3000, Objects, `^answering  10% \[=>                  \] \(300/3000, \d+ objects/\w+\) \[\w+:\w+\]$`},
		{"bytes", 3000, Bytes, `^answering  10% \[=>                  \] \(300 B/3\.0 kB, [\d.]+ ..?/s\) \[\w+:\w+\]$`},
		{"nobody knows how many", -1, Bytes, `^\S answering \(300 B, [\d.]+ ..?/s\) \[\w+\]$`},
		{"none", 0, Objects, `^$`},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			c := newClock()
			b := New(&out, 80, c.now)
			b.Start("answering", tt.total, tt.unit)
			b.Add(100)
			c.pass(delay)
			b.Add(200)
			if got := shown(out.String()); !regexp.MustCompile(tt.want).MatchString(got) {
				t.Errorf("drew %q, want %s", got, tt.want)
			}
			b.End()
			if got := shown(out.String()); got != "" {
				t.Errorf("%q is left", got)
			}
		})
	}
}

// What is done before the first drawing took the time since the phase began.
func TestRateCountsFromTheBeginOfThePhase(t *testing.T) {
	b := New(&bytes.Buffer{}, 80, newClock().now)
	b.Start("answering", 10, Objects)
	if !b.bar.IsStarted() {
		t.Error("the clock of the rate does not run before the first drawing")
	}
}

// It is drawn a few times a second, however many objects there are.
func TestDrawnSeldom(t *testing.T) {
	var out bytes.Buffer
	c := newClock()
	b := New(&out, 80, c.now)
	b.Start("answering", 10_000, Objects)
	c.pass(delay)
	for range 5000 {
		c.pass(interval / 100)
		b.Add(1)
	}
	if n := strings.Count(out.String(), "answering"); n < 45 || n > 55 {
		t.Errorf("drawn %d times in 5 seconds", n)
	}
}

// What is written beside the bar stands on lines of its own.
func TestAround(t *testing.T) {
	var out bytes.Buffer
	c := newClock()
	b := New(&out, 80, c.now)
	w := b.Around(&out)
	b.Start("answering", 10, Objects)
	c.pass(delay)
	for i := range 9 {
		c.pass(interval)
		b.Add(1)
		fmt.Fprintf(w, "object %d\n", i)
	}
	b.End()
	var got []string
	for _, line := range strings.Split(out.String(), "\n") {
		got = append(got, shown(line))
	}
	want := "object 0\nobject 1\nobject 2\nobject 3\nobject 4\nobject 5\nobject 6\nobject 7\nobject 8\n"
	if strings.Join(got, "\n") != want {
		t.Errorf("shown:\n%s", strings.Join(got, "\n"))
	}
}

func TestNarrowAndNil(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, minWidth-1, newClock().now)
	if b != nil {
		t.Fatal("a bar on a narrow terminal")
	}
	b.Start("reading", 1, Bytes)
	b.Add(1)
	b.End()
	if w := b.Around(&out); w != &out || out.Len() > 0 {
		t.Errorf("drew %q", out.String())
	}
}

// No line is wider than the terminal.
func TestWidth(t *testing.T) {
	for width := minWidth; width < 120; width += 5 {
		var out bytes.Buffer
		c := newClock()
		b := New(&out, width, c.now)
		b.Start("answering", 1_000_000, Objects)
		c.pass(delay)
		b.Add(999_999)
		if n := len(shown(lastLine(&out))); n == 0 || n > width {
			t.Errorf("%d columns on a terminal of %d: %q", n, width, lastLine(&out))
		}
	}
}
