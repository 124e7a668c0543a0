package apiserver

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/apicall"
)

// clockTries is how often a call is run again because a second went by while
// it ran.
const clockTries = 10

// atTime answers a call as if it were asked at its Now. The server's code asks
// the system's clock, so everything else is shifted: the times of the live
// object forth, and those of the answer back. The order of times, which the
// order of managed fields entries hangs on, stays what it is at Now.
func atTime(call apicall.Request, serve func(apicall.Request) (apicall.Response, error)) (apicall.Response, error) {
	if call.Now.IsZero() {
		return serve(call)
	}
	for try := 1; ; try++ {
		s := newShift(call.Now)
		shifted := call
		shifted.Live = s.forth(call.Live)
		if call.MediaType != apicall.YAML && (call.Verb == apicall.Update || call.Verb == apicall.Create) {
			shifted.Body = s.forth(call.Body)
		}
		response, err := serve(shifted)
		if err != nil || s.sameSecond() || try == clockTries {
			response.Body = s.back(response.Body)
			response.Stored = s.back(response.Stored)
			return response, err
		}
	}
}

// shift maps times around the time of answering to times around the system's.
type shift struct {
	start    time.Time
	by       time.Duration
	original map[string]string
}

func newShift(now time.Time) *shift {
	start := time.Now().Truncate(time.Second)
	now = now.Truncate(time.Second)
	return &shift{
		start:    start,
		by:       start.Sub(now),
		original: map[string]string{stamp(start): stamp(now)},
	}
}

func (s *shift) sameSecond() bool {
	return time.Now().Truncate(time.Second).Equal(s.start)
}

// forth shifts the metadata's times of an object, and remembers them. What is
// no JSON object is left to the server to judge.
func (s *shift) forth(raw []byte) []byte {
	object := map[string]any{}
	if raw == nil || s.by == 0 || json.Unmarshal(raw, &object) != nil {
		return raw
	}
	metadata, _ := object["metadata"].(map[string]any)
	changed := s.field(metadata, "creationTimestamp")
	changed = s.field(metadata, "deletionTimestamp") || changed
	entries, _ := metadata["managedFields"].([]any)
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		changed = s.field(fields, "time") || changed
	}
	if !changed {
		return raw
	}
	shifted, err := json.Marshal(object)
	if err != nil {
		return raw
	}
	return shifted
}

func (s *shift) field(object map[string]any, key string) bool {
	text, _ := object[key].(string)
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return false
	}
	shifted := stamp(t.Add(s.by))
	s.original[shifted] = text
	object[key] = shifted
	return true
}

// back undoes the shift in an answer: in every string that is a shifted time,
// and within the messages of a Status, which quote them.
func (s *shift) back(raw []byte) []byte {
	object := map[string]any{}
	if raw == nil || s.by == 0 || json.Unmarshal(raw, &object) != nil {
		return raw
	}
	s.deletion(object)
	s.walk(object, object["kind"] == "Status")
	restored, err := json.Marshal(object)
	if err != nil {
		return raw
	}
	return restored
}

// deletion shifts the one time that lies in the future: now and the grace
// period.
func (s *shift) deletion(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	text, _ := metadata["deletionTimestamp"].(string)
	if t, err := time.Parse(time.RFC3339, text); err == nil && s.original[text] == "" {
		metadata["deletionTimestamp"] = stamp(t.Add(-s.by))
	}
}

func (s *shift) walk(value any, quoted bool) any {
	switch v := value.(type) {
	case map[string]any:
		for key, child := range v {
			v[key] = s.walk(child, quoted)
		}
	case []any:
		for i, child := range v {
			v[i] = s.walk(child, quoted)
		}
	case string:
		if original, ok := s.original[v]; ok {
			return original
		}
		if quoted {
			for shifted, original := range s.original {
				v = strings.ReplaceAll(v, shifted, original)
			}
			return v
		}
	}
	return value
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
