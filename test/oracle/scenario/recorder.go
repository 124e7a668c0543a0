package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/parity"
)

// Recorder asks one server.
type Recorder struct {
	Client *kube.Client
	// Storage is that of the server; nil where no step changes it.
	Storage Storage

	// inForce is when all that was written decides about other requests.
	inForce time.Time
}

// Record tells a scenario from its first step to its last. What the scenario
// says of answers is replaced; uids and resource versions in bodies that come
// from an earlier recording are replaced by those of this server.
func (r *Recorder) Record(ctx context.Context, scenario parity.Scenario) (parity.Scenario, Renames, error) {
	scenario.RecordedAt = time.Now().UTC().Truncate(time.Second)
	renamed := Renames{}
	if err := r.Prepare(ctx, &scenario); err != nil {
		return scenario, renamed, fmt.Errorf("prepare %s: %w", scenario.Name, err)
	}
	told := scenario.Steps
	scenario.Steps = nil
	for i, old := range told {
		fresh, err := r.again(ctx, old, renamed)
		if err != nil {
			return scenario, renamed, fmt.Errorf("%s, step %d: %w", scenario.Name, i, err)
		}
		if err := r.others(ctx, scenario, &fresh); err != nil {
			return scenario, renamed, fmt.Errorf("%s, step %d: %w", scenario.Name, i, err)
		}
		if err := r.Beside(ctx, scenario, &fresh); err != nil {
			return scenario, renamed, fmt.Errorf("%s, step %d: %w", scenario.Name, i, err)
		}
		fresh.Index = i
		scenario.Steps = append(scenario.Steps, fresh)
	}
	return scenario, renamed, r.Clear(ctx, scenario)
}

// again sends the request of an earlier recording.
func (r *Recorder) again(ctx context.Context, old parity.Step, renamed Renames) (parity.Step, error) {
	path, err := parity.ParsePath(old.Request.Path)
	if err != nil {
		return old, err
	}
	if err := r.store(ctx, old); err != nil {
		return old, err
	}
	live, err := r.live(ctx, path, old.Target.Name)
	if err != nil {
		return old, err
	}
	renamed.learn(old.LiveBefore, live)
	fresh := old
	fresh.Request = renamed.request(old.Request)
	fresh, err = r.Step(ctx, fresh)
	renamed.learn(old.LiveAfter, fresh.LiveAfter)
	renamed.learn(old.Response, fresh.Response)
	return fresh, err
}

// Step sends one request and records the object before and after it. An error
// means that the server gave no answer.
func (r *Recorder) Step(ctx context.Context, step parity.Step) (parity.Step, error) {
	path, err := parity.ParsePath(step.Request.Path)
	if err != nil {
		return step, err
	}
	if err := r.wait(ctx, step); err != nil {
		return step, err
	}
	if step.LiveBefore, err = r.live(ctx, path, step.Target.Name); err != nil {
		return step, err
	}
	step.StartedAt = time.Now().UTC()
	answer, err := r.Client.Do(ctx, kube.Call{
		Method:      step.Request.Method,
		Path:        step.Request.Path,
		Query:       url.Values(step.Request.Query),
		ContentType: step.Request.ContentType,
		UserAgent:   step.UserAgent,
		Body:        step.Request.Bytes(),
	})
	if err != nil {
		return step, err
	}
	step.FinishedAt = time.Now().UTC()
	step.Status, step.Warnings, step.Response = answer.Code, answer.Warnings, asDocument(answer)
	if step.Target.Name == "" {
		step.Target.Name = nameOf(step.Response)
	}
	if step.LiveAfter, err = r.live(ctx, path, step.Target.Name); err != nil {
		return step, err
	}
	return step, r.settle(ctx, step)
}

// live reads the object that a path names; JSON null when there is none.
func (r *Recorder) live(ctx context.Context, path parity.Path, name string) (json.RawMessage, error) {
	absent := json.RawMessage("null")
	if path.Name == "" && name == "" {
		return absent, nil
	}
	answer, err := r.Client.Get(ctx, path.Object(name))
	if err != nil {
		return nil, err
	}
	if answer.Code != http.StatusOK {
		return absent, nil
	}
	return asDocument(answer), nil
}

// asDocument gives an answer as one line of JSON; plain text becomes a JSON
// string, no body JSON null.
func asDocument(answer kube.Answer) json.RawMessage {
	if len(answer.Body) == 0 {
		return json.RawMessage("null")
	}
	if json.Valid(answer.Body) {
		return json.RawMessage(answer.Body)
	}
	quoted, err := json.Marshal(string(answer.Body))
	if err != nil {
		return json.RawMessage("null")
	}
	return quoted
}

func nameOf(object json.RawMessage) string {
	var meta struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	// A Status has no name.
	_ = json.Unmarshal(object, &meta)
	return meta.Metadata.Name
}
