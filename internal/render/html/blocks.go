package html

import (
	"fmt"
	stdhtml "html"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// writer makes blocks of one section; level is that of the headings below it.
type writer struct{ level int }

func (w writer) blocks(list []model.Block) markup {
	var out []markup
	for _, b := range list {
		out = append(out, w.block(b), "\n")
	}
	return join(out)
}

func (w writer) block(b model.Block) markup {
	switch b := b.(type) {
	case model.Section:
		// A part of an object, that can be folded.
		heading := element(fmt.Sprintf("h%d", min(w.level, deepest)), "", inline(b.Title))
		return markup(`<details class="part" open><summary>`) + heading + "</summary>\n" +
			writer{w.level + 1}.blocks(b.Blocks) + "</details>"
	case model.Paragraph:
		if len(b.Label) == 0 {
			return element("p", "", inline(b.Text))
		}
		return element("p", "", element("b", "label", inline(b.Label)), " ", inline(b.Text))
	case model.List:
		return w.list(b)
	case model.Table:
		return table(b)
	case model.Diff:
		return diff(b)
	case model.Listing:
		return listing(b)
	case model.Tree:
		return tree(b.Nodes)
	case model.Command:
		if b.Line == "" {
			return ""
		}
		return element("pre", "command", element("code", "", escape(b.Line)))
	case model.Quote:
		return element("pre", "quote", lines(strings.TrimRight(b.Text, "\n")))
	}
	return ""
}

// deepest is the last level of headings that the style sheet knows.
const deepest = 5

func (w writer) list(l model.List) markup {
	kind, class := "ul", "plain"
	switch {
	case l.Numbered:
		kind, class = "ol", ""
	case l.Marked:
		class = ""
	}
	items := make([]markup, len(l.Items))
	for i, item := range l.Items {
		label := markup("")
		if len(item.Label) > 0 {
			label = element("b", "label", inline(item.Label)) + " "
		}
		items[i] = element("li", "", label, inline(item.Text), w.blocks(item.Blocks)) + "\n"
	}
	return folded(items, l.Shown, func(part []markup) markup { return element(kind, class, part...) })
}

// folded shows what is enough, and the rest on request.
func folded(parts []markup, shown int, around func([]markup) markup) markup {
	if shown == 0 || len(parts) <= shown+1 {
		return around(parts)
	}
	more := element("summary", "", markup(fmt.Sprintf("%d more", len(parts)-shown)))
	return around(parts[:shown]) + element("details", "more", more, around(parts[shown:]))
}

func table(t model.Table) markup {
	var head, titles markup
	for _, c := range t.Columns {
		head += markup(`<th scope="col"`+numeric(c)+">") + escape(c.Title) + "</th>"
		titles += escape(c.Title)
	}
	if titles != "" {
		head = element("thead", "", element("tr", "", head))
	} else {
		head = ""
	}
	rows := make([]markup, len(t.Rows))
	for i, row := range t.Rows {
		var cells markup
		for j, cell := range row {
			cells += markup("<td"+numeric(t.Columns[j])+">") + inline(cell) + "</td>"
		}
		rows[i] = element("tr", "", cells) + "\n"
	}
	class := ""
	if len(t.Columns) > narrow && titles != "" {
		class = "wide"
	}
	return folded(rows, t.Shown, func(part []markup) markup {
		return element("div", "scroll", element("table", class, head, element("tbody", "", part...)))
	})
}

// narrow is how many columns have room on the screen of a phone: the cells of more stand
// below each other there.
const narrow = 3

func numeric(c model.Column) string {
	if c.Right {
		return ` class="n"`
	}
	return ""
}

// diff marks lines as inserted and deleted; a reader that sees no color has
// their signs.
func diff(d model.Diff) markup {
	var names markup
	if d.Old != "" || d.New != "" {
		names = element("p", "at", escape(d.Old), " → ", escape(d.New))
	}
	rows := make([]markup, len(d.Lines))
	for i, l := range d.Lines {
		rows[i] = diffLine(l)
	}
	return element(
		"div",
		"diff",
		names,
		folded(rows, d.Shown, func(part []markup) markup { return element("pre", "", part...) }),
	)
}

// longLine is how much of a line of a difference is shown: the object has it as a whole.
const longLine = 600

func diffLine(l model.DiffLine) markup {
	line := markup(l.Kind.Sign())
	for _, s := range l.Text {
		s.Text = glyph.Cut(s.Text, longLine)
		if text := escape(s.Text); s.Role == model.Strong {
			line += element("b", "", text)
		} else {
			line += text
		}
	}
	if len(l.Note) > 0 {
		line += "  " + element("small", "", inline(l.Note))
	}
	line += "\n"
	switch l.Kind {
	case model.Added:
		return element("ins", "", line)
	case model.Removed:
		return element("del", "", line)
	case model.Place:
		return element("span", "at", line)
	}
	return element("span", "", line)
}

// listing has a row for each run, with as many cells as the widest margin.
func listing(l model.Listing) markup {
	margin := 0
	for _, run := range l.Runs {
		margin = max(margin, len(run.Margin))
	}
	rows := make([]markup, len(l.Runs))
	for i, run := range l.Runs {
		var cells markup
		for j := range margin {
			if j < len(run.Margin) {
				cells += element("td", "", inline(run.Margin[j]))
			} else {
				cells += element("td", "")
			}
		}
		texts, whole := make([]markup, len(run.Lines)), markup("")
		for j, line := range run.Lines {
			texts[j] = inline(line) + "\n"
			if text := line.String(); glyph.Columns(text) > longLine {
				texts[j] = escape(glyph.Cut(text, longLine/4)) + "\n"
				whole += element("details", "more", element("summary", "", "the long line"), element("pre", "", escape(text)))
			}
		}
		rows[i] = element(
			"tr",
			"",
			cells,
			element("td", "", folded(texts, l.Shown, func(part []markup) markup { return element("pre", "", part...) }), whole),
		) + "\n"
	}
	return element("div", "scroll", element("table", "listing", element("tbody", "", rows...)))
}

func tree(nodes []model.Node) markup {
	var items []markup
	for _, n := range nodes {
		item := inline(n.Text)
		if len(n.Note) > 0 {
			item += " " + element("span", "note", inline(n.Note))
		}
		if len(n.Nodes) > 0 {
			item += tree(n.Nodes)
		}
		items = append(items, element("li", "", item)+"\n")
	}
	return element("ul", "tree", items...)
}

// markup is text that is safe in a page: what this package wrote, or escaped.
type markup string

// escape makes a text markup.
func escape(s string) markup { return markup(stdhtml.EscapeString(glyph.Visible(s))) }

// lines is escape for a text whose newlines are meant.
func lines(s string) markup { return markup(stdhtml.EscapeString(glyph.Lines(s))) }

// element is an element with a class, which may be empty.
func element(name, class string, inner ...markup) markup {
	open := "<" + name
	if class != "" {
		open += ` class="` + class + `"`
	}
	return markup(open+">") + join(inner) + markup("</"+name+">")
}

func join(parts []markup) markup {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(string(p))
	}
	return markup(b.String())
}

// classes are those of the style sheet for the roles.
var classes = map[model.Role]string{
	model.Faint: "soft", model.Good: "good", model.Bad: "bad", model.Changed: "changed",
}

// inline is a text in a line of the page.
func inline(t model.Text) markup {
	var out []markup
	for _, s := range t {
		text := escape(s.Text)
		switch s.Role {
		case model.Plain:
			out = append(out, text)
		case model.Strong:
			out = append(out, element("b", "", text))
		case model.Field, model.Value, model.Code:
			out = append(out, element("code", "", text))
		case model.Manager:
			out = append(out, element("span", "m "+look(s.Text), text))
		default:
			out = append(out, element("span", classes[s.Role], text))
		}
	}
	return join(out)
}

// The looks of field managers: so many colors, and shapes of their mark.
const (
	colors = 8
	shapes = 4
)

// look distinguishes field managers: the same one looks the same everywhere.
func look(manager string) string {
	sum := uint32(2166136261)
	for _, c := range []byte(manager) {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return "c" + string(rune('0'+sum%colors)) + " s" + string(rune('0'+sum/colors%shapes))
}
