package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	cases := []struct {
		name    string
		format  string
		options Options
		results []engine.Result
	}{
		{"created", "text", Options{}, []engine.Result{created()}},
		{"created_verbose", "text", Options{Verbose: true}, []engine.Result{created()}},
		{"configured", "text", Options{}, []engine.Result{configured()}},
		{"configured_60", "text", Options{Width: 60}, []engine.Result{configured()}},
		{"configured_160", "text", Options{Width: 160}, []engine.Result{configured()}},
		{"configured_color", "text", Options{Color: true}, []engine.Result{configured()}},
		{"unchanged", "text", Options{}, []engine.Result{unchanged()}},
		{"conflicted", "text", Options{}, []engine.Result{conflicted()}},
		{"conflicted_60", "text", Options{Width: 60}, []engine.Result{conflicted()}},
		{"conflicted_160", "text", Options{Width: 160}, []engine.Result{conflicted()}},
		{"conflicted_color", "text", Options{Color: true}, []engine.Result{conflicted()}},
		{"invalid", "text", Options{}, []engine.Result{invalid()}},
		{"failed", "text", Options{}, []engine.Result{failed()}},
		{"several", "text", Options{}, []engine.Result{created(), configured(), unchanged(), conflicted(), invalid(), failed()}},
		{"several_quiet", "text", Options{Quiet: true}, []engine.Result{unchanged(), conflicted()}},
		{"hostile", "text", Options{}, []engine.Result{hostile()}},
		{"wide", "text", Options{}, []engine.Result{wide()}},
		{"secret", "text", Options{}, []engine.Result{secret()}},
		{"secret", "diff", Options{}, []engine.Result{secret()}},
		{"one", "yaml", Options{}, []engine.Result{configured()}},
		{"several", "yaml", Options{ShowManagedFields: true}, []engine.Result{configured(), created(), failed()}},
		{"one", "json", Options{}, []engine.Result{configured()}},
		{"several", "name", Options{}, []engine.Result{configured(), created(), failed()}},
		{"several", "diff", Options{}, []engine.Result{configured(), created(), unchanged()}},
		{"several", "report", Options{}, []engine.Result{unchanged(), conflicted()}},
	}
	for _, c := range cases {
		t.Run(c.name+"."+c.format, func(t *testing.T) {
			c.options.Now = now
			f, err := Lookup(c.format)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := f.Render(&got, engine.NewReport("v1.36.3", c.results, nil), c.options); err != nil {
				t.Fatal(err)
			}
			checkGolden(t, c.name+"."+c.format, got.String())
		})
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", name, diff)
	}
}

// TestNothingActs renders strings that would act on a terminal in every
// format.
func TestNothingActs(t *testing.T) {
	r := hostile()
	r.Live = map[string]any{"data": map[string]any{"k": r.Target.Name}}
	accepted := configured()
	accepted.Object = map[string]any{"data": map[string]any{r.Target.Name: r.Target.Name, "m": `\x01202e\x02`}}
	report := engine.NewReport("v1.36.3", []engine.Result{r, accepted}, []engine.Problem{{Message: r.Target.Name}})
	for _, f := range Formats() {
		var out bytes.Buffer
		if err := f.Render(&out, report, Options{Now: now}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for i, l := range strings.Split(out.String(), "\n") {
			if !isVisible(l) {
				t.Errorf("%s, line %d acts: %q", f.Name, i+1, l)
			}
		}
	}
}

// TestWidth checks that text keeps to the terminal, but for what must stay in
// one piece.
func TestWidth(t *testing.T) {
	for _, width := range []int{60, 80, 160} {
		for _, r := range []engine.Result{created(), configured(), wide()} {
			r.Warnings = nil
			var out bytes.Buffer
			if err := play(newText(&out, Options{Width: width, Now: now}), engine.NewReport("v1.36.3", []engine.Result{r}, nil)); err != nil {
				t.Fatal(err)
			}
			for i, l := range strings.Split(out.String(), "\n") {
				if columns(l) > width {
					t.Errorf("width %d, line %d has %d columns: %s", width, i+1, columns(l), l)
				}
			}
		}
	}
}
