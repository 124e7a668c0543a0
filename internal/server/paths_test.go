package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/input/plainyaml"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// bothPaths has two servers for each request: one that takes shortcuts, and one
// that takes none.
type bothPaths struct {
	t     *testing.T
	pool  []recorded
	full  map[*Server]*Server
	tally map[string]int
}

func newPaths(t *testing.T) *bothPaths {
	p := &bothPaths{t: t, pool: recordedRequests(t), full: map[*Server]*Server{}, tally: map[string]int{}}
	for i, r := range recordedRequestsOn(t, FullPath) {
		p.full[p.pool[i].server] = r.server
	}
	return p
}

// TestPathsRecorded: what was recorded is answered the same on both paths, and
// so is every accepted apply when it is applied again.
func TestPathsRecorded(t *testing.T) {
	p := newPaths(t)
	for _, r := range p.pool {
		r.call.Now = fixedTime
		answer := p.compare(r)
		if r.call.Verb != api.Apply || answer.Code >= 300 {
			continue
		}
		again := r
		again.call.Live = born(answer.Stored)
		again.call.Body = asYAML(r.call.Body)
		p.compare(again)
		again.call.Force = !again.call.Force
		p.compare(again)
	}
	p.conclude(300, 100)
}

// TestPathsChanged: applies that were accepted are applied again, with changes
// at random in configuration, live object and parameters.
func TestPathsChanged(t *testing.T) {
	p := newPaths(t)
	m := mutator{random: rand.New(rand.NewPCG(*seed, 99)), pool: p.pool}
	accepted := p.accepted()
	for range *requests {
		r := accepted[m.random.IntN(len(accepted))]
		for range m.random.IntN(3) {
			switch m.random.IntN(6) {
			case 0, 1:
				r.call.Body = m.text(r.call.Body)
			case 2, 3:
				r.call.Live = m.text(r.call.Live)
			case 4:
				r.call.Live = m.entries(r.call.Live)
			case 5:
				m.parameters(&r.call)
			}
		}
		if m.random.IntN(10) > 0 {
			r.call.Body = asYAML(r.call.Body)
		}
		p.compare(r)
	}
	p.conclude(*requests/10, 10)
}

// accepted are the recorded applies that are accepted, to be applied again to
// what came of them.
func (p *bothPaths) accepted() []recorded {
	var accepted []recorded
	for _, r := range p.pool {
		if r.call.Now = fixedTime; r.call.Verb != api.Apply {
			continue
		}
		if answer, err := r.server.Do(context.Background(), r.call); err == nil && answer.Code < 300 {
			r.call.Live = born(answer.Stored)
			accepted = append(accepted, r)
		}
	}
	return accepted
}

// TestPathsOverlaid: accepted applies are applied again with other leaves, more
// fields and more items, by their manager and by others.
func TestPathsOverlaid(t *testing.T) {
	p := newPaths(t)
	m := mutator{random: rand.New(rand.NewPCG(*seed, 5)), pool: p.pool}
	accepted := p.accepted()
	for range *requests {
		r := accepted[m.random.IntN(len(accepted))]
		for range 1 + m.random.IntN(2) {
			r.call.Body = m.overlaid(r.call.Body)
		}
		if m.chance(4) {
			r.call.Live = m.overlaid(r.call.Live)
		}
		if m.chance(8) {
			r.call.Live = m.entries(r.call.Live)
		}
		if m.chance(3) {
			r.call.Live = m.reordered(r.call.Live)
		}
		if m.chance(4) {
			r.call.Manager = m.one("someone else", "kubectl").(string)
		}
		r.call.Force = m.chance(3)
		r.call.Body = asYAML(r.call.Body)
		p.compare(r)
	}
	p.conclude(0, *requests/15)
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
		m.random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
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
		return key == "apiVersion" || key == "kind" || key == "status" && !m.chance(10)
	})
	if len(parts) == 0 {
		return text
	}
	part := parts[m.random.IntN(len(parts))]
	object[part] = m.laid(object[part])
	changed, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return changed
}

func (m *mutator) laid(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(v)), func(key string) bool {
			return key == "managedFields" || key == "name" && !m.chance(10) || key == "namespace" || key == "uid"
		})
		if len(keys) == 0 || m.chance(60) {
			v[m.one("added", "labels", "annotations", "replicas", "env", "image", "x.example.com/y").(string)] =
				m.one("text", 3, true, map[string]any{"added": "text"}, []any{map[string]any{"name": "added", "value": "text"}}, []any{"a", "b"})
			return v
		}
		if v["annotations"] == nil && v["labels"] != nil && m.chance(3) {
			v["annotations"] = map[string]any{m.one("example.com/added", "kubectl.kubernetes.io/last-applied-configuration").(string): "text"}
			return v
		}
		key := keys[m.random.IntN(len(keys))]
		v[key] = m.laid(v[key])
		return v
	case []any:
		switch {
		case len(v) == 0:
			return v
		case m.chance(6):
			return slices.Insert(v, m.random.IntN(len(v)+1), m.renamed(v[m.random.IntN(len(v))]))
		case m.chance(8):
			i := m.random.IntN(len(v))
			return slices.Delete(v, i, i+1)
		}
		i := m.random.IntN(len(v))
		v[i] = m.laid(v[i])
		return v
	case string:
		return m.one(v+"x", "x"+v, v, "25%", "1Gi").(string)
	case float64:
		return m.one(v+1, v*2, v, 0.5, 1)
	case bool:
		return !v
	}
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
			return m.one("TCP", "UDP")
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
	m := mutator{random: rand.New(rand.NewPCG(*seed, 7)), pool: p.pool}
	for range *requests / 4 {
		r := m.request()
		r.call.Now = fixedTime
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
	entry, ok := list[m.random.IntN(len(list))].(map[string]any)
	if !ok {
		return live
	}
	switch m.random.IntN(6) {
	case 0:
		m.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case 1:
		entry["time"] = m.one("2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z", nil)
	case 2:
		entry["fieldsV1"] = m.tree(entry["fieldsV1"])
	case 3:
		entry[m.one("manager", "operation", "apiVersion", "subresource").(string)] = m.one("Apply", "Update", "status", "v1", "apps/v1", "")
	case 4:
		metadata["managedFields"] = append(list, m.tree(clone(entry)))
	case 5:
		delete(entry, m.one("time", "fieldsType", "fieldsV1", "manager").(string))
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
	metadata["uid"], metadata["resourceVersion"], metadata["creationTimestamp"] = lentUID, "7", "2026-02-01T00:00:00Z"
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

func (p *bothPaths) compare(r recorded) api.Response {
	p.t.Helper()
	call := r.call
	if p.tally["requests"]++; p.tally["requests"]%2 == 0 {
		call.BodyTree, call.LiveTree = trees(call)
	}
	short, shortErr := r.server.Do(context.Background(), call)
	if body, live := trees(call); call.BodyTree != nil && !reflect.DeepEqual(call.BodyTree, body) || call.LiveTree != nil && !reflect.DeepEqual(call.LiveTree, live) {
		p.t.Errorf("the trees of the caller were changed; body %s\nlive %s", call.Body, call.Live)
	}
	full, fullErr := p.full[r.server].Do(context.Background(), r.call)
	if _, ok := r.server.plain(context.Background(), r.call); ok && short.Unchanged {
		p.tally["plain, nothing changed"]++
	} else if ok {
		p.tally["plain, changed"]++
	}
	if full.Unchanged {
		p.t.Error("the full path took a shortcut")
	}
	short.Unchanged = false
	// Of several wrong fields, upstream tells the one that it comes across
	// first as it ranges over a map: whatever the full path may tell counts.
	for try := 0; try < 50 && full.Code >= 300 && !equalAnswers(full, short); try++ {
		full, fullErr = p.full[r.server].Do(context.Background(), r.call)
	}
	if r.call.Name == "" || bytes.Contains(r.call.Body, []byte(`"generateName"`)) {
		// Generated names are random, and told in messages.
		full.Body, short.Body, full.Stored, short.Stored = nil, nil, nil, nil
	}
	if !equalAnswers(full, short) || firstLine(fullErr) != firstLine(shortErr) {
		p.t.Errorf("%s %s %q as %q force %v: errors %v, %v\nbody %s\nlive %s\n(-full +short)\n%s", r.call.Verb, r.call.Kind, r.call.Name, r.call.Manager, r.call.Force,
			fullErr, shortErr, r.call.Body, r.call.Live, cmp.Diff(told(full), told(short)))
		if p.tally["different"]++; p.tally["different"] > 3 {
			p.t.FailNow()
		}
	}
	return full
}

// trees are what a caller gives who has decoded the texts; nil where they may be
// read in more ways than one.
func trees(call api.Request) (body, live map[string]any) {
	if text, ok := plainyaml.ToJSON(call.Body); ok {
		body, _ = jsontree.Decode(text)
	}
	tree, distinct, err := jsontree.DecodeDistinct(call.Live)
	if err == nil && distinct {
		live = tree
	}
	return body, live
}

// told is an answer with its objects as trees: the order of keys is no part of
// an answer. Of a refusal all letters count, but not their order: upstream
// ranges over maps when it lists conflicts and errors, and prints maps.
func told(r api.Response) map[string]any {
	body := jsonTree(r.Body)
	if r.Code >= 300 {
		// Digits are those of the clock, where a message prints the time of an
		// entry: the two answers may fall into two seconds.
		letters := slices.DeleteFunc([]byte(fmt.Sprint(body)), func(c byte) bool { return '0' <= c && c <= '9' })
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
	return first
}

// conclude tells how often the shortcut was taken, which must be often enough
// for the comparison to mean something.
func (p *bothPaths) conclude(unchanged, changed int) {
	p.t.Logf("%v", p.tally)
	if got := p.tally["plain, nothing changed"]; got < unchanged {
		p.t.Errorf("%d requests took the shortcut and changed nothing, want %d at least", got, unchanged)
	}
	if got := p.tally["plain, changed"]; got < changed {
		p.t.Errorf("%d requests took the shortcut and changed something, want %d at least", got, changed)
	}
}
