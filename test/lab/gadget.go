package lab

import (
	"fmt"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// Type is that of the Gadget: a kind with a keyed list, a map of fields and an atomic list.
var Type = func() typed.ParseableType {
	p, err := typed.NewParser(`types:
- name: gadget
  map:
    fields:
    - {name: apiVersion, type: {scalar: string}}
    - {name: kind, type: {scalar: string}}
    - {name: data, type: {map: {elementType: {scalar: string}}}}
    - name: metadata
      type:
        map:
          fields:
          - {name: name, type: {scalar: string}}
          - {name: namespace, type: {scalar: string}}
          - {name: resourceVersion, type: {scalar: string}}
          - {name: labels, type: {map: {elementType: {scalar: string}}}}
          - {name: annotations, type: {map: {elementType: {scalar: string}}}}
          - {name: managedFields, type: {list: {elementType: {namedType: untyped}, elementRelationship: atomic}}}
    - name: spec
      type:
        map:
          fields:
          - {name: replicas, type: {scalar: numeric}}
          - {name: size, type: {scalar: numeric}}
          - {name: mode, type: {scalar: string}}
          - {name: args, type: {list: {elementType: {scalar: string}, elementRelationship: atomic}}}
          - name: ports
            type: {list: {elementType: {namedType: port}, elementRelationship: associative, keys: [port]}}
- name: port
  map:
    fields:
    - {name: port, type: {scalar: numeric}}
    - {name: name, type: {scalar: string}}
- name: untyped
  scalar: untyped
  list: {elementType: {namedType: untyped}, elementRelationship: atomic}
  map: {elementType: {namedType: untyped}, elementRelationship: separable}
`)
	if err != nil {
		panic(err)
	}
	return p.Type("gadget")
}()

// Object reads JSON.
func Object(text string) map[string]any {
	var out map[string]any
	if err := kjson.Unmarshal([]byte(text), &out); err != nil {
		panic(fmt.Sprintf("%v: %s", err, text))
	}
	return out
}

// Gadget is a live one with entries in short form: "manager operation version subresource:
// path path", a dot for no subresource; paths are those of fieldsV1 without f:, and annotation stands for the last-applied one.
func Gadget(entries ...string) map[string]any {
	o := Object(
		`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g","resourceVersion":"7"},"spec":{"replicas":2,"size":5,"mode":"fast","ports":[{"port":80,"name":"http"}]}}`,
	)
	var list []any
	for _, e := range entries {
		list = append(list, Entry(e))
	}
	o["metadata"].(map[string]any)["managedFields"] = list
	return o
}

// annotation stands for the last-applied annotation in short forms.
const annotation = "annotation"

// Entry is a managed fields entry in short form.
func Entry(s string) map[string]any {
	head, tail, _ := strings.Cut(s, ":")
	words := strings.Fields(head)
	fields := map[string]any{}
	for _, path := range strings.Fields(tail) {
		at := fields
		for _, key := range strings.Split(path, "/") {
			if key == annotation {
				key = client.LastApplied
			}
			if !strings.HasPrefix(key, "k:") {
				key = "f:" + key
			}
			child, ok := at[key].(map[string]any)
			if !ok {
				child = map[string]any{}
				at[key] = child
			}
			at = child
		}
	}
	entry := map[string]any{
		"manager": words[0], "operation": words[1], "apiVersion": words[2], "fieldsType": "FieldsV1", "fieldsV1": fields,
		"time": "2026-01-01T00:00:00Z",
	}
	if words[3] != "." {
		entry["subresource"] = words[3]
	}
	return entry
}

// Entries are those of an object in short form, without their times.
func Entries(object map[string]any) []string {
	var out []string
	for _, e := range managedfields.Of(object).Entries {
		var paths []string
		e.Set.Iterate(func(p fieldpath.Path) {
			path := strings.ReplaceAll(strings.TrimPrefix(p.String(), "."), client.LastApplied, annotation)
			paths = append(paths, strings.ReplaceAll(path, ".", "/"))
		})
		subresource := e.Subresource
		if subresource == "" {
			subresource = "."
		}
		out = append(
			out,
			fmt.Sprintf("%s %s %s %s: %s", e.Manager, e.Operation, e.APIVersion, subresource, strings.Join(paths, " ")),
		)
	}
	return out
}
