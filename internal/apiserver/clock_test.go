package apiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/apicall"
)

// TestNowCloseToTheClock: a live object with times of every second, of which
// the shift by a few seconds takes one to the next, comes back unchanged when
// it is sent as it is.
func TestNowCloseToTheClock(t *testing.T) {
	server, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []time.Duration{-3 * time.Second, -time.Second, time.Second, 2 * time.Second} {
		now := time.Now().Add(by).UTC().Truncate(time.Second)
		ago := func(seconds int) string { return stamp(now.Add(-time.Duration(seconds) * time.Second)) }
		live := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"d","uid":"u","resourceVersion":"1",
			"creationTimestamp":%q,"deletionTimestamp":%q,"deletionGracePeriodSeconds":0,"finalizers":["example.com/f"],
			"managedFields":[{"manager":"a","operation":"Update","apiVersion":"v1","time":%q,"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}},
			{"manager":"b","operation":"Update","apiVersion":"v1","time":%q,"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:b":{}}}}]},
			"data":{"a":"1","b":"2"}}`, ago(4), ago(2), ago(3), ago(1))
		response, err := server.Do(context.Background(), apicall.Request{
			Verb: apicall.Update, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "d", Name: "c",
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
