package blame

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/report"
)

// TestBlameCorpus: each line of the blame view of each recorded live object
// has the letters of the entries that structured-merge-diff says own it.
func TestBlameCorpus(t *testing.T) {
	converter := applyconfigurations.NewTypeConverter(scheme.Scheme)
	lines, owned := 0, 0
	for _, raw := range recordedObjects(t) {
		u := &unstructured.Unstructured{}
		if err := kjson.Unmarshal(raw, &u.Object); err != nil {
			t.Fatal(err)
		}
		kind := &unstructured.Unstructured{}
		kind.SetGroupVersionKind(u.GroupVersionKind())
		var shape managedfields.Shape
		if tv, err := converter.ObjectToTyped(kind); err == nil {
			shape = managedfields.ShapeOf(typed.ParseableType{Schema: tv.Schema(), TypeRef: tv.TypeRef()})
		}
		n, m := checkMargins(t, u, shape)
		lines, owned = lines+n, owned+m
	}
	if lines < 20000 || owned < 10000 {
		t.Errorf("checked %d lines, %d of them owned: the recordings have more", lines, owned)
	}
}

func checkMargins(t *testing.T, u *unstructured.Unstructured, shape managedfields.Shape) (lines, owned int) {
	t.Helper()
	var sets []*fieldpath.Set
	for _, e := range u.GetManagedFields() {
		set := fieldpath.NewSet()
		if err := set.FromJSON(e.FieldsV1.GetRawReader()); err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	o := owners.New(
		report.Target{APIVersion: u.GetAPIVersion(), Kind: u.GetKind(), Name: u.GetName()},
		report.Source{},
		u.Object,
		shape,
	)
	if len(o.Entries) == 0 {
		return 0, 0
	}
	w := Owner{page.Options{}, o, owners.Filter{}}
	for _, l := range yamlLines(o.Root) {
		run, got := w.run([]yamlLine{l}), ""
		if len(run.Margin) == 3 {
			got = run.Margin[0].String()
		}
		want := upstreamLetters(sets, l.field)
		if want != "" {
			owned++
		}
		if got != want {
			t.Errorf("%s/%s, %s: margin %q, structured-merge-diff says %q", u.GetKind(), u.GetName(), l.field.Name, got, want)
		}
		lines++
	}
	return lines, owned
}

// upstreamLetters are the entries whose sets have the path, or, in brackets,
// only something in a field that is one as a whole.
func upstreamLetters(sets []*fieldpath.Set, f *owners.Field) string {
	var out []string
	for i, set := range sets {
		switch {
		case set.Has(f.Path):
			out = append(out, letters(i))
		case f.Whole && !setBelow(set, f.Path).Empty():
			out = append(out, "("+letters(i)+")")
		}
	}
	return strings.Join(out, "+")
}

func setBelow(set *fieldpath.Set, path fieldpath.Path) *fieldpath.Set {
	for _, pe := range path {
		set = set.WithPrefix(pe)
	}
	return set
}

// recordedObjects are the live objects of the public packs.
func recordedObjects(t *testing.T) []json.RawMessage {
	t.Helper()
	packs, err := filepath.Glob("../../../testdata/corpus/public-*.jsonl.gz")
	if err != nil || len(packs) != 2 {
		t.Fatalf("recorded packs: found %d of 2, %v", len(packs), err)
	}
	var out []json.RawMessage
	for _, pack := range packs {
		file, err := os.Open(pack)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatalf("%s: %v", pack, err)
		}
		out = append(out, liveObjects(t, unzipped)...)
	}
	return out
}

func liveObjects(t *testing.T, r io.Reader) []json.RawMessage {
	t.Helper()
	var out []json.RawMessage
	for decoder := json.NewDecoder(r); ; {
		var scenario struct {
			Steps []struct{ LiveAfter json.RawMessage }
		}
		err := decoder.Decode(&scenario)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(fmt.Errorf("read a scenario: %w", err))
		}
		for _, step := range scenario.Steps {
			if len(step.LiveAfter) > 0 && string(step.LiveAfter) != "null" {
				out = append(out, step.LiveAfter)
			}
		}
	}
}
