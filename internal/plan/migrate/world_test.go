package migrate

import (
	"context"
	"testing"
	"time"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/test/lab"
)

// object reads a gadget from JSON; v1 is its version in the lab.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := kjson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// plan plans a live gadget with a server that answers no apply.
func plan(live map[string]any, opts Options) Migration {
	return Run(context.Background(), lab.Server{Mute: true}, Object{Live: live}, opts, time.Time{})
}

// rules are the rules of the findings, in their order.
func rules(m Migration) []string {
	var out []string
	for _, f := range m.Findings {
		out = append(out, string(f.Severity)+" "+f.Rule)
	}
	return out
}
