package cmd

import (
	"context"
	"slices"
	"testing"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/cmd/lint"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// ofManifest are the rules of what a server refuses whatever is live, by the causes of
// which a refusal is of them.
var ofManifest = map[causes.Kind]string{
	causes.Unknown: "unknown-field", causes.Mistyped: "wrong-type", causes.Repeated: "duplicate-keys",
	causes.Keyless: "missing-key", causes.TwiceWritten: "written-twice",
}

// TestLintRecordedApplies lints what the real server was asked to apply. What lint
// calls an error is refused in the recording, for new objects and, where the manifest
// alone decides, for others; and what is refused for such a reason, lint finds.
func TestLintRecordedApplies(t *testing.T) {
	applies, found := 0, map[string]int{}
	wanted := func(s parity.Step) bool { return s.Op == "apply" && s.Subresource == "" }
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, wanted, func(name string, server *server.Server, step parity.Step, r api.Request) {
			applies++
			checkLint(t, name, server, step, r, found)
		})
	}
	if !testing.Short() &&
		(applies < 500 || found["duplicate-keys"] == 0 || found["unknown-field"] == 0 || found["wrong-type"] == 0 || found["written-twice"] == 0 || found["missing-key"] == 0) {
		t.Errorf("only %d applies were linted, with %v", applies, found)
	}
	t.Logf("%d applies linted, errors found: %v", applies, found)
}

func checkLint(
	t *testing.T,
	name string,
	server *server.Server,
	step parity.Step,
	r api.Request,
	found map[string]int,
) {
	t.Helper()
	w, ok := lintWrite(r)
	if !ok {
		return
	}
	c := &cluster.Cluster{World: cluster.World{Served: cluster.Served{Server: server}}}
	errors := errorsOf(lint.Examine(lint.Read(context.Background(), c, w), nil))
	for _, rule := range errors {
		found[rule]++
		if step.Status < 300 && (r.Live == nil || rule != "refused") {
			t.Errorf("%s: lint finds %s, but the server answered %d", name, rule, step.Status)
		}
	}
	w.Live = r.Live
	recorded := engine.Simulate(context.Background(), c.Server, w)
	if step.Status < 300 || !recorded.Outcome.Refused() || recorded.Outcome == report.Conflicted {
		return
	}
	for _, cause := range recorded.Causes {
		if rule, is := ofManifest[causes.KindOf(cause)]; is && !slices.Contains(errors, rule) {
			t.Errorf(
				"%s: the server answered %d for %s: %s, and lint finds %v", name, step.Status, cause.Field,
				cause.Message, errors,
			)
		}
	}
}

// lintWrite is a recorded apply to no live object, with what its body is decoded to.
func lintWrite(r api.Request) (engine.Write, bool) {
	w := writeOf(r)
	w.Live = nil
	text, err := yaml.YAMLToJSON(r.Body)
	if err != nil {
		return w, false
	}
	var object map[string]any
	if err := kjson.Unmarshal(text, &object); err != nil {
		return w, false
	}
	w.Decoded = object
	return w, true
}

func errorsOf(e lint.Examined) []string {
	var out []string
	for _, f := range e.Findings {
		if f.Severity == report.SeverityError {
			out = append(out, f.Rule)
		}
	}
	return out
}
