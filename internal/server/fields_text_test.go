package server

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestLiveObjectAsFilesHaveIt: an apply that changes nothing writes nothing,
// however the file writes the live object: with indentation, with the keys of
// items in another order, and without what only a server can give.
func TestLiveObjectAsFilesHaveIt(t *testing.T) {
	server := newServer(t, Options{})
	call := api.Request{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "d", Name: "s", Manager: "m",
		// The server fills in the protocol of the first port's key, and the
		// apiVersion of fieldRef inside of an atomic map: what is merged
		// differs from what is stored until defaults are filled in.
		Body: []byte(
			`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"s","namespace":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},` +
				`"spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80},{"containerPort":443}],"env":[{"name":"E","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]}]}}}}`,
		),
		Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	created, err := server.Do(context.Background(), call)
	if err != nil || created.Code != 201 {
		t.Fatalf("%d %s: %v", created.Code, created.Body, err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, created.Stored, "", "    "); err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(created.Stored, &tree); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	complete := bytes.Replace(
		indented.Bytes(),
		[]byte(`"name": "s",`),
		[]byte(`"name": "s", "uid": "u", "resourceVersion": "7",`),
		1,
	)
	call.Now = call.Now.Add(time.Hour)
	for name, live := range map[string][]byte{"stored": created.Stored, "indented": indented.Bytes(), "sorted": sorted, "indented and complete": complete} {
		call.Live = live
		again, err := server.Do(context.Background(), call)
		if err != nil || again.Code != 200 {
			t.Fatalf("%s: %d %s: %v", name, again.Code, again.Body, err)
		}
		if bytes.Contains(again.Stored, []byte("2026-01-01T01:00:00Z")) {
			t.Errorf("%s: the entry is written anew:\n%s", name, again.Stored)
		}
	}
}
