package show

import (
	"bytes"
	"regexp"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// constant are style, script and policy.
var constant = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<meta http-equiv[^>]*>`)

// TestHTMLGolden leaves style, script and policy out: they have tests of their
// own, and would make every page change with every color.
func TestHTMLGolden(t *testing.T) {
	cases := []struct {
		name     string
		results  []report.Result
		problems []report.Problem
	}{
		{"none", nil, nil},
		{
			"unreadable",
			nil,
			[]report.Problem{
				{Source: report.Source{File: "bad.yaml", Document: 2}, Message: "line 3: mapping values are not allowed"},
			},
		},
		{"owned", []report.Result{owned()}, nil},
		{"conflicted", []report.Result{conflicted()}, nil},
		{"several", []report.Result{created(), configured(), unchanged(), conflicted(), invalid(), failed(), secret()}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := htmlPage(t, report.New(golden.RunOf("v1.36.3", c.problems...), c.results))
			got = constant.ReplaceAllString(got, "")
			golden.CheckGolden(t, c.name+".html", got)
		})
	}
}

func TestHTMLFoldsManyDecisions(t *testing.T) {
	const unfolded = 20
	for n, want := range map[int]int{unfolded: unfolded, unfolded + 1: 0} {
		results := make([]report.Result, n)
		for i := range results {
			results[i] = invalid()
		}
		got := htmlPage(t, report.New(golden.RunOf("v1.36.3"), append(results, configured())))
		if open := len(regexp.MustCompile(`<details class="object"[^>]* open>`).FindAllString(got, -1)); open != want {
			t.Errorf("%d refusals: %d objects are unfolded, want %d", n, open, want)
		}
	}
}

// Parts may be made in any order.
func TestHTMLParts(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	results := []report.Result{owned(), conflicted(), secret(), created(), unchanged(), invalid(), wide()}
	doc := report.New(golden.RunOf("v1.36.3"), results)
	want := htmlPage(t, doc)
	var out bytes.Buffer
	s := in("html", &out, Options{Now: golden.Now})
	if err := s.Begin(stream.Start{Server: doc.Server, Total: len(results)}); err != nil {
		t.Fatal(err)
	}
	parts := make([]stream.Part, len(results))
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
	var tally report.Tally
	for i, p := range parts {
		if err := s.Add(p); err != nil {
			t.Fatal(err)
		}
		tally.Add(results[i])
	}
	doc.Results = nil
	overview := tally.Overview()
	doc.Overview = &overview
	if err := s.End(stream.Ending{Report: doc}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// BenchmarkHTML renders the page of a thousand objects.
func BenchmarkHTML(b *testing.B) {
	var results []report.Result
	for range 250 {
		results = append(results, owned(), conflicted(), created(), unchanged())
	}
	doc := report.New(golden.RunOf("v1.36.3"), results)
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := stream.Play(in("html", &out, Options{Now: golden.Now}), doc); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}

func htmlPage(t *testing.T, doc report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := stream.Play(in("html", &out, Options{Now: golden.Now}), doc); err != nil {
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
		entry(
			"helm",
			"Apply",
			"",
			map[string]any{"f:spec": image, "f:metadata": map[string]any{"f:labels": map[string]any{"f:app": none}}},
		),
		entry(
			"kubectl",
			"Update",
			"",
			map[string]any{"f:metadata": map[string]any{"f:labels": map[string]any{".": none, "f:app": none, "f:gone": none}}},
		),
		entry(
			"kube-controller-manager",
			"Update",
			"status",
			map[string]any{"f:status": map[string]any{"f:readyReplicas": none}},
		),
		entry("broken", "Apply", "", map[string]any{"x": none}),
	}
	spec := r.Object["spec"].(map[string]any)
	spec["template"].(map[string]any)["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["args"] = []any{
		"sh",
		"-c",
		"echo one\necho two\n",
	}
	return r
}
