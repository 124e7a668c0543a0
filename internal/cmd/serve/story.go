package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/serve/wire"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/story"
)

// writeStory writes what clients wrote as a story that expects the same outcomes. A story has no
// values of Secrets, so writes of these are left out, and said to be.
func (o *options) writeStory(spec wire.Spec, writes []wire.Write) error {
	if o.record == "" {
		return nil
	}
	s, left := o.story(spec, writes)
	o.app.Notice(left)
	if len(s.Steps) == 0 {
		return errors.New("--record: nothing was written that a story can have")
	}
	text, err := story.Print(s)
	if err != nil {
		return err
	}
	return os.WriteFile(o.record, text, 0o600)
}

// story tells the writes that a story can have, and names the others.
func (o *options) story(spec wire.Spec, writes []wire.Write) (s story.Story, left []string) {
	s = story.Story{Name: "what clients wrote", KubernetesVersion: o.release}
	if len(o.command) > 0 {
		s.Name = strings.Join(o.command, " ")
	}
	for _, path := range spec.Live {
		s.Live = append(s.Live, story.Body{Path: o.fromStory(path)})
	}
	for _, path := range spec.Definitions {
		s.CRDs = append(s.CRDs, o.fromStory(path))
	}
	for _, w := range writes {
		is, ok := writtenBy(w)
		if !ok || redact.IsSecret(groupVersion(w).String(), is.write.Kind.Kind) {
			left = append(left, fmt.Sprintf("--record: left out %s %s", w.Method, w.Path))
			continue
		}
		if s.Namespace == "" {
			s.Namespace = is.write.Namespace
		}
		step, err := stepOf(is, s.Namespace)
		if err != nil {
			left = append(left, fmt.Sprintf("--record: left out %s %s: %v", w.Method, w.Path, err))
			continue
		}
		s.Steps = append(s.Steps, step)
	}
	return s, left
}

// fromStory is a path as the story names it: from its own folder.
func (o *options) fromStory(path string) string {
	to, err := filepath.Abs(path)
	from, fromErr := filepath.Abs(filepath.Dir(o.record))
	if err != nil || fromErr != nil {
		return path
	}
	if relative, err := filepath.Rel(from, to); err == nil {
		return filepath.ToSlash(relative)
	}
	return to
}

// patchTypes are the words that stories have for patches.
var patchTypes = map[api.Verb]string{api.MergePatch: "merge", api.JSONPatch: "json", api.StrategicPatch: "strategic"}

// stepOf is a write as a step. Only a body says a namespace: other steps are in that of the story.
func stepOf(is written, namespace string) (story.Step, error) {
	w := is.write
	target := w.Kind.Kind + "/" + w.Name
	if w.Kind.Group != "" {
		target = w.Kind.Kind + "." + w.Kind.Group + "/" + w.Name
	}
	step := story.Step{
		As: managerOf(w), Client: "none", Force: w.Force, Subresource: w.Subresource, DryRun: w.DryRun,
		Expect: []story.Expect{{Outcome: string(outcomeOf(is))}},
	}
	switch w.Verb {
	case api.Apply, api.Create, api.Update:
		object := bodyOf(w)
		if object == nil {
			return step, errors.New("its body is no object")
		}
		body := []story.Body{{Object: object}}
		switch w.Verb {
		case api.Apply:
			step.Apply = body
		case api.Create:
			step.Create = body
		default:
			step.Update = body
		}
		return step, nil
	}
	if w.Namespace != "" && w.Namespace != namespace {
		return step, fmt.Errorf("the story is in namespace %s", namespace)
	}
	if w.Verb == api.Delete {
		step.Delete = target
		return step, nil
	}
	step.Patch, step.Type = target, patchTypes[w.Verb]
	if err := json.Unmarshal(w.Body, &step.With); err != nil {
		return step, errors.New("its body is no JSON")
	}
	return step, nil
}

// bodyOf is the body with the namespace and the name that the path of the request has.
func bodyOf(w engine.Write) map[string]any {
	object, err := jsontree.Decode(w.Body)
	if err != nil || object == nil {
		return nil
	}
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"] = w.Name
	if w.Namespace != "" {
		metadata["namespace"] = w.Namespace
	}
	// The server of the story has other versions.
	delete(metadata, "resourceVersion")
	delete(metadata, "uid")
	object["metadata"] = metadata
	return object
}

// managerOf is the field manager: without a parameter it is the product of the user agent.
func managerOf(w engine.Write) string {
	if w.Manager != "" {
		return w.Manager
	}
	product, _, _ := strings.Cut(w.UserAgent, "/")
	return product
}

// outcomeOf is the outcome that the answer says.
func outcomeOf(is written) report.Outcome {
	switch {
	case is.given.Code == 409 && is.write.Verb == api.Apply:
		return report.Conflicted
	case is.given.Code >= 300:
		return report.Invalid
	case is.write.Live == nil:
		return report.Created
	case versionOf(is.write.Live) == versionOf(is.after):
		return report.Unchanged
	}
	return report.Configured
}
