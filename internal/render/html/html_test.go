package html

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
)

// TestInline: text is escaped where it is written, and roles have elements.
func TestInline(t *testing.T) {
	for _, tt := range []struct {
		text model.Text
		want markup
	}{
		{model.Say(`<script>alert("1")</script> & 'x'`), "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt; &amp; &#39;x&#39;"},
		{model.Text{model.Strong.Of("a"), model.Field.Of(".b"), model.Value.Of("1"), model.Code.Of("c")},
			"<b>a</b><code>.b</code><code>1</code><code>c</code>"},
		{model.Text{model.Faint.Of("a"), model.Good.Of("b"), model.Bad.Of("c"), model.Changed.Of("d")},
			`<span class="soft">a</span><span class="good">b</span><span class="bad">c</span><span class="changed">d</span>`},
		{model.Say("a\x1b[2J\u202e\nb"), `a\x1b[2J\u202e\nb`},
	} {
		if diff := cmp.Diff(tt.want, inline(tt.text)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	helm, again, hpa := inline(model.Text{model.Manager.Of("helm")}), inline(model.Text{model.Manager.Of("helm")}),
		inline(model.Text{model.Manager.Of("hpa")})
	if looks := regexp.MustCompile(`^<span class="m c[0-7] s[0-3]">helm</span>$`); !looks.MatchString(string(helm)) ||
		helm != again ||
		strings.Replace(string(hpa), "hpa", "helm", 1) == string(helm) {
		t.Errorf("field managers look like %s and %s", helm, hpa)
	}
}

// TestBlocks: each block as a page has it.
func TestBlocks(t *testing.T) {
	say := func(list ...string) []model.Text { return model.Spans(model.Plain, list) }
	items := []model.Item{{Label: model.Say("error"), Text: model.Say("a")}, {Text: model.Say("b"),
		Blocks: []model.Block{model.Command{Line: "c"}}}, {Text: model.Say("d")}}
	rows := [][]model.Text{say("a", "1"), say("b", "2")}
	for name, tt := range map[string]struct {
		block model.Block
		want  markup
	}{
		"a paragraph":  {model.Paragraph{Text: model.Say("<a>")}, "<p>&lt;a&gt;</p>"},
		"with a label": {model.Paragraph{Label: model.Say("Caution:"), Text: model.Say("a")}, `<p><b class="label">Caution:</b> a</p>`},
		"a list": {model.List{Items: items},
			`<ul class="plain"><li><b class="label">error</b> a</li>` + "\n" + `<li>b<pre class="command"><code>c</code></pre>` +
				"\n</li>\n<li>d</li>\n</ul>"},
		"marked": {model.List{Marked: true, Items: items[2:]}, "<ul><li>d</li>\n</ul>"},
		"steps":  {model.List{Numbered: true, Items: items[2:]}, "<ol><li>d</li>\n</ol>"},
		"a list is folded": {model.List{Marked: true, Shown: 1, Items: items},
			"<ul><li><b class=\"label\">error</b> a</li>\n" +
				"</ul><details class=\"more\"><summary>2 more</summary><ul><li>b<pre class=\"command\"><code>c</code></pre>\n</li>\n<li>d</li>\n" +
				"</ul></details>"},
		"one more is shown": {model.List{Marked: true, Shown: 1, Items: items[1:]},
			"<ul><li>b<pre class=\"command\"><code>c</code></pre>\n</li>\n<li>d</li>\n</ul>"},
		"a table": {model.Table{Columns: []model.Column{{Title: "Name"}, {Title: "N", Right: true}}, Rows: rows},
			`<div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col" class="n">N</th></tr></thead><tbody><tr><td>a</td><td class="n">1</td></tr>` +
				"\n" + `<tr><td>b</td><td class="n">2</td></tr>` + "\n</tbody></table></div>"},
		"without a header": {model.Table{Columns: make([]model.Column, 2), Rows: rows[:1]},
			"<div class=\"scroll\"><table><tbody><tr><td>a</td><td>1</td></tr>\n</tbody></table></div>"},
		"of many columns": {model.Table{Columns: []model.Column{{Title: "A"}, {}, {}, {}}, Rows: [][]model.Text{say("1", "2", "3", "4")}},
			`<div class="scroll"><table class="wide"><thead><tr><th scope="col">A</th><th scope="col"></th><th scope="col"></th><th scope="col"></th></tr></thead>` +
				"<tbody><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr>\n</tbody></table></div>"},
		"a difference": {model.Diff{Old: "x", New: "y", Lines: []model.DiffLine{
			{Kind: model.Place, Text: model.Say("@@")}, {Text: model.Say("same")}, {Kind: model.Removed, Text: model.Text{model.Plain.Of("a "),
				model.Strong.Of("<old>")}},
			{Kind: model.Added, Text: model.Say("new"), Note: model.Say("helm")}, {Kind: model.Altered, Text: model.Say("other")}}},
			`<div class="diff"><p class="at">x → y</p><pre><span class="at">@@` +
				"\n</span><span> same\n</span><del>-a <b>&lt;old&gt;</b>\n</del><ins>+new  <small>helm</small>\n</ins><span>~other\n" +
				"</span></pre></div>"},
		"a listing": {model.Listing{Runs: []model.Run{{Margin: say("A", "helm"), Lines: say("a: 1", "b: 2")}, {Margin: say("-"),
			Lines: say("c: 3")}}},
			`<div class="scroll"><table class="listing"><tbody><tr><td>A</td><td>helm</td><td><pre>a: 1` +
				"\nb: 2\n</pre></td></tr>\n<tr><td>-</td><td></td><td><pre>c: 3\n</pre></td></tr>\n</tbody></table></div>"},
		"a tree": {model.Tree{Nodes: []model.Node{{Text: model.Say("a"), Note: model.Say("helm"), Nodes: []model.Node{{Text: model.Say("b")}}}}},
			`<ul class="tree"><li>a <span class="note">helm</span><ul class="tree"><li>b</li>` + "\n</ul></li>\n</ul>"},
		"a command":  {model.Command{Line: "a > b"}, `<pre class="command"><code>a &gt; b</code></pre>`},
		"no command": {model.Command{}, ""},
		"a quote":    {model.Quote{Text: "a\n<b>\n"}, "<pre class=\"quote\">a\n&lt;b&gt;</pre>"},
		"a part": {model.Section{Title: model.Say("Part"), Blocks: []model.Block{model.Section{Title: model.Say("in it")}}},
			`<details class="part" open><summary><h4>Part</h4></summary>` + "\n" + `<details class="part" open><summary><h5>in it</h5></summary>` +
				"\n</details>\n</details>"},
	} {
		if diff := cmp.Diff(tt.want, writer{level: 4}.block(tt.block)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// page is a document as a page, from its body on.
func page(t *testing.T, d model.Document) string {
	t.Helper()
	var out bytes.Buffer
	w := New(&out)
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

func object(name string, weight model.Weight, severity string, managers ...string) model.Section {
	return model.Section{
		Title: model.Say(
			"title of " + name,
		), Weight: weight, Severity: severity, Subject: &model.Subject{Name: name, Kind: "Deployment.apps",
			Reason: "Changed"},
		Under: []model.Block{model.Paragraph{Text: model.Join(model.Spans(model.Manager, managers), " and ")}},
	}
}

// TestVerdict: the answer is marked by what it is, in signs as well as in color.
func TestVerdict(t *testing.T) {
	lead := []model.Text{model.Say("the answer"), model.Say("interrupted")}
	for name, tt := range map[string]struct {
		d    model.Document
		want string
	}{
		"accepted": {model.Document{Head: model.Head{Lead: lead}},
			`<p class="verdict yes"><span aria-hidden="true">✓</span> the answer</p>` + "\n" + `<p class="made">interrupted</p>`},
		"refused": {model.Document{Tail: model.Tail{State: model.Refused, Headline: lead[:1]}},
			`<p class="verdict no"><span aria-hidden="true">✕</span> the answer</p>`},
		"accepted, and to be looked at": {model.Document{Tail: model.Tail{Severity: "warning", Headline: lead[:1]}},
			`<p class="verdict no"><span aria-hidden="true">!</span> the answer</p>`},
		"the exit code is explained": {model.Document{Tail: model.Tail{State: model.Refused, Exit: "exit 1: why", Headline: lead[:1]}},
			`<p class="verdict no"><span aria-hidden="true">✕</span> exit 1: why</p>`},
		"of one object it is its title": {model.Document{Head: model.Head{Total: 1}, Sections: []model.Section{object("web", model.Change, "")}},
			`<p class="verdict yes"><span aria-hidden="true">✓</span> title of web</p>`},
		"what was simulated": {model.Document{Head: model.Head{Server: "v1.36.3", Live: ", on live objects of May", Made: "today", Lead: lead}},
			`<p class="made">Simulated without a cluster, as Kubernetes v1.36.3 answers, on live objects of May, today.</p>`},
		"what was not read": {model.Document{Head: model.Head{Lead: lead, Problems: []model.Problem{{At: "a.yaml:3", Message: "<bad>"}}}},
			"<li><pre>a.yaml:3: &lt;bad&gt;</pre></li>"},
	} {
		if got := page(t, tt.d); !strings.Contains(got, tt.want) {
			t.Errorf("%s: want %s in\n%s", name, tt.want, got[strings.Index(got, "<body>"):strings.Index(got, "<script>")])
		}
	}
}

// TestGroups: what asks for a decision is first, and open as long as it is little.
func TestGroups(t *testing.T) {
	got := page(t, model.Document{Head: model.Head{Title: "Title", Total: 4}, Sections: []model.Section{
		object(
			"changed",
			model.Change,
			"",
		), object("dull", model.Dull, ""), object("wrong", model.Decision, "error"), object("unknown",
			model.Detail, "")}})
	groups := regexp.MustCompile(`<h2 id="group-(\w+)">|<details class="object" id="object-(\d)"[^>]*?( open)?>`)
	var order []string
	for _, m := range groups.FindAllStringSubmatch(got, -1) {
		order = append(order, m[1]+m[2]+m[3])
	}
	if diff := cmp.Diff([]string{"needs", "3 open", "changes", "1", "answers", "4", "nothing", "2"}, order); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFilters: by severity and outcome, the worst first; by kind and by field manager, those
// with the most objects first; and none for one object.
func TestFilters(t *testing.T) {
	var list []model.Section
	for i := range maxLinks + 2 {
		list = append(list, object(fmt.Sprint("o", i), model.Change, "", "helm"))
	}
	list[1].Severity, list[2].Severity, list[3].Subject.Kind = "warning", "error", "Secret"
	list[2].Under = []model.Block{model.Paragraph{Text: model.Text{model.Manager.Of("hpa"), model.Manager.Of("helm"),
		model.Manager.Of("hpa")}}}
	got := page(t, model.Document{Head: model.Head{Title: "Title", Total: len(list)}, Sections: list})
	var tiles []string
	for _, m := range regexp.MustCompile(`<label class="tile (\w+)"><input type="checkbox" id="show-(\d)" checked> <b class="sign">(\d+)</b> (\w+)</label>`).FindAllStringSubmatch(got, -1) {
		tiles = append(tiles, strings.Join(m[1:], " "))
	}
	if diff := cmp.Diff([]string{"conflicted 2 1 error", "configured 1 1 warning", "configured 0 30 changed"}, tiles); diff != "" {
		t.Errorf("tiles (-want +got):\n%s", diff)
	}
	for _, want := range []string{
		`<option value="">all kinds</option><option value="0">Deployment.apps (31)</option><option value="1">Secret (1)</option>`,
		`<option value="">all managers</option><option value="0">helm (32)</option><option value="1">hpa (1)</option>`,
		`id="object-3" data-tile="2" data-kind="0" data-managers=" 1 0 "`,
		`<a href="#object-30">o29</a>  and 2 more</dd>`,
		`hpa</span> <span class="soft">1</span></dt><dd><a href="#object-3">o2</a> </dd>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %s in\n%s", want, got[strings.Index(got, "<form"):strings.Index(got, `<div id="objects"`)])
		}
	}
	if got := page(t, model.Document{Head: model.Head{Total: 1}, Sections: list[:1]}); strings.Contains(got, "<form") ||
		strings.Contains(got, "Objects by field manager") {
		t.Error("one object has filters")
	}
}

// TestPolicy: the page allows its own style and script, and nothing else.
func TestPolicy(t *testing.T) {
	got := page(t, model.Document{Head: model.Head{Lead: []model.Text{model.Say("answer </title><script>")}}})
	for tag, directive := range map[string]string{"style": "style-src", "script": "script-src"} {
		_, rest, _ := strings.Cut(got, "<"+tag+">")
		source, _, _ := strings.Cut(rest, "</"+tag+">")
		if want := directive + " '" + sourceHash(markup(source)) + "'"; !strings.Contains(got, want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	if !strings.Contains(got, "default-src 'none'; ") || !strings.Contains(got,
		"<title>answer &lt;/title&gt;&lt;script&gt; · ssactl</title>") {
		t.Errorf("the head is\n%s", got[:strings.Index(got, "<style>")])
	}
}

// TestHeld: what is more than is held as it is comes back from where it was packed.
func TestHeld(t *testing.T) {
	var out bytes.Buffer
	w := New(&out)
	w.hold = 300
	for i, confidential := range []bool{false, true, false, true} {
		s := object(fmt.Sprint("o", i), model.Change, "")
		s.Confidential = confidential
		s.Blocks = []model.Block{model.Quote{Text: strings.Repeat(fmt.Sprint("text ", i, " "), 20)}}
		part, err := w.Part(s)
		if err == nil {
			err = w.Add(part)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(model.Tail{}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if n := strings.Count(out.String(), fmt.Sprint("text ", i, " ")); n != 20 {
			t.Errorf("object %d: %d of 20 words", i, n)
		}
	}
}

// TestLongLines: a long line is shown as a whole once, folded, and the count of a severity is
// that of the headline.
func TestLongLines(t *testing.T) {
	long := model.Say(strings.Repeat("x", 5000))
	got := string(writer{}.blocks([]model.Block{
		model.Diff{Lines: []model.DiffLine{{Kind: model.Removed, Text: long}, {Kind: model.Added, Text: long}}},
		model.Listing{Runs: []model.Run{{Lines: []model.Text{long}}}},
	}))
	if n := strings.Count(got, strings.Repeat("x", 5000)); n != 1 || len(got) > 8000 {
		t.Errorf("the line is there %d times in %d bytes", n, len(got))
	}
	x := index{tiles: list{names: []string{"error", "Configured"}, counts: []int{9, 3}}, classes: []string{"a", "b"}}
	form := string(x.form(12, map[string]int{"error": 7}))
	for _, want := range []string{`<b class="sign">7</b> errors, objects: 9<`, `<b class="sign">3</b> configured<`} {
		if !strings.Contains(form, want) {
			t.Errorf("no %s in %s", want, form)
		}
	}
}
