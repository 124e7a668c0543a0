package policy

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

var gadget = Object{
	Kind:      schema.GroupKind{Group: "lab", Kind: "Gadget"},
	Namespace: "shop",
	Shape:     managedfields.ShapeOf(lab.Type),
}

// TestDerivedHolds: what was seen is not against the derived policy, in memory and as it is
// written; each manager that a rule allows owns one of the fields that it decides on.
func TestDerivedHolds(t *testing.T) {
	entries := []string{
		"a Apply lab/v1 .: spec/mode spec/replicas", "b Apply lab/v1 .: spec/mode", "hpa Update lab/v1 scale: spec/replicas",
		"a Update lab/v1 .: metadata/labels/x metadata/labels/y spec/args", `c Update lab/v1 .: spec/ports/k:{"port":80}/name spec/ports/k:{"port":81}/name`,
		"a Update lab/v1 status: metadata/annotations/z", `b Apply lab/v1 .: metadata/labels/a"b`,
	}
	for i, first := range entries {
		for k, second := range entries {
			third := entries[(i+k)%len(entries)]
			objects := []managedfields.Owners{managedfields.Of(lab.Gadget(first, second)), managedfields.Of(lab.Gadget(third))}
			var seen Observation
			for _, owners := range objects {
				seen.Add(gadget, owners)
			}
			p, err := Parse("own.yaml", derived(t, &seen))
			if err != nil {
				t.Fatalf("%s, %s, %s: %v", first, second, third, err)
			}
			watched := p.Watched()
			allowed := map[string]bool{}
			for _, owners := range objects {
				if found := watched.Owned(gadget, owners); len(found) > 0 {
					t.Errorf("%s, %s and %s are against %v: %+v", first, second, third, p.Rules, found)
				}
				for _, e := range owners.Readable() {
					for path := range e.Set.Leaves().All() {
						for r := range p.Rules {
							if deciding(p.on(gadget), gadget, path) == &p.Rules[r] {
								allowed[fmt.Sprint(r, e.Manager)] = true
							}
						}
					}
				}
			}
			for r, rule := range p.Rules {
				for _, o := range rule.Owners {
					if !allowed[fmt.Sprint(r, o.Manager)] {
						t.Errorf("%s, %s and %s: rule %d allows %s for nothing", first, second, third, r, o)
					}
				}
			}
			if unused := watched.Unused(); len(unused) > 0 {
				t.Errorf("%s, %s and %s: unused %+v", first, second, third, unused)
			}
		}
	}
}

// TestForbids: the last rule that matches decides, also on an atomic list that a rule names
// something in.
func TestForbids(t *testing.T) {
	p := parse(t, `
ownership:
- fields: .spec
  owners: argocd-controller
- fields: ['.spec.args[*]']
  owners: [kubectl-edit]
- fields: ['.spec.ports[*].name']
  owners: []
`)
	o := gadget
	o.Live = lab.Object(`{"spec":{"args":["a"],"mode":"fast"}}`)
	port := fieldpath.KeyByFields("port", int64(80))
	for _, tt := range []struct {
		path fieldpath.Path
		role managedfields.Role
		want bool
	}{
		{fieldpath.MakePathOrDie("spec", "mode"), argo, false},
		{fieldpath.MakePathOrDie("spec", "mode"), kubectl, true},
		{fieldpath.MakePathOrDie("spec", "args"), kubectl, false},
		{fieldpath.MakePathOrDie("spec", "args"), argo, true},
		{fieldpath.MakePathOrDie("spec", "ports", port, "name"), argo, true},
		{fieldpath.MakePathOrDie("spec", "ports", port, "port"), argo, false},
		{fieldpath.MakePathOrDie("metadata", "labels", "x"), kubectl, false},
	} {
		if got := p.Forbids(o, tt.path, tt.role); got != tt.want {
			t.Errorf("%s by %s: %t", tt.path, tt.role.Manager, got)
		}
	}
}

// TestUnused: rules that were about nothing, and whether they matched an object.
func TestUnused(t *testing.T) {
	p := parse(t, `
ownership:
- fields: .spec.mode
  owners: argocd-controller
- fields: .spec.size
  owners: argocd-controller
- kinds: [Deployment]
  owners: argocd-controller
- namespaces: ["test-*"]
  owners: argocd-controller
- labels: team=shop
  fields: .spec.mode
  owners: argocd-controller
`).Watched()
	p.Owned(gadget, managedfields.Of(lab.Gadget("argocd-controller Apply lab/v1 .: spec/mode")))
	var got []string
	for _, u := range p.Unused() {
		got = append(got, fmt.Sprintf("line %d, matched an object %t", u.Rule.Source.Line, u.Object))
	}
	want := []string{
		"line 5, matched an object true", "line 7, matched an object false",
		"line 9, matched an object false", "line 11, matched an object false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if unwatched := parse(t, house).Unused(); unwatched != nil {
		t.Errorf("a policy that is not watched has unused rules: %v", unwatched)
	}
}

// TestEncodeReadsBack: a rule that is written is read as it was.
func TestEncodeReadsBack(t *testing.T) {
	main, scale := "", "scale"
	for _, r := range []Rule{
		{Owners: []Owner{{Manager: "a"}}, Severity: report.SeverityError},
		{Owners: []Owner{{Manager: "a", Subresource: &scale}, {Manager: "b", Operation: managedfields.Apply}}, Severity: report.SeverityWarning},
		{Owners: []Owner{{Manager: "yes", Subresource: &main}, {Manager: "a: b # c"}, {Manager: "x##y::z\x01"}}, Severity: report.SeverityError},
		{Kinds: []string{"Deployment.apps", "*.lab"}, Severity: report.SeverityNote},
		{Kinds: []string{"Secret.core"}, Owners: []Owner{{Manager: "null"}, {Manager: "1.0"}}, Severity: report.SeverityError},
	} {
		for _, text := range []string{".spec.mode", `.data["tls.key"]`, ".spec.ports[*].name", ".**.caBundle"} {
			f, err := fieldOf(text)
			if err != nil {
				t.Fatal(err)
			}
			r.Fields = append(r.Fields, f)
		}
		text, err := Encode([]Section{{Kinds: r.Kinds, Objects: 1, Rules: []Rule{r}}})
		if err != nil {
			t.Fatal(err)
		}
		got := parse(t, string(text)).Rules[0]
		got.Source = report.Source{}
		if diff := cmp.Diff(r, got); diff != "" {
			t.Errorf("(-want +got)\n%s\n%s", diff, text)
		}
	}
}
