package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// repositoryOf is one with every page of the navigation, and pages changed.
func repositoryOf(changed map[string]string) fstest.MapFS {
	files := fstest.MapFS{schema: {Data: []byte(`{"$id": "https://example.com/schemas/v1/report.schema.json"}`)}}
	for _, e := range entries() {
		files[e.source] = &fstest.MapFile{Data: []byte("# " + e.title + "\n")}
	}
	for name, text := range changed {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// TestBuildRefuses: what a reader would miss is an error of the build.
func TestBuildRefuses(t *testing.T) {
	for want, changed := range map[string]map[string]string{
		"docs/lint.md: nowhere.md: there is no such file":                      {"docs/lint.md": "# Lint\n\n[x](nowhere.md)\n"},
		"docs/lint.md: audit.html#x: the page has no such heading":             {"docs/lint.md": "# Lint\n\n[x](audit.md#x)\n"},
		"docs/howto/helm.md: ../pictures/no.svg: there is no such file":        {"docs/howto/helm.md": "# Helm\n\n![x](../pictures/no.svg)\n"},
		"docs/more.md is not in the navigation":                                {"docs/more.md": "# More\n"},
		"docs/lint.md: the page has no title":                                  {"docs/lint.md": "## Lint\n"},
		"docs/report.schema.json: its $id has no path":                         {schema: "{}"},
		"docs/lint.md: #no: the page has no such heading\ndocs/schema.md: #no": {"docs/lint.md": "# A\n\n[x](#no)\n", "docs/schema.md": "# B\n\n[x](#no)\n"},
	} {
		if err := build(repositoryOf(changed), t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestPage: links lead to where things are in the site, and what the site shows in its
// own way is shown so.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	err := build(repositoryOf(map[string]string{
		"docs/howto/helm.md":  "# Helm\n\n<!-- secret -->\n[page](../lint.md#a-b), [home](../../README.md), [file](../../x.yaml#L1), [web](https://example.com) `a\nb`\n\n![alt](../pictures/p.svg)\n\n```console\n$ ssactl <x>\nout\n```\n\n| a |\n|---|\n| b |\n",
		"docs/lint.md":        "# Lint\n\n## A `b`\n",
		"docs/pictures/p.svg": "<svg/>",
		"x.yaml":              "",
	}), dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(dir + "/howto/helm.html")
	if err != nil {
		t.Fatal(err)
	}
	_, article, _ := strings.Cut(string(text), "<article>\n")
	article, _, _ = strings.Cut(article, "</article>")
	want := `<h1 id="helm">Helm</h1>
<p><a href="../lint.html#a-b">page</a>, <a href="../index.html">home</a>, <a href="` + repository + `x.yaml#L1">file</a>, <a href="https://example.com">web</a> <code class="short">a b</code></p>
<p><img src="../pictures/p.svg" alt="alt"></p>
<pre class="scroll" tabindex="0"><code><b>$ ssactl &lt;x&gt;</b>
out
</code></pre>
<div class="scroll" tabindex="0">
<table>
<thead>
<tr>
<th>a</th>
</tr>
</thead>
<tbody>
<tr>
<td>b</td>
</tr>
</tbody>
</table>
</div>
`
	if diff := cmp.Diff(want, article); diff != "" {
		t.Errorf("the article (-want +got):\n%s", diff)
	}
}

// TestSlugs: anchors are those of GitHub.
func TestSlugs(t *testing.T) {
	s := newSlugs()
	for _, c := range [][2]string{
		{"Commands", "commands"},
		{"`ssactl lint`", "ssactl-lint"},
		{"ComparisonError: … field not declared", "comparisonerror--field-not-declared"},
		{"report.Result", "reportresult"},
		{"Commands", "commands-1"},
	} {
		if got := string(s.Generate([]byte(c[0]), 0)); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}
