package given

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/server/api"
)

// requestOf is a write of an object, given as JSON like the one before it.
func requestOf(t *testing.T, operation admission.Operation, subresource, text, before string) admission.Attributes {
	t.Helper()
	var objects [2]runtime.Object
	for i, text := range []string{text, before} {
		if text == "" {
			continue
		}
		var err error
		if objects[i], err = runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), []byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	_, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	accessor, err := meta.Accessor(objects[0])
	if err != nil {
		t.Fatal(err)
	}
	plural, _ := meta.UnsafeGuessKindToResource(*kind)
	return admission.NewAttributesRecord(
		objects[0],
		objects[1],
		*kind,
		accessor.GetNamespace(), accessor.GetName(), plural, subresource, operation, nil, false, nil,
	)
}

func newObjects(texts ...string) *Objects {
	var raw [][]byte
	for _, text := range texts {
		raw = append(raw, []byte(text))
	}
	return New(raw)
}

func podWith(metadata, spec string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a"` + metadata + `},"spec":{"containers":[{"name":"c","image":"i"}]` + spec + `}}`
}

func claimOf(class, size, phase string) string {
	return `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"d","namespace":"a"},"spec":{` + class +
		`"resources":{"requests":{"storage":"` + size + `"}}},"status":{"phase":"` + phase + `"}}`
}

// TestReady: whether the given objects suffice for a request, or none is needed.
func TestReady(t *testing.T) {
	const (
		class    = `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},"value":7}`
		storage  = `{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"fast"},"provisioner":"p"}`
		ingress  = `{"apiVersion":"networking.k8s.io/v1","kind":"IngressClass","metadata":{"name":"n"},"spec":{"controller":"x.io/c"}}`
		runtimeC = `{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"gv"},"handler":"h"}`
		node     = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}`
		account  = `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default","namespace":"a"}}`
		limits   = `{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l","namespace":"a"}}`
		quota    = `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q","namespace":"a"}}`
		config   = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"a"}}`
		web      = `{"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"i","namespace":"a"`
	)
	fast, grown := `"storageClassName":"fast",`, claimOf(`"storageClassName":"fast",`, "2Gi", "Bound")
	plain, baseline := `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}`, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","labels":{"pod-security.kubernetes.io/enforce":"baseline"}}}`
	for _, c := range []struct {
		name        string
		ready       func(*Objects, admission.Attributes) bool
		operation   admission.Operation
		subresource string
		object, old string
		given       string
		// without and with say whether it is ready without what is given, and with it.
		without, with bool
	}{
		{"limit ranges", (*Objects).HasLimitRanges, admission.Create, "", podWith("", ""), "", limits, false, true},
		{"limit ranges elsewhere", (*Objects).HasLimitRanges, admission.Create, "", podWith("", ""), "", strings.Replace(limits, `"a"`, `"b"`, 1), false, false},
		{"the class of a Pod", (*Objects).HasPriorityClass, admission.Create, "", podWith("", `,"priorityClassName":"high"`), "", class, false, true},
		{"no class of a Pod", (*Objects).HasPriorityClass, admission.Create, "", podWith("", ""), "", class, true, true},
		{"the class of a Pod that is there", (*Objects).HasPriorityClass, admission.Update, "", podWith("", `,"priorityClassName":"high"`), "", class, true, true},
		{"a system's class", (*Objects).HasPriorityClass, admission.Create, "", podWith("", `,"priorityClassName":"system-none"`), "", class, true, true},
		{"a class that none can be", (*Objects).HasPriorityClass, admission.Create, "", podWith("", `,"priorityClassName":"A b"`), "", class, true, true},
		{"the runtime of a Pod", (*Objects).KnowsRuntimeClass, admission.Create, "", podWith("", `,"runtimeClassName":"gv"`), "", runtimeC, false, true},
		{"no runtime of a Pod", (*Objects).KnowsRuntimeClass, admission.Create, "", podWith("", ""), "", runtimeC, true, true},
		{"the default class of claims", (*Objects).KnowsStorageClass, admission.Create, "", claimOf("", "1Gi", "Pending"), "", storage, false, true},
		{"a claim with a class", (*Objects).KnowsStorageClass, admission.Create, "", claimOf(fast, "1Gi", "Pending"), "", storage, true, true},
		{"a claim that grows", (*Objects).KnowsClaimsClass, admission.Update, "", grown, claimOf(fast, "1Gi", "Bound"), storage, false, true},
		{"a claim that stays", (*Objects).KnowsClaimsClass, admission.Update, "", grown, grown, storage, true, true},
		{"an unbound claim that grows", (*Objects).KnowsClaimsClass, admission.Update, "", grown, claimOf(fast, "1Gi", "Pending"), storage, true, true},
		{"a claim that grows without a class", (*Objects).KnowsClaimsClass, admission.Update, "", claimOf("", "2Gi", "Bound"), claimOf("", "1Gi", "Bound"), storage, true, true},
		{"the status of a claim", (*Objects).KnowsClaimsClass, admission.Update, "status", grown, claimOf(fast, "1Gi", "Bound"), storage, true, true},
		{"the default class of ingresses", (*Objects).KnowsIngressClass, admission.Create, "", web + `}}`, "", ingress, false, true},
		{"an ingress with a class", (*Objects).KnowsIngressClass, admission.Create, "", web + `},"spec":{"ingressClassName":"n"}}`, "", ingress, true, true},
		{"an ingress with an annotation", (*Objects).KnowsIngressClass, admission.Create, "", web + `,"annotations":{"kubernetes.io/ingress.class":"n"}}}`, "", ingress, true, true},
		{"the Namespace", (*Objects).KnowsNamespace, admission.Create, "", config, "", plain, false, true},
		{"the account of a Pod", (*Objects).HasServiceAccount, admission.Create, "", podWith("", ""), "", account, false, true},
		{"another account of a Pod", (*Objects).HasServiceAccount, admission.Create, "", podWith("", `,"serviceAccountName":"x"`), "", account, false, false},
		{"a mirror Pod", (*Objects).HasServiceAccount, admission.Create, "", podWith(`,"annotations":{"kubernetes.io/config.mirror":"x"}`, ""), "", account, true, true},
		{"the node of a Pod", (*Objects).KnowsNode, admission.Update, "", podWith(`,"generation":2`, `,"nodeName":"n"`), podWith(`,"generation":1`, `,"nodeName":"n"`), node, false, true},
		{"a Pod that stays", (*Objects).KnowsNode, admission.Update, "", podWith(`,"generation":1`, `,"nodeName":"n"`), podWith(`,"generation":1`, `,"nodeName":"n"`), node, true, true},
		{"a Pod without a node", (*Objects).KnowsNode, admission.Create, "", podWith("", ""), "", node, true, true},
		{"a binding", (*Objects).KnowsNode, admission.Create, "", `{"apiVersion":"v1","kind":"Binding","metadata":{"name":"p","namespace":"a"},"target":{"name":"n"}}`, "", node, false, true},
		{"a level that tightens", (*Objects).KnowsPodsOf, admission.Update, "", baseline, plain, podWith("", ""), false, true},
		{"a level that loosens", (*Objects).KnowsPodsOf, admission.Update, "", plain, baseline, podWith("", ""), true, true},
		{"a level that stays", (*Objects).KnowsPodsOf, admission.Update, "", baseline, baseline, podWith("", ""), true, true},
		{"quotas", (*Objects).HasQuotas, admission.Create, "", config, "", quota, false, true},
		{"quotas elsewhere", (*Objects).HasQuotas, admission.Create, "", config, "", strings.Replace(quota, `"a"`, `"b"`, 1), false, false},
		{"quotas of no namespace", (*Objects).HasQuotas, admission.Create, "", storage, "", quota, false, false},
	} {
		a := requestOf(t, c.operation, c.subresource, c.object, c.old)
		if got := c.ready(newObjects(), a); got != c.without {
			t.Errorf("%s, nothing given: %t", c.name, got)
		}
		if got := c.ready(newObjects(c.given), a); got != c.with {
			t.Errorf("%s, given: %t", c.name, got)
		}
	}
}

// TestJudgesNamespace: whether a namespace exists is known where it is given, and where
// others are and nothing shows that it does.
func TestJudgesNamespace(t *testing.T) {
	const (
		a      = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}`
		b      = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"b"}}`
		config = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"a"}}`
	)
	for _, c := range []struct {
		name      string
		given     []string
		exist     []string
		lacks     string
		operation admission.Operation
		below     string
		old       string
		want      bool
	}{
		{"nothing given", nil, nil, "", admission.Create, "", "", false},
		{"given", []string{a}, nil, "", admission.Create, "", "", true},
		{"others given", []string{b}, nil, "", admission.Create, "", "", true},
		{"others given, and it exists", []string{b}, []string{"a"}, "", admission.Create, "", "", false},
		{"others given, and the object is there", []string{b}, nil, "", admission.Update, "", config, false},
		{"others given, and the object is to be", []string{b}, nil, "", admission.Create, "status", "", false},
		{"known to be absent", nil, nil, "a", admission.Create, "", "", true},
		{"a delete", nil, nil, "", admission.Delete, "", config, true},
	} {
		var texts [][]byte
		for _, text := range c.given {
			texts = append(texts, []byte(text))
		}
		g := New(texts, c.exist...)
		if c.lacks != "" {
			g.Lacks.Insert(c.lacks)
		}
		if got := g.JudgesNamespace(requestOf(t, c.operation, c.below, config, c.old)); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestKnowledge: what was given says which objects of its kind there are; what a run writes
// later does not.
func TestKnowledge(t *testing.T) {
	quotas := schema.GroupKind{Kind: "ResourceQuota"}
	quota := func(name, namespace string) string {
		return `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"` + name + `","namespace":"` + namespace + `"}}`
	}
	g := newObjects()
	if g.Knows(quotas) || g.Tells(quotas) || g.Known(quotas) != 0 {
		t.Error("something is known of nothing")
	}
	g.Add([]byte(quota("q", "a")))
	if !g.Knows(quotas) || g.Tells(quotas) || g.Known(quotas) != 1 {
		t.Error("what was written is not known, or says which others there are")
	}
	g.Listed = sets.New(api.Listed{Kind: quotas, Namespace: "a"})
	if !g.Tells(quotas) || !g.Lists(quotas, "a") || g.Lists(quotas, "b") || g.Lists(quotas, "") {
		t.Error("what is listed in one namespace is not known, or in all")
	}
	g = newObjects(
		quota("b", "a"), quota("a", "a"), quota("c", "b"),
		`{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"x","namespace":"a"},"spec":7}`,
	)
	if !g.Tells(quotas) {
		t.Error("what was given does not say which objects there are")
	}
	var names []string
	for _, q := range g.Quotas("a") {
		names = append(names, q.Name)
	}
	if got := strings.Join(names, " "); got != "a b" {
		t.Errorf("quotas of the namespace: %s", got)
	}
	if got := g.Unread(quotas); got != 1 {
		t.Errorf("%d could not be read", got)
	}
}

// TestParamInformer: parameters are at the type of a built-in kind, else trees at the
// version that is asked for.
func TestParamInformer(t *testing.T) {
	g := newObjects(
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"a"}}`,
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}`,
		`{"apiVersion":"lab.io/v2","kind":"Limit","metadata":{"name":"l"},"max":3}`,
	)
	for _, c := range []struct {
		kind     schema.GroupVersionKind
		resource string
		key      string
		want     string
	}{
		{schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, "configmaps", "a/c", "*v1.ConfigMap"},
		{schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, "namespaces", "a", "*v1.Namespace"},
		{schema.GroupVersionKind{Group: "lab.io", Version: "v1", Kind: "Limit"}, "limits", "l", "*unstructured.Unstructured"},
	} {
		informer := g.ParamInformer(c.kind, c.kind.GroupVersion().WithResource(c.resource))
		if again := g.ParamInformer(c.kind, c.kind.GroupVersion().WithResource(c.resource)); again.Informer() != informer.Informer() ||
			!informer.Informer().HasSynced() {
			t.Errorf("%s: another informer, or one that waits", c.kind)
		}
		object, found, err := informer.Informer().GetIndexer().GetByKey(c.key)
		if err != nil || !found {
			t.Fatalf("%s: %v, %v", c.kind, found, err)
		}
		if got := fmt.Sprintf("%T", object); got != c.want {
			t.Errorf("%s is a %s", c.kind, got)
		}
		if tree, ok := object.(interface{ GetAPIVersion() string }); ok && tree.GetAPIVersion() != "lab.io/v1" {
			t.Errorf("%s is at %s", c.kind, tree.GetAPIVersion())
		}
	}
}

// TestOneInformer: a kind is read once for all that look it up.
func TestOneInformer(t *testing.T) {
	read := 0
	g := newObjects(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}`)
	g.Check = func(schema.GroupVersionKind, ...[]byte) error { read++; return nil }
	kind := schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
	for range 2 {
		for _, lister := range []func() error{
			func() error { _, err := g.Informers.Core().V1().Namespaces().Lister().Get("a"); return err },
			func() error {
				_, err := g.ParamInformer(kind, kind.GroupVersion().WithResource("namespaces")).Lister().Get("a")
				return err
			},
		} {
			if err := lister(); err != nil {
				t.Error(err)
			}
		}
	}
	if read != 1 {
		t.Errorf("it was read %d times", read)
	}
}

// TestCheck: what no server is done with reading is as if it were not given.
func TestCheck(t *testing.T) {
	g := newObjects(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}`)
	g.Check = func(kind schema.GroupVersionKind, _ ...[]byte) error {
		return &api.LiveError{Err: api.ErrNotSimulated}
	}
	if g.KnowsNamespace(
		requestOf(
			t, admission.Create, "",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"a"}}`, "",
		),
	) {
		t.Error("it is read")
	}
	if got := g.Unread(schema.GroupKind{Kind: "Namespace"}); got != 1 {
		t.Errorf("%d could not be read", got)
	}
}
