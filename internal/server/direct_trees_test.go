package server

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/gotree"
)

// TestTrees: every recorded object of a built-in kind is read from its tree as the
// converter reads it, and is seen to be what JSON writes of it.
func TestTrees(t *testing.T) {
	s := newServer(t, Options{})
	looked, seen := 0, 0
	for _, call := range applies(t) {
		answer, err := s.Do(context.Background(), call)
		if err != nil || answer.Code >= 300 || answer.Stored == nil {
			continue
		}
		call.Live = answer.Stored
		e, ok := s.Endpoint(call)
		if !ok {
			continue
		}
		looked++
		tree, err := jsontree.Decode(call.Live)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.scope.Creater.New(e.scope.Kind)
		if err != nil || !gotree.Read(tree, got) {
			t.Errorf("%s is not read: %v", call.Kind, err)
			continue
		}
		want, err := e.scope.UnsafeConvertor.ConvertToVersion(
			&unstructured.Unstructured{Object: tree},
			e.scope.Kind.GroupVersion(),
		)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read differently: %v (-want +got)\n%s", call.Kind, err, cmp.Diff(want, got))
		}
		form, err := e.Read(tree, Form{})
		if err != nil {
			t.Fatal(err)
		}
		object, err := e.Internal(&form)
		if err != nil {
			t.Fatal(err)
		}
		if external, err := e.external(object); err == nil && gotree.Writes(external, tree) {
			seen++
		}
		text, err := e.JSON(object)
		if err != nil {
			t.Fatal(err)
		}
		written, err := jsontree.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		nothing, err := e.scope.Creater.New(e.scope.Kind)
		if err != nil {
			t.Fatal(err)
		}
		text, err = json.Marshal(nothing)
		if err != nil {
			t.Fatal(err)
		}
		empty, err := jsontree.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, ok := gotree.WriteLike(got, nothing, empty); !ok || !reflect.DeepEqual(again, written) {
			t.Errorf("%s is written differently beside nothing (-want +got)\n%s", call.Kind, cmp.Diff(written, again))
		}
	}
	t.Logf("%d of %d objects", seen, looked)
	if looked < 100 || seen < looked*9/10 {
		t.Errorf("%d of %d objects were seen to be what is written of them", seen, looked)
	}
}
