package render

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

// TestHTMLGolden leaves style, script and policy out: they have tests of their
// own, and would make every page change with every colour.
func TestHTMLGolden(t *testing.T) {
	escaper := strings.NewReplacer("'", "&#39;", "+", "&#43;")
	cases := []struct {
		name     string
		results  []report.Result
		problems []report.Problem
	}{
		{"none", nil, nil},
		{"unreadable", nil, []report.Problem{{Source: report.Source{File: "bad.yaml", Document: 2}, Message: "line 3: mapping values are not allowed"}}},
		{"owned", []report.Result{owned()}, nil},
		{"conflicted", []report.Result{conflicted()}, nil},
		{"several", []report.Result{created(), configured(), unchanged(), conflicted(), invalid(), failed(), secret()}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := htmlPage(t, report.New("v1.36.3", c.results, c.problems))
			p := &page{}
			for _, constant := range []string{string(p.Style()), string(p.Script()), escaper.Replace(p.Policy())} {
				if !strings.Contains(got, constant) {
					t.Fatalf("the page lacks %.40q", constant)
				}
				got = strings.Replace(got, constant, "", 1)
			}
			checkGolden(t, c.name+".html", got)
		})
	}
}

func TestHTMLFoldsManyRefusals(t *testing.T) {
	for n, want := range map[int]int{unfolded: unfolded, unfolded + 1: 0} {
		results := make([]report.Result, n)
		for i := range results {
			results[i] = invalid()
		}
		got := htmlPage(t, report.New("v1.36.3", append(results, configured()), nil))
		if open := strings.Count(got, ` data-managers=" 1 " open>`) + strings.Count(got, ` data-managers=" 2 " open>`); open != want {
			t.Errorf("%d refusals: %d objects are unfolded, want %d", n, open, want)
		}
	}
}

func TestEnclosing(t *testing.T) {
	lines := strings.Split("metadata:\n  name: web\nspec:\n  containers:\n  - image: a\n    env:\n    - name: A\n      value: b\n  paused: true\nkind: X", "\n")
	for at, want := range []string{"", "metadata", "", "spec", "spec › containers", "spec › containers", "spec › containers › env", "spec › containers › env", "spec", ""} {
		if got := enclosing(lines, at); got != want {
			t.Errorf("line %d: got %q, want %q", at, got, want)
		}
	}
	for _, at := range []int{-1, len(lines)} {
		if got := enclosing(lines, at); got != "" {
			t.Errorf("line %d: got %q outside of the text", at, got)
		}
	}
}

func TestPeople(t *testing.T) {
	r := configured()
	for i := range 3 * managerColors {
		r.Ownership = append(r.Ownership, report.FieldOwners{Field: ".x", Managers: []report.Writer{{Manager: string(rune('a' + i))}}})
	}
	p := newPeople()
	p.meet(newCast(r))
	p.rank()
	if got := p.list[0].Name; got != "helm" {
		t.Errorf("first is %q, not who owns most", got)
	}
	looks := map[look]string{}
	for _, m := range p.list {
		shape := look{Color: m.Color, Mark: m.Mark}
		if other, ok := looks[shape]; ok {
			t.Errorf("%s looks as %s", m.Name, other)
		}
		looks[shape] = m.Name
	}
}

// A page is the same whether its parts are packed or not, and in whatever order
// they are made.
func TestHTMLParts(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	results := []report.Result{owned(), conflicted(), secret(), created(), unchanged(), invalid(), wide()}
	doc := report.New("v1.36.3", results, nil)
	want := htmlPage(t, doc)
	var out bytes.Buffer
	s := newHTML(&out, Options{Now: now}).(*htmlStream)
	s.hold = 0
	if err := s.Begin(Start{Total: len(results)}); err != nil {
		t.Fatal(err)
	}
	parts := make([]Part, len(results))
	var makers sync.WaitGroup
	for i := len(results) - 1; i >= 0; i-- {
		makers.Go(func() {
			var err error
			if parts[i], err = s.Part(results[i]); err != nil {
				t.Error(err)
			}
		})
	}
	makers.Wait()
	for _, p := range parts {
		if err := s.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	doc.Results = nil
	var tally report.Tally
	for _, r := range results {
		tally.Add(r)
	}
	overview := tally.Overview()
	doc.Overview = &overview
	if err := s.End(Ending{Report: doc}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, rows := range s.groups {
		for _, row := range rows {
			if row.packed.Empty() {
				t.Errorf("object %d is not packed", row.Number)
			}
		}
	}
	if strings.ContainsAny(want, tokenStart+tokenEnd) {
		t.Error("a token is left")
	}
}

// BenchmarkHTML renders the page of a thousand objects.
func BenchmarkHTML(b *testing.B) {
	var results []report.Result
	for range 250 {
		results = append(results, owned(), conflicted(), created(), unchanged())
	}
	doc := report.New("v1.36.3", results, nil)
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := play(newHTML(&out, Options{Now: now}), doc); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}

func htmlPage(t *testing.T, doc report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := play(newHTML(&out, Options{Now: now}), doc); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// owned has managed fields entries: owned, shared, unowned and untracked
// fields, one that is owned though it is not there, and an unreadable entry.
func owned() report.Result {
	r := configured()
	entry := func(manager, operation, subresource string, fields map[string]any) any {
		e := map[string]any{"manager": manager, "operation": operation, "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
			"time": "2026-11-18T05:12:09Z", "fieldsV1": fields}
		if subresource != "" {
			e["subresource"] = subresource
		}
		return e
	}
	none := map[string]any{}
	image := map[string]any{"f:template": map[string]any{"f:spec": map[string]any{"f:containers": map[string]any{
		`k:{"name":"main"}`: map[string]any{".": none, "f:name": none, "f:image": none},
	}}}}
	r.Object["metadata"].(map[string]any)["managedFields"] = []any{
		entry("helm", "Apply", "", map[string]any{"f:spec": image, "f:metadata": map[string]any{"f:labels": map[string]any{"f:app": none}}}),
		entry("kubectl", "Update", "", map[string]any{"f:metadata": map[string]any{"f:labels": map[string]any{".": none, "f:app": none, "f:gone": none}}}),
		entry("kube-controller-manager", "Update", "status", map[string]any{"f:status": map[string]any{"f:readyReplicas": none}}),
		entry("broken", "Apply", "", map[string]any{"x": none}),
	}
	spec := r.Object["spec"].(map[string]any)
	spec["template"].(map[string]any)["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["args"] = []any{"sh", "-c", "echo one\necho two\n"}
	return r
}
