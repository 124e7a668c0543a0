package server

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/gotree"
	"github.com/ssactl/ssactl/internal/jsontree"
)

// TestDefinitionsBeside: definitions that are read and converted beside another one, from
// version to version and back, are what they are alone, and the other one stays as it was.
func TestDefinitionsBeside(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 11))
	toHub := convert(func(object runtime.Object) (runtime.Object, error) {
		return apiextensionsapiserver.Scheme.UnsafeConvertToVersion(object, apiextensions.SchemeGroupVersion)
	})
	toV1 := convert(func(object runtime.Object) (runtime.Object, error) {
		return apiextensionsapiserver.Scheme.UnsafeConvertToVersion(object, apiextensionsv1.SchemeGroupVersion)
	})
	looked, shared := 0, 0
	for range 20_000 {
		like := randomSchema(rng, 1)
		like["properties"] = map[string]any{"a": randomSchema(rng, 3), "b": randomSchema(rng, 3)}
		tree := jsontree.Share(otherSchema(rng, like), like).(map[string]any)
		var was, is, alone apiextensionsv1.JSONSchemaProps
		if !gotree.Read(like, &was) || !gotree.Read(tree, &alone) || !gotree.ReadLike(tree, &is, like, &was) {
			continue
		}
		versions := 1 + rng.IntN(5)/4
		before, after, want := definitionWith(&was, versions), definitionWith(&is, versions), definitionWith(&alone, versions)
		hubBefore, err := toHub(before)
		if err != nil {
			continue
		}
		looked++
		hub := checkBeside(t, toHub, after, want, converted{before, hubBefore})
		if hub == nil {
			continue
		}
		v1Before, err := toV1(hubBefore)
		if err != nil {
			t.Fatal(err)
		}
		checkBeside(t, toV1, hub, hub, converted{hubBefore, v1Before})
		if p := formHub.root(hub); p != nil && len((*p).Properties) > 0 && sameMap((*p).Properties, (*formHub.root(hubBefore)).Properties) {
			shared++
		}
		if again, err := toHub(definitionWith(&was, versions)); err != nil || !reflect.DeepEqual(again, hubBefore) {
			t.Fatalf("the definition before is changed: %v (-want +got)\n%s", err, cmp.Diff(again, hubBefore))
		}
	}
	t.Logf("%d converted, of which %d share their properties", looked, shared)
	if looked < 4_000 || shared < looked/10 || shared > looked/2 {
		t.Errorf("%d converted, of which %d share their properties", looked, shared)
	}
}

// checkBeside gives what came of an object beside another one; nil for an error.
func checkBeside(t *testing.T, upstream convert, object, alone runtime.Object, like converted) runtime.Object {
	t.Helper()
	want, wantErr := upstream(alone)
	got, err := upstream.beside(object, like)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("got error %v, want %v", err, wantErr)
	}
	if err != nil {
		return nil
	}
	if !reflect.DeepEqual(got, want) {
		text, _ := json.Marshal(alone)
		t.Fatalf("%s is converted differently (-want +got)\n%s", text, cmp.Diff(want, got))
	}
	return got
}

func definitionWith(root *apiextensionsv1.JSONSchemaProps, versions int) *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
	for range versions {
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: "v1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root},
		})
	}
	return crd
}

// otherSchema is a schema with other fields here and there.
func otherSchema(rng *rand.Rand, tree any) any {
	switch is := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range is {
			if rng.IntN(20) > 0 {
				out[key] = otherSchema(rng, value)
			}
		}
		if rng.IntN(20) == 0 {
			out["description"] = "other"
		}
		return out
	case []any:
		out := []any{}
		for _, item := range is {
			out = append(out, otherSchema(rng, item))
		}
		return out
	}
	return tree
}
