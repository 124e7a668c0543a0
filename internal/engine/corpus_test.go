package engine_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// scenario is one line of a recorded pack.
type scenario struct {
	Name  string `json:"name"`
	Steps []step `json:"steps"`
}

// step is one recorded request with its answer.
type step struct {
	Index       int    `json:"index"`
	Op          string `json:"op"`
	Manager     string `json:"manager"`
	Force       bool   `json:"force"`
	Subresource string `json:"subresource"`
	Target      struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Namespace  string `json:"namespace"`
		Name       string `json:"name"`
	} `json:"target"`
	Request struct {
		Query    map[string][]string `json:"query"`
		Body     json.RawMessage     `json:"body"`
		BodyText string              `json:"bodyText"`
	} `json:"request"`
	StartedAt  time.Time       `json:"startedAt"`
	LiveBefore json.RawMessage `json:"liveBefore"`
	Status     int             `json:"status"`
	Warnings   []string        `json:"warnings"`
	Response   json.RawMessage `json:"response"`
	LiveAfter  json.RawMessage `json:"liveAfter"`
}

// recorded answers the one request of a step as the real server did. It is
// api.Server's second implementation.
type recorded struct {
	step  step
	types func(schema.GroupVersionKind) api.Type
}

var errNotRecorded = errors.New("this request was not recorded")

func (r recorded) Do(_ context.Context, req api.Request) (api.Response, error) {
	if req.Verb != r.step.verb() || req.Force != r.step.Force || !bytes.Equal(req.Body, r.step.body()) {
		return api.Response{}, errNotRecorded
	}
	resp := api.Response{Code: r.step.Status, Body: r.step.Response, Warnings: r.step.Warnings}
	if r.step.Status >= 300 {
		return resp, nil
	}
	switch {
	case !r.step.dryRun() && isNull(r.step.LiveAfter):
		resp.Deleted = true
	case kindOf(r.step.Response) == r.step.Target.Kind:
		resp.Stored = r.step.Response
	default:
		resp.Stored = r.step.LiveAfter
	}
	return resp, nil
}

func (r recorded) Types(k schema.GroupVersionKind) api.Type { return r.types(k) }

func (r recorded) Resource(schema.GroupVersionKind) api.Resource { return api.Resource{} }

// builtIn gives built-in kinds the merge types that client-go is generated
// with, and the others the type that the server deduces without schema.
func builtIn(k schema.GroupVersionKind) api.Type {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(k)
	tv, err := converter.ObjectToTyped(object)
	if err != nil {
		return api.Type{ParseableType: typed.DeducedParseableType}
	}
	return api.Type{ParseableType: typed.ParseableType{Schema: tv.Schema(), TypeRef: tv.TypeRef()}}
}

var converter = applyconfigurations.NewTypeConverter(scheme.Scheme)

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
		for _, sc := range scenarios(t, pack) {
			for _, s := range sc.Steps {
				t.Run(fmt.Sprintf("%s/%d", sc.Name, s.Index), func(t *testing.T) { f(t, s) })
			}
		}
	}
}

func scenarios(t testing.TB, pack string) []scenario {
	t.Helper()
	file, err := os.Open(pack)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatalf("%s: %v", pack, err)
	}
	lines := bufio.NewReader(unzipped)
	var out []scenario
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			var sc scenario
			if err := json.Unmarshal([]byte(line), &sc); err != nil {
				t.Fatalf("%s, line %d: %v", pack, len(out)+1, err)
			}
			out = append(out, sc)
		}
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%s: %v", pack, err)
		}
	}
}
