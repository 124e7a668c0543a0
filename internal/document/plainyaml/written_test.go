package plainyaml

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	texts = flag.Int("texts", 4000, "texts that TestWritten makes up")
	seed  = flag.Uint64("seed", 1, "seed of them")
)

// TestWritten holds the law against texts in all the styles of YAML, most of them
// with a mistake somewhere.
func TestWritten(t *testing.T) {
	converted := 0
	for i := range *texts {
		text := written(*seed, uint64(i))
		checkLaw(t, text)
		if _, ok := ToJSON(text); ok {
			converted++
		}
	}
	if converted < *texts/5 {
		t.Errorf("%d of %d texts were converted", converted, *texts)
	}
	t.Logf("%d of %d texts were converted", converted, *texts)
}

// TestShortScalars holds the law against all short plain scalars of the characters that
// numbers, dates and indicators are made of, and of those of ids that look like numbers.
func TestShortScalars(t *testing.T) {
	for chars, most := range map[string]int{"018-+.:_ex ?": 4, "01-bx": 6, "0-bo_2": 5} {
		all := []string{""}
		for range most {
			var longer []string
			for _, text := range all {
				for _, c := range chars {
					longer = append(longer, text+string(c))
				}
			}
			for _, text := range longer {
				if _, ok := ToJSON([]byte("a: " + text)); ok {
					checkLaw(t, []byte("a: "+text))
				}
			}
			all = longer
		}
	}
}

// FuzzWritten starts from such texts.
func FuzzWritten(f *testing.F) {
	for i := range 200 {
		f.Add(written(2, uint64(i)))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkLaw(t, text) })
}

func written(seed, number uint64) []byte {
	w := writer{random: rand.New(rand.NewPCG(seed, number))}
	w.odd = []int{0, 0, 2, 20}[w.random.IntN(4)]
	w.node(0, 0)
	text := w.text.Bytes()
	for w.percent(3 * w.odd) {
		text = w.spoiled(text)
	}
	return text
}

// writer writes made-up text, and does not care much for its meaning.
type writer struct {
	random *rand.Rand
	text   bytes.Buffer
	// odd is how many things in a hundred are seldom, or wrong.
	odd int
}

func (w *writer) percent(share int) bool { return w.random.IntN(100) < share }

func (w *writer) spaces(n int) { w.text.WriteString(strings.Repeat(" ", max(n, 0))) }

// usual is a text, or one of others that are seldom.
func (w *writer) usual(text string, odd ...string) string {
	if w.percent(w.odd) {
		return w.pick(odd...)
	}
	return text
}

func (w *writer) pick(from ...string) string { return from[w.random.IntN(len(from))] }

// node writes a collection at a column, where the text stands already.
func (w *writer) node(column, depth int) {
	isList := w.percent(30) && depth > 0
	for i := range 1 + w.random.IntN(5) {
		if i > 0 {
			w.between(column)
			w.spaces(column)
		}
		if isList {
			w.text.WriteString("-")
		} else {
			w.text.WriteString(w.key(i) + ":")
		}
		w.value(column, depth, isList)
	}
}

func (w *writer) between(column int) {
	for w.percent(12) {
		w.spaces(column + w.random.IntN(7) - 3)
		w.text.WriteString(w.pick("# a comment: here\n", "\n", "#\n", "  \n"))
	}
}

func (w *writer) key(i int) string {
	key := w.pick("name", "description", "x-kubernetes-map", "spec", "a b", ".k", "k:{\"name\":\"main\"}", "$ref", "é")
	key += w.usual(fmt.Sprint(i), "", " ", ":")
	switch w.random.IntN(12) {
	case 0:
		return `"` + key + `"`
	case 1:
		return "'" + key + "'"
	}
	return key
}

// value writes what follows a key or a dash.
func (w *writer) value(column, depth int, isList bool) {
	switch n := w.random.IntN(100); {
	case n < 35 && depth < 5:
		if isList && w.percent(80) {
			spaces := 1 + w.random.IntN(3)
			w.spaces(spaces)
			w.node(column+1+spaces, depth+1)
			return
		}
		w.text.WriteString(w.pick("\n", "\n", " # why\n", "  \n"))
		w.between(column)
		deeper := column + 1 + w.random.IntN(4)
		w.spaces(deeper)
		w.node(deeper, depth+1)
	case n < 40 && !isList:
		w.text.WriteString("\n")
	case n < 55:
		w.text.WriteString(w.pick(" ", " ", "  "))
		w.flow(column, 0)
		w.text.WriteString(w.usual(w.pick("\n", "\n", " \n", " # why\n"), " x\n", ",\n", "#\n"))
	default:
		w.scalar(column)
	}
}

func (w *writer) flow(column, depth int) {
	open, shut := "[", "]"
	isMap := w.percent(50)
	if isMap {
		open, shut = "{", "}"
	}
	w.text.WriteString(open)
	lines := w.percent(30)
	for i := range w.random.IntN(5) {
		if i > 0 {
			w.text.WriteString(w.pick(",", ", ", " , "))
		}
		w.flowBreak(column, lines)
		if isMap {
			w.text.WriteString(w.key(i) + w.usual(w.pick(": ", ": ", " : "), ":", ":\n", " "))
		}
		if w.percent(25) && depth < 4 {
			w.flow(column, depth+1)
			continue
		}
		text := w.words(1 + w.random.IntN(3))
		w.text.WriteString(
			w.pick(
				text,
				text,
				text,
				`"`+text+`"`,
				"'"+text+"'",
				"12", "0.5", "nginx:1.27", "http://x/y", "true",
				w.usual("a", "", ":x", "?", "&a", "x: y", "é"),
			),
		)
	}
	w.text.WriteString(w.pick("", "", "", " ", ","))
	w.flowBreak(column, lines)
	w.text.WriteString(shut)
}

func (w *writer) flowBreak(column int, lines bool) {
	if !lines || w.percent(20) {
		return
	}
	w.text.WriteString(w.pick("\n", "\n", " # why\n", "\n\n"))
	w.spaces(column + w.random.IntN(5))
}

// scalar writes a scalar below a column, in one of the styles.
func (w *writer) scalar(column int) {
	deeper := column + 1 + w.random.IntN(4)
	switch n := w.random.IntN(100); {
	case n < 20:
		common := w.pick(
			"0", "12", "-3", "0.5", "1.50", "0644", "true", "null", "10.0.0.1", "128Mi", "25%", "--x=1",
			"^[a-z]+$", "<none>", ":8080", `""`, "''", `\d`, "1.0",
		)
		w.text.WriteString(
			" " + w.usual(
				common, "089", "1e3", "False", "~", "2024-01-02", "12:30", "0x1f", ".5", "-", "- a", "yes",
				"`x`", "-0", "1_000", "=x", "00", "+1", "?x", "<<", "1-2", "1:2", "12-34-5", "2024-1-2", "1e-5",
				"1-e5", "--", "-.5", "..", "./x", "...", "-1-2", "1.5-2", "0-1", "0x1-2", "1_0-2",
			) + "\n",
		)
	case n < 45:
		w.wrapped(w.pick(" ", " ", "\n"+strings.Repeat(" ", deeper)), "", deeper)
	case n < 60:
		w.wrapped(" ", "'", deeper)
	case n < 75:
		w.wrapped(" ", `"`, deeper)
	default:
		w.block(column)
	}
}

// wrapped writes words with breaks between some of them.
func (w *writer) wrapped(before, quote string, column int) {
	w.text.WriteString(before + quote)
	for i := range 1 + w.random.IntN(12) {
		switch {
		case i == 0:
		case w.percent(25):
			w.text.WriteString(w.pick("\n", "\n", "\n", " \n", "\n\n", "\n  \n\n", w.usual("\n", " # why\n", "\n# why\n")))
			w.spaces(column + w.random.IntN(3))
			w.text.WriteString(w.usual("", "\b", "- ", "# ", "? "))
		case quote == `"` && w.percent(15):
			w.text.WriteString(w.pick("\\\n", " \\\n", "\\ \n", "\\\n\n"))
			w.spaces(column)
			w.text.WriteString(w.pick("", `\ `, `\n`))
		default:
			w.text.WriteString(w.pick(" ", " ", " ", "  "))
		}
		w.text.WriteString(w.words(1))
	}
	w.text.WriteString(quote + w.usual(w.pick("\n", "\n", " # why\n", " \n"), " x\n", "#\n", ":\n", ": x\n", ""))
}

// block writes a block scalar.
func (w *writer) block(column int) {
	deeper := column + 1 + w.random.IntN(4)
	header := w.pick("|", ">") + w.pick("", "-", "+")
	if w.percent(20) {
		header += w.usual(fmt.Sprint(deeper-column), "0", "1", "3", "9", "12")
	}
	w.text.WriteString(" " + header + w.usual(w.pick("\n", "\n", " # why\n", " \n"), "#\n", " x\n", "-\n"))
	for range 1 + w.random.IntN(6) {
		switch w.random.IntN(8) {
		case 0:
			w.text.WriteString("\n")
		case 1:
			w.spaces(w.random.IntN(deeper + 1 + w.odd))
			w.text.WriteString("\n")
		default:
			w.spaces(deeper)
			w.text.WriteString(
				w.pick("", "", "", "", "  ", " ", "\t", "#", "- ") + w.words(1+w.random.IntN(4)) + w.pick("", "", "", " ") + "\n",
			)
		}
	}
}

// words are some of a description.
func (w *writer) words(n int) string {
	var all []string
	for range n {
		word := w.pick("The", "the", "pods", "a", "of", "is", "value", "in", "set", "nodes")
		if w.percent(w.odd) {
			word = w.pick(
				"kind: x", "a:", "#1", "x #y", "it's", "''", `\"`, `"q"`, "`code`", "[a]", "{b}", "a,b", "(c)",
				"-", "- d", "---", "...", "?", "? e", "&f", "*g", "!h", "|", ">", "%i", "@j", "grüße", "–",
				"\\n", "\\u00e9", "\\x41", "\\/", "2024-01-02", "0.5", "null", "https://x.y/z#a", "\t", "$(K)",
				"\\U0001f600", "=",
			)
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

// spoiled changes a text at one place.
func (w *writer) spoiled(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	i := w.random.IntN(len(lines))
	at := w.random.IntN(len(text) + 1)
	switch w.random.IntN(9) {
	case 0:
		lines = append(lines[:i:i], lines[i+1:]...)
	case 1:
		lines[i] = append(bytes.Repeat([]byte(" "), 1+w.random.IntN(2)), lines[i]...)
	case 2:
		lines[i] = bytes.TrimPrefix(lines[i], []byte(" "))
	case 3:
		comment := append(bytes.Repeat([]byte(" "), w.random.IntN(9)), "# why\n"...)
		lines = append(lines[:i:i], append([][]byte{comment}, lines[i:]...)...)
	case 4:
		lines = append(lines[:i:i], append([][]byte{lines[i]}, lines[i:]...)...)
	case 5:
		return bytes.TrimRight(text, "\n")
	case 6:
		return append(
			append(
				bytes.Clone(text[:at]),
				w.pick(" ", ":", "#", "\n", "'", `"`, ",", "]", "}", "-", "\\", "?", "\t", ": ", " #", "\n\n", "|")...),
			text[at:]...)
	case 7:
		if at < len(text) {
			return append(bytes.Clone(text[:at]), text[at+1:]...)
		}
	}
	return bytes.Join(lines, nil)
}
