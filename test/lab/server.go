package lab

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
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

// Do answers applies, updates, JSON patches and merge patches.
func (s Server) Do(ctx context.Context, r api.Request) (api.Response, error) {
	if s.Mute && r.Verb == api.Apply {
		return api.Response{}, errors.New("no answer")
	}
	live, err := s.live(r)
	if err != nil {
		return api.Response{}, err
	}
	if r.Live, err = json.Marshal(live); err != nil {
		return api.Response{}, err
	}
	merge := merging.Server{Custom: map[schema.GroupVersionKind]typed.ParseableType{r.Kind: Type}}
	answer, err := merge.Do(ctx, r)
	if err != nil || s.Default == nil || answer.Code >= http.StatusMultipleChoices {
		return answer, err
	}
	after := Object(string(answer.Stored))
	s.Default(after)
	answer.Stored, err = json.Marshal(after)
	answer.Body = answer.Stored
	return answer, err
}

// live is the object at the version that is written.
func (s Server) live(r api.Request) (map[string]any, error) {
	version, kind := r.Kind.ToAPIVersionAndKind()
	live := map[string]any{"kind": kind, "metadata": map[string]any{"name": r.Name}}
	if r.Live != nil {
		if err := kjson.Unmarshal(r.Live, &live); err != nil {
			return nil, err
		}
	}
	if at, ok := s.At[version]; ok {
		live = runtime.DeepCopyJSON(at)
	}
	live["apiVersion"] = version
	return live, nil
}
