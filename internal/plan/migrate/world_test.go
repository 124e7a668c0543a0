package migrate

import (
	"testing"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// gadget is a kind with a keyed list, a map of fields and an atomic list.
const gadget = `types:
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
`

var gadgetType = func() typed.ParseableType {
	p, err := typed.NewParser(typed.YAMLObject(gadget))
	if err != nil {
		panic(err)
	}
	return p.Type("gadget")
}()

// lab is a world of gadgets. Where apply is nil, no apply is answered.
type lab struct {
	at      map[string]map[string]any
	unknown map[string]bool
	deduced bool
	apply   func(object, body map[string]any, manager string) report.Result
}

func (l lab) Type(string) api.Type {
	return api.Type{ParseableType: gadgetType, Deduced: l.deduced}
}

func (l lab) Served(version string) bool { return !l.unknown[version] }

func (l lab) ServedAs() string { return "" }

func (l lab) At(version string) (map[string]any, error) {
	if object, ok := l.at[version]; ok {
		return object, nil
	}
	return nil, errNotAt(version)
}

func (l lab) Apply(object, body map[string]any, manager string) report.Result {
	if l.apply != nil {
		return l.apply(object, body, manager)
	}
	return report.Result{Outcome: report.Failed, Error: "no answer"}
}

// object reads a gadget from JSON; v1 is its version in the lab.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := kjson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// plan plans a live gadget in a lab that answers no apply.
func plan(live map[string]any, opts Options) Migration {
	version, _ := live["apiVersion"].(string)
	return Plan(lab{at: map[string]map[string]any{version: live}}, Object{Live: live}, opts)
}

// rules are the rules of the findings, in their order.
func rules(m Migration) []string {
	var out []string
	for _, f := range m.Findings {
		out = append(out, string(f.Severity)+" "+f.Rule)
	}
	return out
}
