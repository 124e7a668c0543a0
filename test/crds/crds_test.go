package crds

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// TestMake: a definition is of the size asked for, the same each time, and one
// that a server accepts objects by.
func TestMake(t *testing.T) {
	for number, bytes := range []int{2_000, 20_000, 200_000} {
		definition := Make(1, uint64(number), bytes)
		if diff := cmp.Diff(definition, Make(1, uint64(number), bytes)); diff != "" {
			t.Errorf("made twice (-first +second):\n%s", diff)
		}
		text, err := yaml.Marshal(definition)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < bytes/2 || len(text) > 2*bytes+4000 {
			t.Errorf("%d bytes, want about %d", len(text), bytes)
		}
		create(t, definition)
	}
}

func create(t *testing.T, definition map[string]any) {
	t.Helper()
	crd, err := json.Marshal(definition)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{CRDs: [][]byte{crd}})
	if err != nil {
		t.Fatal(err)
	}
	spec := definition["spec"].(object)
	kind := schema.GroupVersionKind{
		Group:   spec["group"].(string),
		Version: "v1",
		Kind:    spec["names"].(object)["kind"].(string),
	}
	body := fmt.Sprintf(
		`{"apiVersion":"%s/v1","kind":"%s","metadata":{"name":"a","namespace":"b"}}`,
		kind.Group,
		kind.Kind,
	)
	answer, err := s.Do(
		t.Context(),
		api.Request{Verb: api.Create, Manager: "m", Kind: kind, Namespace: "b", Name: "a", Body: []byte(body)},
	)
	if err != nil || answer.Code != 201 {
		t.Errorf("%s: %v %s", kind.Kind, err, answer.Body)
	}
}
