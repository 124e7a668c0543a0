package main

import (
	"fmt"
	"maps"

	"github.com/ssactl/ssactl/test/crds"
)

// routeKind is the kind of an operator: its definition is large, and has two versions and
// rules.
var routeKind = kind{
	apiVersion: "mesh.example.com/v1",
	name:       "Route",
	weight:     30,
	fill:       route,
	status:     routeStatus,
	change:     newHost,
}

const routeBytes = 120_000

func routeDefinition(seed uint64) object {
	const number = 1_000
	definition := crds.Make(seed, number, routeBytes)
	definition["metadata"].(object)["name"] = "routes.mesh.example.com"
	spec := definition["spec"].(object)
	spec["group"] = "mesh.example.com"
	spec["names"] = object{"kind": "Route", "listKind": "RouteList", "plural": "routes", "singular": "route"}
	served := version(definition)
	fields := served["schema"].(object)["openAPIV3Schema"].(object)["properties"].(object)
	for _, name := range []string{"spec", "status"} {
		delete(fields[name].(object), "required")
	}
	maps.Copy(fields["spec"].(object)["properties"].(object), routeFields())
	former := clone(served)
	former["name"], former["storage"] = "v1beta1", false
	spec["versions"] = []any{served, former}
	return definition
}

// routeFields are those that routes have.
func routeFields() object {
	backend := object{
		"type": "object", "required": []any{"name"},
		"properties": object{
			"name":   object{"type": "string", "maxLength": 63},
			"port":   object{"type": "integer"},
			"weight": object{"type": "integer", "default": 1},
		},
		"x-kubernetes-validations": rules(
			"!has(self.port) || self.port > 0 && self.port < 65536",
			"self.weight >= 0",
			"self.name != 'none'",
		),
	}
	match := object{
		"type": "object", "required": []any{"name"},
		"properties": object{
			"name":     object{"type": "string", "maxLength": 63},
			"path":     object{"type": "string", "maxLength": 1024},
			"backends": mapList(backend),
		},
		"x-kubernetes-validations": rules(
			"!has(self.path) || self.path.startsWith('/')", "!has(self.path) || !self.path.contains('//')",
			"!has(self.backends) || self.backends.all(b, b.weight <= 100)",
			"!has(self.backends) || self.backends.exists_one(b, b.name == 'main')",
		),
	}
	return object{
		"hosts": object{
			"type":                   "array",
			"maxItems":               16,
			"items":                  object{"type": "string", "maxLength": 253},
			"x-kubernetes-list-type": "set",
		},
		"matches": mapList(match),
	}
}

// mapList is a list whose items have names.
func mapList(item object) object {
	return object{
		"type":                       "array",
		"maxItems":                   16,
		"items":                      item,
		"x-kubernetes-list-type":     "map",
		"x-kubernetes-list-map-keys": []any{"name"},
	}
}

func rules(list ...string) []any {
	var out []any
	for _, rule := range list {
		out = append(out, object{"rule": rule, "message": "breaks " + rule})
	}
	return out
}

func route(m *maker, config object) {
	var matches []any
	for i := range 1 + m.random.IntN(4) {
		matches = append(matches, object{"name": fmt.Sprintf("match-%d", i), "path": "/" + m.hex(6), "backends": []any{
			object{"name": "main", "port": 8080}, object{"name": "canary", "port": 8080, "weight": 5},
		}})
	}
	config["spec"] = object{"hosts": []any{m.name() + ".example.com"}, "matches": matches}
}

func newHost(m *maker, config object) {
	config["spec"].(object)["hosts"] = []any{m.name() + ".example.com", m.hex(8) + ".example.com"}
}

func routeStatus(m *maker) error {
	return m.updateStatus("mesh-operator", object{"conditions": []any{m.condition("Ready", "Programmed", "programmed")}})
}

// operator is what the cluster has of it beside the objects: its definition, policies, and
// webhooks that look at every write.
func operator(seed uint64) []made {
	all := []made{{live: routeDefinition(seed)}}
	anything := object{
		"apiGroups":   []any{"*"},
		"apiVersions": []any{"v1"},
		"operations":  []any{"CREATE", "UPDATE"},
		"resources":   []any{"*"},
	}
	for i := range 3 {
		name := fmt.Sprintf("mesh-%d", i)
		judge := func(kind string, more object) {
			config := object{"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": object{"name": name}}
			maps.Copy(config, more)
			all = append(all, made{live: config})
		}
		judge("ValidatingAdmissionPolicy", object{"spec": object{
			"matchConstraints": object{"resourceRules": []any{anything}},
			"validations": []any{
				object{"expression": fmt.Sprintf("!has(object.metadata.labels) || !('forbidden-%d' in object.metadata.labels)", i)},
			},
		}})
		judge(
			"ValidatingAdmissionPolicyBinding",
			object{"spec": object{"policyName": name, "validationActions": []any{"Deny"}}},
		)
		judge("ValidatingWebhookConfiguration", object{"webhooks": []any{object{
			"name": name + ".example.com", "rules": []any{anything}, "clientConfig": object{"url": "https://mesh.example.com"},
			"sideEffects": "None", "admissionReviewVersions": []any{"v1"},
		}}})
	}
	return all
}
