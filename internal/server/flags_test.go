package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestFlagErrors: a flag that kube-apiserver would not take is refused, by its name.
func TestFlagErrors(t *testing.T) {
	for _, c := range []struct {
		preset string
		flags  []string
		want   string
	}{
		{"nobody", nil, `no preset "nobody" of flags of kube-apiserver: there are aks, eks, gke, kubeadm, openshift`},
		{"", []string{"--etcd-servers=x"}, `the flag "etcd-servers" of kube-apiserver is not simulated: known are admission-control-config-file, allow-privileged,`},
		{"", []string{"allow-privileged"}, "the flag allow-privileged of kube-apiserver has no value: write allow-privileged=VALUE"},
		{"", []string{"allow-privileged=maybe"}, "flag allow-privileged=maybe of kube-apiserver: "},
		{"", []string{"default-not-ready-toleration-seconds=x"}, "flag default-not-ready-toleration-seconds=x"},
		{"", []string{"feature-gates=A=maybe"}, `"A=maybe" is neither true nor false`},
		{"", []string{"enable-admission-plugins=Nobody"}, "unknown admission plug-ins Nobody: known are "},
		{"", []string{"enable-admission-plugins=AlwaysPullImages", "disable-admission-plugins=AlwaysPullImages"}, "AlwaysPullImages both enabled and disabled"},
		{"", []string{"service-cluster-ip-range=10.0.0.0/24,10.0.1.0/24"}, "two networks of one IP family"},
		{"", []string{"service-cluster-ip-range=10.0.0.0/24,10.0.1.0/24,fd00::/112"}, "more than two networks"},
		{"", []string{"service-cluster-ip-range=x"}, "service-cluster-ip-range=x"},
		{"", []string{"service-node-port-range=1-65535"}, "no 1000 ports are left outside of the range"},
	} {
		_, err := newFlags(c.preset, c.flags)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %s", c.preset, c.flags, err, c.want)
		}
	}
}

// TestFlagValues: the last value of a flag counts, and all of a list; those of a preset come
// before the others.
func TestFlagValues(t *testing.T) {
	f, err := newFlags("kubeadm", []string{
		"--allow-privileged=false", "allow-privileged=true", "-default-unreachable-toleration-seconds=7",
		"enable-admission-plugins=AlwaysPullImages", "disable-admission-plugins=PodSecurity",
		"feature-gates=B", "feature-gates=A=false", "service-cluster-ip-range=10.0.0.0/24,fd00::/112", "runtime-config=api/beta",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf(
		"privileged %t, unreachable %d, gates %s, ranges %v, APIs %v", f.allowPrivileged,
		f.unreachableSeconds, f.gates, f.serviceRanges, f.runtimeConfig,
	)
	if want := "privileged true, unreachable 7, gates A=false,B=true, ranges [10.0.0.0/24 fd00::/112], APIs map[api/beta:true]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for plugin, want := range map[string]bool{"AlwaysPullImages": true, "NodeRestriction": true, "PodSecurity": false, "LimitRanger": true, "AlwaysDeny": false} {
		if f.plugins.Has(plugin) != want {
			t.Errorf("%s runs: %t", plugin, !want)
		}
	}
	if !f.rangesKnown() || f.configured {
		t.Error("the ranges are not known, or files are read")
	}
	flags, err := FlagsOf(Options{Preset: "kubeadm", Flags: []string{"admission-control-config-file=x.yaml"}})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, flag := range flags {
		values[flag.Name] = flag.Value
	}
	if values["enable-admission-plugins"] != "NodeRestriction" || values["admission-control-config-file"] != "x.yaml" ||
		values["allow-privileged"] != "true" {
		t.Errorf("values %v", values)
	}
}

// TestServiceCaveats: of what a Service asks for, only the cluster's allocators know whether
// it is free; what it has already is no question.
func TestServiceCaveats(t *testing.T) {
	const (
		free    = "Whether the cluster IP 10.0.0.7 is free is not known."
		within  = "Whether the cluster IP 10.0.0.7 is free, and within the cluster's range, is not known."
		port    = "Whether the node port 30001 is free is not known."
		service = `{"spec":{"clusterIPs":["10.0.0.7"],"ports":[{"nodePort":30001}]}}`
		family  = "The cluster's service-cluster-ip-range is not known: IPv4 is taken for its only IP family."
	)
	known, err := newFlags("", []string{"service-cluster-ip-range=10.0.0.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		flags  flags
		verb   api.Verb
		kind   string
		code   int
		live   string
		stored string
		want   []string
	}{
		{"a new one", flags{}, api.Apply, "Service", 201, "", service, []string{within, port}},
		{"with the range", known, api.Apply, "Service", 201, "", service, []string{free, port}},
		{"the same", known, api.Apply, "Service", 200, service, service, nil},
		{"as before", known, api.Apply, "Service", 200, service, `{"spec":{"clusterIPs":["10.0.0.7"],"ports":[{"nodePort":30001}],"x":1}}`, nil},
		{"another port", known, api.Apply, "Service", 200, strings.Replace(service, "30001", "30002", 1), service, []string{port}},
		{"headless", known, api.Apply, "Service", 201, "", `{"spec":{"clusterIPs":["None"]}}`, nil},
		{"refused", known, api.Apply, "Service", 422, "", service, nil},
		{"refused for a family", flags{}, api.Apply, "Service", 422, "", `not configured on this cluster`, []string{family}},
		{"of two families", flags{}, api.Apply, "Service", 201, "", `{"spec":{"ipFamilyPolicy":"PreferDualStack"}}`, []string{family}},
		{"a delete", known, api.Delete, "Service", 200, service, "", nil},
		{"of another kind", known, api.Apply, "ConfigMap", 201, "", service, nil},
	} {
		s := &Server{flags: c.flags}
		call := api.Request{Verb: c.verb, Kind: corev1.SchemeGroupVersion.WithKind(c.kind)}
		if c.live != "" {
			call.Live = []byte(c.live)
		}
		var got []string
		for _, caveat := range s.serviceCaveats(call, api.Response{Code: c.code, Body: []byte(c.stored), Stored: []byte(c.stored)}) {
			got = append(got, caveat.Message)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

// TestLooksUp: what answers for some kinds may depend on.
func TestLooksUp(t *testing.T) {
	pods := map[schema.GroupKind]bool{{Kind: "Pod"}: true}
	claims := map[schema.GroupKind]bool{{Kind: "PersistentVolumeClaim"}: true}
	for _, c := range []struct {
		kind             schema.GroupKind
		any, pod, claims bool
	}{
		{schema.GroupKind{Kind: "LimitRange"}, true, true, true},
		{schema.GroupKind{Kind: "Node"}, true, true, false},
		{schema.GroupKind{Kind: "Namespace"}, true, true, true},
		{schema.GroupKind{Group: "storage.k8s.io", Kind: "StorageClass"}, true, false, true},
		{schema.GroupKind{Kind: "ConfigMap"}, false, false, false},
	} {
		if got := LooksUp(c.kind); got != c.any {
			t.Errorf("%s is looked up: %t", c.kind, got)
		}
		if got := LooksUpFor(c.kind, pods); got != c.pod {
			t.Errorf("%s is looked up for Pods: %t", c.kind, got)
		}
		if got := LooksUpFor(c.kind, claims); got != c.claims {
			t.Errorf("%s is looked up for claims: %t", c.kind, got)
		}
	}
	var listed []string
	for _, kind := range LookedUpFor(claims) {
		listed = append(listed, kind.Kind)
	}
	if got := strings.Join(listed, " "); !strings.HasPrefix(got, "LimitRange MutatingAdmissionPolicy") ||
		!strings.HasSuffix(got, "ValidatingWebhookConfiguration") ||
		strings.Contains(got, "Node") {
		t.Errorf("looked up for claims: %s", got)
	}
}

// TestEmptied: a map or list with content that is empty or gone afterwards, at any depth.
func TestEmptied(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after any
		want          bool
	}{
		{"the same", map[string]any{"a": map[string]any{"b": 1}}, map[string]any{"a": map[string]any{"b": 2}}, false},
		{"gone", map[string]any{"a": map[string]any{"b": 1}, "c": 1}, map[string]any{"c": 1}, true},
		{"empty", map[string]any{"a": []any{1}}, map[string]any{"a": []any{}}, true},
		{"empty before", map[string]any{"a": []any{}, "b": 1}, map[string]any{"b": 1}, false},
		{"in an item", []any{map[string]any{"a": []any{1}}}, []any{map[string]any{"a": []any{}}}, true},
		{"an item less", []any{1, map[string]any{"a": 1}}, []any{1}, false},
		{"a scalar less", map[string]any{"a": 1, "b": 1}, map[string]any{"a": 1}, false},
	} {
		if got := emptied(c.before, c.after); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestEmptyLists: one is found wherever it is, but not in managed fields, nor in what is
// shared with an object that has none.
func TestEmptyLists(t *testing.T) {
	shared := map[string]any{"b": []any{}}
	list := []any{map[string]any{"b": []any{}}}
	for _, c := range []struct {
		name    string
		v, like any
		want    bool
	}{
		{"none", map[string]any{"a": []any{1}}, nil, false},
		{"a field", map[string]any{"a": []any{}}, nil, true},
		{"in an item", map[string]any{"a": []any{1, map[string]any{"b": []any{}}}}, nil, true},
		{"managed fields", map[string]any{"managedFields": []any{}}, nil, false},
		{"shared", map[string]any{"a": shared}, map[string]any{"a": shared}, false},
		{"a shared list", map[string]any{"a": list}, map[string]any{"a": list}, false},
		{"not shared", map[string]any{"a": map[string]any{"b": []any{}}}, map[string]any{"a": shared}, true},
	} {
		if got := hasEmptyListIn(c.v, c.like); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	for text, want := range map[string]bool{`{"a":[]}`: true, `{"a":[1]}`: false, `{"a\":[]":"b"}`: false, `{"a":"\":[]","b":[]}`: true, `[]`: false} {
		if got := hasEmptyList([]byte(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
