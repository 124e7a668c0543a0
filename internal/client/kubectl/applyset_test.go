package kubectl

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// TestApplySet: an ApplySet is not simulated, and the answer says so: of one that is given, for each object,
// and else of live objects that are members of one.
func TestApplySet(t *testing.T) {
	const member = `, labels: {applyset.kubernetes.io/part-of: applyset-x-v1}`
	for _, test := range []struct {
		name     string
		settings client.Settings
		live     string
		want     string
	}{
		{"given", client.Settings{ApplySet: "shop", Prune: true}, "", "The ApplySet shop is not simulated"},
		{"given, of a live object", client.Settings{ApplySet: "secrets/shop", Prune: true}, applies.ConfigMap("a", member, "k: v"), "The ApplySet secrets/shop is not simulated"},
		{"a member", client.Settings{}, applies.ConfigMap("a", member, "k: v"), "member of the ApplySet applyset-x-v1"},
		{"a member, client-side", client.Settings{ServerSide: "false"}, applies.ConfigMap("a", member, "k: v"), "member of the ApplySet applyset-x-v1"},
		{"none", client.Settings{}, applies.ConfigMap("a", ", labels: {a: b}", "k: v"), ""},
	} {
		c, err := New("", test.settings)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		r := c.Simulate(t.Context(), applies.Server(), sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), test.live))
		said := ""
		for _, reason := range r.Confidence.Reasons {
			if strings.Contains(reason.Message, "ApplySet") {
				said += reason.Message
			}
		}
		if (test.want == "") != (said == "") || !strings.Contains(said, test.want) {
			t.Errorf("%s: %q", test.name, said)
		}
		if test.want != "" && r.Confidence.Level != report.Partial {
			t.Errorf("%s: %s", test.name, r.Confidence.Level)
		}
	}
}
