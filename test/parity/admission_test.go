package parity

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ssactl/ssactl/internal/server/api"
)

// What a server tells by chance is alike; everything else is not.
func TestChanceOfAdmission(t *testing.T) {
	const limited = `pods "p" is forbidden: [%s, %s]`
	first, second := "maximum cpu usage per Container is 2, but limit is 3", "cpu max limit to request ratio per Pod is 2, but provided ratio is 5.000000"
	for _, c := range []struct {
		name, want, got string
		same            bool
	}{
		{"order of limits", fmt.Sprintf(limited, first, second), fmt.Sprintf(limited, second, first), true},
		{"other limits", fmt.Sprintf(limited, first, second), fmt.Sprintf(limited, second, "maximum cpu usage per Container is 1, but limit is 3"), false},
		{"one of two quotas", quotaRefusal("a", "2"), quotaRefusal("b", "7"), true},
		{"one that is exceeded, one that asks for more", quotaRefusal("a", "2"), `configmaps "c" is forbidden: failed quota: b: must specify limits.memory for: c`, true},
		{"one of unknown usage", quotaRefusal("a", "2"), `configmaps "c" is forbidden: status unknown for quota: b, resources: configmaps`, true},
		{"of the same quota, in other words", quotaRefusal("a", "2"), `configmaps "c" is forbidden: failed quota: a: must specify limits.memory for: c`, false},
		{"other usage of the same quota", quotaRefusal("a", "2"), quotaRefusal("a", "3"), false},
		{"no quota", quotaRefusal("a", "2"), `configmaps "c" is forbidden: no`, false},
	} {
		step := Step{Op: "create", Status: 403, Response: refusal(t, c.want)}
		if diff := Diff(step, api.Response{Code: 403, Body: refusal(t, c.got)}); (diff == "") != c.same {
			t.Errorf("%s: alike %v, want %v\n%s", c.name, diff == "", c.same, diff)
		}
	}
}

func quotaRefusal(quota, used string) string {
	return `configmaps "c" is forbidden: exceeded quota: ` + quota + `, requested: configmaps=1, used: configmaps=` + used + `, limited: configmaps=2`
}

func refusal(t *testing.T, message string) []byte {
	t.Helper()
	raw, err := json.Marshal(
		map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "message": message},
	)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A server that nobody answers for a webhook refuses the request: where it accepts
// one, it called none that has to answer.
func TestNeedlessWebhook(t *testing.T) {
	const called = `The server would call the webhook "w.example.com" of ValidatingWebhookConfiguration "w"%s: it may refuse the object (failurePolicy %s, sideEffects None).`
	for _, c := range []struct {
		name, on, policy string
		status           int
		same             bool
	}{
		{"one that has to answer", "", "Fail", 200, false},
		{"one that need not", "", "Ignore", 200, true},
		{"one that is called on a condition", ", if its match conditions hold for who asks", "Fail", 200, true},
		{"one of a refused request", "", "Fail", 409, true},
	} {
		step := Step{Op: "apply", Status: c.status, Response: []byte(`{}`)}
		got := api.Response{
			Code:        c.status,
			Body:        []byte(`{}`),
			Unsimulated: []api.Caveat{{Kind: api.Admission, Message: fmt.Sprintf(called, c.on, c.policy)}},
		}
		if diff := Diff(step, got); (diff == "") != c.same {
			t.Errorf("%s: alike %v, want %v\n%s", c.name, diff == "", c.same, diff)
		}
	}
}
