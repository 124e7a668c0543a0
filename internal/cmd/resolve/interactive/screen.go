package interactive

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/words"
)

// Size is that of the terminal, and whether it has colors.
type Size struct {
	Width, Height int
	Color         bool
}

// Resize gives the state on a terminal of another size.
func (w Walk) Resize(size Size) Walk {
	w.size = size
	w.top = min(w.top, w.screen().last())
	return w
}

// View is what the terminal shows: at most as many lines as it has, none longer
// than it is wide.
func (w Walk) View() string { return w.screen().String() }

// screen is a head and a foot that stay, and as much of a body between them as there is
// room for.
type screen struct {
	head, body, foot []string
	top              int
	size             Size
}

// newScreen lays blocks out for a terminal.
func newScreen(size Size, top int, head, body, foot []model.Block) screen {
	lay := func(blocks []model.Block) []string {
		return fold(
			text.Blocks(blocks, text.Options{Width: size.Width, Fit: true, Color: size.Color, Verbose: true}),
			size.Width,
		)
	}
	return screen{lay(head), lay(body), lay(foot), top, size}
}

// room is how many lines of the body are shown, at least one.
func (s screen) room() int { return max(1, s.size.Height-len(s.head)-len(s.foot)-2) }

// last is the greatest first line of the body.
func (s screen) last() int { return max(0, len(s.body)-s.room()) }

// String is the screen, line by line. A terminal that is too low for it shows the
// end, where the keys are.
func (s screen) String() string {
	end := min(len(s.body), s.top+s.room())
	lines := append([]string{}, s.head...)
	lines = append(lines, "")
	lines = append(lines, s.body[min(s.top, end):end]...)
	lines = append(lines, s.hidden(end))
	lines = append(lines, s.foot...)
	if over := len(lines) - s.size.Height; over > 0 {
		lines = lines[over:]
	}
	return strings.Join(lines, "\n")
}

// hidden is how much of the body is not shown.
func (s screen) hidden(end int) string {
	more := len(s.body) - end
	line := ""
	switch {
	case more > 0:
		line = "… " + words.Count(more, "more line") + " (space, down)"
	case s.top > 0:
		line = "… " + words.Count(s.top, "line") + " above (up)"
	}
	return text.Line(model.Text{model.Faint.Of(glyph.Cut(line, s.size.Width))}, text.Options{Color: s.size.Color})
}

func (w Walk) screen() screen {
	if w.reviewing() {
		return newScreen(w.size, w.top, w.reviewHead(), w.review.Blocks, w.reviewFoot())
	}
	q := w.questions[w.at]
	at := model.Faint.Of(fmt.Sprintf("%d of %d ·", w.at+1, len(w.questions)))
	head := []model.Block{model.Paragraph{Text: model.Textf("%v %v", at, q.Of)}, model.Paragraph{Text: q.Title}}
	return newScreen(w.size, w.top, head, questionBody(q), w.questionFoot(q))
}

// questionBody is what is known, the options with their keys, and the advice.
func questionBody(q Question) []model.Block {
	l := model.List{}
	for _, o := range q.Options {
		key := "[" + choiceKeys[o.Choice] + "]"
		if o.Off {
			key = " - "
		}
		item := model.Item{Text: model.Textf("%v %v: %v", model.Strong.Of(key), model.Strong.Of(o.Name), o.Text)}
		if o.Recommended && !o.Off {
			item.Text = model.Textf("%v; %v", item.Text, model.Good.Of("recommended"))
		}
		// The details stand behind the name of the option.
		item.Blocks = []model.Block{model.List{Items: []model.Item{{Blocks: o.Blocks}}}}
		l.Items = append(l.Items, item)
	}
	out := append([]model.Block{}, q.Facts...)
	out = append(out, model.Paragraph{Apart: true, Text: model.Text{model.Strong.Of("Options, each simulated:")}}, l)
	return append(out, q.Advice...)
}

func (w Walk) questionFoot(q Question) []model.Block {
	var hints []hint
	recommends, decided := false, ""
	for _, o := range q.Options {
		if o.Choice == w.decided[ID(q)] {
			decided = strings.ToLower(o.Name)
		}
		recommends = recommends || o.Recommended && !o.Off
		if !o.Off {
			hints = append(hints, hint{choiceKeys[o.Choice], strings.ToLower(o.Name)})
		}
	}
	if recommends {
		hints = append([]hint{{"enter", "as recommended"}}, hints...)
	}
	hints = append(hints, hint{"a", "ask later"}, hint{"e", "edit the file"})
	if w.at > 0 {
		hints = append(hints, hint{"b", "back"})
	}
	var out []model.Block
	if decided != "" {
		hints = append(hints, hint{"n", "next"})
		out = append(out, model.Paragraph{Text: model.Textf("Decided: %v.", model.Good.Of(decided))})
	}
	hints = append(hints, hint{"w", "review and write"}, hint{"q", "quit"})
	return append(out, foot(w.said, hints)...)
}

func (w Walk) reviewHead() []model.Block {
	left := 0
	for _, q := range w.questions {
		if w.decided[ID(q)] == "" {
			left++
		}
	}
	title := model.Textf(
		"%v: %v of %v decided",
		model.Strong.Of("Review"),
		len(w.questions)-left,
		words.Count(len(w.questions), "question"),
	)
	if left > 0 {
		title = model.Textf("%v, %v", title, model.Changed.Of(fmt.Sprintf("%d left for later", left)))
	}
	return []model.Block{model.Paragraph{Text: title}}
}

func (w Walk) reviewFoot() []model.Block {
	if !w.review.Writes {
		return append(
			[]model.Block{model.Paragraph{Text: model.Say("No file would change.")}},
			foot(w.said, []hint{{"b", "back"}, {"q", "quit"}})...)
	}
	return foot(w.said, []hint{{"y", "write"}, {"b", "back"}, {"q", "quit, write nothing"}})
}

// hint is a key and what it does.
type hint struct{ key, does string }

// foot is a remark on the last key, and the keys that there are.
func foot(said string, hints []hint) []model.Block {
	var out []model.Block
	if said != "" {
		out = append(out, model.Paragraph{Text: model.Text{model.Changed.Of(said)}})
	}
	var keys []model.Text
	for i, h := range hints {
		// A key stays with what it does: field paths are never broken across lines.
		does := " " + h.does
		if i < len(hints)-1 {
			does += " ·"
		}
		keys = append(keys, model.Textf("%v%v", model.Strong.Of(h.key), model.Field.Of(does)))
	}
	return append(out, model.Paragraph{Text: model.Join(keys, " ")})
}

// reset ends a color.
const reset = "\x1b[0m"

// ends are the sequences after which there is no color.
var ends = regexp.MustCompile(`^\x1b\[(0|2[2-9]|39)?(;(0|2[2-9]|39))*m$`)

// fold cuts a text into lines of at most so many columns. Colors, which are the only
// sequences that a text of ours has, go on in the next line.
func fold(text string, width int) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, foldLine(line, max(width, 2))...)
	}
	return lines
}

func foldLine(line string, width int) []string {
	var lines []string
	var b strings.Builder
	color, used := "", 0
	for len(line) > 0 {
		if sequence := painted(line); sequence != "" {
			b.WriteString(sequence)
			if color += sequence; ends.MatchString(sequence) {
				color = ""
			}
			line = line[len(sequence):]
			continue
		}
		r, n := utf8.DecodeRuneInString(line)
		if columns := glyph.RuneColumns(r); used+columns > width {
			if color != "" {
				b.WriteString(reset)
			}
			lines = append(lines, b.String())
			b.Reset()
			b.WriteString(color)
			used = 0
		}
		used += glyph.RuneColumns(r)
		b.WriteString(line[:n])
		line = line[n:]
	}
	return append(lines, b.String())
}

// painted is the color that a text begins with; empty for none.
func painted(text string) string {
	if !strings.HasPrefix(text, "\x1b[") {
		return ""
	}
	end := strings.IndexByte(text, 'm')
	return text[:max(end+1, 0)]
}
