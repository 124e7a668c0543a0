package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server/api"
)

// mergeScenario is one case of structured-merge-diff's tables of merges, as a
// story of calls to a server.
type mergeScenario struct {
	Name string `json:"name"`
	// Kind is Merge unless given.
	Kind string `json:"kind"`
	// Deduced has the scenario answered for a kind without a schema as well.
	Deduced bool `json:"deduced"`
	// Stored is the live object, if any. The manager "updater" owns StoredFields
	// of it.
	Stored       map[string]any `json:"stored"`
	StoredFields map[string]any `json:"storedFields"`
	Steps        []mergeStep    `json:"steps"`
	// Object is what is stored in the end, without what every object has.
	Object map[string]any `json:"object"`
	// Owners are the field paths by manager and version; nil where upstream's
	// table has none.
	Owners map[string][]string `json:"owners"`
}

// mergeStep is one call, by the manager that Apply, Force or Update names.
type mergeStep struct {
	Apply  string         `json:"apply"`
	Force  string         `json:"force"`
	Update string         `json:"update"`
	At     string         `json:"at"`
	Object map[string]any `json:"object"`
	// Conflicts are "manager path"; an apply that has any leaves all as it was.
	Conflicts []string `json:"conflicts"`
	// Refused tells of a body that is no value of its schema.
	Refused bool `json:"refused"`
}

// leastMergeScenarios guards against a table that is not read.
const leastMergeScenarios = 75

// TestMergeScenarios answers the scenarios of testdata/merge-*.yaml. Their
// expectations are those of structured-merge-diff's tables; the server's
// handlers, storage and field manager are in between.
func TestMergeScenarios(t *testing.T) {
	server := newServer(t, Options{CRDs: [][]byte{mergeDefinition(t)}})
	answered := 0
	for _, file := range []string{"leaf", "lists", "nested", "dangling", "duplicates"} {
		for _, scenario := range mergeScenarios(t, file) {
			for _, kind := range scenario.kinds() {
				answered++
				t.Run(kind+"/"+scenario.Name, func(t *testing.T) { scenario.run(t, server, kind) })
			}
		}
	}
	if answered < leastMergeScenarios {
		t.Errorf("%d scenarios were answered, want at least %d", answered, leastMergeScenarios)
	}
}

func (m mergeScenario) kinds() []string {
	switch {
	case m.Kind != "":
		return []string{m.Kind}
	case m.Deduced:
		return []string{"Merge", "Deduced"}
	}
	return []string{"Merge"}
}

func (m mergeScenario) run(t *testing.T, server *Server, kind string) {
	t.Helper()
	live := m.before(t)
	for i, step := range m.Steps {
		live = step.take(t, server, i, kind, live)
	}
	if live == nil {
		return
	}
	stored := object(t, live)
	got := maps.Clone(stored.Object)
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		delete(got, key)
	}
	if diff := cmp.Diff(plain(t, m.Object), plain(t, got)); diff != "" {
		t.Errorf("object (-want +got)\n%s", diff)
	}
	if m.Owners == nil {
		return
	}
	if diff := cmp.Diff(m.Owners, ownersByVersion(t, stored)); diff != "" {
		t.Errorf("owners (-want +got)\n%s", diff)
	}
}

// before is the live object that the scenario starts from.
func (m mergeScenario) before(t *testing.T) []byte {
	t.Helper()
	if m.Stored == nil {
		return nil
	}
	before := maps.Clone(m.Stored)
	before["apiVersion"], before["kind"] = "merge.example.com/v1", "Merge"
	before["metadata"] = map[string]any{
		"name": "x", "namespace": "default",
		"managedFields": []any{map[string]any{
			"manager": "updater", "operation": "Update", "apiVersion": "merge.example.com/v1",
			"fieldsType": "FieldsV1", "fieldsV1": m.StoredFields,
		}},
	}
	return raw(t, before)
}

// take answers one step, and gives the live object after it.
func (s mergeStep) take(t *testing.T, server *Server, i int, kind string, live []byte) []byte {
	t.Helper()
	call := s.call(t, kind, live)
	response, err := server.Do(context.Background(), call)
	if err != nil {
		t.Fatalf("step %d: %v", i, err)
	}
	if s.Refused {
		if response.Code < 400 || response.Code == 409 {
			t.Fatalf("step %d: code %d, want a refusal that is no conflict", i, response.Code)
		}
		return live
	}
	if len(s.Conflicts) > 0 {
		if diff := cmp.Diff(s.Conflicts, conflictsIn(t, response)); diff != "" {
			t.Fatalf("step %d: conflicts (-want +got)\n%s", i, diff)
		}
		return response.Stored
	}
	if response.Code >= 300 {
		t.Fatalf("step %d: code %d: %s", i, response.Code, response.Body)
	}
	return response.Stored
}

// call makes the request of a step. Where nothing is stored yet, an update is
// a create: a server has no other way.
func (s mergeStep) call(t *testing.T, kind string, live []byte) api.Request {
	t.Helper()
	version := s.At
	if version == "" {
		version = "v1"
	}
	call := api.Request{
		Verb:      api.Apply,
		Kind:      schema.GroupVersionKind{Group: strings.ToLower(kind) + ".example.com", Version: version, Kind: kind},
		Namespace: "default", Name: "x",
		Manager: s.Apply + s.Force + s.Update,
		Force:   s.Force != "",
		Live:    live,
	}
	body := unstructured.Unstructured{Object: map[string]any{}}
	maps.Copy(body.Object, s.Object)
	body.SetGroupVersionKind(call.Kind)
	body.SetName(call.Name)
	body.SetNamespace(call.Namespace)
	switch {
	case s.Update != "" && live == nil:
		call.Verb = api.Create
	case s.Update != "":
		call.Verb = api.Update
		stored := object(t, live)
		stored.SetResourceVersion("7")
		body.SetResourceVersion("7")
		call.Live = raw(t, stored.Object)
	}
	call.Body = raw(t, body.Object)
	return call
}

var conflictWith = regexp.MustCompile(`^conflict with "([^"]+)"`)

// conflictsIn lists the causes of a conflict as "manager path", sorted.
func conflictsIn(t *testing.T, response api.Response) []string {
	t.Helper()
	var status struct {
		Details struct {
			Causes []struct{ Reason, Message, Field string }
		}
	}
	if err := json.Unmarshal(response.Body, &status); err != nil || response.Code != 409 {
		t.Fatalf("code %d, want a conflict: %s", response.Code, response.Body)
	}
	var conflicts []string
	for _, cause := range status.Details.Causes {
		manager := conflictWith.FindStringSubmatch(cause.Message)
		if cause.Reason != "FieldManagerConflict" || manager == nil {
			t.Fatalf("cause %+v is no conflict of managers", cause)
		}
		conflicts = append(conflicts, manager[1]+" "+cause.Field)
	}
	slices.Sort(conflicts)
	return conflicts
}

// ownersByVersion gives the field paths of each managed fields entry by
// "manager version", sorted.
func ownersByVersion(t *testing.T, stored *unstructured.Unstructured) map[string][]string {
	t.Helper()
	owners := map[string][]string{}
	for _, entry := range stored.GetManagedFields() {
		version := entry.APIVersion[strings.LastIndex(entry.APIVersion, "/")+1:]
		owners[entry.Manager+" "+version] = paths(t, entry.FieldsV1.GetRawBytes())
	}
	return owners
}

func paths(t *testing.T, fields []byte) []string {
	t.Helper()
	set := &fieldpath.Set{}
	if err := set.FromJSON(bytes.NewReader(fields)); err != nil {
		t.Fatal(err)
	}
	var all []string
	set.Iterate(func(p fieldpath.Path) { all = append(all, p.String()) })
	slices.Sort(all)
	return all
}

// mergeDefinition defines the kind Merge, whose versions are all alike.
func mergeDefinition(t *testing.T) []byte {
	t.Helper()
	var root map[string]any
	readYAML(t, "merge-crd", &root)
	recursive := map[string]any{"type": "object", "nullable": true}
	for range 6 {
		recursive = map[string]any{"type": "object", "nullable": true, "additionalProperties": recursive}
	}
	root["properties"].(map[string]any)["mapOfMapsRecursive"] = recursive
	var versions []any
	for i := 1; i <= 4; i++ {
		versions = append(versions, map[string]any{
			"name": fmt.Sprintf("v%d", i), "served": true, "storage": i == 1,
			"schema": map[string]any{"openAPIV3Schema": root},
		})
	}
	return raw(t, map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "merges.merge.example.com"},
		"spec": map[string]any{
			"group": "merge.example.com", "scope": "Namespaced", "versions": versions,
			"names": map[string]any{"plural": "merges", "singular": "merge", "kind": "Merge", "listKind": "MergeList"},
		},
	})
}

func mergeScenarios(t *testing.T, file string) []mergeScenario {
	t.Helper()
	var scenarios []mergeScenario
	readYAML(t, "merge-"+file, &scenarios)
	return scenarios
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func object(t *testing.T, text []byte) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return u
}

func raw(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// plain makes numbers comparable that were read by different readers.
func plain(t *testing.T, value any) any {
	t.Helper()
	var again any
	if err := json.Unmarshal(raw(t, value), &again); err != nil {
		t.Fatal(err)
	}
	return again
}
