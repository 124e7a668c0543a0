package serve

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/types"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/serve/wire"
	"github.com/ssactl/ssactl/internal/server/api"
)

// written is a write with the answer that it got, and the object that it left; nil for none.
type written struct {
	write engine.Write
	given api.Response
	after []byte
}

// verbs are those of patches, by their media types.
var verbs = map[string]api.Verb{
	string(types.ApplyYAMLPatchType): api.Apply, string(types.ApplyCBORPatchType): api.Apply,
	string(types.MergePatchType): api.MergePatch, string(types.JSONPatchType): api.JSONPatch,
	string(types.StrategicMergePatchType): api.StrategicPatch,
}

// writtenBy is a recorded write as the engine has writes; false where it is not to one object.
func writtenBy(w wire.Write) (is written, ok bool) {
	query, err := url.ParseQuery(w.Query)
	kind := kindOf(w)
	if err != nil || kind == "" || w.Name == "" {
		return written{}, false
	}
	verb := api.Update
	switch w.Method {
	case http.MethodPost:
		verb = api.Create
	case http.MethodDelete:
		verb = api.Delete
	case http.MethodPatch:
		if verb, ok = verbs[w.Type]; !ok {
			return written{}, false
		}
	}
	is.write = engine.Write{
		Verb: verb, Kind: groupVersion(w).WithKind(kind), Namespace: w.Namespace, Name: w.Name,
		Subresource: w.Subresource, Manager: query.Get("fieldManager"), UserAgent: w.UserAgent,
		FieldValidation: query.Get("fieldValidation"), PropagationPolicy: query.Get("propagationPolicy"),
		DryRun: isDryRun(w), Body: w.Body, Live: w.Before, Now: w.Time,
	}
	if kind == "Namespace" && w.Group == "" {
		is.write.Namespace = ""
	}
	// What is no boolean the server refuses.
	is.write.Force, _ = strconv.ParseBool(query.Get("force"))
	is.given = api.Response{Code: w.Code, Body: w.Answer, Warnings: w.Warnings}
	if is.after = w.After; w.Code < http.StatusMultipleChoices {
		is.given.Stored = w.After
		is.given.Deleted = verb == api.Delete && w.After == nil
	}
	return is, true
}

// isDryRun reports whether a write was not to be stored.
func isDryRun(w wire.Write) bool {
	query, err := url.ParseQuery(w.Query)
	return err == nil && slices.Contains(query["dryRun"], "All")
}

// head is the object that a text says it is, and its version.
type head struct {
	Kind     string
	Metadata struct{ ResourceVersion string }
}

func headOf(text []byte) (h head) {
	// What is no object has no head.
	_ = json.Unmarshal(text, &h)
	return h
}

func versionOf(text []byte) string { return headOf(text).Metadata.ResourceVersion }

func decode(text []byte) map[string]any {
	// It is what the server has answered.
	object, _ := jsontree.Decode(text)
	return object
}
