package risk

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

// TestHarm: what an accepted write does beyond its fields, and where it does not.
func TestHarm(t *testing.T) {
	const sts = `{"metadata":{"name":"db"},"spec":{"selector":{},"replicas":%n,"ordinals":{"start":1},"volumeClaimTemplates":[{"metadata":{"name":"data"}}],` +
		`"persistentVolumeClaimRetentionPolicy":{"whenScaled":"%p"}}}`
	set := func(n, policy string) string { return strings.NewReplacer("%n", n, "%p", policy).Replace(sts) }
	const going = `{"metadata":{"deletionTimestamp":"2026-11-01T00:00:00Z","finalizers":["a.io/x"]}}`
	const injected = `{"metadata":{"annotations":{"cert-manager.io/inject-ca-from":"a/b"}}}`
	owns := func(field, manager string) report.FieldOwners {
		return report.FieldOwners{Field: field, Managers: []report.Writer{{Manager: manager, Operation: "Update"}}}
	}
	changed := func(field string, before, after any) report.Change {
		kind := report.Modified
		if after == nil {
			kind = report.Removed
		}
		return report.Change{Field: field, Kind: kind, Before: before, After: after, Reason: report.ReasonApplied}
	}
	const replicas, suspended = ".spec.replicas", `{"spec":{"suspend":true}}`
	const released = ".metadata.annotations.meta.helm.sh/release-name"
	const other = `{"metadata":{"annotations":{"meta.helm.sh/release-name":"other","meta.helm.sh/release-namespace":"prod"}}}`
	const ours = `{"metadata":{"annotations":{"meta.helm.sh/release-name":"rel","meta.helm.sh/release-namespace":"prod"}}}`
	for _, tt := range []struct {
		name, apiVersion, kind, live, after string
		changes                             []report.Change
		owners                              []report.FieldOwners
		want                                string
	}{
		{"fewer Pods", "apps/v1", "StatefulSet", set("3", "Delete"), set("1", "Delete"), []report.Change{changed(replicas, int64(3), int64(1))}, nil,
			"error deletes-more: .spec.replicas: scaling to 1 deletes the claims data-db-2 and data-db-3 with their data: " +
				"the retention policy of the StatefulSet is whenScaled: Delete"},
		{"fewer Pods whose claims stay", "apps/v1", "StatefulSet", set("3", "Retain"), set("1", "Retain"), nil, nil, ""},
		{"more Pods", "apps/v1", "StatefulSet", set("1", "Delete"), set("3", "Delete"), nil, nil, ""},
		{"a policy", "apps/v1", "StatefulSet", set("1", "Retain"), set("1", "Delete"),
			[]report.Change{changed(".spec.persistentVolumeClaimRetentionPolicy.whenScaled", "Retain", "Delete")}, nil,
			"warning data-unprotected: .spec.persistentVolumeClaimRetentionPolicy.whenScaled: from now on scaling it down deletes the claims of its Pods with their data"},
		{"a volume", "v1", "PersistentVolume", `{"spec":{"claimRef":{}}}`, `{}`,
			[]report.Change{changed(".spec.persistentVolumeReclaimPolicy", "Retain", "Delete")}, nil,
			"warning data-unprotected: .spec.persistentVolumeReclaimPolicy: once its claim is deleted, the volume is deleted with its data"},
		{"a volume without a claim", "v1", "PersistentVolume", `{}`, `{}`,
			[]report.Change{changed(".spec.persistentVolumeReclaimPolicy", "Retain", "Delete")}, nil, ""},
		{"a volume that is to stay", "v1", "PersistentVolume", `{"spec":{"claimRef":{}}}`, `{}`,
			[]report.Change{changed(".spec.persistentVolumeReclaimPolicy", "Delete", "Retain")}, nil, ""},
		{"a load balancer", "v1", "Service", `{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}`, `{}`,
			[]report.Change{changed(".spec.type", "LoadBalancer", "ClusterIP")}, nil,
			"warning address-released: .spec.type: its load balancer is deleted, and its address 192.0.2.1 is given back"},
		{"a new load balancer", "v1", "Service", `{}`, `{}`, []report.Change{changed(".spec.type", "ClusterIP", "LoadBalancer")}, nil, ""},
		{"one that is going", "v1", "ConfigMap", going, going, nil, nil,
			"warning being-deleted: : the live object has been marked for deletion since 2026-11-01T00:00:00Z, and waits for the finalizer a.io/x: " +
				"what is applied goes with it"},
		{"one that goes now", "v1", "PersistentVolumeClaim", `{"spec":{"volumeName":"v"}}`, going, nil, nil,
			"error deletes-more: : the client deletes the object, and applies to it while finalizers keep it: it goes with what is applied; " +
				"deleting the claim deletes its data, unless the reclaim policy of its volume is Retain"},
		{"a finalizer", "v1", "ConfigMap", `{"metadata":{"finalizers":["a.io/x","foregroundDeletion"]}}`, `{}`,
			[]report.Change{changed(`.metadata.finalizers[="a.io/x"]`, "a.io/x", nil)}, nil,
			`warning finalizer-removed: .metadata.finalizers[="a.io/x"]: the write removes the finalizer a.io/x: ` +
				"when the object is deleted later, it goes without the cleanup that it stands for"},
		{"an injector", "admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", injected, `{}`,
			[]report.Change{changed(".metadata.annotations.cert-manager.io/inject-ca-from", "a/b", nil)},
			[]report.FieldOwners{owns(`.webhooks[name="a"].clientConfig.caBundle`, "cert-manager-cainjector")},
			"warning injection-stops: .metadata.annotations.cert-manager.io/inject-ca-from: cert-manager no longer renews the 1 CA bundle of the object: " +
				"once the CA changes, calls that rely on it fail"},
		{"an injector that stays", "admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", injected, injected,
			[]report.Change{changed(".metadata.annotations.a", "a/b", nil)},
			[]report.FieldOwners{owns(`.webhooks[name="a"].clientConfig.caBundle`, "cert-manager-cainjector")}, ""},
		{"an injector of nothing", "admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", injected, `{}`,
			[]report.Change{changed(".metadata.annotations.cert-manager.io/inject-ca-from", "a/b", nil)}, []report.FieldOwners{owns(".metadata.labels.a", "x")}, ""},
		{"Jobs of a suspended CronJob", "batch/v1", "CronJob", suspended, suspended, []report.Change{changed(".spec.jobTemplate.spec.x", "a", "b")},
			[]report.FieldOwners{owns(".spec.suspend", "kubectl-patch")},
			"warning rollout-paused: .spec.suspend: the write changes the template of its Jobs, and none is started: the CronJob is suspended, by kubectl-patch"},
		{"a CronJob that the manifest suspends", "batch/v1", "CronJob", suspended, suspended, []report.Change{changed(".spec.jobTemplate.spec.x", "a", "b")},
			[]report.FieldOwners{owns(".spec.suspend", "helm")}, ""},
		{"a schedule of a suspended CronJob", "batch/v1", "CronJob", suspended, suspended, []report.Change{changed(".spec.schedule", "a", "b")},
			[]report.FieldOwners{owns(".spec.suspend", "kubectl-patch")}, ""},
		{"another release", "v1", "ConfigMap", other, ours, []report.Change{changed(released, "other", "rel")}, nil,
			"warning two-releases: " + released + ": the object is taken from the release other in prod: while that has it in its manifest, its next upgrade " +
				"sets its values again without a conflict, and its uninstall may delete the object"},
		{"the same release", "v1", "ConfigMap", ours, ours, nil, nil, ""},
		{"another release that keeps it", "v1", "ConfigMap", strings.Replace(other, `"meta.`, `"helm.sh/resource-policy":"keep","meta.`, 1), ours,
			[]report.Change{changed(released, "other", "rel")}, nil, ""},
	} {
		r := report.Result{
			Outcome: report.Configured, Operation: report.Apply, Manager: "helm", Client: &report.Sequence{Name: "helm"},
			Live: lab.Object(tt.live), Object: lab.Object(tt.after), Changes: tt.changes, Ownership: tt.owners,
			Target: report.Target{APIVersion: tt.apiVersion, Kind: tt.kind, Name: "db"},
		}
		if diff := cmp.Diff(tt.want, strings.Join(said(Of(r, nil, nil)), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestTaking: what the garbage collector deletes with an object, and who needs a Service that goes.
func TestTaking(t *testing.T) {
	var others Others
	for _, o := range []struct{ kind, group, object string }{
		{"Secret", "", `{"metadata":{"name":"db","uid":"s","ownerReferences":[{"uid":"pg"}]}}`},
		{"StatefulSet", "apps", `{"metadata":{"name":"db","uid":"sts","ownerReferences":[{"uid":"pg"}]}}`},
		{"Pod", "", `{"metadata":{"name":"db-0","uid":"pod","ownerReferences":[{"uid":"sts"}]}}`},
		{"PersistentVolumeClaim", "", `{"metadata":{"name":"data","uid":"c","ownerReferences":[{"uid":"pod"}]},"spec":{"volumeName":"v"}}`},
		{"ConfigMap", "", `{"metadata":{"name":"shared","uid":"x","ownerReferences":[{"uid":"pg"},{"uid":"else"}]}}`},
		{"ReplicaSet", "apps", `{"metadata":{"name":"rs","uid":"rs","ownerReferences":[{"uid":"web"}]}}`},
		{"ValidatingWebhookConfiguration", admissions, `{"metadata":{"name":"v"},"webhooks":[
			{"failurePolicy":"Ignore","clientConfig":{"service":{"namespace":"shop","name":"soft"}}},
			{"clientConfig":{"service":{"namespace":"shop","name":"svc"}},"rules":[{"resources":["pods"]}]}]}`},
		{"APIService", "apiregistration.k8s.io", `{"metadata":{"name":"v1.a"},"spec":{"service":{"namespace":"shop","name":"api"}}}`},
		{"CustomResourceDefinition", "apiextensions.k8s.io",
			`{"metadata":{"name":"crd"},"spec":{"conversion":{"webhook":{"clientConfig":{"service":{"namespace":"shop","name":"conv"}}}}}}`},
		{"Deployment", "apps", `{"metadata":{"name":"web","namespace":"shop"},"spec":{"template":{"spec":{
			"serviceAccountName":"runner","volumes":[{"name":"c","configMap":{"name":"conf"}},
			{"name":"p","projected":{"sources":[{"secret":{"name":"maybe","optional":true}}]}}],
			"containers":[{"name":"a","envFrom":[{"secretRef":{"name":"creds"}}]}]}}}}`},
		{"CronJob", "batch", `{"metadata":{"name":"nightly","namespace":"shop"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{
			"containers":[{"name":"a","env":[{"name":"X","valueFrom":{"configMapKeyRef":{"name":"conf","key":"x"}}}]}]}}}}}}`},
		{"ReplicaSet", "apps", `{"metadata":{"name":"web-1","namespace":"shop","ownerReferences":[{"uid":"d"}]},
			"spec":{"template":{"spec":{"containers":[{"name":"a","envFrom":[{"secretRef":{"name":"maybe"}}]}]}}}}`},
	} {
		others.Add(schema.GroupKind{Group: o.group, Kind: o.kind}, lab.Object(o.object))
	}
	const claim = "persistentvolumeclaim/data, which it owns, with its data, unless the reclaim policy of the volume is Retain"
	for _, tt := range []struct {
		name, apiVersion, kind, object, uid, after string
		recreated, goes                            bool
		want                                       string
	}{
		{"a custom resource", "a.io/v1", "Postgres", "pg", "pg", `{}`, false, false,
			"error deletes-more: : deleting the object deletes " + claim + "; deleting the object deletes secret/db and statefulset/db, which it owns"},
		{"one that orphans them", "a.io/v1", "Postgres", "pg", "pg", `{"metadata":{"finalizers":["orphan"]}}`, false, false, ""},
		{"one that is created again", "a.io/v1", "Postgres", "pg", "pg", `{}`, true, false, "error deletes-more: : deleting the object deletes " + claim},
		{"a Deployment", "apps/v1", "Deployment", "web", "web", `{}`, false, false, ""},
		{"an owner of nothing", "v1", "ConfigMap", "a", "", `{}`, false, false, ""},
		{"a Service of a webhook", "v1", "Service", "svc", "", `{}`, false, false,
			"error deletes-more: : validatingwebhookconfiguration/v calls the Service for pods, and fails closed: those requests are refused"},
		{"a Service of a webhook that goes too", "v1", "Service", "svc", "", `{}`, false, true, ""},
		{"a Service of a webhook that fails open", "v1", "Service", "soft", "", `{}`, false, false, ""},
		{"a Service of an API", "v1", "Service", "api", "", `{}`, false, false,
			"error deletes-more: : apiservice/v1.a is served by the Service: all requests to that API fail"},
		{"a Service of a definition", "v1", "Service", "conv", "", `{}`, false, false,
			"error deletes-more: : customresourcedefinition/crd converts objects through the Service: requests at other versions than the stored one fail"},
		{"a ConfigMap that Pods use", "v1", "ConfigMap", "conf", "", `{}`, false, false,
			"error deletes-more: : cronjob/nightly and deployment/web still use it: new Pods do not start"},
		{"a ConfigMap whose users go too", "v1", "ConfigMap", "conf", "", `{}`, false, true, ""},
		{"a Secret that Pods use", "v1", "Secret", "creds", "", `{}`, false, false,
			"error deletes-more: : deployment/web still uses it: new Pods do not start"},
		{"a Secret that they can do without", "v1", "Secret", "maybe", "", `{}`, false, false, ""},
		{"their ServiceAccount", "v1", "ServiceAccount", "runner", "", `{}`, false, false,
			"error deletes-more: : deployment/web still uses it: new Pods do not start"},
	} {
		r := report.Result{
			Outcome: report.Configured, Operation: report.Delete, Recreated: tt.recreated,
			Live: lab.Object(`{"metadata":{"uid":"` + tt.uid + `"}}`), Object: lab.Object(tt.after),
			Target: report.Target{APIVersion: tt.apiVersion, Kind: tt.kind, Namespace: "shop", Name: tt.object},
		}
		if !Deletes(r) {
			t.Errorf("%s is no deletion", tt.name)
		}
		got := strings.Join(said(Taking(nil, r, &others, func(schema.GroupKind, string, string) bool { return tt.goes })), "\n")
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestOwnerless: an object that names owners which the inputs do not have.
func TestOwnerless(t *testing.T) {
	var others Others
	others.Has("here")
	const owned, known = `{"metadata":{"ownerReferences":[{"kind":"Deployment","name":"web","uid":"gone"}]}}`,
		`{"metadata":{"ownerReferences":[{"kind":"Deployment","name":"web","uid":"here"}]}}`
	for name, tt := range map[string]struct{ live, after, want string }{
		"copied": {`{}`, owned, "warning owner-missing: .metadata.ownerReferences: the manifest names deployment/web as its owner " +
			"by a uid that no object of the inputs has: where the cluster has none either, the garbage collector deletes the object"},
		"owned before":   {owned, owned, ""},
		"a known owner":  {`{}`, known, ""},
		"without owners": {`{}`, `{}`, ""},
	} {
		r := report.Result{
			Outcome: report.Configured, Operation: report.Apply, Live: lab.Object(tt.live), Object: lab.Object(tt.after),
			Target: report.Target{APIVersion: "v1", Kind: "ConfigMap", Name: "a"},
		}
		var risks []report.Finding
		if NamesOwners(r) {
			risks = Ownerless(nil, r, &others)
		}
		if diff := cmp.Diff(tt.want, strings.Join(said(risks), "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
