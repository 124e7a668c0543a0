package stories

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/story"
)

// Execute runs one command line of ssactl apart from all others, and gives what it writes
// to both streams, and its exit code.
type Execute func(ctx context.Context, args []string) (out, errs []byte, code int)

// teller tells one story: each step is a command line over the objects that the steps before
// have left.
type teller struct {
	execute Execute
	story   story.Story
	// folder is that of the files of the story; place is one of the story's own.
	folder, place string
	now           time.Time
	objects       []map[string]any
	// releases are the manifests that Helm has deployed, by release.
	releases map[string]string
	written  int
}

// told is a step that was told.
type told struct {
	story.Step
	Answers  []story.Answer
	Failures []story.Failure
	// Problem is why the step has no answer; nil elsewhere.
	Problem *story.Problem
}

// tell runs the steps of a story until one of them is impossible.
func tell(ctx context.Context, execute Execute, s story.Story, showSecrets bool) (out []told, problem *story.Problem) {
	place, err := os.MkdirTemp("", "ssactl-story-")
	if err != nil {
		return nil, &story.Problem{Place: s.At, Message: err.Error()}
	}
	defer os.RemoveAll(place)
	t := &teller{
		execute: execute, story: s, folder: filepath.Dir(s.At.File), place: place, now: story.Beginning,
		releases: map[string]string{},
	}
	if at, err := time.Parse(time.RFC3339, string(s.Now)); err == nil {
		t.now = at
	}
	if problem := t.begin(); problem != nil {
		return nil, problem
	}
	for i, step := range s.Steps {
		one := told{Step: step}
		if i > 0 {
			t.wait(step)
		}
		answers, err := t.step(ctx, step)
		if err == nil {
			err = unanswered(step, answers)
		}
		if err != nil {
			one.Problem = problemAt(step.At, err)
			return append(out, one), one.Problem
		}
		one.Answers, one.Failures = answers, story.Check(step, answers, showSecrets)
		out = append(out, one)
	}
	return out, nil
}

// problemAt is an error as a problem: where it says itself, or else at a place.
func problemAt(at story.Place, err error) *story.Problem {
	var p *story.Problem
	if errors.As(err, &p) {
		return p
	}
	return &story.Problem{Place: at, Message: err.Error()}
}

// wait moves the clock to a step.
func (t *teller) wait(step story.Step) {
	after := time.Minute
	if d, err := time.ParseDuration(string(step.After)); err == nil {
		after = d
	}
	t.now = t.now.Add(after)
}

// unanswered is why a step cannot be checked: an object without an answer that the step does
// not expect.
func unanswered(step story.Step, answers []story.Answer) error {
	for _, a := range answers {
		if a.Outcome != "Failed" {
			continue
		}
		expected := false
		for _, e := range step.Expect {
			expected = expected || e.Outcome == "Failed"
		}
		if !expected {
			return fmt.Errorf("no answer for %s: %s", a.Reference(), a.Error)
		}
	}
	return nil
}

// begin reads the live objects of the story.
func (t *teller) begin() *story.Problem {
	for _, b := range t.story.Live {
		objects, err := t.objectsOf([]story.Body{b})
		if err != nil {
			return &story.Problem{Place: b.At, Message: err.Error()}
		}
		t.objects = append(t.objects, objects...)
	}
	return nil
}

// file is where a file of the story is.
func (t *teller) file(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(t.folder, path)
}

// write puts a document into a file of the story's own.
func (t *teller) write(name string, document any) (string, error) {
	text, err := json.Marshal(document)
	if err != nil {
		return "", fmt.Errorf("encode %s: %w", name, err)
	}
	t.written++
	path := filepath.Join(t.place, fmt.Sprintf("%d-%s", t.written, name))
	return path, os.WriteFile(path, text, 0o600)
}

// live writes the objects as they are into a file.
func (t *teller) live() (string, error) {
	items := make([]any, len(t.objects))
	for i, o := range t.objects {
		items[i] = o
	}
	return t.write("live.json", map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}

// step answers one step, and keeps what it leaves.
func (t *teller) step(ctx context.Context, s story.Step) ([]story.Answer, error) {
	switch {
	case s.Transfer != "":
		return t.transfer(ctx, s)
	case len(s.Migrate) > 0:
		return t.migrate(ctx, s)
	}
	args, err := t.writing(s)
	if err != nil {
		return nil, err
	}
	answers, err := t.ask(ctx, args)
	if err != nil || s.DryRun {
		return answers, err
	}
	t.keep(answers)
	return answers, t.deploy(s, answers)
}

// ask runs a command line that answers with a report.
func (t *teller) ask(ctx context.Context, args []string) ([]story.Answer, error) {
	var doc struct {
		Results  []story.Answer `json:"results"`
		Problems []struct {
			Message string `json:"message"`
		} `json:"problems"`
	}
	if err := t.document(ctx, args, &doc); err != nil {
		return nil, err
	}
	for _, p := range doc.Problems {
		return nil, errors.New(p.Message)
	}
	return doc.Results, nil
}

// document runs a command line, and reads the document that it writes.
func (t *teller) document(ctx context.Context, args []string, doc any) error {
	out, errs, _ := t.execute(ctx, args)
	if err := kjson.Unmarshal(out, doc); err != nil || len(bytes.TrimSpace(out)) == 0 {
		says := strings.TrimSpace(string(errs))
		return errors.New(strings.TrimPrefix(says, "error: "))
	}
	return nil
}

// keep makes what a step left part of the cluster.
func (t *teller) keep(answers []story.Answer) {
	for _, a := range answers {
		switch {
		case a.Deleted:
			t.set(a, nil)
		case a.Object != nil && a.Code < 300:
			t.set(a, a.Object)
		}
	}
}

// set replaces the object of a name; nil removes it.
func (t *teller) set(a story.Answer, object map[string]any) {
	for i, o := range t.objects {
		if !a.Is(o) {
			continue
		}
		if object == nil {
			t.objects = append(t.objects[:i:i], t.objects[i+1:]...)
		} else {
			t.objects[i] = object
		}
		return
	}
	if object != nil {
		t.objects = append(t.objects, object)
	}
}
