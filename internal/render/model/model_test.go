package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/text"
)

// TestTextf: parts keep their roles, neighbors of one role are one span, and nothing is left
// of empty ones.
func TestTextf(t *testing.T) {
	for name, tt := range map[string]struct{ got, want Text }{
		"words":    {Textf("a %v", "b"), Text{Plain.Of("a b")}},
		"a number": {Textf("%v of %v", 1, 2), Text{Plain.Of("1 of 2")}},
		"a span":   {Textf("%v: %v", Strong.Of("a"), Strong.Of("b")), Text{Strong.Of("a"), Plain.Of(": "), Strong.Of("b")}},
		"a text":   {Textf("%v%v", Text{Plain.Of("a"), Bad.Of("b")}, Bad.Of("c")), Text{Plain.Of("a"), Bad.Of("bc")}},
		"a finder's": {Textf("%v.", text.New("%v owns %v", text.By("helm"), text.Path(".a"))), Text{Manager.Of("helm"), Plain.Of(" owns "),
			Field.Of(".a"), Plain.Of(".")}},
		"nothing":           {Textf("%v%v", Text(nil), Strong.Of("")), nil},
		"a literal %v":      {Textf("%v", "100%v"), Text{Plain.Of("100%v")}},
		"empty says none":   {Say(""), nil},
		"joined":            {Join([]Text{Say("a"), {Bad.Of("b")}, Say("c")}, ", "), Text{Plain.Of("a, "), Bad.Of("b"), Plain.Of(", c")}},
		"joined of none":    {Join(nil, ", "), nil},
		"several of a role": {Join(Spans(Field, []string{".a", ".b"}), " "), Text{Field.Of(".a"), Plain.Of(" "), Field.Of(".b")}},
		"said":              {Join(Said([]text.Text{text.New("a %v", text.Path(".b")), {}}), "; "), Text{Plain.Of("a "), Field.Of(".b"), Plain.Of("; ")}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWords: a text is cut at its spaces; numbers stay with what they count, and paths and
// code are whole.
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		text Text
		want []string
	}{
		{Say("a  b c"), []string{"a", "b", "c"}},
		{Say("has 2 fields of 12 objects"), []string{"has", "2 fields", "of", "12 objects"}},
		{Text{Field.Of(`.data["a b"]`), Plain.Of(" and "), Code.Of("a b")}, []string{`.data["a b"]`, "and", "a b"}},
		{Text{Plain.Of("("), Strong.Of("a b"), Plain.Of(")")}, []string{"(a", "b)"}},
		{Text{Strong.Of("3"), Plain.Of(" objects")}, []string{"3 objects"}},
		{nil, nil},
	} {
		var got []string
		for _, w := range tt.text.Words() {
			got = append(got, w.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestWalk visits every text of a section, in the order in which it is read.
func TestWalk(t *testing.T) {
	s := Section{
		Before: []Block{Paragraph{Label: Say("1"), Text: Say("2")}}, Title: Say("3"),
		Under: []Block{Quote{Text: "4"}},
		Blocks: []Block{
			List{Items: []Item{{Label: Say("5"), Text: Say("6"), Blocks: []Block{Command{Line: "7"}}}}},
			Table{Columns: []Column{{Title: "8"}}, Rows: [][]Text{{Say("9")}, {Say("10")}}},
			Diff{Lines: []DiffLine{{Text: Say("11"), Note: Say("12")}}},
			Listing{Runs: []Run{{Margin: []Text{Say("13")}, Lines: []Text{Say("14")}}}},
			Tree{Nodes: []Node{{Text: Say("15"), Note: Say("16"), Nodes: []Node{{Text: Say("17"), Note: Say("18")}}}}},
			Section{Title: Say("19"), Blocks: []Block{Quote{Text: "20"}}},
		},
	}
	var got string
	s.Walk(func(t Text) { got += t.String() + " " })
	if want := "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 "; got != want {
		t.Errorf("visited %s, want %s", got, want)
	}
}

func TestSign(t *testing.T) {
	got := ""
	for _, k := range []LineKind{Same, Added, Removed, Place, Altered} {
		got += "[" + k.Sign() + "]"
	}
	if want := "[ ][+][-][][~]"; got != want {
		t.Errorf("signs %s, want %s", got, want)
	}
}
