package server

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestLasting: what every apply that was recorded stores of a lasting kind comes back
// from the encodings as it was put there.
func TestLasting(t *testing.T) {
	s := newServer(t, Options{})
	looked := map[string]int{}
	for _, call := range applies(t) {
		answer, err := s.Do(context.Background(), call)
		if err != nil || answer.Code >= 300 || answer.Stored == nil {
			continue
		}
		call.Live = answer.Stored
		if e, ok := s.Endpoint(call); ok && e.lasting() && !hasEmptyList(answer.Stored) {
			looked[call.Kind.Kind]++
			checkLasting(t, e, call)
		}
	}
	t.Logf("objects by kind: %v", looked)
	if len(looked) < 20 || looked["Deployment"] == 0 || looked["CustomResourceDefinition"] == 0 {
		t.Errorf("objects of few kinds were looked at: %v", looked)
	}
}

// checkLasting encodes an object, and decodes it.
func checkLasting(t *testing.T, e *Endpoint, call api.Request) {
	t.Helper()
	form, err := e.Read(decoded(t, call.Live), Form{})
	if err != nil {
		t.Fatal(err)
	}
	object, err := e.Internal(&form)
	if err != nil {
		t.Fatal(err)
	}
	u, ctx, err := e.newUpdate(context.Background(), object)
	if err != nil {
		t.Fatal(err)
	}
	// What is given is encoded first, whatever is made of it.
	_, _ = u.store(ctx, func(current runtime.Object) (runtime.Object, error) { return current, nil })
	again, err := u.tx.Decode(u.tx.Codec)
	if err != nil {
		t.Fatal(err)
	}
	if !apiequality.Semantic.DeepEqual(again, object) {
		t.Errorf("%s comes back differently (-put +got)\n%s", call.Kind, cmp.Diff(object, again))
	}
}
