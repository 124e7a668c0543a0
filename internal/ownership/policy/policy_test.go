package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// house is a policy as a team writes it: general rules first, exceptions below.
const house = `
ownership:
- kinds: ["*.apps"]
  fields: .spec
  owners: argocd-controller
- kinds: ["*.apps"]
  fields: [.spec.replicas]
  owners: [{manager: kube-controller-manager, subresource: scale}]
- kinds: ["*.apps"]
  namespaces: ["test-*"]
  labels: tier!=core
  owners: ["*"]
- fields: [.**.caBundle]
  owners: [cert-manager-cainjector]
  severity: warning
  reason: certificates are rotated
- kinds: [Secret.core]
  fields: ['.data["tls.key"]', .metadata.annotations.example.com/*]
  owners: []
- kinds: [Deployment.apps]
  fields: .spec.selector.matchLabels.app
  owners: [kept]
`

var (
	argo       = managedfields.Role{Manager: "argocd-controller", Operation: managedfields.Apply}
	kubectl    = managedfields.Role{Manager: "kubectl-edit", Operation: managedfields.Update}
	autoscaler = managedfields.Role{
		Manager:     "kube-controller-manager",
		Operation:   managedfields.Update,
		Subresource: "scale",
	}
	controller = managedfields.Role{Manager: "kube-controller-manager", Operation: managedfields.Update}
	injector   = managedfields.Role{Manager: "cert-manager-cainjector", Operation: managedfields.Update}
)

func parse(t testing.TB, text string) Policy {
	t.Helper()
	p, err := Parse("own.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func object(kind, group, namespace string, labels ...string) Object {
	set := map[string]any{}
	for _, l := range labels {
		key, value, _ := strings.Cut(l, "=")
		set[key] = value
	}
	return Object{Kind: schema.GroupKind{Group: group, Kind: kind}, Namespace: namespace,
		Live: map[string]any{"metadata": map[string]any{"labels": set}}}
}

// TestAllows is the table of what the house's policy allows, and by which line it
// forbids the rest.
func TestAllows(t *testing.T) {
	p := parse(t, house)
	deployment, tested := object("Deployment", "apps", "shop"), object("Deployment", "apps", "test-1", "tier=web")
	replicas, image := fieldpath.MakePathOrDie(
		"spec",
		"replicas",
	), fieldpath.MakePathOrDie(
		"spec", "template", "spec", "containers", fieldpath.KeyByFields("name", "web"), "image",
	)
	bundle := fieldpath.MakePathOrDie("webhooks", fieldpath.KeyByFields("name", "a"), "clientConfig", "caBundle")
	for _, c := range []struct {
		name   string
		object Object
		role   managedfields.Role
		path   fieldpath.Path
		// line forbids it; 0 where it is allowed.
		line int
	}{
		{"the owner of spec", deployment, argo, image, 0},
		{"another manager", deployment, kubectl, image, 3},
		{"the exception is below", deployment, argo, replicas, 6},
		{"the autoscaler", deployment, autoscaler, replicas, 0},
		{"its manager by another way", deployment, controller, replicas, 6},
		{"no rule on the field", deployment, kubectl, fieldpath.MakePathOrDie("metadata", "labels", "a"), 0},
		{"another group", object("Deployment", "example.org", "shop"), kubectl, image, 0},
		{"anybody in namespaces of tests", tested, kubectl, replicas, 0},
		{"but for other labels", object("Deployment", "apps", "test-1", "tier=core"), kubectl, replicas, 6},
		{"no namespace fits none", object("Deployment", "apps", ""), kubectl, replicas, 6},
		{"caBundle at any depth", object("ValidatingWebhookConfiguration", "admissionregistration.k8s.io", ""), argo, bundle, 13},
		{"the injector", object("ValidatingWebhookConfiguration", "admissionregistration.k8s.io", ""), injector, bundle, 0},
		{"a key with a dot", object("Secret", "", "shop"), argo, fieldpath.MakePathOrDie("data", "tls.key"), 17},
		{"a star in a key", object("Secret", "", "shop"), argo, fieldpath.MakePathOrDie("metadata", "annotations", "example.com/a"), 17},
		{"the same kind of another group", object("Secret", "example.org", "shop"), argo, fieldpath.MakePathOrDie("data", "tls.key"), 0},
	} {
		got := p.Owned(c.object, owning(t, c.role, c.path))
		line := 0
		if len(got) > 0 {
			line = got[0].Rule.Source.Line
		}
		if line != c.line || len(got) > 1 {
			t.Errorf("%s: forbidden by line %d, want %d", c.name, line, c.line)
		}
	}
}

// owning are managed fields in which a role owns paths.
func owning(t testing.TB, role managedfields.Role, paths ...fieldpath.Path) managedfields.Owners {
	t.Helper()
	return managedfields.Owners{
		Entries: []managedfields.Entry{
			{Writer: managedfields.Writer{Role: role, APIVersion: "v1"}, Set: fieldpath.NewSet(paths...)},
		},
	}
}

// TestAdded: only what a write adds to what its manager owns is against the policy.
func TestAdded(t *testing.T) {
	p := parse(t, house)
	replicas, paused := fieldpath.MakePathOrDie("spec", "replicas"), fieldpath.MakePathOrDie("spec", "paused")
	o := object("Deployment", "apps", "shop")
	for _, c := range []struct {
		name          string
		before, after managedfields.Owners
		want          string
	}{
		{"owned before", owning(t, argo, replicas), owning(t, argo, replicas, paused), ""},
		{"new", managedfields.Owners{}, owning(t, argo, replicas, paused), ".spec.replicas"},
		{"owned by another way before", owning(t, autoscaler, replicas), owning(t, argo, replicas), ".spec.replicas"},
		{"given up", owning(t, argo, replicas), managedfields.Owners{}, ""},
		{"somebody else's", managedfields.Owners{}, owning(t, kubectl, replicas), ""},
	} {
		got := ""
		for _, v := range p.Added(o, argo, c.before, c.after) {
			for _, path := range v.Paths {
				got += path.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestParseRefuses: each error names its line, and what is meant.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "own.yaml: no rules: a policy is a list under the key ownership"},
		{"ownership: [{owners: [a]}]\n---\nownership: [{owners: [b]}]\n", "own.yaml:2: another document begins: write all rules under one key ownership"},
		{"a: 1", `own.yaml:1: unknown key of a policy: there are ownership`},
		{"ownershp: []", `own.yaml:1: unknown key of a policy: did you mean ownership?`},
		{"ownership: {}", "own.yaml:1: ownership is a list of rules"},
		{"ownership: [1]", "own.yaml:1: a rule is a map with the keys kinds, namespaces, labels, fields, owners, severity, reason"},
		{"ownership:\n- field: .spec\n  owners: a", `own.yaml:2: unknown key of a rule: did you mean fields?`},
		{"ownership:\n- owners: a\n  owners: b", "own.yaml:3: the key owners is there twice, first at line 2"},
		{"ownership:\n- fields: .spec", "own.yaml:2: a rule without owners: name who may own the fields, or write owners: [] for none"},
		{"ownership:\n- owners: [a, null]", "own.yaml:2: an owner is the name of a field manager, or a map with the keys manager, operation, subresource; owners: [] allows none"},
		{"ownership:\n- owners: {operation: apply}", "own.yaml:2: an owner without manager: name the field manager, or write manager: '*' for any\nown.yaml:2: operation \"apply\": use Apply or Update"},
		{"ownership:\n- owners: a\n  kinds: [apps/Deployment]", `own.yaml:3: kinds "apps/Deployment": write it as Deployment.apps`},
		{"ownership:\n- owners: a\n  kinds: [apps/v1/Deployment]", `own.yaml:3: kinds "apps/v1/Deployment": write KIND, KIND.GROUP or *.GROUP, such as Deployment.apps`},
		{"ownership:\n- owners: a\n  kinds: []", "own.yaml:3: kinds is empty: leave it out where everything is meant"},
		{"ownership:\n- owners: a\n  fields:\n  - .spec\n  - .a[", `own.yaml:5: field path ".a[": no closing bracket`},
		{"ownership:\n- owners: a\n  fields: [.**.a.**.b]", `own.yaml:3: field path ".**.a.**.b": only one ** is possible`},
		{"ownership:\n- owners: a\n  fields: [.a, '.**.b[\"**.**\"].**']", `own.yaml:3: field path ".**.b[\"**.**\"].**": only one ** is possible`},
		{"ownership:\n- owners: a\n  labels: 'a=b=c'", `own.yaml:3: labels "a=b=c": found '=', expected: ',' or 'end of string'`},
		{"ownership:\n- owners: a\n  severity: bad", `own.yaml:3: severity "bad": use error, warning or note`},
		{"ownership:\n- owners: a\n  reason: [x]", "own.yaml:3: reason is a text"},
		{"ownership: [", "own.yaml: line 1: did not find expected node content"},
	} {
		_, err := Parse("own.yaml", []byte(c.text))
		if err == nil {
			t.Errorf("%q is a policy", c.text)
			continue
		}
		if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", c.text, diff)
		}
	}
}

// TestOwnerString: no subresource is another thing than any.
func TestOwnerString(t *testing.T) {
	main, scale := "", "scale"
	for _, c := range []struct {
		owner Owner
		want  string
	}{
		{Owner{Manager: "a"}, "a"},
		{Owner{Manager: "a", Operation: "Apply"}, "a (Apply)"},
		{Owner{Manager: "a", Subresource: &scale}, "a (scale)"},
		{Owner{Manager: "a", Subresource: &main}, "a (main resource)"},
		{Owner{Manager: "a", Operation: "Apply", Subresource: &main}, "a (Apply of main resource)"},
		{Owner{Manager: "a", Operation: "Update", Subresource: &scale}, "a (Update of scale)"},
	} {
		if got := c.owner.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// FuzzParse: any text is a policy or an error, and a policy can be asked.
func FuzzParse(f *testing.F) {
	f.Add(house)
	f.Add("ownership: &a [*a]")
	f.Add("a: &x {manager: y}\nownership: [{owners: *x}]")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("own.yaml", []byte(text))
		if err != nil {
			return
		}
		p.Owned(object("Deployment", "apps", "shop"), owning(t, argo, fieldpath.MakePathOrDie("spec", "replicas")))
	})
}
