package faithful

import (
	"fmt"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestSlowAnswer: a call that no try answers within a second is tried once, and
// whatever it stamps, in any second of it, is stamped with the time of answering.
func TestSlowAnswer(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tries := 0
	response, err := AtTime(api.Request{Now: now}, func(api.Request) (api.Response, error) {
		tries++
		first := Stamp(time.Now())
		time.Sleep(2 * time.Second)
		return api.Response{Stored: []byte(fmt.Sprintf("{\"a\":%q,\"b\":%q}", first, Stamp(time.Now())))}, nil
	})
	if want := "{\"a\":\"2026-01-02T03:04:05Z\",\"b\":\"2026-01-02T03:04:05Z\"}"; err != nil || tries != 1 ||
		string(response.Stored) != want {
		t.Errorf("%d tries gave %s, %v", tries, response.Stored, err)
	}
}

func mustParse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
