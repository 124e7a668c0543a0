package fastapply

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/mutate"
	"github.com/ssactl/ssactl/test/sampled"
)

// A quarter of the time went into collecting garbage.
func init() { debug.SetGCPercent(400) }

var (
	requests = flag.Int("requests", 3000, "how many changed requests are sent on both paths")
	seed     = flag.Uint64("seed", 1, "the seed of their changes")
)

// bothPaths has two servers for each request: one that takes shortcuts, and one
// that takes none.
type bothPaths struct {
	t     *testing.T
	pool  []mutate.Recorded
	short map[string]*Server
	full  map[string]*server.Server
	tally map[string]int
	// every is of how many requests one is sent.
	every int
}

func newPaths(t *testing.T) *bothPaths {
	pool, err := mutate.Read(filepath.Join("..", "..", "..", "testdata", "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	p := &bothPaths{
		t:     t,
		pool:  pool,
		short: map[string]*Server{},
		full:  map[string]*server.Server{},
		tally: map[string]int{},
		every: sampled.Every(t, 20),
	}
	for _, r := range pool {
		if p.short[r.Cluster] == nil {
			p.short[r.Cluster] = Around(newServer(t, server.ShortPath, r.Definitions))
			p.full[r.Cluster] = newServer(t, server.FullPath, r.Definitions)
		}
	}
	return p
}

var servers = map[server.Path]*server.Server{}

// newServer is a server of a path; all of one path build what serves a built-in kind once.
func newServer(t *testing.T, path server.Path, definitions [][]byte) *server.Server {
	t.Helper()
	if servers[path] == nil {
		first, err := server.New(server.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		servers[path] = first
	}
	s, err := servers[path].With(server.Options{CRDs: definitions})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mutator changes requests, the more so as an apply may be changed and accepted.
type mutator struct{ mutate.Mutator }

func (p *bothPaths) mutator(stream uint64) mutator {
	return mutator{mutate.Mutator{Random: rand.New(rand.NewPCG(*seed, stream)), Pool: p.pool}}
}

// TestPathsRecorded: what was recorded is answered the same on both paths, and
// so is every accepted apply when it is applied again.
func TestPathsRecorded(t *testing.T) {
	p := newPaths(t)
	for _, r := range sampled.Of(t, 20, p.pool) {
		r.Call.Now = fixedTime
		answer := p.compare(r)
		if r.Call.Verb != api.Apply || answer.Code >= 300 {
			continue
		}
		again := r
		again.Call.Live = born(answer.Stored)
		again.Call.Body = asYAML(r.Call.Body)
		p.compare(again)
		again.Call.Force = !again.Call.Force
		p.compare(again)
	}
	p.conclude(300, 100)
}

// TestPathsChanged: applies that were accepted are applied again, with changes
// at random in configuration, live object and parameters.
func TestPathsChanged(t *testing.T) {
	p := newPaths(t)
	m := p.mutator(99)
	accepted := p.accepted()
	for range *requests / p.every {
		r := accepted[m.Random.IntN(len(accepted))]
		for range m.Random.IntN(3) {
			switch m.Random.IntN(6) {
			case 0, 1:
				r.Call.Body = m.Text(r.Call.Body)
			case 2, 3:
				r.Call.Live = m.Text(r.Call.Live)
			case 4:
				r.Call.Live = m.entries(r.Call.Live)
			case 5:
				m.Parameters(&r.Call)
			}
		}
		if m.Random.IntN(10) > 0 {
			r.Call.Body = asYAML(r.Call.Body)
		}
		p.compare(r)
	}
	p.conclude(*requests/10, 10)
}

// accepted are the recorded applies that are accepted, to be applied again to
// what came of them.
func (p *bothPaths) accepted() []mutate.Recorded {
	var accepted []mutate.Recorded
	for _, r := range sampled.Of(p.t, 20, p.pool) {
		if r.Call.Now = fixedTime; r.Call.Verb != api.Apply {
			continue
		}
		if answer, err := p.short[r.Cluster].Do(context.Background(), r.Call); err == nil && answer.Code < 300 {
			r.Call.Live = born(answer.Stored)
			accepted = append(accepted, r)
		}
	}
	return accepted
}

// TestPathsOverlaid: accepted applies are applied again with other leaves, more
// fields and more items, by their manager and by others.
func TestPathsOverlaid(t *testing.T) {
	p := newPaths(t)
	m := p.mutator(5)
	accepted := p.accepted()
	for range *requests / p.every {
		r := accepted[m.Random.IntN(len(accepted))]
		for range 1 + m.Random.IntN(2) {
			r.Call.Body = m.overlaid(r.Call.Body)
		}
		if m.Chance(4) {
			r.Call.Live = m.overlaid(r.Call.Live)
		}
		if m.Chance(8) {
			r.Call.Live = m.entries(r.Call.Live)
		}
		if m.Chance(3) {
			r.Call.Live = m.reordered(r.Call.Live)
		}
		if m.Chance(4) {
			r.Call.Manager = m.One("someone else", "kubectl").(string)
		}
		r.Call.Force = m.Chance(3)
		r.Call.Body = asYAML(r.Call.Body)
		p.compare(r)
	}
	p.conclude(0, *requests/15)
}

// TestPathsHollow: configurations with null, empty maps and empty lists create objects, are
// applied again, with other such values and without some, by their manager and by others.
func TestPathsHollow(t *testing.T) {
	p := newPaths(t)
	m := p.mutator(19)
	configurations := p.configurations()
	for range *requests / 2 / p.every {
		r := configurations[m.Random.IntN(len(configurations))]
		for range 1 + m.Random.IntN(3) {
			r.Call.Body = m.hollow(r.Call.Body)
		}
		plain := r.Call.Body
		r.Call.Body = asYAML(plain)
		created := p.compare(r)
		if created.Code >= 300 || created.Stored == nil {
			continue
		}
		r.Call.Live = born(created.Stored)
		p.compare(r)
		for range 2 {
			again := r
			again.Call.Body = plain
			for range m.Random.IntN(3) {
				again.Call.Body = m.hollow(again.Call.Body)
			}
			if m.Chance(4) {
				again.Call.Body = m.lesser(again.Call.Body)
			}
			if m.Chance(4) {
				again.Call.Live = m.joined(again.Call.Live, r.Call.Manager)
			}
			if m.Chance(4) {
				again.Call.Live = m.overlaid(again.Call.Live)
			}
			if m.Chance(3) {
				again.Call.Manager = m.One("someone else", "kubectl").(string)
			}
			again.Call.Force = m.Chance(2)
			again.Call.Body = asYAML(again.Call.Body)
			p.compare(again)
		}
	}
	p.concludeCreated(*requests/12, *requests/200)
	p.conclude(*requests/20, *requests/30)
}

// hollow has an object say null or something empty of a field, or more of them.
func (m *mutator) hollow(text []byte) []byte {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return text
	}
	parts := slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(key string) bool {
		return key == "apiVersion" || key == "kind"
	})
	if len(parts) == 0 {
		return text
	}
	if part := parts[m.Random.IntN(len(parts))]; m.Chance(20) {
		object[part] = m.nothing()
	} else {
		object[part] = m.hollowed(object[part])
	}
	changed, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return changed
}

func (m *mutator) nothing() any { return m.One(nil, map[string]any{}, []any{}) }

// hollowKey is a field that charts leave empty in such a map; empty for none.
func (m *mutator) hollowKey(v map[string]any) string {
	switch {
	case v["containers"] != nil && m.Chance(3):
		return m.One("nodeSelector", "affinity", "securityContext", "tolerations", "volumes", "initContainers",
			"imagePullSecrets", "hostAliases", "serviceAccountName", "topologySpreadConstraints").(string)
	case v["image"] != nil && m.Chance(2):
		return m.One("resources", "env", "envFrom", "ports", "volumeMounts", "securityContext", "lifecycle",
			"livenessProbe", "args", "command", "workingDir").(string)
	case v["name"] != nil && m.Chance(3):
		return m.One("annotations", "labels", "emptyDir", "value", "valueFrom", "targetPort", "nodePort").(string)
	}
	return ""
}

// hollowed is a value with null or something empty somewhere in it.
func (m *mutator) hollowed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(v)), func(key string) bool {
			return key == "namespace" || key == "name" && !m.Chance(10)
		})
		switch added := m.hollowKey(v); {
		case added != "":
			v[added] = m.nothing()
		case len(keys) == 0 || m.Chance(10):
			v[m.One("annotations", "labels", "data", "spec", "rules", "selector", "added").(string)] = m.nothing()
		case m.Chance(5):
			v[keys[m.Random.IntN(len(keys))]] = m.nothing()
		default:
			key := keys[m.Random.IntN(len(keys))]
			v[key] = m.hollowed(v[key])
		}
		return v
	case []any:
		if len(v) == 0 || m.Chance(10) {
			return m.nothing()
		}
		i := m.Random.IntN(len(v))
		if v[i] = m.hollowed(v[i]); m.Chance(10) {
			v[i] = nil
		}
		return v
	}
	return v
}

// TestPathsPruned: accepted applies are applied again without some of what they had, and by
// managers whose entries have taken in those of others, which own defaults as well.
func TestPathsPruned(t *testing.T) {
	p := newPaths(t)
	m := p.mutator(11)
	accepted := p.accepted()
	for range *requests / p.every {
		r := accepted[m.Random.IntN(len(accepted))]
		if m.Chance(2) {
			r.Call.Live = m.joined(r.Call.Live, r.Call.Manager)
		}
		for range m.Random.IntN(3) {
			r.Call.Body = m.lesser(r.Call.Body)
		}
		if m.Chance(4) {
			r.Call.Body = m.overlaid(r.Call.Body)
		}
		if m.Chance(4) {
			r.Call.Live = m.overlaid(r.Call.Live)
		}
		r.Call.Force = m.Chance(3)
		r.Call.Body = asYAML(r.Call.Body)
		p.compare(r)
	}
	p.conclude(0, *requests/40)
}

// TestPathsMoved: JSON patches of the managed fields entries.
func TestPathsMoved(t *testing.T) {
	p := newPaths(t)
	m := p.mutator(13)
	accepted := p.accepted()
	for range *requests / 2 / p.every {
		r := accepted[m.Random.IntN(len(accepted))]
		moved := m.joined(r.Call.Live, m.One("someone else", r.Call.Manager).(string))
		for range m.Random.IntN(3) {
			moved = m.entries(moved)
		}
		r.Call.Verb, r.Call.MediaType, r.Call.Force, r.Call.JSON = api.JSONPatch, "", m.Chance(20), nil
		r.Call.Body = m.patch(moved)
		p.compare(r)
	}
	p.conclude(0, *requests/40)
}

// patch is the JSON patch by which an object gets the entries of another state of it.
func (m *mutator) patch(moved []byte) []byte {
	var object struct {
		Metadata struct {
			ManagedFields   any    `json:"managedFields"`
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if json.Unmarshal(moved, &object) != nil {
		return moved
	}
	operation := func(path string, value any) any {
		op := "replace"
		if m.Chance(20) {
			op = "add"
		}
		return map[string]any{"op": op, "path": path, "value": value}
	}
	operations := []any{operation("/metadata/managedFields", object.Metadata.ManagedFields)}
	if m.Chance(2) {
		version := object.Metadata.ResourceVersion
		if m.Chance(10) {
			version = "1"
		}
		operations = append(operations, operation("/metadata/resourceVersion", version))
	}
	if m.Chance(10) {
		operations = append(operations, operation("/metadata/labels", map[string]any{"a": "b"}))
	}
	text, err := json.Marshal(operations)
	if err != nil {
		return moved
	}
	return text
}

// joined is an object whose manager also owns what an Update entry does: the entry of another
// manager, or one of all that the object has.
func (m *mutator) joined(live []byte, manager string) []byte {
	var object map[string]any
	if json.Unmarshal(live, &object) != nil {
		return live
	}
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	own := slices.IndexFunc(list, func(item any) bool {
		entry, _ := item.(map[string]any)
		return entry["manager"] == manager && entry["operation"] == "Apply"
	})
	if own < 0 {
		if len(list) > 0 && m.Chance(2) {
			list[m.Random.IntN(len(list))].(map[string]any)["manager"] = manager
		}
	} else if other := m.Random.IntN(len(list) + 1); other != own {
		more := everything(object)
		if other < len(list) {
			more, _ = list[other].(map[string]any)["fieldsV1"].(map[string]any)
		}
		entry := list[own].(map[string]any)
		entry["fieldsV1"] = union(entry["fieldsV1"], more)
		if other < len(list) && m.Chance(2) {
			metadata["managedFields"] = slices.Delete(list, other, other+1)
		}
	}
	text, err := json.Marshal(object)
	if err != nil {
		return live
	}
	return text
}

// everything is what owns all fields of an object that are in no list, as the entry of who
// created it does.
func everything(object map[string]any) map[string]any {
	fields := map[string]any{}
	for key, value := range object {
		switch key {
		case "apiVersion", "kind", "name", "namespace", "uid", "resourceVersion", "managedFields", "creationTimestamp",
			"generation", "status":
			continue
		}
		below := map[string]any{}
		if value, is := value.(map[string]any); is {
			below = everything(value)
		}
		fields["f:"+key] = below
	}
	return fields
}

func union(a, b any) map[string]any {
	out := map[string]any{}
	for _, set := range []any{a, b} {
		fields, _ := set.(map[string]any)
		for key, below := range fields {
			out[key] = union(out[key], below)
		}
	}
	return out
}

// lesser is an object without a field or an item.
func (m *mutator) lesser(text []byte) []byte {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return text
	}
	parts := slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(key string) bool {
		return key == "apiVersion" || key == "kind"
	})
	if len(parts) == 0 {
		return text
	}
	part := parts[m.Random.IntN(len(parts))]
	object[part] = m.without(object[part])
	changed, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return changed
}

func (m *mutator) without(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(v)), func(key string) bool {
			return key == "name" || key == "namespace"
		})
		if len(keys) == 0 {
			return v
		}
		key := keys[m.Random.IntN(len(keys))]
		if m.Chance(3) {
			delete(v, key)
			return v
		}
		v[key] = m.without(v[key])
	case []any:
		if len(v) == 0 {
			return v
		}
		i := m.Random.IntN(len(v))
		if m.Chance(3) {
			return slices.Delete(v, i, i+1)
		}
		v[i] = m.without(v[i])
	}
	return v
}

// reordered is an object with its keys in another order, which some kinds keep.
func (m *mutator) reordered(text []byte) []byte {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return text
	}
	return m.inAnyOrder(nil, v)
}

func (m *mutator) inAnyOrder(text []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		m.Random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		text = append(text, '{')
		for i, key := range keys {
			if i > 0 {
				text = append(text, ',')
			}
			name, _ := json.Marshal(key)
			text = m.inAnyOrder(append(append(text, name...), ':'), v[key])
		}
		return append(text, '}')
	case []any:
		text = append(text, '[')
		for i, item := range v {
			if i > 0 {
				text = append(text, ',')
			}
			text = m.inAnyOrder(text, item)
		}
		return append(text, ']')
	}
	leaf, _ := json.Marshal(v)
	return append(text, leaf...)
}

// overlaid changes a leaf of an object's spec, data or metadata, or adds a
// field or an item.
func (m *mutator) overlaid(text []byte) []byte {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return text
	}
	parts := slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(key string) bool {
		return key == "apiVersion" || key == "kind" || key == "status" && !m.Chance(10)
	})
	if len(parts) == 0 {
		return text
	}
	part := parts[m.Random.IntN(len(parts))]
	object[part] = m.laid(object[part])
	changed, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return changed
}

// laid is a value with a change somewhere in it.
func (m *mutator) laid(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(v)), func(key string) bool {
			return key == "managedFields" || key == "name" && !m.Chance(10) || key == "namespace" || key == "uid"
		})
		if len(keys) == 0 || m.Chance(60) {
			v[m.One("added", "labels", "annotations", "replicas", "env", "image", "x.example.com/y").(string)] =
				m.One("text", 3, true, map[string]any{"added": "text"}, []any{map[string]any{"name": "added", "value": "text"}}, []any{"a", "b"})
			return v
		}
		if v["annotations"] == nil && v["labels"] != nil && m.Chance(3) {
			v["annotations"] = map[string]any{m.One("example.com/added", "kubectl.kubernetes.io/last-applied-configuration").(string): "text"}
			return v
		}
		key := keys[m.Random.IntN(len(keys))]
		v[key] = m.laid(v[key])
		return v
	case []any:
		return m.laidList(v)
	case string:
		return m.One(v+"x", "x"+v, v, "25%", "1Gi").(string)
	case float64:
		return m.One(v+1, v*2, v, 0.5, 1)
	case bool:
		return !v
	}
	return v
}

// laidList is a list with an item more, or less, or with a change in one.
func (m *mutator) laidList(v []any) []any {
	switch {
	case len(v) == 0:
		return v
	case m.Chance(6):
		return slices.Insert(v, m.Random.IntN(len(v)+1), m.renamed(v[m.Random.IntN(len(v))]))
	case m.Chance(8):
		i := m.Random.IntN(len(v))
		return slices.Delete(v, i, i+1)
	}
	i := m.Random.IntN(len(v))
	v[i] = m.laid(v[i])
	return v
}

// renamed is a copy of an item with other names and numbers, so that it is
// another item.
func (m *mutator) renamed(item any) any {
	switch item := item.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range item {
			out[key] = m.renamed(value)
		}
		return out
	case string:
		if item == "TCP" {
			return m.One("TCP", "UDP")
		}
		return item + "-2"
	case float64:
		return item + 1
	}
	return item
}

// TestPathsAnyRequest: and so is any other request.
func TestPathsAnyRequest(t *testing.T) {
	p := newPaths(t)
	m := p.mutator(7)
	for range *requests / 4 / p.every {
		r := m.Request()
		r.Call.Now = fixedTime
		p.compare(r)
	}
	p.conclude(0, 0)
}

// entries changes one managed fields entry of a live object, or their order.
func (m *mutator) entries(live []byte) []byte {
	var object map[string]any
	if json.Unmarshal(live, &object) != nil {
		return live
	}
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	if len(list) == 0 {
		return live
	}
	entry, ok := list[m.Random.IntN(len(list))].(map[string]any)
	if !ok {
		return live
	}
	switch m.Random.IntN(6) {
	case 0:
		m.Random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case 1:
		entry["time"] = m.One("2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z", nil)
	case 2:
		entry["fieldsV1"] = m.Tree(entry["fieldsV1"])
	case 3:
		entry[m.One("manager", "operation", "apiVersion", "subresource").(string)] = m.One(
			"Apply", "Update", "status", "v1", "apps/v1", "",
		)
	case 4:
		metadata["managedFields"] = append(list, m.Tree(clone(entry)))
	case 5:
		delete(entry, m.One("time", "fieldsType", "fieldsV1", "manager").(string))
	}
	changed, err := json.Marshal(object)
	if err != nil {
		return live
	}
	return changed
}

// born gives a created object what only a real server gives.
func born(stored []byte) []byte {
	object, ok := jsonTree(stored).(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	if !ok || metadata["uid"] != nil {
		return stored
	}
	metadata["uid"], metadata["resourceVersion"], metadata["creationTimestamp"] = "00000000-0000-4000-8000-000000000000", "7", "2026-02-01T00:00:00Z"
	text, err := json.Marshal(object)
	if err != nil {
		return stored
	}
	return text
}

func clone(v map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range v {
		out[key] = value
	}
	return out
}

var fixedTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// asYAML writes a JSON object as YAML; all else stays.
func asYAML(text []byte) []byte {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return text
	}
	converted, err := yaml.JSONToYAML(text)
	if err != nil {
		return text
	}
	return converted
}

// compare asks both paths, and gives the answer of the full one.
func (p *bothPaths) compare(r mutate.Recorded) api.Response {
	p.t.Helper()
	call := r.Call
	if p.tally["requests"]++; p.tally["requests"]%2 == 0 {
		call.Trees = &api.Trees{}
	}
	short, shortErr := p.short[r.Cluster].Do(context.Background(), call)
	if call.Trees != nil {
		p.keepsTrees(call)
	}
	full, fullErr := p.full[r.Cluster].Do(context.Background(), r.Call)
	if short.Object != nil {
		p.tally["answered by a tree"]++
		short = p.asText(short, full)
	}
	p.countPlain(r)
	// Upstream ranges over a map, and names the first of several wrong fields: any
	// answer that the full path may give counts.
	for try := 0; try < 50 && full.Code >= 300 && !equalAnswers(full, short); try++ {
		full, fullErr = p.full[r.Cluster].Do(context.Background(), r.Call)
	}
	if r.Call.Name == "" || bytes.Contains(r.Call.Body, []byte(`"generateName"`)) {
		// Generated names are random, and told in messages.
		full.Body, short.Body, full.Stored, short.Stored = nil, nil, nil, nil
	}
	if !equalAnswers(full, short) || firstLine(fullErr) != firstLine(shortErr) {
		p.t.Errorf(
			"%s %s %q as %q force %v: errors %v, %v\nbody %s\nlive %s\n(-full +short)\n%s", r.Call.Verb,
			r.Call.Kind, r.Call.Name, r.Call.Manager, r.Call.Force, fullErr, shortErr, r.Call.Body,
			r.Call.Live,
			cmp.Diff(told(full), told(short)),
		)
		if p.tally["different"]++; p.tally["different"] > 3 {
			p.t.FailNow()
		}
	}
	return full
}

// keepsTrees holds that a call has left the trees of its caller as they were.
func (p *bothPaths) keepsTrees(call api.Request) {
	p.t.Helper()
	if live, err := call.Trees.Of(call.Live); err == nil && !sameTree(live.Object, call.Live) {
		p.t.Errorf("the tree of the caller was changed; live %s", call.Live)
	}
	text, ok := plainyaml.ToJSON(call.Body)
	if config, err := call.Trees.Of(text); ok && err == nil && !sameTree(config.Object, text) {
		p.t.Errorf("the tree of the caller was changed; body %s", text)
	}
}

// countPlain counts the requests that the short path answers.
func (p *bothPaths) countPlain(r mutate.Recorded) {
	answer, ok := p.short[r.Cluster].plain(context.Background(), r.Call)
	switch {
	case ok && answer.Code == http.StatusCreated:
		p.tally["plain, created"]++
	case ok && answer.Code == http.StatusUnprocessableEntity:
		p.tally["plain, not valid"]++
	case ok && answer.Code == http.StatusConflict:
		p.tally["plain, conflicts"]++
	case ok && bytes.Equal(answer.Stored, r.Call.Live):
		p.tally["plain, nothing changed"]++
	case ok:
		p.tally["plain, changed"]++
	}
}

// asText is an answer that is a tree as if it were none, where the other one is none.
func (p *bothPaths) asText(short, full api.Response) api.Response {
	p.t.Helper()
	if short.Body != nil || short.Stored != nil {
		p.t.Errorf("an answer is a tree and text %s", short.Body)
	}
	text, err := json.Marshal(short.Object)
	if err != nil {
		p.t.Error(err)
	}
	want, err := jsontree.Decode(full.Stored)
	if again, _ := json.Marshal(want); err == nil && bytes.Equal(text, again) && !reflect.DeepEqual(short.Object, want) {
		p.t.Errorf("the tree is not that of the text (-want +got)\n%s", cmp.Diff(want, short.Object))
	}
	short.Body, short.Stored, short.Object = text, text, nil
	return short
}

// sameTree reports whether a tree is what a text says.
func sameTree(tree map[string]any, text []byte) bool {
	want, err := jsontree.Decode(text)
	return err == nil && reflect.DeepEqual(tree, want)
}

func jsonTree(text []byte) (v any) {
	if err := json.Unmarshal(text, &v); err != nil {
		return err.Error()
	}
	return v
}

// withoutDigits is a text without those of the clock, where a message prints the time of
// an entry: the two answers may fall into two seconds.
func withoutDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}

// told is an answer with its objects as trees: the order of keys is no part of
// an answer. Of a refusal all letters count, but not their order: upstream
// ranges over maps when it lists conflicts and errors, and prints maps.
func told(r api.Response) map[string]any {
	body := jsonTree(r.Body)
	if r.Code >= 300 {
		letters := []byte(withoutDigits(fmt.Sprint(body)))
		slices.Sort(letters)
		body = string(letters)
	}
	return map[string]any{
		"code": r.Code, "body": body, "stored": jsonTree(r.Stored), "warnings": r.Warnings, "deleted": r.Deleted,
		"admission": r.Admission, "unsimulated": r.Unsimulated, "serverValues": r.ServerValues,
	}
}

func equalAnswers(a, b api.Response) bool { return reflect.DeepEqual(told(a), told(b)) }

func firstLine(err error) string {
	first, _, _ := strings.Cut(fmt.Sprint(err), "\n")
	return withoutDigits(first)
}

// conclude reports how often the shortcut was taken, which must be often enough
// for the comparison to mean something.
func (p *bothPaths) conclude(unchanged, changed int) {
	p.t.Logf("%v", p.tally)
	unchanged, changed = unchanged/p.every, changed/p.every
	if got := p.tally["plain, nothing changed"]; got < unchanged {
		p.t.Errorf("%d requests took the shortcut and changed nothing, want %d at least", got, unchanged)
	}
	if got := p.tally["plain, changed"]; got < changed {
		p.t.Errorf("%d requests took the shortcut and changed something, want %d at least", got, changed)
	}
}
