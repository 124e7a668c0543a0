package fastapply

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// TestRepeatedKeys: the maps of a key that comes twice are merged when a live
// object is read, and so is the answer of both paths.
func TestRepeatedKeys(t *testing.T) {
	call := api.Request{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "d", Name: "r", Manager: "m",
		Body: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: r\n  namespace: d\ndata:\n  a: c\n"),
		Live: []byte(
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"r","namespace":"d","uid":"u","resourceVersion":"5","managedFields":[` +
				`{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}},"manager":"m","operation":"Apply","time":"2026-01-01T00:00:00Z"}]},` +
				`"data":{"z":"1"},"data":{"a":"b"}}`,
		),
		Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	for path, server := range bothServers(t) {
		if answer, err := server.Do(context.Background(), call); err != nil ||
			!strings.Contains(string(answer.Body), `"z":"1"`) {
			t.Errorf("%s path: %s, %v", path, answer.Body, err)
		}
	}
}

// TestLongLists: items are compared pair by pair, so that long lists of them are
// left to upstream, be they those of the live object or of the configuration.
func TestLongLists(t *testing.T) {
	kind := schema.GroupVersionKind{
		Group:   "admissionregistration.k8s.io",
		Version: "v1",
		Kind:    "ValidatingWebhookConfiguration",
	}
	merge := bothServers(t)["short"].Types(kind)
	if merge.Deduced {
		t.Fatal("no such kind")
	}
	object := func(items int) map[string]any {
		var webhooks []any
		for i := range items {
			webhooks = append(webhooks, map[string]any{"name": fmt.Sprint(i)})
		}
		return map[string]any{
			"apiVersion": "v1",
			"kind":       kind.Kind,
			"metadata":   map[string]any{"name": "r"},
			"webhooks":   webhooks,
		}
	}
	for _, c := range []struct {
		config, live int
		want         bool
	}{
		{maxElements, 1, true}, {maxElements + 1, 1, false}, {1, maxElements, true}, {1, maxElements + 1, false},
	} {
		if _, got := newOverlay(mergeTypeOf(merge.ParseableType), object(c.config), object(c.live), nil); got != c.want {
			t.Errorf("%d items over %d: %v, want %v", c.config, c.live, got, c.want)
		}
	}
}

// TestItemsAsAWhole: items that are merged as a whole, as references to Secrets are, are
// laid over those of the live object as well.
func TestItemsAsAWhole(t *testing.T) {
	const live = `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"s","namespace":"d","uid":"u","resourceVersion":"5","creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[` +
		`{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:secrets":{"k:{\"name\":\"a\"}":{}}},"manager":"m","operation":"Apply","time":"2026-01-01T00:00:00Z"},` +
		`{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:secrets":{".":{},"k:{\"name\":\"b\"}":{}}},"manager":"o","operation":"Update","time":"2026-01-01T00:00:00Z"}]},` +
		`"secrets":[{"name":"a"},{"name":"b"}]}`
	full := bothServers(t)["full"]
	short := newServer(t, server.ShortPath, nil)
	for name, items := range map[string]string{
		"as they are": "- name: a\n",
		"one more":    "- name: a\n- name: c\n",
		// The strategy takes away what is not the name.
		"changed": "- name: a\n  namespace: e\n",
		"shared":  "- name: a\n- name: b\n",
	} {
		call := api.Request{
			Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ServiceAccount"}, Namespace: "d", Name: "s", Manager: "m",
			Body: []byte(
				"apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: s\n  namespace: d\nsecrets:\n" + items,
			), Live: []byte(live),
			Now: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		}
		got, ok := Around(short).plain(context.Background(), call)
		if !ok {
			t.Errorf("%s: it is left to upstream", name)
			continue
		}
		want, err := full.Do(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := jsontree.Decode(want.Body)
		if err != nil || got.Code != want.Code || !jsontree.Equal(got.Body, tree) {
			t.Errorf("%s: %d %s, want %d %s (%v)", name, got.Code, got.Body, want.Code, want.Body, err)
		}
	}
}

// TestConflicts: a refusal is that of upstream to the letter, be it of one field, or of
// several of several owners.
func TestConflicts(t *testing.T) {
	const live = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"r","namespace":"d","uid":"u","resourceVersion":"5","creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[` +
		`{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{},"f:b":{}}},"manager":"z \"one\"","operation":"Apply","time":"2026-01-01T00:00:00Z"},` +
		`{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:b":{},"f:c":{}}},"manager":"a","operation":"Update","time":"2026-01-01T00:00:00Z"},` +
		`{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:d":{}}},"manager":"b","operation":"Update","subresource":"status","time":"2026-01-01T00:00:00Z"}]},` +
		`"data":{"a":"1","b":"1","c":"1","d":"1","e":"1"}}`
	full := bothServers(t)["full"]
	short := Around(newServer(t, server.ShortPath, nil))
	for _, data := range []string{"{a: '2'}", "{c: '2'}", "{d: '2'}", "{a: '2', b: '2', c: '2', d: '2'}", "{b: '2', e: '2'}"} {
		call := api.Request{
			Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "d", Name: "r", Manager: "m",
			Body: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: r\n  namespace: d\ndata: " + data + "\n"),
			Live: []byte(live), Now: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		}
		got, ok := short.plain(context.Background(), call)
		want, err := full.Do(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %d %s\nwant %d %s", data, ok, got.Code, got.Body, want.Code, want.Body)
		}
	}
}

// TestOrderOfKeysIsNoChange: a ControllerRevision's data may not change by a letter,
// but in which order its keys are stored, no file tells: the same value is the same.
func TestOrderOfKeysIsNoChange(t *testing.T) {
	call := api.Request{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ControllerRevision"}, Namespace: "d", Name: "r", Manager: "m",
		Body: []byte(
			"apiVersion: apps/v1\nkind: ControllerRevision\nmetadata:\n  name: r\n  namespace: d\n  labels:\n    a: c\n",
		),
		Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	const live = `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r","namespace":"d","uid":"u","resourceVersion":"5","labels":{"a":"b"},"managedFields":[` +
		`{"apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{"f:a":{}}}},"manager":"m","operation":"Apply","time":"2026-01-01T00:00:00Z"}]},` +
		`"data":{"spec":{"z":1,"a":2}},"revision":1}`
	for _, c := range []struct {
		live string
		want int
	}{
		{live, 200},
		{strings.Replace(live, `"z":1,"a":2`, `"a":2,"z":1`, 1), 200},
	} {
		for path, server := range bothServers(t) {
			call.Live = []byte(c.live)
			if answer, err := server.Do(context.Background(), call); err != nil || answer.Code != c.want {
				t.Errorf("%s path, live %s: %d, %v; want %d", path, c.live, answer.Code, err, c.want)
			}
		}
	}
}

// TestRepeatedApplyThatWrites: upstream fills in the addresses of a Service that
// has but one, so that an apply which changes nothing may yet write.
func TestRepeatedApplyThatWrites(t *testing.T) {
	call := api.Request{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "Service"}, Namespace: "d", Name: "r", Manager: "m",
		Body: []byte("apiVersion: v1\nkind: Service\nmetadata:\n  name: r\n  namespace: d\nspec:\n  sessionAffinity: None\n"),
		Live: []byte(
			`{"apiVersion":"v1","kind":"Service","metadata":{"name":"r","namespace":"d","uid":"u","resourceVersion":"5","managedFields":[` +
				`{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:sessionAffinity":{}}},"manager":"m","operation":"Apply","time":"2026-01-01T00:00:00Z"}]},` +
				`"spec":{"ports":[{"protocol":"TCP","port":80,"targetPort":80}],"clusterIP":"10.0.0.5","type":"ClusterIP","sessionAffinity":"None","internalTrafficPolicy":"Cluster"},` +
				`"status":{"loadBalancer":{}}}`,
		),
		Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	var stored []string
	for path, server := range bothServers(t) {
		answer, err := server.Do(context.Background(), call)
		if err != nil || answer.Code != 200 || string(answer.Stored) == string(call.Live) {
			t.Fatalf("%s path: %d, %s, %v", path, answer.Code, answer.Stored, err)
		}
		stored = append(stored, string(answer.Stored))
	}
	if stored[0] != stored[1] || !strings.Contains(stored[0], `"clusterIPs":["10.0.0.5"]`) {
		t.Errorf("stored %s\nby the full path %s", stored[0], stored[1])
	}
}

// bothServers are a server with the shortcut round it, and one without any.
func bothServers(t *testing.T) map[string]api.Server {
	t.Helper()
	return map[string]api.Server{
		"short": Around(newServer(t, server.ShortPath, nil)),
		"full":  newServer(t, server.FullPath, nil),
	}
}

// TestRepeats: what an apply that was accepted claims again is seen to be the same, with
// numbers and several names among the keys of lists, and another item is not.
func TestRepeats(t *testing.T) {
	s := newServer(t, server.ShortPath, nil)
	kind := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	merge := s.Types(kind).ParseableType
	config := func(port int64) map[string]any {
		return map[string]any{
			"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "a", "labels": map[string]any{"a": "b"}, "finalizers": []any{"a/b"}},
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
				"name": "main", "ports": []any{map[string]any{"containerPort": port, "protocol": "TCP"}}}}}}},
		}
	}
	alone, ok := newOverlay(mergeTypeOf(merge), config(80), config(80), nil)
	if !ok || alone.repeats {
		t.Fatalf("%v, repeats", ok)
	}
	text, err := fieldpath.NewSet(alone.owned...).ToJSON()
	if err != nil {
		t.Fatal(err)
	}
	last := newKnownSet(text, merge, func(set *fieldpath.Set) *fieldpath.Set { return set })
	if again, ok := newOverlay(mergeTypeOf(merge), config(80), config(80), last); !ok || !again.repeats {
		t.Errorf("%s does not repeat", text)
	}
	if other, ok := newOverlay(mergeTypeOf(merge), config(81), config(80), last); !ok || other.repeats ||
		len(other.owned) == 0 {
		t.Errorf("another port repeats")
	}
}

// TestEntriesOwn: each entry has what it owns itself, and nothing else has a key of that
// name, or the texts are not known to be theirs.
func TestEntriesOwn(t *testing.T) {
	const entry, more = `{"manager":"a","operation":"Apply","fieldsV1":{"f:a":{}}}`, `{"manager":"b","operation":"Apply"}`
	for text, want := range map[string]bool{
		`{"metadata":{"managedFields":[` + entry + `]}}`:                                                  true,
		`{"metadata":{"managedFields":[` + entry + `,` + more + `]}}`:                                     false,
		`{"a":{"fieldsV1":{"f:b":{}}},"metadata":{"managedFields":[` + entry + `]}}`:                      false,
		`{"a":{"fieldsV1":{"f:b":{}}},"metadata":{"managedFields":[` + more + `,` + entry + `]}}`:         false,
		`{"metadata":{"managedFields":[` + entry + `,{"manager":"b","operation":"Apply","fieldsV1":1}]}}`: false,
	} {
		live, err := jsontree.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		list, _ := live.Object["metadata"].(map[string]any)["managedFields"].([]any)
		if _, ok := entriesOf(list, live.Owned); ok != want {
			t.Errorf("%s: %v", text, ok)
		}
	}
}
