package merging

import (
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// gadget is a kind with one of each: a keyed list whose key has a default, a
// set, an atomic list, an atomic map, a map of fields.
const gadget = `types:
- name: gadget
  map:
    fields:
    - {name: apiVersion, type: {scalar: string}}
    - {name: kind, type: {scalar: string}}
    - {name: metadata, type: {namedType: untyped}}
    - {name: status, type: {namedType: untyped}}
    - name: spec
      type:
        map:
          fields:
          - {name: replicas, type: {scalar: numeric}}
          - {name: cpu, type: {namedType: io.k8s.apimachinery.pkg.api.resource.Quantity}}
          - {name: paused, type: {scalar: boolean}}
          - name: ports
            type: {list: {elementType: {namedType: port}, elementRelationship: associative, keys: [port, protocol]}}
          - name: zones
            type: {list: {elementType: {scalar: string}, elementRelationship: associative}}
          - name: args
            type: {list: {elementType: {scalar: string}, elementRelationship: atomic}}
          - name: selector
            type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}
          - name: options
            type: {map: {elementType: {scalar: untyped}}}
- name: port
  map:
    fields:
    - {name: port, type: {scalar: numeric}}
    - {name: protocol, type: {scalar: string}, default: TCP}
    - {name: name, type: {scalar: string}}
- name: io.k8s.apimachinery.pkg.api.resource.Quantity
  scalar: untyped
- name: untyped
  scalar: untyped
  list: {elementType: {namedType: untyped}, elementRelationship: atomic}
  map: {elementType: {namedType: untyped}, elementRelationship: separable}
`

// GadgetType is the merge type of gadgets, with parts of its text replaced.
func GadgetType(oldnew ...string) typed.ParseableType {
	p, err := typed.NewParser(typed.YAMLObject(strings.NewReplacer(oldnew...).Replace(gadget)))
	if err != nil {
		panic(err)
	}
	return p.Type("gadget")
}

// GadgetKind is that of gadgets.
var GadgetKind = gvk.GroupVersionKind{Group: "lab.example.com", Version: "v1", Kind: "Gadget"}
