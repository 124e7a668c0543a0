package server

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/faithful"
)

// TestNowCloseToTheClock: a live object with a time for every second, where a shift by
// a few seconds turns one into another, comes back unchanged when
// it is sent as it is.
func TestNowCloseToTheClock(t *testing.T) {
	server := newServer(t, Options{})
	for _, by := range []time.Duration{-3 * time.Second, -time.Second, time.Second, 2 * time.Second} {
		now := time.Now().Add(by).UTC().Truncate(time.Second)
		ago := func(seconds int) string { return faithful.Stamp(now.Add(-time.Duration(seconds) * time.Second)) }
		live := fmt.Sprintf(
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"d","uid":"u","resourceVersion":"1",
			"creationTimestamp":%q,"deletionTimestamp":%q,"deletionGracePeriodSeconds":0,"finalizers":["example.com/f"],
			"managedFields":[{"manager":"a","operation":"Update","apiVersion":"v1","time":%q,"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}},
			{"manager":"b","operation":"Update","apiVersion":"v1","time":%q,"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:b":{}}}}]},
			"data":{"a":"1","b":"2"}}`,
			ago(4), ago(2), ago(3), ago(1),
		)
		response, err := server.Do(context.Background(), api.Request{
			Verb: api.Update, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "d", Name: "c",
			Manager: "c", Body: []byte(live), Live: []byte(live), Now: now,
		})
		if err != nil {
			t.Fatal(err)
		}
		var want, got any
		if err := json.Unmarshal([]byte(live), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(response.Stored, &got); err != nil {
			t.Fatalf("%d: %s", response.Code, response.Body)
		}
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("clock %s ahead:\nwant %s\ngot  %s", by, want, got)
		}
	}
}

// TestPatchTestsTimes: a patch that tests the times of the live object, one of
// them of the second of the answer.
func TestPatchTestsTimes(t *testing.T) {
	server := newServer(t, Options{})
	live := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"d","uid":"u","resourceVersion":"1","creationTimestamp":"2026-01-02T03:04:05Z"}}`
	for _, now := range []string{"2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		for value, want := range map[string]int{"2026-01-02T03:04:05Z": 200, "2026-01-02T03:04:07Z": 422} {
			response, err := server.Do(context.Background(), api.Request{
				Verb: api.JSONPatch, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "d", Name: "c",
				Body: []byte(
					`[{"op":"test","path":"/metadata/creationTimestamp","value":"` + value + `"}]`,
				), Live: []byte(live), Now: at,
			})
			if err != nil || response.Code != want {
				t.Errorf("at %s, test for %s: got %d, want %d; %v\n%s", now, value, response.Code, want, err, response.Body)
			}
		}
	}
}

// TestDeadline: a call that the handlers give up by the clock has no answer.
func TestDeadline(t *testing.T) {
	server := newServer(t, Options{})
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	response, err := server.Do(ctx, api.Request{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "d", Name: "c",
		Manager: "m", Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}`),
	})
	if err == nil {
		t.Errorf("got the answer %d: %s", response.Code, response.Body)
	}
}
