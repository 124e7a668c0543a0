package migration

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/client"
)

// upstreamCase is one of testdata/csaupgrade.yaml.
type upstreamCase struct {
	Name          string
	From          []string
	To            string
	Subresource   string
	Before, After []map[string]any
}

func upstreamCases(t testing.TB) []upstreamCase {
	t.Helper()
	text, err := os.ReadFile("testdata/csaupgrade.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cases []upstreamCase
	if err := yaml.UnmarshalStrict(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// withEntries is a gadget with entries as the cases tell them.
func withEntries(list []map[string]any) map[string]any {
	var entries []any
	for _, e := range list {
		entry := maps.Clone(e)
		delete(entry, "fields")
		entry["fieldsType"], entry["fieldsV1"] = "FieldsV1", e["fields"]
		entries = append(entries, entry)
	}
	return map[string]any{"apiVersion": "v1", "kind": "Gadget", "metadata": map[string]any{
		"name": "g", "resourceVersion": "1", "managedFields": entries,
	}}
}

func TestUpstreamCases(t *testing.T) {
	for _, c := range upstreamCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			live := withEntries(c.Before)
			m := plan(live, Options{Mode: Compatible, From: c.From, To: c.To, Subresource: c.Subresource})
			if c.After == nil {
				if m.Verdict != NothingToDo || len(m.Patch) > 0 {
					t.Errorf("%s with patch %v, want nothing to do", m.Verdict, m.Patch)
				}
				return
			}
			if m.Verdict != Migrates {
				t.Fatalf("%s: %v", m.Verdict, m.Findings)
			}
			if diff := cmp.Diff(withEntries(c.After), m.Object); diff != "" {
				t.Errorf("object (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(upstreamSays(t, live, c.From, c.To, c.Subresource), encoded(t, m.Patch)); len(c.From) == 1 &&
				diff != "" {
				t.Errorf("patch (-upstream +got)\n%s", diff)
			}
		})
	}
}

// upstreamSays is the patch that upstream makes itself.
func upstreamSays(t testing.TB, live map[string]any, from []string, to, subresource string) (said string) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			said = fmt.Sprintf("panic: %v", p)
		}
	}()
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(live)}
	patch, err := csaupgrade.UpgradeManagedFieldsPatch(u, sets.New(from...), to, csaupgrade.Subresource(subresource))
	if err != nil {
		return "error: " + err.Error()
	}
	if patch == nil {
		return "null"
	}
	return string(patch)
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// reordered is upstream's patch where it changes nothing but the order of
// fields in the text.
func reordered(t testing.TB, o map[string]any) string {
	t.Helper()
	return encoded(t, client.UpgradePatch(o))
}

// FuzzCompatible: for one manager, the patch is upstream's, byte for byte.
func FuzzCompatible(f *testing.F) {
	for _, c := range upstreamCases(f) {
		f.Add(encoded(f, withEntries(c.Before)), c.From[0], c.To, c.Subresource)
	}
	f.Add(
		`{"apiVersion":"v1","metadata":{"managedFields":[{"manager":"a","operation":"Update","apiVersion":"v1"}]}}`,
		"a", "b", "",
	)
	f.Add(`{}`, "a", "b", "")
	f.Add(
		`{"metadata":{"managedFields":[{"apiVersion":"0","fieldsType":"FieldsV1","operation":"Apply","":""}]}}`,
		"0", "0", "",
	)
	f.Fuzz(func(t *testing.T, live, from, to, subresource string) {
		var o map[string]any
		if json.Unmarshal([]byte(live), &o) != nil || o == nil || to == "" || from == "" {
			return
		}
		m := plan(o, Options{Mode: Compatible, From: []string{from}, To: to, Subresource: subresource})
		if m.Verdict == Blocked ||
			m.Verdict == NothingToDo && upstreamSays(t, o, []string{from}, to, subresource) == reordered(t, o) {
			return
		}
		if diff := cmp.Diff(upstreamSays(t, o, []string{from}, to, subresource), encoded(t, m.Patch)); diff != "" {
			t.Errorf("patch of %s (-upstream +got)\n%s", live, diff)
		}
	})
}
