package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// step is one recorded request with its answer.
type step struct{ parity.Step }

// recorded answers the one request of a step as the real server did. It is
// api.Server's second implementation.
type recorded struct{ step }

var errNotRecorded = errors.New("this request was not recorded")

func (r recorded) Do(_ context.Context, req api.Request) (api.Response, error) {
	if req.Verb != r.verb() || req.Force != r.Force || !bytes.Equal(req.Body, r.body()) {
		return api.Response{}, errNotRecorded
	}
	resp := api.Response{Code: r.Status, Body: r.Response, Warnings: r.Warnings}
	if r.Status >= 300 {
		return resp, nil
	}
	switch {
	case !r.dryRun() && isNull(r.LiveAfter):
		resp.Deleted = true
	case kindOf(r.Response) == r.Target.Kind:
		resp.Stored = r.Response
	default:
		resp.Stored = r.LiveAfter
	}
	return resp, nil
}

// Types has a server deduce those of custom kinds, and says that they are known.
func (recorded) Types(k schema.GroupVersionKind) api.Type {
	return api.Type{ParseableType: types.Types(k).ParseableType}
}

var types = merging.New()

func (r recorded) Resource(schema.GroupVersionKind) api.Resource { return api.Resource{} }

func (s step) verb() api.Verb {
	if s.Op == "dry-run-apply" {
		return api.Apply
	}
	return api.Verb(s.Op)
}

func (s step) dryRun() bool { return len(s.Request.Query["dryRun"]) > 0 }

func (s step) body() []byte {
	if s.Request.BodyText != "" {
		return []byte(s.Request.BodyText)
	}
	return s.Request.Body
}

func (s step) write() engine.Write {
	w := engine.Write{
		Verb:        s.verb(),
		Kind:        schema.FromAPIVersionAndKind(s.Target.APIVersion, s.Target.Kind),
		Namespace:   s.Target.Namespace,
		Name:        s.Target.Name,
		Subresource: s.Subresource,
		Manager:     s.Manager,
		Force:       s.Force,
		Body:        s.body(),
		Now:         s.StartedAt,
	}
	if !isNull(s.LiveBefore) {
		w.Live = s.LiveBefore
	}
	return w
}

func isNull(b json.RawMessage) bool { return len(b) == 0 || string(b) == "null" }

func kindOf(b []byte) string {
	var m struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return ""
	}
	return m.Kind
}

func decode(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if isNull(b) {
		return nil
	}
	if err := kjson.Unmarshal(b, &m); err != nil {
		t.Fatalf("decode %.80s: %v", b, err)
	}
	return m
}

// eachStep runs f over every step of the public packs.
func eachStep(t *testing.T, f func(t *testing.T, s step)) {
	t.Helper()
	packs, err := filepath.Glob("../../testdata/corpus/public-*.jsonl.gz")
	if err != nil || len(packs) != 2 {
		t.Fatalf("recorded packs: found %d of 2, %v", len(packs), err)
	}
	for _, pack := range packs {
		for _, sc := range sampled.Of(t, 8, scenarios(t, pack)) {
			for _, s := range sc.Steps {
				t.Run(fmt.Sprintf("%s/%d", sc.Name, s.Index), func(t *testing.T) { f(t, step{s}) })
			}
		}
	}
}

func scenarios(t testing.TB, pack string) []parity.Scenario {
	t.Helper()
	out, err := parity.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
