package engine_test

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
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

func gadgetType() typed.ParseableType {
	p, err := typed.NewParser(typed.YAMLObject(gadget))
	if err != nil {
		panic(err)
	}
	return p.Type("gadget")
}

var gadgetKind = schema.GroupVersionKind{Group: "lab.example.com", Version: "v1", Kind: "Gadget"}

// scripted answers every request by a function, for gadgets.
type scripted struct {
	do     func(api.Request) (api.Response, error)
	served []schema.GroupVersionKind
	custom bool
}

func (s scripted) Do(_ context.Context, r api.Request) (api.Response, error) { return s.do(r) }

func (s scripted) Types(schema.GroupVersionKind) api.Type {
	return api.Type{ParseableType: gadgetType()}
}

func (s scripted) Resource(k schema.GroupVersionKind) api.Resource {
	for _, served := range s.served {
		if served == k {
			return api.Resource{Known: true, Custom: s.custom}
		}
	}
	return api.Resource{}
}
