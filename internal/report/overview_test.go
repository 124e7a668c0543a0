package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/server/api"
)

func conflicting(name string, fields ...string) Result {
	r := Result{Target: Target{APIVersion: "apps/v1", Kind: "Deployment", Name: name}, Outcome: Conflicted}
	for _, f := range fields {
		r.Conflicts = append(
			r.Conflicts,
			Conflict{Field: f, Writer: Writer{Manager: "hpa", Operation: "Update", Subresource: "scale"}},
		)
	}
	return r
}

func TestTallyGroupsConflicts(t *testing.T) {
	image := func(name string) string { return `.spec.containers[name="` + name + `"].image` }
	hpa := func(field string, objects, fields int, first string) ConflictGroup {
		return ConflictGroup{Manager: "hpa", Operation: "Update", Subresource: "scale", Field: field,
			Group: "apps", Kind: "Deployment", Objects: objects, Fields: fields,
			First: Target{APIVersion: "apps/v1", Kind: "Deployment", Name: first}}
	}
	cases := []struct {
		name    string
		results []Result
		want    []ConflictGroup
	}{
		{"none", nil, nil},
		{"one field", []Result{conflicting("a", ".spec.replicas"), conflicting("b", ".spec.replicas")},
			[]ConflictGroup{hpa(".spec.replicas", 2, 2, "a")}},
		{"the same key", []Result{conflicting("a", image("main")), conflicting("b", image("main"))},
			[]ConflictGroup{hpa(image("main"), 2, 2, "a")}},
		{"different keys", []Result{conflicting("a", image("main"), image("side")), conflicting("b", image("main"))},
			[]ConflictGroup{hpa(".spec.containers[*].image", 2, 3, "a")}},
		{"one of two keys", []Result{conflicting("a", `.a[k="x"].b[k="y"]`), conflicting("b", `.a[k="x"].b[k="z"]`)},
			[]ConflictGroup{hpa(`.a[k="x"].b[*]`, 2, 2, "a")}},
		{"brackets in keys", []Result{conflicting("a", `.a[k="x]\"]"].b`), conflicting("b", `.a[k="[*]"].b`)},
			[]ConflictGroup{hpa(".a[*].b", 2, 2, "a")}},
		{
			"kept literally",
			[]Result{conflicting("a", `.a[k="[*]"].b[=1]`)},
			[]ConflictGroup{hpa(`.a[k="[*]"].b[=1]`, 1, 1, "a")},
		},
		{"no end", []Result{conflicting("a", `.a["`)}, []ConflictGroup{hpa(`.a["`, 1, 1, "a")}},
		{"most first", []Result{conflicting("a", ".b", ".a"), conflicting("b", ".b")},
			[]ConflictGroup{hpa(".b", 2, 2, "a"), hpa(".a", 1, 1, "a")}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var tally Tally
			for _, r := range c.results {
				tally.Add(r)
			}
			if diff := cmp.Diff(c.want, tally.Overview().Conflicts); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTallyCounts(t *testing.T) {
	helm := Writer{Manager: "helm", Operation: "Apply", APIVersion: "v1"}
	edit := Writer{Manager: "kubectl-edit", Operation: "Update", APIVersion: "v1"}
	partial := ConfidenceOf(
		[]Caveat{{Kind: api.Admission, Message: "no webhooks"}, {Kind: api.Admission, Message: "no quota"}},
	)
	results := []Result{
		{
			Outcome:    Configured,
			Ownership:  []FieldOwners{{".a", []Writer{helm, edit}}, {".b", []Writer{helm}}},
			Confidence: partial,
		},
		{
			Outcome:    Created,
			Ownership:  []FieldOwners{{".a", []Writer{helm}}},
			Confidence: ConfidenceOf([]Caveat{{Kind: api.Admission, Message: "no quota"}}),
		},
		{Outcome: Unchanged, Confidence: ConfidenceOf([]Caveat{{Kind: api.ServerAssigned, Field: ".metadata.uid"}})},
	}
	var tally Tally
	for _, r := range results {
		tally.Add(r)
	}
	if diff := cmp.Diff(Summary{Total: 3, Configured: 1, Created: 1, Unchanged: 1}, tally.Summary); diff != "" {
		t.Errorf("summary: (-want +got)\n%s", diff)
	}
	want := Overview{
		Managers: []ManagerCount{
			{Manager: "helm", Operation: "Apply", Objects: 2},
			{Manager: "kubectl-edit", Operation: "Update", Objects: 1},
		},
		Notes: []NoteCount{{"no quota", api.Admission, "", 2}, {"no webhooks", api.Admission, "", 1}},
	}
	if diff := cmp.Diff(want, tally.Overview()); diff != "" {
		t.Errorf("overview: (-want +got)\n%s", diff)
	}
}

// Hostile input does not make the tally grow for ever.
func TestTallyIsBounded(t *testing.T) {
	var tally Tally
	for i := range 3 {
		var fields []string
		for j := range maxGroups {
			fields = append(fields, fmt.Sprintf(".data.k%d_%d", i, j))
		}
		tally.Add(conflicting("a", fields...))
	}
	o := tally.Overview()
	if len(o.Conflicts) != maxGroups || o.Left != 2*maxGroups {
		t.Errorf("%d groups and %d left, want %d and %d", len(o.Conflicts), o.Left, maxGroups, 2*maxGroups)
	}
}

// A pattern that is filled with its own keys is the field.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{".a", `.a[k="x"].b`, `.a[k="]\""][0]`, "[", "[*]", "]["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, field string) {
		pattern, keys := Pattern(field)
		if got := Filled(pattern, keys); got != field {
			t.Errorf("got %q of %q (pattern %q)", got, field, pattern)
		}
		if n := strings.Count(pattern, "[*]"); n != len(keys) {
			t.Errorf("%d keys for %q", len(keys), pattern)
		}
	})
}
