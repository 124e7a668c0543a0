package main

import (
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/crds"
)

// largeDefinition is a definition as operators bring it along.
var largeDefinition = kind{apiVersion: "apiextensions.k8s.io/v1", name: "CustomResourceDefinition", cluster: true}

// definitionBytes is the size of one of the large definitions: the largest has an
// eighth of all, if they are seventy, and the smallest a three-hundredth.
func (o options) definitionBytes(number int) int {
	sum := 0.0
	for i := range o.crds {
		sum += 1 / float64(i+2)
	}
	return int(float64(o.crdsBytes) / sum / float64(number+2))
}

// newDefinition makes one of the large definitions. The first ones are applied,
// too: with another text than they have, as a new release of their operator.
func (m *maker) newDefinition(o options, number int) (made, error) {
	m.kind, m.now = largeDefinition, epoch
	config := crds.Make(o.seed, uint64(number), o.definitionBytes(number))
	m.named = config["metadata"].(object)["name"].(string)
	if err := m.establish(config); err != nil {
		return made{}, err
	}
	if number >= o.appliedCRDs {
		return made{live: m.live}, nil
	}
	return made{manifest: m.upgraded(config), former: config, live: m.live}, nil
}

// establish makes the live definition. The server is not asked about the schema,
// which takes it seconds: versions are atomic, so that neither defaults nor
// managed fields depend on it.
func (m *maker) establish(config object) error {
	schema := version(config)["schema"]
	small := clone(config)
	version(small)["schema"] = object{"openAPIV3Schema": object{"type": "object"}}
	if err := m.apply(m.manager, small); err != nil {
		return err
	}
	accepted := m.condition("NamesAccepted", "NoConflicts", "no conflicts found")
	established := m.condition("Established", "InitialNamesAccepted", "the initial names have been accepted")
	delete(accepted, "lastUpdateTime")
	delete(established, "lastUpdateTime")
	status := object{
		"acceptedNames":  config["spec"].(object)["names"],
		"storedVersions": []any{"v1"},
		"conditions":     []any{accepted, established},
	}
	err := m.write(
		api.Request{Verb: api.MergePatch, Subresource: "status", Manager: "kube-apiserver"},
		object{"status": status},
	)
	version(m.live)["schema"] = schema
	return err
}

// upgraded is the definition in the next release: with another mark of its
// generator, and one more field.
func (m *maker) upgraded(config object) object {
	next := clone(config)
	annotations(next)["controller-gen.kubebuilder.io/version"] = "v0.18.0"
	root := version(next)["schema"].(object)["openAPIV3Schema"].(object)
	spec := root["properties"].(object)["spec"].(object)
	spec["properties"].(object)["addedBy"+m.hex(4)] = object{
		"type":        "string",
		"description": "AddedBy is new in this release.",
	}
	return next
}

// version is the only version of a definition.
func version(definition object) object {
	return definition["spec"].(object)["versions"].([]any)[0].(object)
}
