package conflict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestAdviseAgrees: the short advice on an answer is what Explain recommends.
func TestAdviseAgrees(t *testing.T) {
	policies := map[string]Judges{
		"without a policy": {},
		"a policy against ci": {Forbids: func(_ map[string]any, _ fieldpath.Path, role managedfields.Role) bool {
			return role.Manager == "ci"
		}},
		"a policy against all": {Forbids: func(map[string]any, fieldpath.Path, managedfields.Role) bool { return true }},
	}
	for policy, judges := range policies {
		for _, test := range situations {
			s, w := needing(test.needs), written(t, test.manifest, test.writes...)
			want := map[string]string{}
			for _, f := range Conflicting(report.Result{}, Explain(t.Context(), s, w, judges).Conflicts).Contested {
				want[f.Field] = fmt.Sprint(f.Does(), " ", f.Because, " ", f.Why)
			}
			got := map[string]string{}
			for _, f := range Advise(t.Context(), s, w, engine.Simulate(t.Context(), s, w), judges).Contested {
				got[f.Field] = fmt.Sprint(f.Does(), " ", f.Because, " ", f.Why)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-explained +advised):\n%s", test.name, policy, diff)
			}
		}
	}
}

// TestAdviseForced: what a forced apply takes from one who writes again has the settings by
// which the client leaves it to them.
func TestAdviseForced(t *testing.T) {
	hpa := merging.Writing{Verb: api.Update, Manager: "kube-controller-manager", Manifest: deployment("5", "a")}
	for _, test := range []struct {
		name, manager string
		owner         merging.Writing
		want          string
	}{
		{"from a controller", "argocd-controller", hpa, "UseLiveValue .spec.replicas"},
		{"from a person", "argocd-controller", updated("kubectl-edit", deployment("5", "a")), ""},
		{"by a client without such a setting", "kubectl", hpa, ""},
		{"by helm, which has one for replicas", "helm", hpa, "StopManaging .spec.replicas"},
		{"by an unknown manager", "ci", hpa, ""},
	} {
		w := written(t, deployment("3", "a"), applied(test.manager, deployment("2", "a")), test.owner)
		w.Manager, w.Force = test.manager, true
		r := Advise(t.Context(), server, w, engine.Simulate(t.Context(), server, w), Judges{})
		if got := fixed(r.InClient); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func fixed(fixes []report.ClientFix) string {
	var out []string
	for _, f := range fixes {
		out = append(out, f.Kind+" "+strings.Join(f.Fields, ", "))
	}
	return strings.Join(out, "; ")
}

// TestUndecidable: without managed fields, or as a manager that nobody is, nothing is
// recommended.
func TestUndecidable(t *testing.T) {
	caveat := func(rule, nearest string) report.Confidence {
		return report.Confidence{Reasons: []report.Caveat{{Rule: "other"}, {Rule: rule, Nearest: nearest}}}
	}
	for _, test := range []struct {
		confidence report.Confidence
		want       Reason
	}{
		{report.Confidence{}, Reason{}},
		{caveat(report.RuleNoManagedFields, ""), Reason{Kind: OwnersUnknown}},
		{caveat(report.RuleUnknownManager, ""), Reason{}},
		{caveat(report.RuleUnknownManager, "helm"), Reason{Kind: WrongManager, Managers: []string{"helm"}}},
	} {
		if diff := cmp.Diff(test.want, undecidable(test.confidence)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		w := written(t, deployment("3", "a"), updated("kubectl-edit", deployment("5", "a")))
		r := engine.Simulate(t.Context(), server, w)
		r.Confidence = test.confidence
		for _, f := range Advise(t.Context(), server, w, r, Judges{}).Contested {
			_, known := f.Recommended()
			if none := !known || f.Does() == report.EditApplier; none != (test.want.Kind != "") ||
				none && f.Because != string(test.want.Kind) {
				t.Errorf("%+v: advised %+v", test.confidence, f)
			}
		}
	}
}

// TestLeave: how the client that applies leaves a field to one that is going to write it.
func TestLeave(t *testing.T) {
	replicas := fieldpath.MakePathOrDie("spec", "replicas")
	for _, test := range []struct {
		name, manager string
		path          fieldpath.Path
		live          []merging.Writing
		want          string
	}{
		{"Argo CD ignores it", "argocd-controller", replicas, []merging.Writing{applied("argocd-controller", deployment("3", "a"))}, "UseLiveValue .spec.replicas"},
		{"of an object that is not there yet", "argocd-controller", replicas, nil, "UseLiveValue .spec.replicas"},
		{"Flux leaves it out", "kustomize-controller", replicas, []merging.Writing{applied("kustomize-controller", deployment("3", "a"))}, "StopManaging .spec.replicas"},
		{"a client that is not known", "ci", replicas, nil, ""},
		{"a field that the object lacks", "argocd-controller", fieldpath.MakePathOrDie("spec", "paused"), nil, ""},
		{"a value that no other is sure to be valid for", "argocd-controller", fieldpath.MakePathOrDie("metadata", "name"), nil, ""},
	} {
		w := written(t, deployment("3", "a"), test.live...)
		w.Manager = test.manager
		if got := fixed(Leave(t.Context(), server, w, test.path, "hpa-controller")); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestAnotherValue is of the same type as the given one.
func TestAnotherValue(t *testing.T) {
	for _, test := range []struct{ value, want any }{
		{int64(3), int64(4)},
		{"YQ==", "YQo="},
		{"no base64", nil},
		{[]any{"a", "b"}, []any{"a", "b", "b"}},
		{[]any{}, nil},
		{map[string]any{"a": "b"}, map[string]any{"a": "b", "ssactl-other": "another"}},
		{true, nil},
		{nil, nil},
	} {
		got, ok := anotherValue(test.value)
		if diff := cmp.Diff(test.want, got); ok != (test.want != nil) || ok && diff != "" {
			t.Errorf("%v: %v (-want +got):\n%s", test.value, ok, diff)
		}
	}
}

// TestNobodyComesBack: a field whose value the server refuses with force is left out of the
// manifest, though nobody writes it again. It was said that a policy forbids that, without a
// policy and without a name.
func TestNobodyComesBack(t *testing.T) {
	s := *server
	s.Refuse = func(r api.Request) (api.Response, bool) {
		return api.Response{
				Code:   422,
				Body:   []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","message":"no","code":422}`),
				Stored: r.Live,
			},
			r.Force &&
				strings.Contains(string(r.Body), `"replicas":3`)
	}
	w := written(t, deployment("3", "a"), updated("kubectl-edit", deployment("5", "a")))
	want := "StopManaging: The server refuses your value with force too, for the reason shown above."
	for _, c := range Explain(t.Context(), &s, w, Judges{}).Conflicts {
		if got := string(c.Recommended) + ": " + c.Reason.String(); got != want {
			t.Errorf("explained: %s", got)
		}
	}
	for _, f := range Advise(t.Context(), &s, w, engine.Simulate(t.Context(), &s, w), Judges{}).Contested {
		if f.Does() != report.EditStop || f.Because != string(RefusedValue) {
			t.Errorf("advised: %+v", f)
		}
	}
}
