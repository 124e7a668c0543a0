package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
)

// TestInline: what others wrote stands for itself, and roles are code or bold.
func TestInline(t *testing.T) {
	for _, tt := range []struct {
		text model.Text
		want string
	}{
		{model.Say("plain, with (words): and 100%"), "plain, with (words): and 100%"},
		{model.Text{model.Strong.Of("bold"), model.Plain.Of(" "), model.Bad.Of("refused"), model.Plain.Of(" "), model.Faint.Of("faint"),
			model.Good.Of("")}, "<b>bold</b> <b>refused</b> faint"},
		{model.Text{model.Field.Of(".a.b"), model.Manager.Of("helm"), model.Value.Of("1"), model.Code.Of("x")},
			"<code>.a.b</code><code>helm</code><code>1</code><code>x</code>"},
		{model.Say("@team and #12"), "<code>&#64;team and &#35;12</code>"},
		{model.Say("~bug or !4"), "<code>&#126;bug or !4</code>"},
		{model.Say("*a* `b` ~ |d| <e> \\f & $"), "&#42;a&#42; &#96;b&#96; &#126; &#124;d&#124; &#60;e> &#92;f &#38; &#36;"},
		{model.Say("snake_case _a_ x_"), "snake_case &#95;a&#95; x&#95;"},
		{model.Say("www.example.com a.b"), "www&#46;example.com a.b"},
		{model.Say("http://a mailto:b XMPP:c :smile: a: b"), "http&#58;//a mailto&#58;b XMPP&#58;c &#58;smile: a: b"},
		{model.Say("[a](b) [c] [^1] [d]: e["), "[a&#93;(b) [c] &#91;&#94;1] [d&#93;: e&#91;"},
		{model.Say("a\nb\x1b"), `a&#92;nb&#92;x1b`},
	} {
		if diff := cmp.Diff(tt.want, inline(tt.text)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestStarted: no line begins a list, a heading or a block that it was not meant for.
func TestStarted(t *testing.T) {
	for line, want := range map[string]string{
		"": "&#32;", "words": "words", "- item": "&#45; item", "+ item": "&#43; item", "=== rule": "&#61;== rule", "!note": "&#33;note",
		"> quote": "&#62; quote",
		"[ ] box": "&#91; ] box", " code": "&#32;code", "1. first": "&#49;. first", "12) twelfth": "&#49;2) twelfth", "3 of 4": "3 of 4",
		"1.5": "&#49;.5",
	} {
		if got := started(line); got != want {
			t.Errorf("started(%q) = %q, want %q", line, got, want)
		}
	}
}

// TestFence: a block ends where it should, whatever is in it.
func TestFence(t *testing.T) {
	for text, want := range map[string]string{
		"a\n": "```sh\na\n```\n", "```": "````sh\n```\n````\n", "a `````b` c": "``````sh\na `````b` c\n``````\n", "": "```sh\n\n```\n",
	} {
		if diff := cmp.Diff(want, Fence("sh", text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestBlocks: each block in Markdown, in full and shortened.
func TestBlocks(t *testing.T) {
	say := func(list ...string) []model.Text { return model.Spans(model.Plain, list) }
	list := model.List{Items: []model.Item{
		{Label: model.Text{model.Bad.Of("error")}, Text: model.Say("a")}, {Text: model.Say("- b"),
			Blocks: []model.Block{model.Command{Line: "c"}}}, {Label: model.Say("d")}}}
	numbered := list
	numbered.Numbered = true
	table := model.Table{
		Columns: []model.Column{{Title: "Name"}, {Title: "N", Right: true}},
		Rows: [][]model.Text{say("a|b", "1"), say("c",
			"2"), say("d", "3")},
	}
	diff := model.Diff{
		Old: "x",
		New: "y",
		Lines: []model.DiffLine{{Text: model.Say("same")}, {Kind: model.Removed, Text: model.Say("old")},
			{Kind: model.Added, Text: model.Say("new"), Note: model.Say("helm")}},
	}
	listing := model.Listing{
		Runs: []model.Run{{Margin: say("A", "helm"), Lines: say("a: 1", "b: 2", "c: 3")}, {Lines: say("d: 4")}},
	}
	for name, tt := range map[string]struct {
		block model.Block
		most  int
		want  string
	}{
		"a paragraph":         {model.Paragraph{Text: model.Say("1. a")}, 0, "&#49;. a\n"},
		"with a label":        {model.Paragraph{Label: model.Text{model.Strong.Of("Caution:")}, Text: model.Say("a")}, 0, "<b>Caution:</b> a\n"},
		"a list":              {list, 0, "- <b>error</b> a\n- &#45; b\n\n  ```sh\n  c\n  ```\n- <b>d</b>\n"},
		"a list is shortened": {list, 1, "- <b>error</b> a\n- … 2 more\n"},
		"one more is shown":   {list, 2, "- <b>error</b> a\n- &#45; b\n\n  ```sh\n  c\n  ```\n- <b>d</b>\n"},
		"steps":               {numbered, 1, "1. <b>error</b> a\n- … 2 more\n"},
		"a table":             {table, 0, "| Name | N |\n|---|---:|\n| a&#124;b | 1 |\n| c | 2 |\n| d | 3 |\n"},
		"a table, shortened":  {table, 1, "| Name | N |\n|---|---:|\n| a&#124;b | 1 |\n| … 2 more | |\n"},
		"a difference":        {diff, 0, "```diff\n--- x\n+++ y\n same\n-old\n+new  # helm\n```\n"},
		"a long difference":   {diff, 1, "```diff\n--- x\n+++ y\n same\n```\n\n… 2 more lines of the diff\n"},
		"a listing":           {listing, 0, "```\nA helm │ a: 1\nA helm │ b: 2\nA helm │ c: 3\n       │ d: 4\n```\n"},
		"a long listing":      {listing, 1, "```\nA helm │ a: 1\n       ┊ … 2 more lines\n       │ d: 4\n```\n"},
		"a tree": {model.Tree{Nodes: []model.Node{{Text: model.Say("a"), Note: model.Text{model.Manager.Of("helm")},
			Nodes: []model.Node{{Text: model.Say("+b")}}}}}, 0,
			"- a <code>helm</code>\n  - &#43;b\n"},
		"a command":  {model.Command{Line: "ssactl x\x1b"}, 0, "```sh\nssactl x\\x1b\n```\n"},
		"no command": {model.Command{}, 0, ""},
		"a quote":    {model.Quote{Text: "a\n`b`"}, 0, "```\na\n`b`\n```\n"},
		"a part":     {model.Section{Title: model.Say("Part"), Blocks: []model.Block{model.Quote{Text: "a"}}}, 0, "#### Part\n\n```\na\n```\n"},
	} {
		if diff := cmp.Diff(tt.want, block(tt.block, tt.most)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// play sends a document through the format.
func play(t *testing.T, d model.Document, o Options) string {
	t.Helper()
	var out bytes.Buffer
	w := New(&out, o)
	if err := w.Begin(d.Head); err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Sections {
		part, err := w.Part(s)
		if err == nil {
			err = w.Add(part)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(d.Tail); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func section(title string, weight model.Weight, severity string) model.Section {
	return model.Section{
		Title:    model.Say(title),
		Weight:   weight,
		Severity: severity,
		Blocks:   []model.Block{model.Quote{Text: "of " + title}},
	}
}

// TestComment: the answer first, then inputs that cannot be read, decisions by their
// severity and unfolded, changes, and the rest.
func TestComment(t *testing.T) {
	d := model.Document{
		Head: model.Head{Title: "Title", Server: "v1.36.3", Live: ", on live objects of May", Total: 5,
			Problems: []model.Problem{{At: "a.yaml:3", Message: "bad"}, {File: "b.yaml", Message: "worse"}}},
		Sections: []model.Section{
			section("detail", model.Detail, ""), section("dull", model.Dull, ""), section("change", model.Change, ""),
			section("warned", model.Decision, "warning"), section("wrong", model.Decision, "error"),
		},
		Tail: model.Tail{
			Headline: []model.Text{{model.Strong.Of("5 objects"), model.Plain.Of(" by "), model.Manager.Of("helm")},
				model.Say("- interrupted")},
			Exit:   "exit 1: why",
			First:  []model.Block{model.Quote{Text: "first"}},
			Blocks: []model.Block{model.Quote{Text: "blocks"}},
			Listed: []model.Block{model.Quote{Text: "listed"}},
		},
	}
	details := func(open, title string) string {
		return "\n<details" + open + "><summary>" + title + "</summary>\n\n```\nof " + title + "\n```\n\n</details>\n"
	}
	want := Marker + "\n## Title, exit 1: why: 5 objects by <code>helm</code>\n\n&#45; interrupted\n\n```\nfirst\n```\n\n```\nblocks\n" +
		"```\n\n```\nlisted\n```\n" +
		"\nSimulated without a cluster, as Kubernetes v1.36.3 answers, on live objects of May.\n" +
		"\n### <code>a.yaml:3</code> cannot be read\n```\nbad\n```\n\n### <code>b.yaml</code> cannot be read\n```\nworse\n```\n" +
		details(
			" open",
			"wrong",
		) + details(
		" open",
		"warned",
	) + details(
		"",
		"change",
	) + details(
		"",
		"detail",
	)
	if diff := cmp.Diff(want, play(t, d, Options{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if all := play(t, d, Options{Verbose: true}); all != want+details("", "dull") {
		t.Errorf("all is asked for: %s", cmp.Diff(want+details("", "dull"), all))
	}
	alone := model.Document{Head: model.Head{Title: "Title", Total: 1}, Sections: d.Sections[1:2]}
	if diff := cmp.Diff(Marker+"\n## Title\n\n### dull\n\n```\nof dull\n```\n", play(t, alone, Options{})); diff != "" {
		t.Errorf("one object (-want +got)\n%s", diff)
	}
}

// TestCommentFits: a comment keeps to its length, shortens from the end, and names what it
// left out.
func TestCommentFits(t *testing.T) {
	var d model.Document
	d.Title, d.Total = "Title", 60
	d.Headline = []model.Text{model.Say("60 objects")}
	for i := range 60 {
		s := section(fmt.Sprintf("object-%d", i), model.Change, "")
		if i == 59 {
			s.Weight = model.Decision
		}
		lines := model.Diff{}
		for line := range 40 {
			lines.Lines = append(
				lines.Lines,
				model.DiffLine{Text: model.Text{model.Plain.Of(fmt.Sprintf("line %d of %d", line, i))}},
			)
		}
		s.Blocks = []model.Block{lines}
		d.Sections = append(d.Sections, s)
	}
	whole := play(t, d, Options{})
	for _, limit := range []int{MinMaxBytes, 4000, 16000, len(whole)} {
		got := play(t, d, Options{MaxBytes: limit})
		if len(got) > limit {
			t.Errorf("%d bytes, at most %d", len(got), limit)
		}
		if limit == len(whole) {
			if got != whole {
				t.Errorf("what fits was cut:\n%s", cmp.Diff(whole, got))
			}
			continue
		}
		if limit > MinMaxBytes && !strings.Contains(got, "line 39 of 59\n") {
			t.Errorf("%d: the decision is cut", limit)
		}
		if !strings.Contains(
			got,
			fmt.Sprintf("cut at %d characters. Left out, at least in part, are the details of <code>object-", limit),
		) {
			t.Errorf("%d: it does not say what is cut:\n%s", limit, got[max(0, len(got)-300):])
		}
		whole, lost := 0, strings.Count(got[strings.LastIndex(got, "\nThis comment"):], "<code>")
		for object := range 60 {
			whole += strings.Count(got, fmt.Sprintf("line 39 of %d\n", object))
		}
		if _, rest, more := strings.Cut(got[strings.LastIndex(got, "</code>"):], " and "); more {
			var n int
			if _, err := fmt.Sscanf(rest, "%d more", &n); err != nil {
				t.Fatal(err)
			}
			lost += n
		}
		if whole+lost != 60 {
			t.Errorf("%d: %d objects are whole, and %d are said to be cut", limit, whole, lost)
		}
		if opened, closed := strings.Count(got, "<details"), strings.Count(got, "</details>"); opened != closed {
			t.Errorf("%d: %d objects begin and %d end", limit, opened, closed)
		}
	}
}

// TestSteps: each form of a list has about three quarters of the one before.
func TestSteps(t *testing.T) {
	for lines, want := range map[int][]int{2: nil, 3: nil, 4: {3}, 10: {7, 5, 3}, 2000: {800, 600, 450, 337, 252, 189, 141, 105, 78, 58, 43,
		32, 24, 18, 13, 9, 6, 4, 3}} {
		if diff := cmp.Diff(want, steps(lines)); diff != "" {
			t.Errorf("%d lines (-want +got):\n%s", lines, diff)
		}
	}
}

// TestCutSentence: names are listed as far as there is room, and the others counted.
func TestCutSentence(t *testing.T) {
	const intro = "\nThis comment was cut at 9 characters. Left out, at least in part, are the details of "
	many := make([]string, 500)
	for i := range many {
		many[i] = fmt.Sprint("name-", i)
	}
	for _, tt := range []struct {
		lost []string
		want string
	}{{[]string{"a"}, intro + "<code>a</code>.\n"}, {[]string{"a", "b"}, intro + "<code>a</code>, <code>b</code>.\n"}} {
		if diff := cmp.Diff(tt.want, cutSentence(9, tt.lost)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	got := cutSentence(9, many)
	named := strings.Count(got, "<code>")
	if len(got) > cutReserve || !strings.HasSuffix(got, fmt.Sprintf(" and %d more.\n", 500-named)) || named < 20 {
		t.Errorf("%d bytes, %d names: %s", len(got), named, got[len(got)-60:])
	}
}
