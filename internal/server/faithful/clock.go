package faithful

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/server/api"
)

// clockTries is how often a call is run again because a second went by while it ran.
const clockTries = 10

// AtTime answers a call as if at its Now. The server's code reads the system's clock, so
// the times of the live object are shifted forth, and those of the answer back. The order
// of times, and so of managed fields entries, stays that at Now.
func AtTime(call api.Request, serve func(api.Request) (api.Response, error)) (api.Response, error) {
	if call.Now.IsZero() {
		return serve(call)
	}
	for try := 1; ; try++ {
		start, now := time.Now().Truncate(time.Second), call.Now.Truncate(time.Second)
		s := &shift{start: start, by: start.Sub(now), now: now, original: map[string]string{}}
		shifted := call
		shifted.Live = replaced(call.Live, s.pairs(call.Live))
		shifted.JSON, shifted.Body = nil, replaced(call.Body, append(s.pairs(call.Body), s.along()...))
		response, err := serve(shifted)
		// A call that takes longer is never answered within a second.
		sameSecond, slow := time.Now().Truncate(time.Second).Equal(start), time.Since(start) > 2*time.Second
		if err != nil || sameSecond || slow || try == clockTries {
			response.Body = s.back(response.Body)
			response.Stored = s.back(response.Stored)
			return response, err
		}
	}
}

// shift maps times around the time of answering to times around the system's.
type shift struct {
	start time.Time
	by    time.Duration
	// now is the time of answering.
	now time.Time
	// original are the times that were shifted, by what they became.
	original map[string]string
}

// Times are the metadata's times of an object.
type Times struct {
	Kind     string `json:"kind"`
	Metadata struct {
		CreationTimestamp string `json:"creationTimestamp"`
		DeletionTimestamp string `json:"deletionTimestamp"`
		ManagedFields     []struct {
			Time string `json:"time"`
		} `json:"managedFields"`
	} `json:"metadata"`
}

// pairs are the times in an object's metadata with their shifted ones, remembered for the
// way back. Equal times elsewhere are shifted too.
func (s *shift) pairs(raw []byte) []string {
	var found Times
	if raw == nil || s.by == 0 || json.Unmarshal(raw, &found) != nil {
		return nil
	}
	pairs := s.pair(nil, found.Metadata.CreationTimestamp)
	pairs = s.pair(pairs, found.Metadata.DeletionTimestamp)
	for _, entry := range found.Metadata.ManagedFields {
		pairs = s.pair(pairs, entry.Time)
	}
	return pairs
}

// along are the pairs for a body of every time that the live object has: a body
// that says the live object's own times must still do so.
func (s *shift) along() []string {
	var pairs []string
	for shifted, original := range s.original {
		for _, around := range scalarStyles {
			pairs = append(pairs, around[0]+original+around[1], around[0]+shifted+around[1])
		}
	}
	return pairs
}

// replaced applies pairs to a text in one pass, since one pair may give the original of
// another. All other bytes stay: the server's messages may quote them.
func replaced(raw []byte, pairs []string) []byte {
	if len(pairs) == 0 {
		return raw
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(raw)))
}

// scalarStyles are the forms of a time as a whole scalar in JSON and YAML; one within a
// longer text stays.
var scalarStyles = [][2]string{{`"`, `"`}, {"'", "'"}, {": ", "\n"}, {": ", "\r"}}

func (s *shift) pair(pairs []string, text string) []string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return pairs
	}
	shifted := Stamp(t.Add(s.by))
	s.original[shifted] = text
	return append(pairs, `"`+text+`"`, `"`+shifted+`"`)
}

// back undoes the shift in an answer: in every string that is a shifted time,
// and within the messages of a Status, which quote them.
func (s *shift) back(raw []byte) []byte {
	var found Times
	if raw == nil || s.by == 0 || json.Unmarshal(raw, &found) != nil {
		return raw
	}
	for at := s.start; !at.After(time.Now()); at = at.Add(time.Second) {
		if text := Stamp(at); at.Equal(s.start) || s.original[text] == "" {
			s.original[text] = Stamp(s.now)
		}
	}
	// The one time that lies in the future: now and the grace period.
	deletion := found.Metadata.DeletionTimestamp
	if t, err := time.Parse(time.RFC3339, deletion); err == nil && s.original[deletion] == "" {
		s.original[deletion] = Stamp(t.Add(-s.by))
	}
	quote := `"`
	if found.Kind == "Status" {
		quote = ""
	}
	var pairs []string
	for shifted, original := range s.original {
		pairs = append(pairs, quote+shifted+quote, quote+original+quote)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(raw)))
}

// Stamp writes a time as objects have it.
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
