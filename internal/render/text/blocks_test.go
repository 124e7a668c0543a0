package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
)

// rows are those of a table, a cell a text.
func rows(list ...[]model.Text) [][]model.Text { return list }

func row(cells ...string) []model.Text {
	var out []model.Text
	for _, c := range cells {
		out = append(out, model.Say(c))
	}
	return out
}

func items(texts ...string) []model.Item {
	var out []model.Item
	for _, t := range texts {
		out = append(out, model.Item{Text: model.Say(t)})
	}
	return out
}

// TestBlocks: each block as people read it. Lines of want are joined.
func TestBlocks(t *testing.T) {
	long := model.Say("one two three four five six seven eight nine ten eleven")
	terminal := Options{Width: 40, Fit: true}
	for name, tt := range map[string]struct {
		o     Options
		block model.Block
		want  string
	}{
		"a paragraph is wrapped": {Options{Width: 40}, model.Paragraph{Text: long},
			"one two three four five six seven eight\nnine ten eleven\n"},
		"a width that makes no sense": {Options{Width: 3}, model.Paragraph{Text: long},
			"one two three four five six seven eight\nnine ten eleven\n"},
		"lines hang behind the label": {Options{Width: 40}, model.Paragraph{Label: model.Text{model.Strong.Of("Caution:")}, Text: long},
			"Caution: one two three four five six\n         seven eight nine ten eleven\n"},
		"something else begins": {Options{}, model.Paragraph{Apart: true, Text: model.Say("then")}, "\nthen\n"},
		"marked items": {Options{Width: 40}, model.List{Marked: true, Items: append(items("a"), model.Item{Text: long})},
			"- a\n- one two three four five six seven\n  eight nine ten eleven\n"},
		"steps have numbers": {Options{}, model.List{Numbered: true, Items: []model.Item{{Text: model.Say("a"),
			Blocks: []model.Block{model.Command{Line: "b"}}}, {Text: model.Say("c")}}},
			"1. a\n   b\n2. c\n"},
		"labels make a column": {Options{Width: 40}, model.List{Items: []model.Item{
			{Label: model.Say("x"), Text: model.Say("a")}, {Label: model.Text{model.Strong.Of("label")}, Text: long}}},
			"x      a\nlabel  one two three four five six seven\n       eight nine ten eleven\n"},
		"an item that begins with its block": {Options{}, model.List{Items: []model.Item{
			{Label: model.Say("error"), Blocks: []model.Block{model.Table{Columns: make([]model.Column, 2), Rows: rows(row("a", "b"))},
				model.Quote{Text: "c"}}}}},
			"error  a  b\n       c\n"},
		"long items stand apart": {Options{}, model.List{Apart: true, Items: items("a", "b")}, "\na\n\nb\n"},
		"a list is folded":       {Options{}, model.List{Shown: 1, Items: items("a", "b", "c")}, "a\n… 2 more; -v shows all\n"},
		"one more is shown":      {Options{}, model.List{Shown: 1, Items: items("a", "b")}, "a\nb\n"},
		"all is shown":           {Options{Verbose: true}, model.List{Shown: 1, Items: items("a", "b", "c")}, "a\nb\nc\n"},
		"a part of a section": {Options{}, model.Section{Title: model.Say("Part"), Blocks: []model.Block{model.Quote{Text: "a\nb\n"}}},
			"\nPart\n  a\n  b\n"},
		"a command is never wrapped": {Options{Width: 40}, model.Command{Line: strings.Repeat("word ", 12) + "end"},
			"  " + strings.Repeat("word ", 12) + "end\n"},
		"no command":              {Options{}, model.Command{}, ""},
		"a quote acts on nothing": {Options{}, model.Quote{Text: "a\x1b[2J\n  b\tc"}, "a\\x1b[2J\n  b\\tc\n"},
		"a difference has its signs": {Options{}, model.Diff{Old: "x", New: "y", Lines: []model.DiffLine{
			{Kind: model.Place, Text: model.Say("@@ here")}, {Text: model.Say("same")}, {Kind: model.Removed, Text: model.Say("old")},
			{Kind: model.Added, Text: model.Say("new"), Note: model.Text{model.Manager.Of("helm")}}, {Kind: model.Altered,
				Text: model.Say("other")}}},
			"--- x\n+++ y\n@@ here\n same\n-old\n+new  # helm\n~other\n"},
		"a difference is folded": {Options{}, model.Diff{Shown: 1, Lines: make([]model.DiffLine, 3)}, "\n… 2 more; -v shows all\n"},
		"a tree has branches, and notes in a column": {Options{}, model.Tree{Nodes: []model.Node{
			{Text: model.Say("a"), Note: model.Say("x"), Nodes: []model.Node{{Text: model.Say("long name"), Note: model.Say("y")},
				{Text: model.Say("b")}}}, {Text: model.Say("c"), Note: model.Say("z")}}},
			"\n├─ a             x\n│  ├─ long name  y\n│  └─ b\n└─ c             z\n"},
		"a tree fits the terminal": {terminal, model.Tree{Nodes: []model.Node{{Text: model.Say(strings.Repeat("a", 40)),
			Note: model.Say(strings.Repeat("b", 30))}}},
			"\n└─ aaaaaaaa…aaaaaaa  bbbbbbbbb…bbbbbbbbb\n"},
		"a listing has margins": {Options{}, model.Listing{Runs: []model.Run{
			{Margin: row("A", "helm"), Lines: row("a:", "  b: 1")}, {Margin: row("-"), Lines: row("c: 2")}, {Lines: row("d: 3")}}},
			"\nA helm │ a:\nA helm │   b: 1\n-      │ c: 2\n       │ d: 3\n"},
		"a long value of a listing is folded": {Options{}, model.Listing{Shown: 1, Runs: []model.Run{{Margin: row("A"), Lines: row("a", "b",
			"c")}}},
			"\nA │ a\n  ┊ … 2 more lines; -v shows all\n"},
		"a line of a listing goes on": {terminal, model.Listing{Runs: []model.Run{{Margin: row("A"), Lines: row(strings.Repeat("x", 40))}}},
			"\nA │ " + strings.Repeat("x", 36) + "\nA ┊ " + strings.Repeat("x", 4) + "\n"},
	} {
		if diff := cmp.Diff(tt.want, Blocks([]model.Block{tt.block}, tt.o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestTables: off a terminal a row is one line; on one nothing but values is cut, and where
// that is not enough a row goes on in lines behind the first.
func TestTables(t *testing.T) {
	values := func(cells ...string) []model.Text {
		out := row(cells...)
		for i := 1; i < len(out); i++ {
			out[i] = model.Text{model.Value.Of(cells[i])}
		}
		return out
	}
	field := strings.Repeat("f", 30)
	headed := []model.Column{{Title: "NAME"}, {Title: "N", Right: true}}
	three := rows(row("a", "1"), row("b", "22"), row("c", "3"))
	terminal := Options{Width: 40, Fit: true}
	for name, tt := range map[string]struct {
		o     Options
		table model.Table
		want  string
	}{
		"columns": {Options{}, model.Table{Columns: make([]model.Column, 2), Rows: rows(row("a", "b"), row("long", "c"))},
			"a     b\nlong  c\n"},
		"an empty line before":       {Options{}, model.Table{Apart: true, Columns: make([]model.Column, 1), Rows: rows(row("a"))}, "\na\n"},
		"numbers stand on the right": {Options{}, model.Table{Columns: headed, Rows: three}, "NAME   N\na      1\nb     22\nc      3\n"},
		"who searches has all rows": {Options{}, model.Table{Columns: headed, Rows: three, Shown: 1},
			"NAME   N\na      1\nb     22\nc      3\n"},
		"a terminal has some": {terminal, model.Table{Columns: headed, Rows: three, Shown: 1},
			"NAME  N\na     1\n… 2 more; -v shows all\n"},
		"without a header, so has text": {Options{}, model.Table{Columns: make([]model.Column, 2), Rows: three, Shown: 1},
			"a  1\n… 2 more; -v shows all\n"},
		"values are cut": {terminal, model.Table{Columns: make([]model.Column, 2), Rows: rows(values("name", strings.Repeat("v", 40)))},
			"name  " + strings.Repeat("v", 17) + "…" + strings.Repeat("v", 16) + "\n"},
		"off a terminal they are not": {Options{Width: 40}, model.Table{Columns: make([]model.Column, 2), Rows: rows(values("name",
			strings.Repeat("v", 40)))},
			"name  " + strings.Repeat("v", 40) + "\n"},
		"names are not, but stand below each other": {terminal, model.Table{Columns: make([]model.Column, 2), Rows: rows(
			[]model.Text{{model.Field.Of(field)}, {model.Manager.Of(strings.Repeat("m", 20))}})},
			field + "\n    " + strings.Repeat("m", 20) + "\n"},
		"nor where a value stands next to a name": {terminal, model.Table{Columns: make([]model.Column, 2), Rows: rows(
			[]model.Text{model.Say("a"), {model.Manager.Of("helm"), model.Plain.Of(":"), model.Value.Of(strings.Repeat("v", 38))}})},
			"a\n    helm:" + strings.Repeat("v", 38) + "\n"},
		"text below is wrapped": {terminal, model.Table{Columns: make([]model.Column, 2), Rows: rows(
			[]model.Text{{model.Field.Of(field)}, model.Say("one two three four five six seven eight nine ten eleven")})},
			field + "\n    one two three four five six seven\n    eight nine ten eleven\n"},
		"a whole cell has a line of its own": {terminal, model.Table{Columns: []model.Column{{Whole: true}, {}}, Rows: rows(
			row(field, strings.Repeat("m", 20)), row("short", "x"))},
			field + "\n" + strings.Repeat(" ", 20) + strings.Repeat("m", 20) + "\nshort" + strings.Repeat(" ", 15) + "x\n"},
		"a cell is cut in its longest span": {terminal, model.Table{Columns: make([]model.Column, 1), Rows: rows(
			[]model.Text{{model.Plain.Of("was "), model.Value.Of(strings.Repeat("v", 40))}})},
			"was " + strings.Repeat("v", 18) + "…" + strings.Repeat("v", 17) + "\n"},
	} {
		if diff := cmp.Diff(tt.want, Blocks([]model.Block{tt.table}, tt.o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestColors: roles have colors, managers differ, and what colors takes no room.
func TestColors(t *testing.T) {
	p := newPrinter(Options{Color: true})
	p.told = []string{"helm", "hpa"}
	p.block(model.Table{Columns: make([]model.Column, 2), Rows: rows(
		[]model.Text{{model.Manager.Of("helm")}, {model.Bad.Of("refused")}},
		[]model.Text{{model.Manager.Of("hpa")}, {model.Good.Of("created")}},
		[]model.Text{{model.Manager.Of("unknown")}, {model.Code.Of("code")}})}, "")
	p.diffLine(model.DiffLine{Kind: model.Added, Text: model.Text{model.Plain.Of("a "), model.Strong.Of("b")}}, "")
	want := "\x1b[36mhelm\x1b[0m     \x1b[31mrefused\x1b[0m\n\x1b[33mhpa\x1b[0m      \x1b[32mcreated\x1b[0m\nunknown  \x1b[36mcode\x1b[0m\n" +
		"\x1b[32m+a \x1b[0m\x1b[32;7mb\x1b[0;27m\n"
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
