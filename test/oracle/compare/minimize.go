package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/scenario"
	"github.com/ssactl/ssactl/test/parity"
)

// Minimizer takes pieces out of a step for as long as the two servers differ.
type Minimizer struct {
	Server   *kube.Server
	Recorder *scenario.Recorder
	Subject  *Subject
	// Tries bounds how often the real server is asked.
	Tries int

	crds []json.RawMessage
	key  string
	kind string
}

// Minimize gives a step that differs as the given one does, with as little in
// its live object and its body as can be found. A step of a kind that the
// server's own controllers write is left as it is: the object does not stay as
// it is put in place.
func (m *Minimizer) Minimize(ctx context.Context, step parity.Step, crds []json.RawMessage) (parity.Step, error) {
	path, err := parity.ParsePath(step.Request.Path)
	if err != nil {
		return step, err
	}
	if parity.HasControllerStatus(step.Target.Kind) {
		return step, nil
	}
	m.crds = crds
	m.kind = Class(m.Subject.Diff(ctx, step, crds, nil))
	if m.key, err = m.Server.Key(ctx, path.Resource, path.Namespace, step.Target.Name); err != nil {
		return step, err
	}
	if m.key == "" && !parity.IsNull(step.LiveBefore) {
		return step, nil
	}
	for _, part := range []document{bodyOf, liveOf} {
		step = m.shrink(ctx, step, part)
	}
	return step, nil
}

// Restore replaces the object that Minimize left.
func (m *Minimizer) Restore(ctx context.Context, live json.RawMessage) error {
	if m.key == "" {
		return nil
	}
	return m.place(ctx, live)
}

// document is a JSON document of a step that can be read and replaced.
type document struct {
	get func(parity.Step) json.RawMessage
	set func(*parity.Step, json.RawMessage)
}

var (
	bodyOf = document{
		get: func(s parity.Step) json.RawMessage { return s.Request.Body },
		set: func(s *parity.Step, raw json.RawMessage) { s.Request.Body = raw },
	}
	liveOf = document{
		get: func(s parity.Step) json.RawMessage { return s.LiveBefore },
		set: func(s *parity.Step, raw json.RawMessage) { s.LiveBefore = raw },
	}
)

// shrink tries to leave each place of a document away, the large ones first.
func (m *Minimizer) shrink(ctx context.Context, step parity.Step, part document) parity.Step {
	var value any
	if parity.IsNull(part.get(step)) || json.Unmarshal(part.get(step), &value) != nil {
		return step
	}
	places := placesOf(value, nil)
	sort.SliceStable(places, func(i, j int) bool { return len(places[i]) < len(places[j]) })
	for _, place := range places {
		if m.Tries <= 0 || ctx.Err() != nil {
			return step
		}
		smaller, ok := without(value, place)
		if !ok || essential(place) {
			continue
		}
		raw, err := json.Marshal(smaller)
		if err != nil {
			continue
		}
		attempt := step
		part.set(&attempt, raw)
		m.Tries--
		if recorded, err := m.again(ctx, attempt); err == nil && m.same(ctx, recorded) {
			step, value = recorded, smaller
		}
	}
	return step
}

// again puts the live object in place and sends the request.
func (m *Minimizer) again(ctx context.Context, step parity.Step) (parity.Step, error) {
	if m.key != "" {
		if err := m.place(ctx, step.LiveBefore); err != nil {
			return step, err
		}
	}
	expected := step.LiveBefore
	recorded, err := m.Recorder.Step(ctx, step)
	if err == nil && parity.IsNull(expected) != parity.IsNull(recorded.LiveBefore) {
		return step, errors.New("the live object is not in place")
	}
	return recorded, err
}

// watchTime is how long the server's cache may take to see what was stored.
const watchTime = 30 * time.Millisecond

func (m *Minimizer) place(ctx context.Context, live json.RawMessage) error {
	err := m.Server.Erase(ctx, m.key)
	if err == nil && !parity.IsNull(live) {
		err = m.Server.Store(ctx, m.key, withoutVersion(live))
	}
	time.Sleep(watchTime)
	return err
}

func (m *Minimizer) same(ctx context.Context, step parity.Step) bool {
	diff := m.Subject.Diff(ctx, step, m.crds, nil)
	return diff != "" && Class(diff) == m.kind
}

// Class is the place of the first difference: what must stay while the rest
// shrinks.
func Class(diff string) string {
	first, _, _ := strings.Cut(diff, ":")
	return first
}

// withoutVersion takes out the resource version, which etcd keeps itself.
func withoutVersion(live json.RawMessage) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(live, &object) != nil {
		return live
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return live
	}
	return raw
}

// placesOf lists the places of a value, as keys and indices; lists from their
// end, so that what was taken out does not move what is to come.
func placesOf(value any, at []string) [][]string {
	var places [][]string
	visit := func(key string, item any) {
		place := append(append([]string{}, at...), key)
		places = append(append(places, place), placesOf(item, place)...)
	}
	switch value := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			visit(key, value[key])
		}
	case []any:
		for i := len(value) - 1; i >= 0; i-- {
			visit(fmt.Sprint(i), value[i])
		}
	}
	return places
}

// without gives a copy of a value less one place; false when it is not there.
func without(value any, place []string) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		item, ok := value[place[0]]
		if !ok {
			return nil, false
		}
		copied := make(map[string]any, len(value))
		for key, item := range value {
			copied[key] = item
		}
		if len(place) == 1 {
			delete(copied, place[0])
			return copied, true
		}
		smaller, ok := without(item, place[1:])
		copied[place[0]] = smaller
		return copied, ok
	case []any:
		var i int
		if _, err := fmt.Sscan(place[0], &i); err != nil || i >= len(value) {
			return nil, false
		}
		copied := append([]any{}, value...)
		if len(place) == 1 {
			return append(copied[:i], copied[i+1:]...), true
		}
		smaller, ok := without(value[i], place[1:])
		copied[i] = smaller
		return copied, ok
	}
	return nil, false
}

// essential places identify the object.
func essential(place []string) bool {
	switch strings.Join(place, ".") {
	case "apiVersion",
		"kind", "metadata", "metadata.name", "metadata.namespace", "metadata.uid",
		"metadata.creationTimestamp":
		return true
	}
	return false
}
