package show

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
	"github.com/ssactl/ssactl/test/golden"
)

func TestLookup(t *testing.T) {
	_, err := Lookup("xml")
	if err == nil {
		t.Fatal("xml is a format")
	}
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	want := `unknown output format "xml": use one of ` + strings.Join(names, ", ")
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error: (-want +got)\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	doc := report.New(golden.RunOf(
		"v1.36.3",
		report.Problem{
			Source:  report.Source{File: "bad.yaml", Document: 2},
			Message: "line 3: mapping values are not allowed",
		},
		report.Problem{Source: report.Source{File: "gone.yaml"}, Message: "open gone.yaml: no such file"},
	), []report.Result{configured(), invalid()})
	var out bytes.Buffer
	if err := stream.Play(Refusals(&out, Options{}), doc); err != nil {
		t.Fatal(err)
	}
	if err := Problems(&out, doc.Problems, Options{}); err != nil {
		t.Fatal(err)
	}
	want := "2 objects: 1 rejected, 1 changed. 2 errors. 2 inputs could not be read.\ncronjob.batch/backup invalid (namespace ops): 422 Invalid\n  " + invalid().Status.Message + "\n" +
		"error: bad.yaml, document 2: line 3: mapping values are not allowed\n" +
		"error: open gone.yaml: no such file\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("refusals: (-want +got)\n%s", diff)
	}
}

// TestTextsApply checks that a printed diff makes the merged text of the live
// one.
func TestTextsApply(t *testing.T) {
	deleted := configured()
	deleted.Object, deleted.Deleted = nil, true
	for _, r := range []report.Result{created(), configured(), unchanged(), wide(), deleted} {
		checkDiff(t, r, Options{})
	}
}

// checkDiff checks that the diff of a result makes the merged text of the live one.
func checkDiff(t *testing.T, r report.Result, o Options) (objects.Texts, objects.Diff) {
	t.Helper()
	texts, err := objects.TextsOf(r, o.Objects())
	if err != nil {
		t.Fatal(err)
	}
	d, err := objects.DiffOf(r, o.Objects())
	if err != nil {
		t.Fatal(err)
	}
	got, err := textdiff.Apply(texts.Live, d.Hunks)
	if err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	if diff := cmp.Diff(texts.Merged, got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", d.Name, diff)
	}
	return texts, d
}

func TestFileName(t *testing.T) {
	cases := []struct {
		target report.Target
		want   string
	}{
		{golden.Web(), "apps.v1.Deployment.shop.web"},
		{report.Target{APIVersion: "v1", Kind: "Namespace", Name: "shop"}, "v1.Namespace..shop"},
		{report.Target{APIVersion: "v1", Kind: "Pod", Name: "../a\n b"}, "v1.Pod....%2Fa%0A%20b"},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, words.FileName(c.target)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}
