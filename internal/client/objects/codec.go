package objects

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// Decode is the object in a text; nil where it is no object in JSON.
func Decode(text []byte) map[string]any {
	object, err := jsontree.Decode(text)
	if err != nil {
		return nil
	}
	return object
}

// Encode is an object as kubectl writes it.
func Encode(object map[string]any) []byte {
	text, _ := runtime.Encode(unstructured.UnstructuredJSONScheme, &unstructured.Unstructured{Object: object})
	return text
}

// WithoutNulls removes what is null from the maps of a value, in place.
func WithoutNulls(value any) {
	switch v := value.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, value any) bool { return value == nil })
		for _, value := range v {
			WithoutNulls(value)
		}
	case []any:
		for _, item := range v {
			WithoutNulls(item)
		}
	}
}

// Typed is an object as its Go type; an error for kinds that client-go has no type for.
func Typed(kind schema.GroupVersionKind, object map[string]any) (runtime.Object, error) {
	out, err := scheme.Scheme.New(kind)
	if err != nil {
		return nil, err
	}
	return out, runtime.DefaultUnstructuredConverter.FromUnstructured(object, out)
}
