package told

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestCalls: a call is kept once, and only between Start and Stop.
func TestCalls(t *testing.T) {
	var c Calls
	one := api.Request{Verb: api.Apply, Name: "a", Body: []byte("{}")}
	c.Watch(nil, one)
	if got := c.Stop(); len(got) != 0 {
		t.Errorf("before Start: %v", got)
	}
	c.Start()
	other := one
	other.Live = []byte(`{"kind":"ConfigMap"}`)
	for _, r := range []api.Request{one, other, one} {
		c.Watch(nil, r)
	}
	if got := c.Stop(); len(got) != 2 || got[1].request.Live == nil {
		t.Errorf("two different calls: %v", got)
	}
}

// TestVersionedBody: a body has the resourceVersion of the live object as the server has it, and any
// other one as it was.
func TestVersionedBody(t *testing.T) {
	live := []byte(`{"metadata":{"resourceVersion":"7"}}`)
	for _, c := range []struct{ live, body, want string }{
		{string(live), `{"metadata":{"resourceVersion":"7"}}`, `{"metadata":{"resourceVersion":"42"}}`},
		{string(live), `{"metadata":{"resourceVersion":"6"}}`, `{"metadata":{"resourceVersion":"6"}}`},
		{string(live), "metadata: {resourceVersion: \"7\"}", "metadata: {resourceVersion: \"42\"}"},
		{"", `{"metadata":{"resourceVersion":"7"}}`, `{"metadata":{"resourceVersion":"7"}}`},
	} {
		got := versionedBody(api.Request{Live: []byte(c.live), Body: []byte(c.body)}, "42")
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.body, diff)
		}
	}
}

// TestQueryOf: the parameters of a call, without those that it leaves out.
func TestQueryOf(t *testing.T) {
	seconds := int64(0)
	got := queryOf(api.Request{Manager: "m", Force: true, DryRun: "All", GracePeriodSeconds: &seconds})
	want := map[string][]string{
		"fieldManager": {"m"}, "force": {"true"}, "dryRun": {"All"}, "gracePeriodSeconds": {"0"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
