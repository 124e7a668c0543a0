package show

import (
	"bytes"
	"fmt"
	stdhtml "html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/test/golden"
)

// documentOf is a document of every kind of block, with a text in every place.
func documentOf(s string) model.Document {
	n := 0
	next := func() string { n++; return fmt.Sprintf("%sq%dq", s, n) }
	text := func() model.Text {
		var t model.Text
		for role := model.Plain; role <= model.Code; role++ {
			t = append(t, role.Of(next()), model.Plain.Of(" "))
		}
		return t
	}
	list := func(marked bool) model.List {
		l := model.List{Marked: marked, Shown: 1}
		for range 3 {
			l.Items = append(
				l.Items,
				model.Item{Text: text(), Blocks: []model.Block{model.Paragraph{Text: text()}, model.Command{Line: next()}}},
			)
		}
		return l
	}
	labeled := list(false)
	for i := range labeled.Items {
		labeled.Items[i].Label = text()
	}
	numbered := list(false)
	numbered.Numbered = true
	table := model.Table{Columns: []model.Column{{Title: next()}, {Title: next(), Right: true}}, Shown: 1}
	diff := model.Diff{Old: next(), New: next(), Shown: 1}
	for kind := model.Same; kind <= model.Altered; kind++ {
		table.Rows = append(table.Rows, []model.Text{text(), text()})
		diff.Lines = append(diff.Lines, model.DiffLine{Kind: kind, Text: text(), Note: text()})
	}
	tree := model.Tree{Nodes: []model.Node{{Text: text(), Note: text(), Nodes: []model.Node{{Text: text()}}}}}
	listing := model.Listing{Shown: 1, Runs: []model.Run{
		{Margin: []model.Text{text(), text()}, Lines: []model.Text{text(), text(), text()}}, {Lines: []model.Text{text()}},
	}}
	quote := model.Quote{Text: next() + "\n" + next()}
	section := func(w model.Weight) model.Section {
		return model.Section{
			Title:  text(),
			Weight: w,
			Before: []model.Block{model.Paragraph{Text: text()}, model.Command{Line: next()}},
			Blocks: []model.Block{
				model.Paragraph{Label: text(), Text: text()}, list(false), labeled, table, diff, listing, tree, quote,
				model.Section{Title: text(), Blocks: []model.Block{list(true), numbered}},
			},
		}
	}
	return model.Document{
		Head: model.Head{Title: next(), Server: "v1", Total: 2,
			Problems: []model.Problem{{At: next(), Message: next()}}, Lead: []model.Text{text()}},
		Sections: []model.Section{section(model.Decision), {Title: text(), Weight: model.Dull}},
		Tail: model.Tail{
			Headline: []model.Text{text(), text()}, Blocks: []model.Block{model.Paragraph{Text: text()}},
		},
	}
}

// FuzzFormats checks the laws of formats: nothing of the model is lost, and
// nothing acts.
func FuzzFormats(f *testing.F) {
	for _, s := range append([]string{"plain ", "a b", "1. ", "- ", "|", "`", "*x*", "<b>"}, hostileTexts...) {
		if len(s) < 200 {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		document := documentOf(s)
		for _, name := range []string{"text", "markdown", "html"} {
			format := modelFormats[name]
			var out bytes.Buffer
			if err := Show(format(&out, Options{Verbose: true}), document); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkActs(t, name, out.String())
			checkWhole(t, name, out.String(), document)
			if check := inert[name]; check != nil {
				check(t, out.String())
			}
		}
	})
}

func checkActs(t *testing.T, name, out string) {
	t.Helper()
	for i, l := range strings.Split(out, "\n") {
		if !glyph.IsVisible(l) {
			t.Errorf("%s, line %d acts: %q", name, i+1, l)
		}
	}
}

var tags = regexp.MustCompile(`<[^<>]*>`)

// checkWhole finds every text of a document in what a format shows of it.
func checkWhole(t *testing.T, name, out string, d model.Document) {
	t.Helper()
	shown := squeezed(out)
	if name != "text" {
		shown += squeezed(stdhtml.UnescapeString(tags.ReplaceAllString(out, "")))
	}
	find := func(text model.Text) {
		for _, s := range text {
			line, lines := squeezed(runnerSafe(name, glyph.Visible(s.Text))), squeezed(runnerSafe(name, glyph.Lines(s.Text)))
			if !strings.Contains(shown, line) && !strings.Contains(shown, lines) {
				t.Errorf("%s lost %q of a %d span", name, line, s.Role)
			}
		}
	}
	for _, s := range d.Sections {
		s.Walk(find)
	}
	for _, l := range slices.Concat(d.Lead, d.Headline) {
		find(l)
	}
}

// runnerSafe is how the text format writes what a CI runner would act on.
func runnerSafe(name, s string) string {
	if name == "text" {
		s = strings.ReplaceAll(s, "##[", `#\x23[`)
	}
	return s
}

// squeezed leaves only what has ink, as formats wrap at spaces.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// inert are checks that a format of markup has only what its package writes.
var inert = map[string]func(*testing.T, string){"markdown": golden.CheckComment, "html": golden.CheckPage}
