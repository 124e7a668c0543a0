package show

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

func TestGolden(t *testing.T) {
	cases := []struct {
		name    string
		format  string
		options Options
		results []report.Result
	}{
		{"created", "text", Options{}, []report.Result{created()}},
		{"created_verbose", "text", Options{Verbose: true}, []report.Result{created()}},
		{"configured", "text", Options{}, []report.Result{configured()}},
		{"configured_60", "text", Options{Width: 60}, []report.Result{configured()}},
		{"configured_160", "text", Options{Width: 160}, []report.Result{configured()}},
		{"configured_color", "text", Options{Color: true}, []report.Result{configured()}},
		{"unchanged", "text", Options{}, []report.Result{unchanged()}},
		{"conflicted", "text", Options{}, []report.Result{conflicted()}},
		{"conflicted_60", "text", Options{Width: 60}, []report.Result{conflicted()}},
		{"conflicted_160", "text", Options{Width: 160}, []report.Result{conflicted()}},
		{"conflicted_color", "text", Options{Color: true}, []report.Result{conflicted()}},
		{"invalid", "text", Options{}, []report.Result{invalid()}},
		{"failed", "text", Options{}, []report.Result{failed()}},
		{
			"several",
			"text",
			Options{},
			[]report.Result{created(), configured(), unchanged(), conflicted(), invalid(), failed()},
		},
		{"several_quiet", "text", Options{Quiet: true}, []report.Result{unchanged(), conflicted()}},
		{"hostile", "text", Options{}, []report.Result{hostile()}},
		{"wide", "text", Options{}, []report.Result{wide()}},
		{"secret", "text", Options{}, []report.Result{secret()}},
		{"secret", "diff", Options{}, []report.Result{secret()}},
		{"one", "yaml", Options{}, []report.Result{configured()}},
		{"several", "yaml", Options{ShowManagedFields: true}, []report.Result{configured(), created(), failed()}},
		{"one", "json", Options{}, []report.Result{configured()}},
		{"several", "name", Options{}, []report.Result{configured(), created(), failed()}},
		{"several", "diff", Options{}, []report.Result{configured(), created(), unchanged()}},
		{"several", "report", Options{}, []report.Result{unchanged(), conflicted()}},
	}
	for _, c := range cases {
		t.Run(c.name+"."+c.format, func(t *testing.T) {
			c.options.Now = golden.Now
			f, err := Lookup(c.format)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := f.Render(&got, report.New(golden.RunOf("v1.36.3"), c.results), c.options); err != nil {
				t.Fatal(err)
			}
			golden.CheckGolden(t, c.name+"."+c.format, got.String())
		})
	}
}

// TestNothingActs renders strings that would act on a terminal in every
// format.
func TestNothingActs(t *testing.T) {
	r := hostile()
	r.Live = map[string]any{"data": map[string]any{"k": r.Target.Name}}
	accepted := configured()
	accepted.Object = map[string]any{"data": map[string]any{r.Target.Name: r.Target.Name, "m": `\x01202e\x02`}}
	doc := report.New(golden.RunOf("v1.36.3", report.Problem{Message: r.Target.Name}), []report.Result{r, accepted})
	for _, f := range Formats() {
		var out bytes.Buffer
		if err := f.Render(&out, doc, Options{Now: golden.Now}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for i, l := range strings.Split(out.String(), "\n") {
			if !glyph.IsVisible(l) {
				t.Errorf("%s, line %d acts: %q", f.Name, i+1, l)
			}
		}
	}
}

// TestWidth checks that text keeps to the terminal, but for what must stay in one
// piece: field paths, commands, and the server's words.
func TestWidth(t *testing.T) {
	for _, width := range []int{60, 80, 160} {
		for _, r := range []report.Result{created(), configured(), conflicted(), invalid(), failed(), wide()} {
			var out bytes.Buffer
			if err := stream.Play(in("text", &out, Options{Width: width, Fit: true, Now: golden.Now}), report.New(golden.RunOf("v1.36.3"), []report.Result{r})); err != nil {
				t.Fatal(err)
			}
			for i, l := range strings.Split(out.String(), "\n") {
				if glyph.Columns(l) > width && !whole(r, strings.TrimSpace(l)) {
					t.Errorf("width %d, line %d has %d columns: %s", width, i+1, glyph.Columns(l), l)
				}
			}
		}
	}
}

// whole reports whether a line must stay in one piece.
func whole(r report.Result, line string) bool {
	if strings.HasPrefix(line, "ssactl ") || r.Status != nil && strings.Contains(r.Status.Message, line) {
		return true
	}
	return slices.ContainsFunc(r.Changes, func(c report.Change) bool { return c.Field == line }) ||
		slices.ContainsFunc(r.Transfers, func(c report.Transfer) bool { return c.Field == line })
}
