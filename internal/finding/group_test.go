package finding

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// on is a finding of a rule on a field of an object of a kind.
func on(rule Rule, kind, name, field string, says text.Text) report.Finding {
	f := rule.On(report.Target{Kind: kind, Name: name}, report.Source{}, says)
	f.Field = field
	return f
}

// TestGroups: what is said of a run is said once of all the objects that it holds of.
func TestGroups(t *testing.T) {
	byField := Rule{Name: "by-field", Severity: report.SeverityWarning}
	byOwner := Rule{Name: "by-owner", Severity: report.SeverityError, By: report.ByOwner}
	bySaying := Rule{Name: "by-saying", Severity: report.SeverityWarning, By: report.BySaying}
	note := byField.At(report.SeverityNote)
	taken := func(kind, name, field, manager string) report.Finding {
		f := on(byOwner, kind, name, field, text.New("taken from %v", text.By(manager)))
		f.Manager, f.Owners = manager, []report.Writer{{Manager: manager, Operation: "Update"}}
		return f
	}
	odd := text.New("odd")
	container := func(name string) string { return ".spec.containers[name=\"" + name + "\"].image" }
	for name, tt := range map[string]struct {
		list []report.Finding
		want []string
	}{
		"one field of a kind": {[]report.Finding{on(byField, "A", "a", container("x"), odd), on(byField, "A", "b", container("y"), odd)},
			[]string{"warning by-field .spec.containers[*].image 2 fields 2 As: odd"}},
		"of two kinds": {[]report.Finding{on(byField, "A", "a", ".x", odd), on(byField, "B", "b", ".x", odd)},
			[]string{"warning by-field .x 1 fields 1 A: odd", "warning by-field .x 1 fields 1 B: odd"}},
		"notes of two kinds": {[]report.Finding{on(note, "A", "a", ".x", odd), on(note, "B", "b", ".y", odd)},
			[]string{"note by-field  2 fields 1 A, 1 B: odd"}},
		"by their owners": {[]report.Finding{taken("A", "a", ".x", "helm"), taken("B", "b", ".y", "helm"), taken("B", "b", ".z", "hpa")},
			[]string{"error by-owner  2 fields 1 A, 1 B: taken from helm", "error by-owner .z 1 fields 1 B: taken from hpa"}},
		"by what is said, but for names": {[]report.Finding{on(bySaying, "A", "a", "", text.New("%v", text.Said(`A "a" is wrong`))),
			on(bySaying, "A", "b", "", text.New("%v", text.Said(`A "b" is wrong`)))},
			[]string{`warning by-saying  2 fields 2 As: A "a" is wrong`}},
		"the worst first, and then the widest": {[]report.Finding{on(note, "A", "a", ".x", odd), on(byField, "A", "a", ".y", odd),
			on(byField, "A", "a", ".z", odd), on(byField, "A", "b", ".z", odd)},
			[]string{"warning by-field .z 2 fields 2 As: odd", "warning by-field .y 1 fields 1 A: odd", "note by-field .x 1 fields 1 A: odd"}},
	} {
		var groups Groups
		objects := map[string]int{}
		for _, f := range tt.list {
			if objects[f.Target.Name] == 0 {
				objects[f.Target.Name] = len(objects) + 1
			}
			groups.Add(objects[f.Target.Name], f)
		}
		var got []string
		for _, g := range groups.Sorted() {
			got = append(
				got,
				fmt.Sprintf("%s %s %s %d fields %s: %s", g.Severity, g.Rule, g.Path(), g.Fields, g.On.Gist(), g.Message),
			)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestGroupsAreBounded: what has no room any more is left out, and what is known still counts.
func TestGroupsAreBounded(t *testing.T) {
	rule := Rule{Name: "r", Severity: report.SeverityError}
	var groups Groups
	for i := range 2 * maxGroups {
		if began := groups.Add(i+1, on(rule, "A", "a", fmt.Sprint(".f", i), text.New("odd"))); (began != nil) != (i < maxGroups) {
			t.Fatalf("the group of %d: %v", i, began)
		}
	}
	groups.Add(2*maxGroups+1, on(rule, "A", "b", ".f0", text.New("odd")))
	if g := groups.Sorted(); len(g) != maxGroups || g[0].Fields != 2 {
		t.Errorf("%d groups, the first of %d fields", len(g), g[0].Fields)
	}
}

// TestObjects: objects are counted by their kinds, the most first.
func TestObjects(t *testing.T) {
	of := func(kinds ...string) *Objects {
		o := &Objects{}
		for i, kind := range kinds {
			o.Add(report.Target{Kind: kind, Name: fmt.Sprint("o", i)})
		}
		return o
	}
	many := of("A", "B", "B", "Ingress", "NetworkPolicy", "NetworkPolicy", "C", "D", "E")
	for _, tt := range []struct{ got, want string }{
		{of("A").String(), "1 A"},
		{of("A", "B", "B").String(), "2 Bs, 1 A"},
		{many.String(), "2 Bs, 2 NetworkPolicies, 1 A, 1 C, 1 D, 2 other kinds"},
		{many.Gist(), "9 objects"},
		{of("A", "B", "B").Gist(), "2 Bs, 1 A"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// TestMerged: the message of a group has the names of all its objects, as long as they are
// few.
func TestMerged(t *testing.T) {
	message := func(name string) text.Text { return text.New("%v sets %v", text.By(name), text.Path(".a")) }
	got := message("a")
	for _, name := range []string{"b", "a", "c", "d", "e"} {
		got = merged(got, message(name))
	}
	if want := "a, b, c, … sets .a"; got.String() != want {
		t.Errorf("%q, want %q", got, want)
	}
	stored := func(v any) text.Text { return text.New("stored as %v", text.ValueOf(".a", v)) }
	same, other := merged(stored(1), stored(1)), merged(merged(stored(1), stored(2)), stored(3))
	if same.String() != "stored as 1" || other.String() != "stored as …" {
		t.Errorf("values: %q and %q", same, other)
	}
	if lists := merged(merged(message("a, b"), message("b, a")), message("b, c")); lists.String() != message(
		"a, b, c",
	).String() {
		t.Errorf("lists of names: %q", lists)
	}
	if other := merged(message("a"), text.New("another")); other.String() != "a sets .a" {
		t.Errorf("another message is merged: %q", other)
	}
}
