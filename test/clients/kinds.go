package main

import (
	"fmt"
	"slices"
	"strings"
)

// kind is where the server has a kind, with a manifest of it.
type kind struct {
	api, resource string
	// cluster: its objects are in no namespace, and have the name of one.
	cluster  bool
	manifest string
	// changes are what a later manifest does to it.
	changes []change
	// edits are what others write to the live object.
	edits []edit
}

// path is that of the collection, or of an object in it.
func (k kind) path(namespace string, name ...string) string {
	if k.cluster {
		return strings.Join(append([]string{k.api, k.resource}, name...), "/")
	}
	return strings.Join(append([]string{k.api, "namespaces", namespace, k.resource}, name...), "/")
}

// definition is that of the custom resource.
var definition = parsed(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: &schema
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1}
              color: {type: string, default: green}
              model: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: model is immutable}]}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              plain: {type: array, items: {type: string}}
              options: {type: object, additionalProperties: {type: string}}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, count: {type: integer, default: 1}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
  - {name: v1beta1, served: true, storage: false, subresources: {status: {}}, schema: *schema}
`)

// container is the path of the first container of a Deployment.
const container = "spec/template/spec/containers/0/"

// common are changes of any object.
var common = []change{
	{"metadata/labels/tier": "back"},
	{"metadata/labels/team": nil},
	{"metadata/annotations/note": "two"},
	{"metadata/annotations": nil},
	{"metadata/labels": nil},
	{"metadata/creationTimestamp": null{}},
	{"metadata/annotations/note": ""},
	{"metadata/annotations/note": null{}},
	{"metadata/labels/team": null{}},
	{"metadata/labels": "{}"},
	{"metadata/labels/version": 1},
	{"metadata/finalizers": "[example.com/hold]"},
	{
		"metadata/ownerReferences": "[{apiVersion: v1, kind: ConfigMap, name: owner, uid: 6b3b2a5e-3a34-4c6d-9c35-3a1f9a4a9d10}]",
	},
	// What exported objects have.
	{"metadata/resourceVersion": "1"},
	{"metadata/uid": "6b3b2a5e-3a34-4c6d-9c35-3a1f9a4a9d10"},
	{"metadata/generation": 7},
	{"metadata/managedFields": "[]"},
	{"metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration": "old"},
	{"status": "{}"},
}

// commonEdits are edits of any object.
var commonEdits = []edit{
	{"kubectl-label", merge, "", `{"metadata":{"labels":{"team":"ops","extra":"x"}}}`},
	{"kubectl-annotate", merge, "", `{"metadata":{"annotations":{"note":"edited","owner":"me"}}}`},
	{
		"kubectl-annotate", merge, "",
		`{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVers"}}}`,
	},
	{
		"kubectl-annotate", merge, "",
		`{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":null}}}`,
	},
	{"deployer", merge, "", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}\n"}}}`},
	{"manager", jsonPatch, "", `[{"op":"add","path":"/metadata/finalizers","value":["example.com/hold"]}]`},
	{"cleaner", jsonPatch, "", `[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`},
}

// kinds are those of the cases, in an order that the seeds go by.
var kinds = slices.Concat(oftenReleased, seldomReleased)

// kindOf is the kind of an object.
func kindOf(object map[string]any) kind {
	switch object["kind"] {
	case "Gear":
		return kind{api: "/apis/" + fmt.Sprint(object["apiVersion"]), resource: "gears"}
	case "CustomResourceDefinition":
		return kind{api: "/apis/apiextensions.k8s.io/v1", resource: "customresourcedefinitions", cluster: true}
	}
	for _, k := range kinds {
		if m := parsed(k.manifest); m["kind"] == object["kind"] {
			return k
		}
	}
	panic(fmt.Sprint("no kind ", object["kind"]))
}
