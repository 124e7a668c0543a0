package show

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/render/ci"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// named is a result under another name.
func named(r report.Result, name string) report.Result {
	r.Target.Name = name
	return r
}

// many is a run over more objects than are reported one by one.
func many() report.Report {
	var results []report.Result
	for i := range 100 {
		r := unchanged()
		switch {
		case i%3 == 0:
			r = conflicted()
		case i%3 == 1:
			r = configured()
		case i == 50:
			r = invalid()
		}
		results = append(results, named(r, fmt.Sprintf("web-%d", i)))
	}
	doc := report.New(golden.RunOf("v1.36.3"), results)
	unmatched := 2
	doc.Summary.Unmatched = &unmatched
	return doc
}

func TestManyGolden(t *testing.T) {
	golden.CheckGolden(t, "many.text", rendered(t, "text", many(), Options{}))
	golden.CheckGolden(t, "many.markdown", rendered(t, "markdown", many(), Options{MaxBytes: 4096}))
	listed := many()
	listed.Unmatched = []report.Target{
		{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "a\x1b"},
		{APIVersion: "v1", Kind: "Namespace", Name: "shop"},
	}
	listed.Interrupted = &report.Interruption{Answered: 100, Total: 300}
	golden.CheckGolden(t, "many_quiet.text", rendered(t, "text", listed, Options{Quiet: true}))
}

// A page begins with what the objects have in common.
func TestHTMLGroups(t *testing.T) {
	listed := many()
	listed.Interrupted = &report.Interruption{Answered: 100, Total: 300}
	page := rendered(t, "html", listed, Options{})
	for _, want := range []string{
		"<code>.spec.replicas</code> of 34 Deployments",
		"interrupted after 100 of 300 objects</span></p>",
		"2 live objects are in no manifest",
		`<label class="tile conflicted"><input type="checkbox" id="show-0" checked> <b class="sign">4</b> errors, objects: 35</label>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// With everything asked for, each object is shown in full.
func TestManyVerbose(t *testing.T) {
	got := rendered(t, "text", many(), Options{Verbose: true, Whole: true})
	for name, want := range map[string]int{"The API server would answer 409": 34, "Difference from live to result": 33, "Difference, if forced": 0, "-v shows": 0} {
		if n := strings.Count(got, name); n != want {
			t.Errorf("%q is there %d times, want %d", name, n, want)
		}
	}
}

// A stream that is ended after any of its results is a whole document, and has
// those results.
func TestEveryPrefixIsWhole(t *testing.T) {
	results := []report.Result{configured(), conflicted(), created(), hostile(), secret(), failed()}
	for n := range len(results) + 1 {
		for _, f := range Formats() {
			t.Run(fmt.Sprintf("%s/%d", f.Name, n), func(t *testing.T) {
				doc := report.New(golden.RunOf("v1.36.3"), results[:n])
				doc.Interrupted = &report.Interruption{Answered: n, Total: len(results)}
				var out bytes.Buffer
				if err := f.Render(&out, doc, Options{Now: golden.Now}); err != nil && !errors.As(err, new(*objects.LackError)) {
					t.Fatal(err)
				}
				check, ok := parsers[f.Name]
				if ok && (n > 0 || out.Len() > 0) {
					if err := check(out.Bytes()); err != nil {
						t.Errorf("%v in\n%s", err, out.Bytes())
					}
				}
			})
		}
	}
}

var parsers = map[string]func([]byte) error{
	"report":     isJSON,
	"json":       isJSON,
	"json-patch": isJSON,
	"sarif":      isJSON,
	"yaml": func(b []byte) error {
		var v map[string]any
		return yaml.UnmarshalStrict(b, &v)
	},
	"junit": func(b []byte) error {
		var v ci.Suites
		return xml.Unmarshal(b, &v)
	},
}

func isJSON(b []byte) error {
	var v any
	return json.Unmarshal(b, &v)
}

// A List that was written item by item is the one that is encoded as a whole.
func TestListIsThatOfKubectl(t *testing.T) {
	long := configured()
	long.Object = map[string]any{"apiVersion": "v1", "data": map[string]any{strings.Repeat("k", 1100): "v", "a": "b"}}
	for _, results := range [][]report.Result{
		{configured(), created(), configured()},
		{configured(), long},
		{long, long},
	} {
		var items []any
		for _, r := range results {
			object := &unstructured.Unstructured{Object: r.Object}
			object = object.DeepCopy()
			object.SetManagedFields(nil)
			items = append(items, object.Object)
		}
		list := map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": items}
		want, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		doc := report.New(golden.RunOf("v1.36.3"), results)
		fromYAML, err := yaml.YAMLToJSON([]byte(rendered(t, "yaml", doc, Options{})))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(fromYAML)); diff != "" {
			t.Errorf("yaml: (-want +got)\n%s", diff)
		}
		indented, err := objects.JSON(list, "    ")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(indented+"\n", rendered(t, "json", doc, Options{})); diff != "" {
			t.Errorf("json: (-want +got)\n%s", diff)
		}
	}
}

// Each result is written before the next one is made, where the format allows it,
// and does not begin with the headline.
func TestFirstResultsFirst(t *testing.T) {
	atOnce := map[string]bool{"name": true, "diff": true, "structured": true, "report": true, "json-patch": true}
	for _, f := range Formats() {
		var out bytes.Buffer
		s := f.New(&out, Options{})
		if err := s.Begin(stream.Start{Total: 2}); err != nil {
			t.Fatal(err)
		}
		before := out.Len()
		add(t, s, configured())
		if got := out.Len() > before; got != atOnce[f.Name] {
			t.Errorf("%s: wrote the first result at once: %v", f.Name, got)
		}
	}
}

// What waits for the headline is bounded: of more titles, the others are counted.
// The headline comes first, however many there are.
func TestTextHoldsLittle(t *testing.T) {
	var out bytes.Buffer
	s := in("text", &out, Options{})
	const total = 20_000
	if err := s.Begin(stream.Start{Total: total}); err != nil {
		t.Fatal(err)
	}
	for i := range total {
		add(t, s, named(configured(), fmt.Sprintf("web-%d", i)))
	}
	add(t, s, named(invalid(), "last"))
	if err := s.End(stream.Ending{Report: report.Report{Summary: report.Summary{Total: total, Configured: total - 1, Invalid: 1}}}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "20000 objects: 1 rejected, 19999 change. ") {
		t.Errorf("the first line is %.100s", out.String())
	}
	if lines := strings.Count(out.String(), "\n"); lines > 48 {
		t.Errorf("%d lines", lines)
	}
	if at := strings.Index(out.String(), "cronjob/last"); at < 0 {
		t.Error("what is refused is not said")
	}
}

// A comment holds a few times its length at most, whatever comes.
func TestMarkdownHoldsLittle(t *testing.T) {
	allocated := func(total int) uint64 {
		var before, after runtime.MemStats
		s := writesIn("markdown", inComment)(io.Discard, Options{MaxBytes: MinMaxBytes})
		if err := s.Begin(stream.Start{Total: total}); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range total {
			add(t, s, configured())
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(s)
		return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
	}
	if got := allocated(2000); got > 2<<20 {
		t.Errorf("%d bytes wait for a comment of %d", got, MinMaxBytes)
	}
}

func add(t *testing.T, s stream.Stream, r report.Result) {
	t.Helper()
	part, err := s.Part(r)
	if err == nil {
		err = s.Add(part)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space left")

// An output that cannot be written says so, whatever the format.
func TestWriteErrorsAreTold(t *testing.T) {
	for _, f := range Formats() {
		err := f.Render(full{}, report.New(golden.RunOf("v1.36.3"), []report.Result{conflicted(), configured()}), Options{})
		if !errors.Is(err, errFull) {
			t.Errorf("%s: error %v", f.Name, err)
		}
	}
}
