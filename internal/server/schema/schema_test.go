package schema

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

var deployment = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}

func open(t testing.TB, minor string) *Set {
	t.Helper()
	set, err := Open(minor)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// list follows field names from a kind to a list.
func list(t *testing.T, set *Set, kind schema.GroupVersionKind, fields ...string) *smd.List {
	t.Helper()
	parseable, ok := set.Type(kind)
	if !ok {
		t.Fatalf("no type of %s", kind)
	}
	ref := parseable.TypeRef
	for _, name := range fields {
		atom, ok := parseable.Schema.Resolve(ref)
		if !ok {
			t.Fatalf("%s %v: a type is missing", kind, fields)
		}
		if atom.List != nil {
			if atom, ok = parseable.Schema.Resolve(atom.List.ElementType); !ok {
				t.Fatalf("%s %v: an element type is missing", kind, fields)
			}
		}
		field, ok := atom.Map.FindField(name)
		if !ok {
			return nil
		}
		ref = field.Type
	}
	atom, ok := parseable.Schema.Resolve(ref)
	if !ok {
		t.Fatalf("%s %v: a type is missing", kind, fields)
	}
	return atom.List
}

func TestKnownFacts(t *testing.T) {
	gvk := func(group, version, kind string) schema.GroupVersionKind {
		return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
	}
	tests := []struct {
		kind         schema.GroupVersionKind
		fields       []string
		relationship smd.ElementRelationship
		keys         []string
	}{
		{deployment, []string{"spec", "template", "spec", "containers"}, smd.Associative, []string{"name"}},
		{
			deployment,
			[]string{"spec", "template", "spec", "containers", "ports"},
			smd.Associative,
			[]string{"containerPort", "protocol"},
		},
		{deployment, []string{"spec", "template", "spec", "containers", "args"}, smd.Atomic, nil},
		{deployment, []string{"status", "conditions"}, smd.Associative, []string{"type"}},
		{gvk("", "v1", "Service"), []string{"spec", "ports"}, smd.Associative, []string{"port", "protocol"}},
		{gvk("", "v1", "Pod"), []string{"metadata", "finalizers"}, smd.Associative, nil},
		{gvk("", "v1", "Pod"), []string{"metadata", "ownerReferences"}, smd.Associative, []string{"uid"}},
		{gvk("networking.k8s.io", "v1", "NetworkPolicy"), []string{"spec", "ingress"}, smd.Atomic, nil},
		{gvk("networking.k8s.io", "v1", "Ingress"), []string{"spec", "rules"}, smd.Atomic, nil},
		{gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), []string{"spec", "versions"}, smd.Atomic, nil},
	}
	for _, minor := range Minors() {
		set := open(t, minor)
		for _, tt := range tests {
			got := list(t, set, tt.kind, tt.fields...)
			if got == nil {
				t.Errorf("%s: %s %v is no list", minor, tt.kind, tt.fields)
				continue
			}
			if got.ElementRelationship != tt.relationship {
				t.Errorf("%s: %s %v is %s, want %s", minor, tt.kind, tt.fields, got.ElementRelationship, tt.relationship)
			}
			if diff := cmp.Diff(tt.keys, got.Keys); diff != "" {
				t.Errorf("%s: %s %v keys (-want +got):\n%s", minor, tt.kind, tt.fields, diff)
			}
		}
		for _, kind := range []schema.GroupVersionKind{gvk("autoscaling", "v1", "Scale"), gvk("apiregistration.k8s.io", "v1", "APIService")} {
			if _, ok := set.Type(kind); !ok {
				t.Errorf("%s: no type of %s", minor, kind)
			}
		}
		if _, ok := set.Type(gvk("apps", "v1beta1", "Deployment")); ok {
			t.Errorf("%s: a kind that is not served any more has a type", minor)
		}
	}
}

// TestMinorsDiffer asks for a kind that came with 1.37.
func TestMinorsDiffer(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "storagemigration.k8s.io", Version: "v1", Kind: "StorageVersionMigration"}
	for minor, want := range map[string]bool{"1.34": false, "1.36": false, "1.37": true} {
		if _, got := open(t, minor).Type(kind); got != want {
			t.Errorf("%s has a type of %s: %v, want %v", minor, kind, got, want)
		}
	}
	if _, err := Open("1.12"); err == nil {
		t.Error("an unknown version opens")
	}
}

func TestEveryKindDecodes(t *testing.T) {
	for _, minor := range Minors() {
		set := open(t, minor)
		for _, kind := range set.Kinds() {
			parseable, ok := set.Type(kind)
			if !ok || !parseable.IsValid() {
				t.Errorf("%s: %s has no valid type", minor, kind)
			}
		}
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	set := open(t, "1.36")
	kinds := set.Kinds()
	var all sync.WaitGroup
	for start := range 8 {
		all.Go(func() {
			for i := range kinds {
				if _, ok := set.Type(kinds[(i+start*20)%len(kinds)]); !ok {
					t.Errorf("no type of %s", kinds[i])
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		open(b, "1.36")
	}
}

// BenchmarkType is what the first Deployment costs.
func BenchmarkType(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := open(b, "1.36").Type(deployment); !ok {
			b.Fatal("no type")
		}
	}
}
