package walk

import (
	"encoding/json"
	"sort"
	"strings"

	"github.com/ssactl/ssactl/test/parity"
)

// Seed is what a walk over one kind starts from.
type Seed struct {
	Target parity.Target
	// Path is that of the collection, with the namespace of the walk.
	Path parity.Path
	CRDs []json.RawMessage
	// Bodies are full objects that were created or applied, Status those that
	// were sent to a subresource, by its name.
	Bodies []map[string]any
	Status map[string][]map[string]any
}

// Seeds sorts recorded steps by kind, and custom resources by the definitions
// they were recorded with, but for steps that a server with other flags was told, and
// those of kinds that it does not have. They come in a stable order.
func Seeds(scenarios []parity.Scenario) []*Seed {
	byKey := map[string]*Seed{}
	for _, scenario := range scenarios {
		for i, step := range scenario.Steps {
			if len(scenario.ServerFlags) == 0 && served(step) {
				addSeed(byKey, scenario, i, step)
			}
		}
	}
	var keys []string
	for key, seed := range byKey {
		if len(seed.Bodies) > 0 {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	seeds := make([]*Seed, len(keys))
	for i, key := range keys {
		seeds[i] = byKey[key]
	}
	return seeds
}

// served reports whether the server has a route for a step: it answers in plain text
// where it has none.
func served(step parity.Step) bool {
	var text string
	return json.Unmarshal(step.Response, &text) != nil || text == ""
}

func addSeed(byKey map[string]*Seed, scenario parity.Scenario, i int, step parity.Step) {
	path, err := parity.ParsePath(step.Request.Path)
	if err != nil {
		return
	}
	body := asObject(step.Request, scenario.Namespace)
	if body == nil || body["kind"] != step.Target.Kind && step.Subresource == "" {
		return
	}
	key := step.Target.APIVersion + " " + step.Target.Kind
	crds := definitionsOf(scenario, i, step.Target)
	for _, crd := range crds {
		key += string(crd)
	}
	seed, ok := byKey[key]
	if !ok {
		seed = &Seed{Path: path, CRDs: crds, Status: map[string][]map[string]any{}}
		seed.Target = step.Target
		seed.Target.Name = strings.ReplaceAll(step.Target.Name, scenario.Namespace, Here)
		seed.Path.Name, seed.Path.Subresource = "", ""
		byKey[key] = seed
	}
	if step.Subresource != "" {
		seed.Status[step.Subresource] = append(seed.Status[step.Subresource], body)
		return
	}
	if step.Op == "create" || step.Op == "apply" || step.Op == "update" {
		seed.Bodies = append(seed.Bodies, body)
	}
}

// Here stands in bodies and names for the namespace of the walk, which
// cluster-scoped names are made of.
const Here = "walk-here"

// asObject gives a JSON body; nil when it is no object.
func asObject(r parity.HTTPRequest, namespace string) map[string]any {
	if len(r.Body) == 0 {
		return nil
	}
	var object map[string]any
	if json.Unmarshal([]byte(strings.ReplaceAll(string(r.Body), namespace, Here)), &object) != nil {
		return nil
	}
	return object
}

// definitionsOf gives the definition that serves a target, if it is a custom
// resource.
func definitionsOf(scenario parity.Scenario, i int, target parity.Target) []json.RawMessage {
	group, _, _ := strings.Cut(target.APIVersion, "/")
	for _, crd := range scenario.CRDsAt(i) {
		var spec struct {
			Spec struct {
				Group string
				Names struct{ Kind string }
			}
		}
		if json.Unmarshal(crd, &spec) == nil && spec.Spec.Group == group && spec.Spec.Names.Kind == target.Kind {
			return []json.RawMessage{crd}
		}
	}
	return nil
}
