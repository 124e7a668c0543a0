package parity

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/server/api"
)

func corpus(t *testing.T) []Scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var all []Scenario
	for _, file := range files {
		scenarios, err := ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, scenarios...)
	}
	if len(all) == 0 {
		t.Fatal("no recorded scenarios")
	}
	return all
}

func TestRecordedAnswerHasNoDifferenceToItself(t *testing.T) {
	for _, scenario := range corpus(t) {
		for i, step := range scenario.Steps {
			answer := api.Response{
				Code:     step.Status,
				Body:     step.Response,
				Warnings: warningTexts(step.Warnings),
				Stored:   step.LiveAfter,
			}
			if diff := Diff(step, answer) + DiffStored(step, answer); diff != "" {
				t.Errorf("%s step %d: %s", scenario.Name, i, diff)
			}
			answer.Code++
			if Diff(step, answer) == "" {
				t.Errorf("%s step %d: another code is not seen", scenario.Name, i)
			}
		}
	}
}

func TestRecordedRequestsAreCalls(t *testing.T) {
	for _, scenario := range corpus(t) {
		for i, step := range scenario.Steps {
			req, err := Request(step)
			if err != nil {
				t.Errorf("%s step %d: %v", scenario.Name, i, err)
				continue
			}
			// A name that the server makes is not in the request.
			generated := req.Name == "" && newKnown(step).generateName != ""
			if req.Name != step.Target.Name && !generated || req.Namespace != step.Target.Namespace ||
				req.Subresource != step.Subresource {
				t.Errorf(
					"%s step %d: request for %s/%s %s, target %v", scenario.Name, i, req.Namespace, req.Name,
					req.Subresource, step.Target,
				)
			}
		}
	}
}

func TestWriteKeepsTheBytesOfBodies(t *testing.T) {
	scenarios := corpus(t)
	var out bytes.Buffer
	if err := Write(&out, scenarios); err != nil {
		t.Fatal(err)
	}
	again, err := Scenarios(&out)
	if err != nil {
		t.Fatal(err)
	}
	for s, scenario := range scenarios {
		for i, step := range scenario.Steps {
			if want, got := step.Request.Bytes(), again[s].Steps[i].Request.Bytes(); !bytes.Equal(want, got) {
				t.Errorf("%s step %d: body changed (-want +got):\n%s", scenario.Name, i, cmp.Diff(string(want), string(got)))
			}
		}
	}
}
