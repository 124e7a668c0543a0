// Package sending asks clients what they send, for tests.
package sending

import (
	"iter"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/applies"
)

// Write is an apply of a manifest by a client, to a live object where there is one.
func Write(t *testing.T, c *client.Client, manifest, live string) engine.Write {
	t.Helper()
	w := applies.Write(t, c.Manager, manifest, live)
	w.Force = c.Force
	return w
}

// All are the requests and what is said, by kind and name, of objects that a client comes to
// together.
func All(t *testing.T, c *client.Client, writes []engine.Write) map[string]string {
	t.Helper()
	return To(t, applies.Server(), c, writes)
}

// To is All with another server.
func To(t *testing.T, s api.Server, c *client.Client, writes []engine.Write) map[string]string {
	t.Helper()
	c.Plan(t.Context(), s, writes)
	out := map[string]string{}
	for _, w := range writes {
		run := c.Send(t.Context(), s, w)
		var said []string
		for _, step := range run.Steps {
			said = append(said, string(step.Request)+" "+string(step.Result.Outcome))
		}
		whole := run.Whole()
		if message := whole.Answer().Message; message != "" {
			said = append(said, message)
		}
		said = append(said, whole.Notices...)
		out[w.Kind.Kind+" "+w.Name] = strings.Join(said, "; ")
	}
	return out
}

// Spare are live objects in the namespace team that no manifest names.
func Spare(t *testing.T, live ...string) iter.Seq2[client.Key, func() map[string]any] {
	return func(yield func(client.Key, func() map[string]any) bool) {
		for _, text := range live {
			o := applies.Object(t, text)
			key := client.Key{
				Kind: o["kind"].(string), Namespace: "team", Name: o["metadata"].(map[string]any)["name"].(string),
			}
			if !yield(key, func() map[string]any { return o }) {
				return
			}
		}
	}
}
