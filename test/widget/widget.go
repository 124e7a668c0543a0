// Package widget is a made-up kind for tests, which has a field of every merge
// strategy: atomic and keyed lists, sets, maps, scalars, and a key with a
// default. Nothing but tests imports it.
package widget

import (
	"testing"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

const schema = `types:
- name: widget
  map:
    fields:
    - {name: metadata, type: {map: {fields: [{name: labels, type: {map: {elementType: {scalar: string}}}}]}}}
    - name: spec
      type: {namedType: spec}
- name: spec
  map:
    fields:
    - {name: replicas, type: {scalar: numeric}}
    - {name: paused, type: {scalar: boolean}}
    - {name: args, type: {list: {elementType: {scalar: string}, elementRelationship: atomic}}}
    - {name: finalizers, type: {list: {elementType: {scalar: string}, elementRelationship: associative}}}
    - name: ports
      type:
        list:
          elementType: {namedType: port}
          elementRelationship: associative
          keys: [port, protocol]
- name: port
  map:
    fields:
    - {name: port, type: {scalar: numeric}}
    - {name: protocol, type: {scalar: string}, default: TCP}
    - {name: name, type: {scalar: string}}
`

// Text is a Widget.
const Text = `{
	"metadata": {"labels": {"app.kubernetes.io/name": "web", "app": "x"}},
	"spec": {"replicas": 3, "args": ["a", {"b": 1}], "finalizers": ["one", "two"],
		"ports": [{"port": 53, "name": "dns"}, {"port": 53, "protocol": "UDP", "name": "dns-udp"}]}
}`

// Type is the merge type of Widgets.
func Type(t testing.TB) typed.ParseableType {
	t.Helper()
	p, err := typed.NewParser(schema)
	if err != nil {
		t.Fatal(err)
	}
	return p.Type("widget")
}

// Tree decodes JSON as the server does.
func Tree(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := kjson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
