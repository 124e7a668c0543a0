package refusal

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// validating is a server that rejects what a few rules of built-in kinds are against.
type validating struct {
	*merging.Server
	asked int
}

// Do implements api.Server.
func (v *validating) Do(ctx context.Context, r api.Request) (api.Response, error) {
	v.asked++
	answer, err := v.Server.Do(ctx, r)
	if err != nil || answer.Code >= http.StatusMultipleChoices {
		return answer, err
	}
	var live, stored map[string]any
	if err := json.Unmarshal(answer.Stored, &stored); err != nil {
		return answer, err
	}
	// The default is filled into what is read, too.
	if read := string(r.Live); strings.Contains(read, `"type":"RollingUpdate"`) &&
		!strings.Contains(read, `"rollingUpdate":`) {
		stored["spec"].(map[string]any)["strategy"].(map[string]any)["rollingUpdate"] = map[string]any{"maxSurge": "25%"}
	}
	if len(r.Live) > 0 {
		if err := json.Unmarshal(r.Live, &live); err != nil {
			return answer, err
		}
	}
	var causes []any
	for _, rule := range rules {
		if field, message := rule(live, stored); message != "" {
			causes = append(causes, map[string]any{"field": field, "message": message})
		}
	}
	if causes == nil {
		return answer, nil
	}
	body, err := json.Marshal(map[string]any{"kind": "Status", "code": http.StatusUnprocessableEntity, "reason": "Invalid",
		"message": "is invalid", "details": map[string]any{"causes": causes}})
	return api.Response{Code: http.StatusUnprocessableEntity, Body: body, Stored: r.Live}, err
}

// rules are against an object as it would be stored, in the words of upstream.
var rules = []func(live, stored map[string]any) (field, message string){
	func(_, o map[string]any) (string, string) {
		if spec(o, "minAvailable") != nil && spec(o, "maxUnavailable") != nil {
			return "spec", "Invalid value: minAvailable and maxUnavailable cannot be both set"
		}
		return "", ""
	},
	func(_, o map[string]any) (string, string) {
		if spec(o, "minReadySeconds") != nil && spec(o, "revisionHistoryLimit") != nil {
			return "spec.minReadySeconds", "Forbidden: goes with no revisionHistoryLimit"
		}
		return "", ""
	},
	func(_, o map[string]any) (string, string) {
		ports, _ := spec(o, "ports").([]any)
		names := map[any]bool{}
		for i, p := range ports {
			name := p.(map[string]any)["name"]
			if names[name] {
				return fmt.Sprintf("spec.ports[%d].name", i), fmt.Sprintf("Duplicate value: %q", name)
			}
			names[name] = true
		}
		return "", ""
	},
	func(_, o map[string]any) (string, string) {
		if n, _ := spec(o, "replicas").(float64); n < 0 {
			return "spec.replicas", "Invalid value: must be greater than or equal to 0"
		}
		return "", ""
	},
	func(live, o map[string]any) (string, string) {
		if live != nil && !reflect.DeepEqual(spec(live, "volumeClaimTemplates"), spec(o, "volumeClaimTemplates")) {
			return "spec.volumeClaimTemplates", "Invalid value: field is immutable"
		}
		return "", ""
	},
	func(live, o map[string]any) (string, string) {
		if live != nil && o["kind"] != "PodDisruptionBudget" &&
			!reflect.DeepEqual(spec(live, "selector"), spec(o, "selector")) {
			return "spec.selector", "Invalid value: field is immutable"
		}
		return "", ""
	},
	func(_, o map[string]any) (string, string) {
		if o["kind"] == "Deployment" && fieldtree.Value(o, "spec", "strategy", "type") == "Recreate" &&
			fieldtree.Value(o, "spec", "strategy", "rollingUpdate") != nil {
			return "spec.strategy.rollingUpdate", "Forbidden: may not be specified"
		}
		return "", ""
	},
	// Neither of the two can be removed without the other, which only a patch of both does.
	func(_, o map[string]any) (string, string) {
		if o["kind"] == "Service" && (spec(o, "type") == "ExternalName") != (spec(o, "externalName") != nil) {
			return "spec.externalName", "Forbidden: goes with the type ExternalName alone"
		}
		return "", ""
	},
}

func spec(o map[string]any, field string) any { return fieldtree.Value(o, "spec", field) }

const (
	head    = "metadata: {name: web, namespace: shop}, spec: "
	budget  = "apiVersion: policy/v1, kind: PodDisruptionBudget, " + head
	service = "apiVersion: v1, kind: Service, " + head
	set     = "apiVersion: apps/v1, kind: StatefulSet, " + head
	deploy  = "apiVersion: apps/v1, kind: Deployment, " + head
)

func claims(size string) string {
	return "volumeClaimTemplates: [{metadata: {name: data}, spec: {volumeMode: Filesystem, resources: {requests: {storage: " + size + "}}}}]"
}

// TestExplain: why an apply is rejected, and the ways to have it accepted.
func TestExplain(t *testing.T) {
	type write struct {
		verb              api.Verb
		manager, manifest string
	}
	applied := func(by, text string) write { return write{api.Apply, by, "{" + text + "}"} }
	updated := func(by, text string) write { return write{api.Update, by, "{" + text + "}"} }
	const budgets = "Leftover .spec.minAvailable 2 -> nothing, "
	const patch = "kubectl patch --namespace=shop --type=json --patch="
	for _, tt := range []struct {
		name     string
		writes   []write
		manager  string
		manifest string
		want     []string
	}{
		{"a person's field beside the manifest's", []write{
			applied("helm", budget+"{selector: {matchLabels: {a: b}}}"),
			updated("kubectl-edit", budget+"{minAvailable: 2, selector: {matchLabels: {a: b}}}"),
		}, "helm", budget + "{maxUnavailable: 1, selector: {matchLabels: {a: b}}}", []string{
			budgets + "by kubectl-edit",
			"RemoveLive " + patch + `'[{"op":"remove","path":"/spec/minAvailable"}]' -- poddisruptionbudgets.v1.policy/web`,
		}},
		{"of another applier, by another client", []write{
			applied("policies", budget+"{minAvailable: 2}"), applied("argocd-controller", budget+"{selector: {matchLabels: {a: b}}}"),
		}, "argocd-controller", budget + "{maxUnavailable: 1, selector: {matchLabels: {a: b}}}", []string{
			budgets + "by policies",
			"RemoveLive " + patch + `'[{"op":"remove","path":"/spec/minAvailable"}]' -- poddisruptionbudgets.v1.policy/web`,
		}},
		{"without an owner", []write{applied("helm", budget+"{minAvailable: 2}"), updated("x", budget+"{minAvailable: 2}"), {api.JSONPatch, "x", `metadata`}},
			"helm", budget + "{maxUnavailable: 1}", []string{
				budgets + "by ",
				"RemoveLive " + patch + `'[{"op":"remove","path":"/spec/minAvailable"}]' -- poddisruptionbudgets.v1.policy/web`,
			}},
		{"left by a client-side tool, which a migration removes", []write{updated("helm", budget+"{minAvailable: 2, selector: {matchLabels: {a: b}}}")},
			"helm", budget + "{maxUnavailable: 1, selector: {matchLabels: {a: b}}}", []string{
				budgets + "by helm",
				"MigrateLeftover from helm",
				"RemoveLive " + patch + `'[{"op":"remove","path":"/spec/minAvailable"}]' -- poddisruptionbudgets.v1.policy/web`,
			}},
		{"a migration that removes more is the second way", []write{
			updated("helm", budget+"{minAvailable: 2, unhealthyPodEvictionPolicy: AlwaysAllow, selector: {matchLabels: {a: b}}}"),
		}, "helm", budget + "{maxUnavailable: 1, selector: {matchLabels: {a: b}}}", []string{
			budgets + "by helm",
			"RemoveLive " + patch + `'[{"op":"remove","path":"/spec/minAvailable"}]' -- poddisruptionbudgets.v1.policy/web`,
			"MigrateLeftover from helm, removes .spec.unhealthyPodEvictionPolicy",
		}},
		{"an item of a list", []write{
			applied("helm", service+"{ports: [{port: 81, name: a}]}"),
			updated("kubectl-edit", service+"{ports: [{port: 80, name: http}, {port: 81, name: a}]}"),
		}, "helm", service + "{ports: [{port: 81, name: http}]}", []string{
			`Needed .spec.ports[port=81,protocol="TCP"].name a -> http, by helm`,
			"KeepLive",
		}},
		{"what does not go alone", []write{updated("kubectl-edit", service+"{type: ExternalName, externalName: a}")},
			"helm", service + "{type: ClusterIP}", []string{
				`Leftover .spec.externalName a -> nothing, by kubectl-edit`,
				"ReplaceLive " + patch +
					`'[{"op":"remove","path":"/spec/externalName"},{"op":"replace","path":"/spec/type","value":"ClusterIP"}]' -- services/web`,
			}},
		{"a default, which comes back where the type does not change with it", []write{
			updated("kubectl-edit", deploy+"{strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}}"),
		}, "helm", deploy + "{strategy: {type: Recreate}}", []string{
			`Leftover .spec.strategy.rollingUpdate map[maxSurge:1 maxUnavailable:0] -> nothing, by kubectl-edit`,
			"ReplaceLive " + patch + `'[{"op":"remove","path":"/spec/strategy/rollingUpdate"},` +
				`{"op":"replace","path":"/spec/strategy/type","value":"Recreate"}]' -- deployments.v1.apps/web`,
		}},
		{"inside of an atomic list that must not change", []write{applied("helm", set+"{replicas: 1, "+claims("3Gi")+"}")},
			"helm", set + "{replicas: 2, " + claims("6Gi") + "}", []string{
				"Immutable .spec.volumeClaimTemplates[0].spec.resources.requests.storage 3Gi -> 6Gi, by helm",
				"KeepLive",
				"Recreate kubectl delete --namespace=shop --cascade=orphan -- statefulsets.v1.apps/web",
			}},
		{"a selector that must not change", []write{applied("flux", deploy+"{selector: {matchLabels: {a: b}}}")},
			"flux", deploy + "{selector: {matchLabels: {a: c}}}", []string{
				"Immutable .spec.selector.matchLabels.a b -> c, by flux",
				"KeepLive",
			}},
		{"a selector by which it does not find its Pods again", []write{applied("flux", set+"{selector: {matchLabels: {a: b}}}")},
			"flux", set + "{selector: {matchLabels: {a: c}}}", []string{
				"Immutable .spec.selector.matchLabels.a b -> c, by flux",
				"KeepLive",
			}},
		{"two reasons at once", []write{
			applied("helm", set+"{"+claims("3Gi")+"}"),
			updated("kubectl-edit", set+"{"+claims("3Gi")+", minReadySeconds: 1}"),
		}, "helm", set + "{revisionHistoryLimit: 1, " + claims("6Gi") + "}", []string{
			"Leftover .spec.minReadySeconds 1 -> nothing, by kubectl-edit",
			"RemoveLive " + patch + `'[{"op":"remove","path":"/spec/minReadySeconds"}]' -- statefulsets.v1.apps/web`,
			"Immutable .spec.volumeClaimTemplates[0].spec.resources.requests.storage 3Gi -> 6Gi, by helm",
			"KeepLive",
			"Recreate kubectl delete --namespace=shop --cascade=orphan -- statefulsets.v1.apps/web",
		}},
		{"the manifest itself is wrong", []write{applied("helm", deploy+"{replicas: 1}")}, "helm", deploy + "{replicas: -1}", nil},
		{"there is no live object", nil, "helm", deploy + "{replicas: -1}", nil},
		{"it is accepted", []write{applied("helm", deploy+"{replicas: 1}")}, "helm", deploy + "{replicas: 2}", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := &validating{Server: merging.New()}
			var writings []merging.Writing
			clear := false
			for _, w := range tt.writes {
				if clear = w.verb == api.JSONPatch; !clear {
					writings = append(writings, merging.Writing{Verb: w.verb, Manager: w.manager, Manifest: w.manifest})
				}
			}
			w := engine.Write{Verb: api.Apply, Namespace: "shop", Name: "web", Manager: tt.manager, Force: true,
				Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Body: merging.JSON(t, "{"+tt.manifest+"}")}
			if tt.writes != nil {
				w.Live = server.Object(t, writings...)
			}
			if clear {
				w.Live = unowned(t, w.Live)
			}
			var kind struct{ APIVersion, Kind string }
			if err := json.Unmarshal(w.Body, &kind); err != nil {
				t.Fatal(err)
			}
			w.Kind = schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
			r := engine.Simulate(t.Context(), server, w)
			got := summed(Explain(t.Context(), server, w, r, engine.Simulate))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", r.Outcome, diff)
			}
			if server.asked > maxTried+10 {
				t.Errorf("the server is asked %d times", server.asked)
			}
		})
	}
}

// unowned is an object with an owner of its selector alone.
func unowned(t *testing.T, live []byte) []byte {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal(live, &o); err != nil {
		t.Fatal(err)
	}
	o["metadata"].(map[string]any)["managedFields"] = []any{map[string]any{
		"manager": "x", "operation": "Update", "apiVersion": o["apiVersion"], "fieldsType": "FieldsV1",
		"fieldsV1": map[string]any{"f:metadata": map[string]any{"f:labels": map[string]any{}}},
	}}
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func summed(list []report.Refusal) []string {
	var out []string
	for _, r := range list {
		for _, f := range r.Fields {
			applied := fmt.Sprint(f.Applied)
			if f.AppliedMissing {
				applied = "nothing"
			}
			var owners []string
			for _, w := range f.Owners {
				owners = append(owners, w.Manager)
			}
			slices.Sort(owners)
			out = append(out, fmt.Sprintf("%s %s %v -> %s, by %s", r.Kind, f.Field, f.Live, applied, strings.Join(owners, ", ")))
		}
		for _, fix := range r.Fixes {
			says := string(fix.Kind)
			if fix.From != nil {
				says += " from " + strings.Join(fix.From, ", ")
			}
			if fix.Removes != nil {
				says += ", removes " + strings.Join(fix.Removes, ", ")
			}
			out = append(out, strings.TrimSpace(says+" "+fix.Command.String()))
		}
	}
	return out
}
