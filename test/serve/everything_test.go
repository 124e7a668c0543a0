package serve_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// TestWatchesEverything: informers of all resources that can be watched, as a terminal UI has
// them, are filled, and see what is written: built-in and custom objects, those of a definition
// that comes later, changes and deletions.
func TestWatchesEverything(t *testing.T) {
	s := server(t)
	define(t, s.ClientConfig, "plants")
	client := dynamic.NewForConfigOrDie(s.ClientConfig)
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	seen := &events{}
	resources := watchable(t, kubernetes.NewForConfigOrDie(s.ClientConfig).Discovery())
	for _, r := range resources {
		if _, err := factory.ForResource(r).Informer().AddEventHandler(seen.handler(r)); err != nil {
			t.Fatal(err)
		}
	}
	stop := make(chan struct{})
	defer factory.Shutdown()
	defer close(stop)
	factory.Start(stop)
	for r, filled := range factory.WaitForCacheSync(stop) {
		if !filled {
			t.Errorf("the informer of %s is not filled", r)
		}
	}
	t.Logf("%d resources are watched", len(resources))
	if len(resources) < 50 {
		t.Errorf("%d resources can be watched only", len(resources))
	}
	maps := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default")
	plants := client.Resource(schema.GroupVersionResource{Group: "example.org", Version: "v1", Resource: "plants"})
	write(t, maps, "v1", "ConfigMap")
	write(t, plants, "example.org/v1", "Plant")
	for _, want := range []string{
		"add configmaps/watched", "update configmaps/watched", "delete configmaps/watched",
		"add plants/watched", "update plants/watched", "delete plants/watched",
		"add customresourcedefinitions/plants.example.org",
	} {
		eventually(t, want, func() bool { return seen.has(want) })
	}
}

// write creates an object, applies to it, and deletes it.
func write(t *testing.T, to dynamic.ResourceInterface, apiVersion, kind string) {
	t.Helper()
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": "watched"},
	}}
	ctx := t.Context()
	eventually(t, "resource for "+kind, func() bool {
		_, err := to.Create(ctx, object.DeepCopy(), metav1.CreateOptions{})
		return err == nil
	})
	object.SetLabels(map[string]string{"a": "b"})
	if _, err := to.Apply(ctx, "watched", object, metav1.ApplyOptions{FieldManager: "test"}); err != nil {
		t.Fatal(err)
	}
	if err := to.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// watchable are the resources at their preferred versions.
func watchable(t *testing.T, client discovery.DiscoveryInterface) (out []schema.GroupVersionResource) {
	t.Helper()
	eventually(t, "discovery", func() bool {
		out = nil
		lists, err := client.ServerPreferredResources()
		for _, list := range lists {
			version, _ := schema.ParseGroupVersion(list.GroupVersion)
			for _, r := range list.APIResources {
				if slices.Contains(r.Verbs, "watch") && slices.Contains(r.Verbs, "list") && !strings.Contains(r.Name, "/") {
					out = append(out, version.WithResource(r.Name))
				}
			}
		}
		return err == nil && slices.Contains(out, schema.GroupVersionResource{
			Group: "example.org", Version: "v1", Resource: "plants",
		})
	})
	return out
}

// events are what informers have seen.
type events struct {
	mu   sync.Mutex
	list []string
}

func (e *events) has(event string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Contains(e.list, event)
}

func (e *events) handler(r schema.GroupVersionResource) cache.ResourceEventHandler {
	add := func(verb string, object any) {
		if last, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = last.Obj
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.list = append(e.list, verb+" "+r.Resource+"/"+object.(metav1.Object).GetName())
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { add("add", object) },
		UpdateFunc: func(_, object any) { add("update", object) },
		DeleteFunc: func(object any) { add("delete", object) },
	}
}
