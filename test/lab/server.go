package lab

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
)

// Server answers writes to Gadgets.
type Server struct {
	// Unserved are API versions that it does not serve.
	Unserved []string
	// At is what the object reads as at an API version; the object itself at others.
	At map[string]map[string]any
	// Mute answers no apply.
	Mute bool
	// Default fills in a stored object; nil for nothing.
	Default func(object map[string]any)
}

// Types is the Gadget's type.
func (Server) Types(schema.GroupVersionKind) api.Type { return api.Type{ParseableType: Type} }

// Resource serves every kind but at the unserved versions.
func (s Server) Resource(kind schema.GroupVersionKind) api.Resource {
	return api.Resource{
		Known:    !slices.Contains(s.Unserved, kind.GroupVersion().String()),
		Resource: "gadgets", Namespaced: true, Subresources: []string{"status"},
	}
}

// Do answers applies, JSON patches and merge patches.
func (s Server) Do(_ context.Context, r api.Request) (api.Response, error) {
	version, kind := r.Kind.ToAPIVersionAndKind()
	if s.Mute && r.Verb == api.Apply {
		return api.Response{}, errors.New("no answer")
	}
	live := map[string]any{"apiVersion": version, "kind": kind, "metadata": map[string]any{"name": r.Name}}
	if r.Live != nil {
		if err := kjson.Unmarshal(r.Live, &live); err != nil {
			return api.Response{}, err
		}
	}
	if at, ok := s.At[version]; ok {
		live = runtime.DeepCopyJSON(at)
	}
	live["apiVersion"] = version
	before := runtime.DeepCopyJSON(live)
	after, err := s.write(r, live)
	if err != nil {
		return refusal(err)
	}
	if same(before, after) && r.Live != nil {
		after = before
	}
	stored, err := json.Marshal(after)
	return api.Response{Code: http.StatusOK, Body: stored, Stored: stored}, err
}

// write is what is stored.
func (s Server) write(r api.Request, live map[string]any) (map[string]any, error) {
	fields := managedfieldstest.NewFakeFieldManager(converter{}, r.Kind)
	var out runtime.Object
	var err error
	if r.Verb == api.Apply {
		var body map[string]any
		if err := kjson.Unmarshal(r.Body, &body); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		out, err = fields.Apply(object(live), object(body), r.Manager, r.Force)
	} else {
		var patched map[string]any
		if patched, err = patch(r, live); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		out, err = fields.Update(object(live), object(patched), r.Manager)
	}
	if err != nil {
		return nil, err
	}
	after := out.(*unstructured.Unstructured).Object
	if s.Default != nil {
		s.Default(after)
	}
	return after, nil
}

func object(m map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: m}
}

// patch is the object as a JSON or merge patch makes it.
func patch(r api.Request, live map[string]any) (out map[string]any, err error) {
	text, err := json.Marshal(live)
	if err != nil {
		return nil, err
	}
	if r.Verb == api.JSONPatch {
		var operations jsonpatch.Patch
		if operations, err = jsonpatch.DecodePatch(r.Body); err == nil {
			text, err = operations.Apply(text)
		}
	} else {
		text, err = jsonpatch.MergePatch(text, r.Body)
	}
	if err != nil {
		return nil, err
	}
	return out, kjson.Unmarshal(text, &out)
}

func refusal(err error) (api.Response, error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return api.Response{}, err
	}
	told := status.Status()
	told.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	body, err := json.Marshal(told)
	return api.Response{Code: int(told.Code), Body: body}, err
}

// same reports whether nothing but times of entries differs: a server keeps the object
// then.
func same(a, b map[string]any) bool { return reflect.DeepEqual(timeless(a), timeless(b)) }

func timeless(m map[string]any) map[string]any {
	out := object(runtime.DeepCopyJSON(m))
	entries := out.GetManagedFields()
	for i := range entries {
		entries[i].Time = nil
	}
	out.SetManagedFields(entries)
	return out.Object
}

// converter reads objects by the Gadget's type.
type converter struct{}

func (converter) ObjectToTyped(o runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	return Type.FromUnstructured(o.(*unstructured.Unstructured).Object, opts...)
}

func (converter) TypedToObject(v *typed.TypedValue) (runtime.Object, error) {
	return object(v.AsValue().Unstructured().(map[string]any)), nil
}
