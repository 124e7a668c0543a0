// Package merging is an API server that only merges: it tracks and resolves ownership with
// upstream's field manager, by the merge types of built-in kinds, and neither validates nor
// defaults nor admits. An answer takes microseconds, and nothing of kube-apiserver is
// linked. Only tests import it: of decisions that follow from ownership, beside the code
// that makes them.
package merging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/schema"
)

// Server is an api.Server of the newest release's built-in kinds.
type Server struct {
	types *schema.Set
	// Custom are kinds beside the built-in ones.
	Custom map[gvk.GroupVersionKind]typed.ParseableType
	// Refuse gives the answer to a call that is not merged; nil, or false, for none.
	Refuse func(api.Request) (api.Response, bool)
}

var _ api.Server = (*Server)(nil)

// New is a server of the newest release.
func New() *Server {
	minors := schema.Minors()
	types, err := schema.Open(minors[len(minors)-1])
	if err != nil {
		panic(err)
	}
	return &Server{types: types}
}

func (s *Server) find(kind gvk.GroupVersionKind) (typed.ParseableType, bool) {
	if t, custom := s.Custom[kind]; custom {
		return t, true
	}
	return s.types.Type(kind)
}

// Types implements api.Server.
func (s *Server) Types(kind gvk.GroupVersionKind) api.Type {
	if t, ok := s.find(kind); ok {
		return api.Type{ParseableType: t}
	}
	return api.Type{ParseableType: typed.DeducedParseableType, Deduced: true}
}

// Resource implements api.Server.
func (s *Server) Resource(kind gvk.GroupVersionKind) api.Resource {
	_, known := s.find(kind)
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	_, custom := s.Custom[kind]
	return api.Resource{Known: known, Custom: custom, Resource: plural.Resource, Namespaced: true}
}

// Do implements api.Server, for all writes of objects but strategic patches and deletes.
func (s *Server) Do(_ context.Context, r api.Request) (api.Response, error) {
	if s.Refuse != nil {
		if answer, refused := s.Refuse(r); refused {
			return answer, nil
		}
	}
	live, err := objectOf(r.Kind, r.Live)
	if err != nil {
		return api.Response{}, err
	}
	sent, err := sentBy(r)
	if err != nil {
		return api.Response{}, err
	}
	before, manager := live.DeepCopy(), managedfieldstest.NewFakeFieldManager(s, r.Kind)
	var merged runtime.Object
	switch r.Verb {
	case api.Apply:
		merged, err = manager.Apply(live, sent, r.Manager, r.Force)
	case api.Create, api.Update, api.MergePatch, api.JSONPatch:
		merged, err = manager.Update(live, sent, r.Manager)
	default:
		return api.Response{}, fmt.Errorf("%s is not merged", r.Verb)
	}
	if status := (apierrors.APIStatus)(nil); errors.As(err, &status) {
		told := status.Status()
		body, err := json.Marshal(&told)
		return api.Response{Code: int(told.Code), Body: body, Stored: r.Live}, err
	}
	if err != nil {
		return api.Response{}, err
	}
	return answerOf(merged.(*unstructured.Unstructured), before, r)
}

// sentBy is the configuration that a request applies, or the object that it asks for.
func sentBy(r api.Request) (*unstructured.Unstructured, error) {
	text, err := r.Body, error(nil)
	switch r.Verb {
	case api.MergePatch:
		text, err = jsonpatch.MergePatch(r.Live, r.Body)
	case api.JSONPatch:
		var patch jsonpatch.Patch
		if patch, err = jsonpatch.DecodePatch(r.Body); err == nil {
			text, err = patch.Apply(r.Live)
		}
	}
	if err != nil {
		return nil, err
	}
	return objectOf(r.Kind, text)
}

func answerOf(merged, before *unstructured.Unstructured, r api.Request) (api.Response, error) {
	code := http.StatusOK
	if r.Live == nil {
		code = http.StatusCreated
	}
	merged.SetManagedFields(written(merged.GetManagedFields(), before.GetManagedFields(), r.Manager, r.Now))
	if equality.Semantic.DeepEqual(merged, before) {
		return api.Response{Code: code, Body: r.Live, Stored: r.Live}, nil
	}
	text, err := json.Marshal(merged)
	return api.Response{Code: code, Body: text, Stored: text}, err
}

// written has the entry of a manager be of a time, where it is new or changed; the others
// keep theirs, as of a server.
func written(entries, before []metav1.ManagedFieldsEntry, manager string, now time.Time) []metav1.ManagedFieldsEntry {
	at := metav1.NewTime(now)
	for i, e := range entries {
		same := func(b metav1.ManagedFieldsEntry) bool { return equality.Semantic.DeepEqual(b, e) }
		if e.Manager == manager && !slices.ContainsFunc(before, same) {
			entries[i].Time = &at
		}
	}
	return entries
}

// objectOf reads an object, in JSON or YAML; of no text it is an empty one of the kind.
func objectOf(kind gvk.GroupVersionKind, text []byte) (*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{Object: map[string]any{}}
	if len(text) > 0 {
		encoded, err := yaml.YAMLToJSON(text)
		if err != nil {
			return nil, err
		}
		return o, o.UnmarshalJSON(encoded)
	}
	o.SetGroupVersionKind(kind)
	return o, nil
}

// ObjectToTyped implements managedfields.TypeConverter.
func (s *Server) ObjectToTyped(o runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	return s.Types(o.GetObjectKind().GroupVersionKind()).FromUnstructured(o.(*unstructured.Unstructured).Object, opts...)
}

// TypedToObject implements managedfields.TypeConverter.
func (s *Server) TypedToObject(v *typed.TypedValue) (runtime.Object, error) {
	object, ok := v.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, errors.New("what is merged is no object")
	}
	return &unstructured.Unstructured{Object: object}, nil
}

// JSON is a text in YAML as JSON.
func JSON(t testing.TB, text string) []byte {
	t.Helper()
	encoded, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// Writing is one write to an object.
type Writing struct {
	Verb    api.Verb
	Manager string
	// Manifest is the object in YAML.
	Manifest string
}

// Object is what some writes leave of an object, as JSON; applies are forced.
func (s *Server) Object(t testing.TB, writes ...Writing) []byte {
	t.Helper()
	var live []byte
	for _, w := range writes {
		var head metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(w.Manifest), &head); err != nil {
			t.Fatal(err)
		}
		answer, err := s.Do(
			t.Context(),
			api.Request{
				Verb:    w.Verb,
				Kind:    head.GroupVersionKind(),
				Manager: w.Manager,
				Force:   true,
				Body:    JSON(t, w.Manifest),
				Live:    live,
			},
		)
		if err != nil || answer.Code >= http.StatusMultipleChoices {
			t.Fatalf("%s writes %s: %d %s, %v", w.Manager, w.Manifest, answer.Code, answer.Body, err)
		}
		live = answer.Stored
	}
	return live
}
