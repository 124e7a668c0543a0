package impact

import (
	"encoding/json"
	"maps"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Update is the write that replaces an old definition, which is
// established. Where the old one does not say at which versions objects are stored,
// it is taken to be the one that it stores at.
func Update(was, is Definition) engine.Write {
	live := inCluster(was.Object)
	status := maps.Clone(asMap(was.Object["status"]))
	if status == nil {
		status = map[string]any{}
	}
	if status["storedVersions"] == nil {
		status["storedVersions"] = []any{was.Storage()}
	}
	status["acceptedNames"] = fieldtree.Value(was.Object, "spec", "names")
	status["conditions"] = []any{holds("NamesAccepted"), holds("Established")}
	live["status"] = status
	body := inCluster(is.Object)
	name, _ := fieldtree.Value(is.Object, "metadata", "name").(string)
	w := engine.Write{
		Verb: api.Update, Kind: gvk.FromAPIVersionAndKind("apiextensions.k8s.io/v1", "CustomResourceDefinition"), Name: name, Manager: probe,
		LiveObject: live, Source: is.Source,
	}
	if text, err := json.Marshal(live); err == nil {
		w.Live = text
	}
	if text, err := json.Marshal(body); err == nil {
		w = w.WithBody(text, body)
	}
	w.Locator = is.Locator
	return w
}

// inCluster is a definition as in a cluster: an update has to name its object.
func inCluster(definition map[string]any) map[string]any {
	out, metadata := maps.Clone(definition), maps.Clone(asMap(definition["metadata"]))
	for _, key := range []string{"managedFields", "creationTimestamp", "generation"} {
		delete(metadata, key)
	}
	metadata["uid"], metadata["resourceVersion"] = "00000000-0000-0000-0000-000000000001", "1"
	out["metadata"] = metadata
	delete(out, "status")
	return out
}

func holds(condition string) map[string]any {
	return map[string]any{"type": condition, "status": "True", "reason": condition, "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}
}
