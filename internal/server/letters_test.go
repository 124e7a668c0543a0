package server

import (
	"context"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// TestReplayLetters: what a real server answered to objects whose JSON it stored
// with white space and unsorted (test/oracle/scenarios/letters.yaml) is answered
// identically, but where the answer depends on what no file has: there the caveat
// says so. Both happen.
func TestReplayLetters(t *testing.T) {
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "testdata", "letters.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(t, Options{})
	identical, doubted := 0, 0
	for _, scenario := range scenarios {
		for i, step := range scenario.Steps {
			request, err := parity.Request(step)
			if err != nil {
				t.Fatal(err)
			}
			response, err := server.Do(context.Background(), request)
			if err != nil {
				t.Fatal(err)
			}
			diff := parity.Diff(step, response)
			switch {
			case diff == "":
				identical++
			case doubts(response):
				doubted++
			default:
				t.Errorf("%s step %d (%s, %s): (-recorded +answered)\n%s", scenario.Name, i, step.Op, step.Note, diff)
			}
		}
	}
	if identical < 12 || doubted < 5 {
		t.Errorf("%d steps identical, %d doubted", identical, doubted)
	}
	t.Logf("%d steps identical, %d doubted", identical, doubted)
}

func doubts(r api.Response) bool {
	for _, c := range r.Unsimulated {
		if c.Kind == api.Input {
			return true
		}
	}
	return false
}

// TestLettersCaveat: the letters are doubted where they have an order, but of an
// apply that changes nothing.
func TestLettersCaveat(t *testing.T) {
	server := newServer(t, Options{})
	call := api.Request{
		Kind:      schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ControllerRevision"},
		Namespace: "d", Name: "r", Manager: "m",
	}
	for _, c := range []struct {
		verb       api.Verb
		data, body string
		want       bool
	}{
		{api.MergePatch, `{"a":1,"b":2}`, `{"metadata":{"labels":{"l":"m"}}}`, true},
		{api.MergePatch, `{"a":[{"b":{"c":1,"d":2}}]}`, `{"metadata":{"labels":{"l":"m"}}}`, true},
		{api.MergePatch, `{"a":{"b":[1,2]}}`, `{"metadata":{"labels":{"l":"m"}}}`, false},
		{api.MergePatch, `{"a":1,"b":2}`, `{"revision":1}`, true},
		{api.MergePatch, `{"a":1,"b":2}`, `{"data":{"a":3}}`, false},
		{api.Apply, `{"a":1,"b":2}`, `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r"},"revision":1,"data":{"b":2,"a":1}}`, false},
		{api.Apply, `{"a":1,"b":2}`, `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r","labels":{"l":"m"}},"revision":1,"data":{"b":2,"a":1}}`, true},
		{api.Delete, `{"a":1,"b":2}`, ``, false},
	} {
		call.Live = []byte(
			`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r","namespace":"d","uid":"u","resourceVersion":"5","managedFields":[` +
				`{"manager":"m","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{},"f:revision":{}}}]},"revision":1,"data":` + c.data + `}`,
		)
		call.Verb, call.Body = c.verb, []byte(c.body)
		response, err := server.Do(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		if got := doubts(response); got != c.want {
			t.Errorf("%s %s of %s: %d, doubted: %v", c.verb, c.body, c.data, response.Code, got)
		}
	}
}
