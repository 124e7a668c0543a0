package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// What a run brings beyond objects of the kinds that the server has: a definition with an
// object of it, a namespace with what is in it, an object that comes twice.

// gear is an object of a definition that comes in the same run: of a group of the case.
func (c *testCase) gear() map[string]any {
	return map[string]any{
		"apiVersion": c.namespace + ".example.org/v1", "kind": "Gear",
		"metadata": map[string]any{"name": "gear", "namespace": c.namespace}, "spec": map[string]any{"teeth": int64(12)},
	}
}

// gears is the definition of it.
func (c *testCase) gears() map[string]any {
	group := c.namespace + ".example.org"
	return parsed(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.` + group + `}
spec:
  group: ` + group + `
  scope: Namespaced
  names: {plural: gears, singular: gear, kind: Gear, listKind: GearList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {teeth: {type: integer}}}}}
`)
}

// inOther are objects of a namespace that comes in the same run.
func (c *testCase) inOther() map[string]any {
	return parsed(pick(c, []string{
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: conf-b, namespace: ` + c.other() + `}, data: {a: "1"}}`,
		`{apiVersion: v1, kind: ServiceAccount, metadata: {name: back-b, namespace: ` + c.other() + `, labels: {a: b}}}`,
		`{apiVersion: v1, kind: Service, metadata: {name: back-b, namespace: ` + c.other() + `}, spec: {ports: [{port: 80}], selector: {a: b}}}`,
	}))
}

func (c *testCase) other() string { return c.namespace + "-b" }

// bring adds to the manifests what they bring, in some order.
func (c *testCase) bring() {
	if c.one(5) {
		c.manifests = append(c.manifests, c.gears(), c.gear())
		c.inCRDs = c.one(2)
	}
	if c.one(5) {
		c.manifests = append(
			c.manifests,
			map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": c.other()}},
			c.inOther(),
		)
		// kubectl refuses documents of another namespace than that of the command line.
		c.bare = c.kind.name == "kubectl" && !c.one(4)
	}
	if (c.kind.name == "kubectl" || strings.HasPrefix(c.kind.name, "helm")) && c.one(10) {
		object := pick(c, c.manifests)
		if isPassive(object) && object["kind"] != "CustomResourceDefinition" {
			c.manifests = append(c.manifests, changed(object, pick(c, common[:3])))
		}
	}
	if c.one(2) {
		c.rng.Shuffle(len(c.manifests), func(i, j int) { c.manifests[i], c.manifests[j] = c.manifests[j], c.manifests[i] })
	}
	if c.bare {
		c.setNamespaces()
	}
}

// brought are the objects that a run may have brought, as far as they are there.
func (w *world) brought(ctx context.Context, c *testCase) (out []json.RawMessage, err error) {
	for _, object := range c.manifests {
		kind, namespace := fmt.Sprint(object["kind"]), namespaceOf(object)
		of := namespace == c.other() || kind == "Gear" || kind == "CustomResourceDefinition" ||
			kind == "Namespace" && nameOf(object) == c.other()
		if !of {
			continue
		}
		text, err := w.get(ctx, http.MethodGet, kindOf(object).path(namespace, nameOf(object)), nil, "", nil)
		if err != nil {
			// It is not there.
			continue
		}
		var live map[string]any
		if err := json.Unmarshal(text, &live); err != nil {
			return nil, err
		}
		if kind == "CustomResourceDefinition" {
			withoutStatus(live, nil)
		}
		out = append(out, encode(live))
	}
	return out, nil
}

func namespaceOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	return namespace
}

// withoutStatus gives an object the status that nothing has written to.
func withoutStatus(object map[string]any, status map[string]any) {
	delete(object, "status")
	if status != nil {
		object["status"] = runtime.DeepCopyJSON(status)
	}
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	metadata["managedFields"] = slices.DeleteFunc(entries, func(e any) bool {
		entry, _ := e.(map[string]any)
		return entry["subresource"] == "status"
	})
}

// standIn is the field manager by which the recorder completes Jobs and Pods of hooks.
const standIn = "stand-in"

// untouched are the status of Jobs and Pods that nothing has written to.
var untouched = map[string]map[string]any{
	"Job": {}, "Pod": {"phase": "Pending", "qosClass": "BestEffort"},
}

// completing completes Jobs and Pods that are hooks, as long as a client runs.
func (w *world) completing(ctx context.Context, namespace string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			w.complete(ctx, "/apis/batch/v1/namespaces/"+namespace+"/jobs", func() string {
				now := time.Now().UTC().Format(time.RFC3339)
				return fmt.Sprintf(`{"status":{"startTime":%q,"completionTime":%q,"succeeded":1,"conditions":[`+
					`{"type":"SuccessCriteriaMet","status":"True","lastTransitionTime":%q},{"type":"Complete","status":"True","lastTransitionTime":%q}]}}`, now, now, now, now)
			})
			w.complete(ctx, "/api/v1/namespaces/"+namespace+"/pods", func() string { return `{"status":{"phase":"Succeeded"}}` })
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return func() { cancel(); <-done }
}

func (w *world) complete(ctx context.Context, path string, status func() string) {
	text, err := w.get(ctx, http.MethodGet, path, nil, "", nil)
	if err != nil {
		return
	}
	var list struct{ Items []map[string]any }
	_ = json.Unmarshal(text, &list)
	for _, item := range list.Items {
		raw := string(encode(item))
		if strings.Contains(raw, `"helm.sh/hook"`) && !strings.Contains(raw, `"manager":"`+standIn+`"`) {
			_ = w.call(
				ctx,
				http.MethodPatch,
				path+"/"+nameOf(item)+"/status",
				map[string][]string{"fieldManager": {standIn}},
				merge,
				[]byte(status()),
			)
		}
	}
}

// rendered are the manifests as a client's build gives them to it, with the file of a chart
// that each is of.
func (c *testCase) rendered() (manifests []map[string]any, sources []string) {
	if !strings.HasPrefix(c.kind.name, "helm") {
		if c.listed {
			return []map[string]any{listOf(c.manifests)}, nil
		}
		return c.manifests, nil
	}
	files := c.chartFiles(c.manifests)
	for _, folder := range []string{"crds", "templates"} {
		for _, f := range files {
			if filepath.Dir(f.name) == folder {
				manifests, sources = append(manifests, f.object), append(sources, release+"/"+f.name)
			}
		}
	}
	return manifests, sources
}

// chartFile is a manifest in a chart.
type chartFile struct {
	name   string
	object map[string]any
}

// chartFiles are the manifests in a chart: one each, or a List of all.
func (c *testCase) chartFiles(objects []map[string]any) (out []chartFile) {
	var listed []map[string]any
	for i, object := range objects {
		switch {
		case object["kind"] == "CustomResourceDefinition" && c.inCRDs:
			out = append(out, chartFile{filepath.Join("crds", nameOf(object)+".yaml"), object})
		case c.listed:
			listed = append(listed, object)
		default:
			out = append(
				out,
				chartFile{filepath.Join("templates", fmt.Sprintf("%s-%s-%d.yaml", object["kind"], nameOf(object), i)), object},
			)
		}
	}
	if listed != nil {
		out = append(out, chartFile{filepath.Join("templates", "list.yaml"), listOf(listed)})
	}
	return out
}
