package server

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// leastResetKinds guards against recordings that are not read.
const leastResetKinds = 20

// resetter is the manager of the applies below, and resetLabel what it may own
// of the metadata.
const (
	resetter   = "resetter"
	resetLabel = ".metadata.labels.reset"
)

// otherFields are a spec and a status of a kind.
type otherFields struct {
	Spec   map[string]any `json:"spec"`
	Status map[string]any `json:"status"`
	// Unowned is true for a status that the status subresource resets as well.
	Unowned bool `json:"unowned"`
	// Gated tells of a status whose fields wait for a feature gate: it is not written.
	Gated bool `json:"gated"`
}

// TestResetFields applies spec, status and a label to a recorded object of
// every built-in kind with a status subresource: once to the object itself,
// which must neither own nor change the status, and once to its status, which
// must neither own nor change the spec. Neither is a conflict, since what is
// reset is not compared.
func TestResetFields(t *testing.T) {
	server := newServer(t, Options{})
	others := map[string]otherFields{}
	readYAML(t, "reset-fields", &others)
	lives := recordedObjects(t)
	var report strings.Builder
	covered := map[string]bool{}
	for _, name := range kindsWithStatus(t, server) {
		live, recorded := lives[name]
		fields, known := others[name]
		if !recorded {
			fmt.Fprintf(&report, "%-60s no recorded object\n", name)
			continue
		}
		if !known {
			t.Errorf("%s: testdata/reset-fields.yaml has no fields for it", name)
			continue
		}
		covered[name] = true
		t.Run(name, func(t *testing.T) {
			main := applyOther(t, server, live, fields, "")
			var status []string
			if !fields.Gated {
				status = applyOther(t, server, live, fields, "status")
			}
			fmt.Fprintf(&report, "%-60s main owns %v, status owns %v\n", name, main, status)
		})
	}
	t.Logf("%d kinds covered\n%s", len(covered), &report)
	if len(covered) < leastResetKinds {
		t.Errorf("%d kinds were covered, want at least %d", len(covered), leastResetKinds)
	}
}

// TestResetFieldsOfCustomResource: the status of a custom resource takes no
// metadata either, but for managed fields.
func TestResetFieldsOfCustomResource(t *testing.T) {
	server, err := New(Options{CRDs: [][]byte{[]byte(`{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": {"name": "resets.example.com"},
		"spec": {"group": "example.com", "scope": "Namespaced",
			"names": {"plural": "resets", "singular": "reset", "kind": "Reset", "listKind": "ResetList"},
			"versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
				"schema": {"openAPIV3Schema": {"type": "object", "properties": {
					"spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
					"status": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}}]}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	live := object(t, []byte(`{"apiVersion": "example.com/v1", "kind": "Reset",
		"metadata": {"name": "x", "namespace": "default", "managedFields": [
			{"manager": "owner", "operation": "Apply", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1",
				"fieldsV1": {"f:spec": {"f:size": {}}}},
			{"manager": "controller", "operation": "Update", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1",
				"fieldsV1": {"f:status": {".": {}, "f:size": {}}}, "subresource": "status"}]},
		"spec": {"size": 1}, "status": {"size": 1}}`))
	main := applyOther(t, server, live, otherFields{Status: map[string]any{"size": 77}}, "")
	if diff := cmp.Diff([]string{resetLabel}, main); diff != "" {
		t.Errorf("main owns (-want +got)\n%s", diff)
	}
	live.SetManagedFields(live.GetManagedFields()[:1])
	status := applyOther(t, server, live, otherFields{
		Spec: map[string]any{"size": 77}, Status: map[string]any{"size": 77},
	}, "status")
	if diff := cmp.Diff([]string{".status.size"}, status); diff != "" {
		t.Errorf("status owns (-want +got)\n%s", diff)
	}
}

// applyOther applies the fields to a live object or its status, and gives what
// is owned then.
func applyOther(
	t *testing.T,
	server *Server,
	live *unstructured.Unstructured,
	fields otherFields,
	subresource string,
) []string {
	t.Helper()
	body := &unstructured.Unstructured{Object: map[string]any{"status": fields.Status}}
	reset, written := "status", "spec"
	if subresource == "status" {
		body.Object["spec"] = fields.Spec
		reset, written = "spec", "status"
	}
	body.SetGroupVersionKind(live.GroupVersionKind())
	body.SetName(live.GetName())
	body.SetNamespace(live.GetNamespace())
	body.SetLabels(map[string]string{"reset": "yes"})
	response, err := server.Do(context.Background(), api.Request{
		Verb: api.Apply, Kind: live.GroupVersionKind(), Subresource: subresource,
		Namespace: live.GetNamespace(), Name: live.GetName(),
		Manager: resetter, Body: raw(t, body.Object), Live: raw(t, live.Object),
	})
	if err != nil {
		t.Fatal(err)
	}
	if response.Code != 200 {
		t.Errorf("apply to %q: code %d: %s", subresource, response.Code, response.Body)
		return nil
	}
	stored := object(t, response.Stored)
	if diff := cmp.Diff(plain(t, live.Object[reset]), plain(t, stored.Object[reset])); diff != "" {
		t.Errorf("apply to %q changed the %s (-want +got)\n%s", subresource, reset, diff)
	}
	if subresource == "status" && cmp.Equal(plain(t, live.Object["status"]), plain(t, stored.Object["status"])) {
		t.Errorf("apply to %q did not change it", subresource)
	}
	owned := ownedBy(t, stored, subresource)
	for _, path := range owned {
		if path != resetLabel && (subresource == "" || !strings.HasPrefix(path, "."+written+".")) {
			t.Errorf("apply to %q owns %s", subresource, path)
		}
	}
	checkWritten(t, stored, owned, subresource)
	if onStatus := len(withoutLabel(owned)) > 0; subresource == "status" && onStatus == fields.Unowned {
		t.Errorf("apply to the status owns %v", owned)
	}
	return owned
}

func withoutLabel(owned []string) []string {
	return slices.DeleteFunc(slices.Clone(owned), func(path string) bool { return path == resetLabel })
}

// checkWritten: the label is owned where it is stored, and only there; on the
// object itself it always is. Which kinds' status takes labels differs.
func checkWritten(t *testing.T, stored *unstructured.Unstructured, owned []string, subresource string) {
	t.Helper()
	if labeled := stored.GetLabels()["reset"] == "yes"; labeled != slices.Contains(owned, resetLabel) {
		t.Errorf("apply to %q: the label is stored: %v, and owned is %v", subresource, labeled, owned)
	}
	if subresource == "" && len(owned) == 0 {
		t.Errorf("the apply owns nothing at all")
	}
}

// ownedBy gives what the resetter owns through a subresource, sorted.
func ownedBy(t *testing.T, stored *unstructured.Unstructured, subresource string) []string {
	t.Helper()
	var owned []string
	for _, entry := range stored.GetManagedFields() {
		if entry.Manager != resetter {
			continue
		}
		if entry.Subresource != subresource {
			t.Errorf("apply to %q made an entry for %q", subresource, entry.Subresource)
		}
		owned = append(owned, paths(t, entry.FieldsV1.GetRawBytes())...)
	}
	return owned
}

// kindsWithStatus lists the built-in kinds that have a status subresource, as
// "apiVersion Kind", sorted.
func kindsWithStatus(t *testing.T, server *Server) []string {
	t.Helper()
	var names []string
	for name := range server.catalog.providers {
		kinds, err := server.catalog.build(name)
		if err != nil {
			t.Fatal(err)
		}
		for kind, r := range kinds {
			if _, ok := r.endpoints["status"]; ok {
				names = append(names, nameOf(kind))
			}
		}
	}
	slices.Sort(names)
	return names
}

func nameOf(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

// recordedObjects gives one stored object of each kind, by "apiVersion Kind":
// the first whose status says something, else the first. One that is being
// deleted takes no new writes.
func recordedObjects(t *testing.T) map[string]*unstructured.Unstructured {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	found := map[string]*unstructured.Unstructured{}
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			for _, step := range scenario.Steps {
				keepObject(t, found, step)
			}
		}
	}
	return found
}

func keepObject(t *testing.T, found map[string]*unstructured.Unstructured, step parity.Step) {
	t.Helper()
	if parity.IsNull(step.LiveAfter) {
		return
	}
	live := object(t, step.LiveAfter)
	kept := found[nameOf(live.GroupVersionKind())]
	if live.GetDeletionTimestamp() != nil || (kept != nil && says(kept)) || (kept != nil && !says(live)) {
		return
	}
	found[nameOf(live.GroupVersionKind())] = live
}

// says reports whether a status has any field.
func says(live *unstructured.Unstructured) bool {
	status, _ := live.Object["status"].(map[string]any)
	return len(status) > 0
}
