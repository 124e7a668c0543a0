package given

import (
	"testing"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestGivenObjectsAreSeenThroughInformers(t *testing.T) {
	const first = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}`
	g := New(
		[][]byte{[]byte(first), []byte(`{"kind":"Namespace","apiVersion":"v1","metadata":"wrong"}`), []byte(`[]`), nil},
	)
	lister := g.Informers.Core().V1().Namespaces().Lister()
	names := func() (names []string) {
		t.Helper()
		all, err := lister.List(labels.Everything())
		if err != nil {
			t.Fatal(err)
		}
		for _, namespace := range all {
			names = append(names, namespace.Name)
		}
		return names
	}
	if got := names(); len(got) != 1 || got[0] != "a" {
		t.Errorf("at first: %v", got)
	}
	g.Add([]byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","labels":{"x":"y"}}}`))
	if got, err := g.Informers.Core().V1().Namespaces().Lister().Get("a"); err != nil || got.Labels["x"] != "y" {
		t.Errorf("after a change: %v, %v", got, err)
	}
	g.Remove(schema.GroupKind{Kind: "Namespace"}, "", "a")
	if got := names(); len(got) != 0 {
		t.Errorf("after it is gone: %v", got)
	}
}

// Objects come at whatever version, and with defaults as they are stored.
func TestGivenObjectsAreAsStored(t *testing.T) {
	g := New(
		[][]byte{
			[]byte(
				`{"apiVersion":"admissionregistration.k8s.io/v1beta1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"],"operations":["CREATE"]}]},"validations":[{"expression":"true"}]}}`,
			),
		},
	)
	policy, err := g.Informers.Admissionregistration().V1().ValidatingAdmissionPolicies().Lister().Get("p")
	if err != nil {
		t.Fatal(err)
	}
	if p := policy.Spec.FailurePolicy; p == nil || *p != "Fail" {
		t.Errorf("failure policy %v, want the default", p)
	}
	if m := policy.Spec.MatchConstraints; m.NamespaceSelector == nil || m.ObjectSelector == nil ||
		*m.MatchPolicy != "Equivalent" {
		t.Errorf("match constraints without defaults: %+v", m)
	}
}

func TestSystemPriorityClassesAreAlwaysGiven(t *testing.T) {
	g := New(nil)
	if _, err := g.Informers.Scheduling().V1().PriorityClasses().Lister().Get("system-node-critical"); err != nil {
		t.Error(err)
	}
}
