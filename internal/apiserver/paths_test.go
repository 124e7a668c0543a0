package apiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/apicall"
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
		if r.call.Verb != apicall.Apply || answer.Code >= 300 {
			continue
		}
		again := r
		again.call.Live = born(answer.Stored)
		again.call.Body = asYAML(r.call.Body)
		p.compare(again)
		again.call.Force = !again.call.Force
		p.compare(again)
	}
	p.conclude(300)
}

// TestPathsChanged: applies that were accepted are applied again, with changes
// at random in configuration, live object and parameters.
func TestPathsChanged(t *testing.T) {
	p := newPaths(t)
	m := mutator{random: rand.New(rand.NewPCG(*seed, 99)), pool: p.pool}
	var accepted []recorded
	for _, r := range p.pool {
		if r.call.Now = fixedTime; r.call.Verb != apicall.Apply {
			continue
		}
		if answer, err := r.server.Do(context.Background(), r.call); err == nil && answer.Code < 300 {
			r.call.Live = born(answer.Stored)
			accepted = append(accepted, r)
		}
	}
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
	p.conclude(*requests / 10)
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
	p.conclude(0)
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
	entry, _ := list[m.random.IntN(len(list))].(map[string]any)
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

func (p *bothPaths) compare(r recorded) apicall.Response {
	p.t.Helper()
	short, shortErr := r.server.Do(context.Background(), r.call)
	full, fullErr := p.full[r.server].Do(context.Background(), r.call)
	p.tally["requests"]++
	if short.Unchanged {
		p.tally["proved unchanged"]++
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
	if r.call.Name == "" {
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

// told is an answer with its objects as trees: the order of keys is no part of
// an answer. Of a refusal all letters count, but not their order: upstream
// ranges over maps when it lists conflicts and errors, and prints maps.
func told(r apicall.Response) map[string]any {
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

func equalAnswers(a, b apicall.Response) bool { return reflect.DeepEqual(told(a), told(b)) }

func firstLine(err error) string {
	first, _, _ := strings.Cut(fmt.Sprint(err), "\n")
	return first
}

// conclude tells how often the shortcut was taken, which must be often enough
// for the comparison to mean something.
func (p *bothPaths) conclude(atLeast int) {
	p.t.Logf("%v", p.tally)
	if p.tally["proved unchanged"] < atLeast {
		p.t.Errorf("%d requests were proved to change nothing, want %d at least", p.tally["proved unchanged"], atLeast)
	}
}
