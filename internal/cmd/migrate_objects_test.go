package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// clientSide is an object as kubectl apply (client-side) makes it, and the
// manifest behind it.
type clientSide struct {
	name     string
	server   *server.Server
	request  api.Request
	manifest map[string]any
	live     map[string]any
}

// eachClientSide creates what the recordings create and apply first, as
// kubectl apply (client-side) does it: with the annotation.
func eachClientSide(t *testing.T, visit func(clientSide)) {
	t.Helper()
	seen := map[string]bool{}
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, isFirst, func(name string, server *server.Server, step parity.Step, r api.Request) {
			var manifest map[string]any
			if kjson.Unmarshal(r.Body, &manifest) != nil || seen[string(r.Body)] {
				return
			}
			seen[string(r.Body)] = true
			if annotations, ok := manifest["metadata"].(map[string]any)["annotations"].(map[string]any); ok {
				delete(annotations, migration.LastApplied)
				if len(annotations) == 0 {
					delete(manifest["metadata"].(map[string]any), "annotations")
				}
			}
			if c, ok := createdClientSide(t, name, server, r, manifest); ok {
				visit(c)
			}
		})
	}
}

func isFirst(s parity.Step) bool {
	return (s.Op == "create" || s.Op == "apply") && (len(s.LiveBefore) == 0 || string(s.LiveBefore) == "null") &&
		s.Status == 201
}

func createdClientSide(
	t *testing.T,
	name string,
	server *server.Server,
	r api.Request,
	manifest map[string]any,
) (clientSide, bool) {
	t.Helper()
	body := deepCopy(t, manifest)
	metadata := body["metadata"].(map[string]any)
	if metadata["annotations"] == nil {
		metadata["annotations"] = map[string]any{}
	}
	text := encoded(t, body)
	metadata["annotations"].(map[string]any)[migration.LastApplied] = text
	r.Verb, r.Manager, r.Body, r.MediaType, r.Now, r.Force = api.Create, migration.ClientSideKubectl, []byte(
		encoded(t, body),
	), "", migrationTime, false
	resp, err := server.Do(context.Background(), r)
	if err != nil || resp.Code != 201 {
		return clientSide{}, false
	}
	live := decodedJSON(t, resp.Body)
	live["metadata"].(map[string]any)["resourceVersion"] = "7"
	return clientSide{name, server, r, manifest, live}, true
}

func (c clientSide) object(manifest map[string]any) migration.Object {
	apiVersion, kind := c.request.Kind.ToAPIVersionAndKind()
	return migration.Object{
		Target: report.Target{APIVersion: apiVersion, Kind: kind, Namespace: c.request.Namespace, Name: nameOf(c.live)},
		Live:   c.live, Manifest: manifest,
	}
}

// apply is the server's answer to the next apply.
func (c clientSide) apply(t *testing.T, live, body map[string]any, manager string) report.Result {
	t.Helper()
	w := writeOf(c.request)
	w.Verb, w.Manager, w.Name, w.Now, w.FieldValidation = api.Apply, manager, nameOf(
		c.live,
	), migrationTime.Add(
		time.Hour,
	), ""
	w, err := w.Send(body)
	if err != nil {
		t.Fatal(err)
	}
	w.Live, w.LiveObject = nil, nil
	if live != nil {
		w = w.On(live)
	}
	return engine.Simulate(context.Background(), c.server, w)
}

// anyOrder lets the entries be in any order where upstream makes them: it does
// not sort them as the server does.
func anyOrder(m migration.Migration) cmp.Option {
	return cmp.FilterPath(func(p cmp.Path) bool {
		return m.Patch[0].Op == "replace" && strings.HasSuffix(p.GoString(), `["managedFields"].([]any)`)
	}, cmp.Transformer("sorted", func(list []any) []string {
		var texts []string
		for _, entry := range list {
			text, err := json.Marshal(entry)
			if err != nil {
				return nil
			}
			texts = append(texts, string(text))
		}
		slices.Sort(texts)
		return texts
	}))
}

// comparable is an object without what a write of the server changes besides:
// the time of the writer's entry, for one.
func comparable(object map[string]any, writer string) map[string]any {
	out := map[string]any{}
	for k, v := range object {
		out[k] = v
	}
	metadata := map[string]any{}
	for k, v := range object["metadata"].(map[string]any) {
		if k != "resourceVersion" && k != "generation" && k != "creationTimestamp" {
			metadata[k] = v
		}
	}
	var entries []any
	list, _ := metadata["managedFields"].([]any)
	for _, e := range list {
		entry := maps.Clone(e.(map[string]any))
		if entry["manager"] == writer {
			delete(entry, "time")
		}
		entries = append(entries, entry)
	}
	metadata["managedFields"] = entries
	out["metadata"] = metadata
	return out
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func decodedJSON(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := kjson.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

func deepCopy(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	return decodedJSON(t, []byte(encoded(t, object)))
}

func nameOf(object map[string]any) string {
	name, _ := object["metadata"].(map[string]any)["name"].(string)
	return strings.TrimSpace(name)
}
