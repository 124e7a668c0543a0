package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// TestDerive: a rule for what most fields have in common, and one for each exception;
// kinds with the same rules together.
func TestDerive(t *testing.T) {
	var seen Observation
	deployment := Object{Kind: schema.GroupKind{Group: "apps", Kind: "Deployment"}}
	owners := func(list ...managedfields.Owners) managedfields.Owners {
		var out managedfields.Owners
		for _, o := range list {
			out.Entries = append(out.Entries, o.Entries...)
		}
		return out
	}
	image := func(name string) fieldpath.Path {
		return fieldpath.MakePathOrDie("spec", "containers", fieldpath.KeyByFields("name", name), "image")
	}
	label := fieldpath.MakePathOrDie("metadata", "annotations", "a.b/c*")
	replicas := fieldpath.MakePathOrDie("spec", "replicas")
	seen.Add(
		deployment,
		owners(
			owning(t, argo, image("a"), image("b"), label, fieldpath.MakePathOrDie("spec", "paused")),
			owning(t, autoscaler, replicas),
		),
	)
	seen.Add(deployment, owners(owning(t, argo, replicas), owning(t, kubectl, label)))
	for _, kind := range []string{"ConfigMap", "Service"} {
		seen.Add(Object{Kind: schema.GroupKind{Kind: kind}}, owning(t, argo, fieldpath.MakePathOrDie("data", "x")))
	}
	seen.Add(
		Object{Kind: schema.GroupKind{Group: "example.org", Kind: "Service"}},
		owning(t, kubectl, fieldpath.MakePathOrDie("spec")),
	)
	seen.Add(Object{Kind: schema.GroupKind{Kind: "Node"}}, managedfields.Owners{})
	text := derived(t, &seen)
	want := `# Who may own which field: what holds in 5 objects today.
# The last rule that matches a field decides; a field that none matches may be
# owned by any manager. Edit it: join rules, and remove who should not own what
# they do.

ownership:
  # ConfigMap, Service.core: 2 objects
  - kinds: [ConfigMap, Service.core]
    owners: [argocd-controller]
  # Deployment.apps: 2 objects
  - kinds: [Deployment.apps]
    owners: [argocd-controller]
  - kinds: [Deployment.apps]
    fields: ['.metadata.annotations["a.b/c*"]']
    owners: [argocd-controller, kubectl-edit]
  - kinds: [Deployment.apps]
    fields: [.spec.replicas]
    owners: [argocd-controller, {manager: kube-controller-manager, subresource: scale}]
  # Service.example.org: 1 object
  - kinds: [Service.example.org]
    owners: [kubectl-edit]
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := Parse("own.yaml", text); err != nil {
		t.Error(err)
	}
}

// derived is the text of the rules that are derived.
func derived(t *testing.T, seen *Observation) []byte {
	t.Helper()
	sections, err := seen.Derive()
	if err != nil {
		t.Fatal(err)
	}
	text, err := Encode(sections)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestDeriveStars: a rule keeps the field that it is about, whatever its keys are.
func TestDeriveStars(t *testing.T) {
	var seen Observation
	config := Object{Kind: schema.GroupKind{Kind: "ConfigMap"}}
	seen.Add(config, owning(t, argo, fieldpath.MakePathOrDie("data", "a"), fieldpath.MakePathOrDie("data", "b")))
	seen.Add(config, owning(t, kubectl, fieldpath.MakePathOrDie("data", "**.x.**")))
	p, err := Parse("own.yaml", derived(t, &seen))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Rules {
		if r.Allows(kubectl) && len(r.Fields) == 0 {
			t.Errorf("%s may own all fields: %v", kubectl.Manager, p.Rules)
		}
	}
	if found := p.Owned(config, owning(t, kubectl, fieldpath.MakePathOrDie("data", "a"))); len(found) != 1 {
		t.Errorf("got %d violations, want 1: %v", len(found), p.Rules)
	}
}
