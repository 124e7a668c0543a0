package cmd

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/cmd/stories"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

var charts = flag.String(
	"charts",
	ownCharts,
	"a folder with a folder for each chart: first.yaml, second.yaml, between.yaml",
)

var ownCharts = filepath.Join("..", "..", "testdata", "charts")

// installers are the clients that install a chart twice, with what the steps of a story say of
// them.
var installers = []struct{ name, client string }{
	{"Helm 3", "client: helm@3"}, {"Helm 4", "client: helm@4"},
	{
		"kubectl, client-side",
		"client: kubectl, serverSide: false",
	}, {"kubectl, server-side", "client: kubectl, serverSide: true"},
	{"Argo CD", "client: argocd"}, {"Flux", "client: flux"},
}

// TestSecondInstall installs rendered charts twice by each client, and compares what the second
// install does with docs/second-install.md, or writes that with -update. Of a folder that
// -charts names it prints the page.
func TestSecondInstall(t *testing.T) {
	installs := twice(t, *charts)
	page := secondInstallPage(t, *charts, installs)
	if *charts != ownCharts {
		t.Log("\n" + page)
		return
	}
	name := filepath.Join("..", "..", "docs", "second-install.md")
	if *update {
		if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != page {
		t.Errorf("docs/second-install.md is out of date (%v): make twice", err)
	}
}

// charted is a chart that a client installs a second time.
type charted struct{ chart, client string }

// twice are the stories of the charts of a folder, told.
func twice(t *testing.T, folder string) map[charted]stories.Told {
	t.Helper()
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	firsts, err := filepath.Glob(filepath.Join(folder, "*", "first.yaml"))
	if err != nil || len(firsts) == 0 {
		t.Fatalf("%s has no chart: %v", folder, err)
	}
	dir := t.TempDir()
	names := map[string]charted{}
	for _, first := range firsts {
		chart := filepath.Base(filepath.Dir(first))
		second, between := first, ""
		if again := filepath.Join(filepath.Dir(first), "second.yaml"); exists(again) {
			second = again
		}
		if steps, err := os.ReadFile(filepath.Join(filepath.Dir(first), "between.yaml")); err == nil {
			between = string(steps)
		}
		for _, i := range installers {
			name := chart + " by " + i.name
			names[name] = charted{chart, i.name}
			writeIn(t, dir, fmt.Sprintf("%03d.yaml", len(names)), fmt.Appendf(
				nil,
				"apiVersion: ssactl.dev/v1alpha1\nkind: Story\nname: %q\nnamespace: shop\nsteps:\n- {%s, apply: %q}\n%s- {%s, apply: %q}\n",
				name,
				i.client,
				first,
				between,
				i.client,
				second,
			))
		}
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"test", dir, "-o", "json"},
		iostreams.New(strings.NewReader(""), &out, &errs, func(string) string { return "" })); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, out.String(), errs.String())
	}
	var doc stories.Document
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	told := map[charted]stories.Told{}
	for _, s := range doc.Stories {
		told[names[s.Name]] = s
	}
	return told
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

const secondInstallIntro = `# The second install

Which charts are a no-op when they are installed a second time, and which conflict, change
something each time, or fight another writer? ` + "`make twice`" + ` installs each rendered chart of
[testdata/charts](../testdata/charts) twice, as each client does, and writes this page; nothing
is installed anywhere. ` + "`go test ./internal/cmd -run TestSecondInstall -v -charts DIR`" + ` prints
the same of a folder of yours, which has a folder for each chart: ` + "`first.yaml`" + `, and where
there is one ` + "`second.yaml`" + `, a second rendering, and ` + "`between.yaml`" + `, what others write in
between (steps of a [story](stories.md)).

For one chart, ` + "`ssactl test --twice -f chart.yaml --client helm`" + ` says it.

- **no-op**: nothing changes.
- **changes**: values change, or managed fields.
- **conflicts**: the API server rejects the second install with a conflict.
- **rejected**: it rejects it for another reason, or rejected the first install.
- **fights**: the client and another writer undo each other.
`

// secondInstallPage is the page: a table, and below it why.
func secondInstallPage(t *testing.T, folder string, installs map[charted]stories.Told) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(secondInstallIntro + "\n| chart |")
	for _, i := range installers {
		b.WriteString(" " + i.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(installers)) + "\n")
	names := map[string]bool{}
	for i := range installs {
		names[i.chart] = true
	}
	for _, chart := range slices.Sorted(maps.Keys(names)) {
		b.WriteString("| " + chart + " |")
		for _, i := range installers {
			b.WriteString(" " + verdictOf(installs[charted{chart, i.name}]) + " |")
		}
		b.WriteString("\n")
	}
	for _, chart := range slices.Sorted(maps.Keys(names)) {
		if reasons := reasonsOf(chart, installs); reasons != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s%s", chart, describes(folder, chart), reasons)
		}
	}
	return b.String()
}

// describes is what a chart says of itself: the comment at the top of its rendering.
func describes(folder, chart string) string {
	text, _ := os.ReadFile(filepath.Join(folder, chart, "first.yaml"))
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		says, is := strings.CutPrefix(line, "# ")
		if !is {
			break
		}
		b.WriteString(says)
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// verdictOf is what the second install comes to, in a word or several.
func verdictOf(told stories.Told) string {
	found := map[string]bool{}
	for n, step := range told.Steps {
		first, last := n == 0, n == len(told.Steps)-1
		for _, o := range step.Objects {
			switch {
			case !first && !last:
			case o.Outcome == "Conflicted":
				found["conflicts"] = true
			case o.Outcome == "Invalid" || o.Outcome == "Failed":
				found["rejected"] = true
				if first {
					return "rejected"
				}
			case last && o.Settles == "Cycle":
				found["fights"] = true
			case last && o.Outcome != "Unchanged":
				found["changes"] = true
			}
		}
	}
	if len(found) == 0 {
		return "no-op"
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), ", ")
}

// reasonsOf says why the second install of a chart is no no-op, with the clients of each reason.
func reasonsOf(chart string, installs map[charted]stories.Told) string {
	by, order := map[string][]string{}, []string{}
	for _, i := range installers {
		told := installs[charted{chart, i.name}]
		for n, step := range told.Steps {
			if n > 0 && n < len(told.Steps)-1 {
				continue
			}
			for _, reason := range reasons(step, n > 0) {
				if by[reason] == nil {
					order = append(order, reason)
				}
				by[reason] = append(by[reason], i.name)
			}
		}
	}
	var b strings.Builder
	for _, reason := range order {
		who := strings.Join(slices.Compact(by[reason]), "; ")
		fmt.Fprintf(&b, "- %s: `%s`\n", who, strings.ReplaceAll(reason, "`", "'"))
	}
	return b.String()
}

// mostReasons is how many changes of an object the page lists.
const mostReasons = 4

// reasons are what keeps an install from being a no-op, in lines: what the API server rejects,
// and of the second one what changes.
func reasons(step stories.Step, second bool) (out []string) {
	for _, o := range step.Objects {
		say := func(format string, args ...any) {
			out = append(out, o.Object+": "+fmt.Sprintf(format, args...))
		}
		switch {
		case o.Outcome == "Conflicted" || o.Outcome == "Invalid" || o.Outcome == "Failed":
			says, _, _ := strings.Cut(o.Message, "\n")
			say("%s", short(says))
		case !second:
		case len(o.Changes) == 0 && o.Outcome == "Configured" && len(o.Cycle) == 0:
			say("managed fields entries change, and no value")
		}
		if !second {
			continue
		}
		for _, says := range slices.Concat(o.Cycle, o.Changes[:min(len(o.Changes), mostReasons)]) {
			say("%s", short(says))
		}
	}
	return out
}

// short is a text of at most 200 bytes.
func short(text string) string {
	if len(text) > 200 {
		return strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}
