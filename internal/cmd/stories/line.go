package stories

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/story"
)

// writing is the command line of a step that writes.
func (t *teller) writing(s story.Step) ([]string, error) {
	live, err := t.live()
	if err != nil {
		return nil, err
	}
	var args, operands []string
	add := func(given bool, name, value string) {
		if given {
			args = append(args, "--"+name+"="+value)
		}
	}
	switch {
	case len(s.Apply) > 0 || s.Kustomization != "":
		args, err = t.applying(s)
	case len(s.Create) > 0:
		args, err = t.manifests("create", s.Create)
	case len(s.Update) > 0:
		args, err = t.manifests("update", s.Update)
	case s.Patch != "":
		patch, failed := json.Marshal(s.With)
		if text, is := s.With.(string); is {
			patch = []byte(text)
		}
		args, operands, err = []string{"patch", "--patch=" + string(patch)}, named(s.Patch), failed
		add(s.Type != "", "type", s.Type)
	case s.Scale != "":
		args, operands = []string{"scale", fmt.Sprintf("--replicas=%d", *s.Replicas)}, named(s.Scale)
	default:
		args, operands = []string{"delete"}, named(s.Delete)
	}
	if err != nil {
		return nil, err
	}
	add(true, "live", live)
	add(s.As != "", "field-manager", s.As)
	add(s.Subresource != "", "subresource", s.Subresource)
	add(s.Validate != "", "validate", s.Validate)
	add(s.DryRun, "dry-run", "server")
	add(s.Rounds != nil, "rounds", fmt.Sprint(value(s.Rounds)))
	for _, path := range t.story.Policy {
		add(true, "policy", t.file(path))
	}
	args = append(args, t.common(s.Patch+s.Scale+s.Delete)...)
	return slices.Concat(args, []string{"--"}, operands), nil
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// common are the flags of every step, about an object that it names; empty for none.
func (t *teller) common(object string) []string {
	args := []string{"--output=report", "--show-secrets", "--config=none", "--now=" + t.now.Format(time.RFC3339)}
	if t.story.KubernetesVersion != "" {
		args = append(args, "--kubernetes-version="+t.story.KubernetesVersion)
	}
	if namespace := firstOf(namespaceOf(object), t.story.Namespace); namespace != "" {
		args = append(args, "--namespace="+namespace)
	}
	for _, path := range t.story.CRDs {
		args = append(args, "--crds="+t.file(path))
	}
	return args
}

// named is an object as the command line names it.
func named(object string) []string {
	if strings.Count(object, "/") == 2 {
		_, object, _ = strings.Cut(object, "/")
	}
	return []string{object}
}

// namespaceOf is that of NAMESPACE/KIND/NAME; empty where there is none.
func namespaceOf(object string) string {
	if strings.Count(object, "/") != 2 {
		return ""
	}
	namespace, _, _ := strings.Cut(object, "/")
	return namespace
}

// manifests is a command over manifests.
func (t *teller) manifests(command string, bodies []story.Body) ([]string, error) {
	args := []string{command, "--recursive"}
	for _, b := range bodies {
		path := t.file(b.Path)
		if b.Object != nil {
			var err error
			if path, err = t.write("object.json", b.Object); err != nil {
				return nil, err
			}
		} else if _, err := os.Stat(path); err != nil {
			return nil, &story.Problem{Place: b.At, Message: err.Error()}
		}
		args = append(args, "--filename="+path)
	}
	return args, nil
}

// applying is an apply, as the client of the step sends it.
func (t *teller) applying(s story.Step) ([]string, error) {
	args, err := t.manifests("apply", s.Apply)
	if s.Kustomization != "" {
		args, err = []string{"apply", "--kustomize=" + t.file(s.Kustomization)}, nil
	}
	if err != nil {
		return nil, err
	}
	add := func(given bool, name, value string) {
		if given {
			args = append(args, "--"+name+"="+value)
		}
	}
	add(s.Client != "", "client", s.Client)
	add(s.Force, "force-conflicts", "true")
	add(s.ServerSide != "", "server-side", string(s.ServerSide))
	if !strings.HasPrefix(s.Client, "helm") {
		return args, nil
	}
	release := releaseOf(s)
	add(true, "release", release)
	add(t.releases[release] != "", "release-manifest", t.releases[release])
	return args, nil
}

// releaseOf is the name of the release of a step.
func releaseOf(s story.Step) string { return cmp.Or(s.Release, "release") }

// deploy has the manifests of a step be those of its release, as Helm keeps them. A run that is
// refused leaves the revision that was deployed before to be the one that the next run compares
// with; without one it is its own, unless Helm has refused it before the first request.
func (t *teller) deploy(s story.Step, answers []story.Answer) (err error) {
	if !strings.HasPrefix(s.Client, "helm") || len(s.Apply) == 0 {
		return nil
	}
	release := releaseOf(s)
	for _, a := range answers {
		refused := a.Outcome == "Conflicted" || a.Outcome == "Invalid"
		if refused && (t.releases[release] != "" || a.Code == 0) {
			return nil
		}
	}
	t.releases[release], err = t.deployed(s.Apply)
	return err
}

// objectsOf are the objects of manifests.
func (t *teller) objectsOf(list []story.Body) ([]map[string]any, error) {
	var out []map[string]any
	for _, b := range list {
		if b.Object != nil {
			out = append(out, b.Object)
			continue
		}
		documents, problems := manifest.Load([]string{t.file(b.Path)}, manifest.Options{Recursion: manifest.Recursive})
		for _, p := range problems {
			return nil, p
		}
		for _, d := range documents {
			object, err := jsontree.Decode(d.JSON())
			if err != nil {
				return nil, err
			}
			out = append(out, object)
		}
	}
	return out, nil
}

// deployed is a file with the manifests of a step, as Helm keeps them in its release.
func (t *teller) deployed(bodies []story.Body) (string, error) {
	documents, err := t.objectsOf(bodies)
	if err != nil {
		return "", err
	}
	var text []byte
	for _, d := range documents {
		one, err := json.Marshal(d)
		if err != nil {
			return "", err
		}
		text = append(append(text, "---\n"...), append(one, '\n')...)
	}
	t.written++
	path := fmt.Sprintf("%s/%d-release.yaml", t.place, t.written)
	return path, os.WriteFile(path, text, 0o600)
}

// migrate has client-side entries become server-side ones: the command writes into the live
// file, which is read again.
func (t *teller) migrate(ctx context.Context, s story.Step) ([]story.Answer, error) {
	live, err := t.live()
	if err != nil {
		return nil, err
	}
	args, err := t.manifests("migrate", s.Migrate)
	if err != nil {
		return nil, err
	}
	args = append(args, "--live="+live, "--write")
	for _, from := range s.From {
		args = append(args, "--from="+from)
	}
	if to := firstOf(s.To, s.As); to != "" {
		args = append(args, "--to="+to)
	}
	var doc map[string]any
	if err := t.document(ctx, append(args, t.common("")...), &doc); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(live)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []map[string]any `json:"items"`
	}
	if err := kjson.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	before := t.objects
	t.objects = list.Items
	var out []story.Answer
	for i, o := range list.Items {
		if i < len(before) && !story.Equal(any(before[i]), any(o)) {
			out = append(out, story.AnswerOf(before[i], o))
		}
	}
	return out, nil
}

// transfer plans how a field changes hands, and does the applies of the plan.
func (t *teller) transfer(ctx context.Context, s story.Step) ([]story.Answer, error) {
	live, err := t.live()
	if err != nil {
		return nil, err
	}
	args := []string{"transfer", "--live=" + live}
	for _, from := range s.From {
		args = append(args, "--from="+from)
	}
	if s.To != "" {
		args = append(args, "--to="+s.To)
	} else {
		args = append(args, "--to-controller="+s.Controller)
	}
	args = slices.Concat(args, t.common(s.Transfer), []string{"--"}, named(s.Transfer), []string{s.Field})
	var doc struct {
		Plans []struct {
			Error   string `json:"error"`
			Chosen  string `json:"chosen"`
			Reason  string `json:"reason"`
			Options []struct {
				Kind  string `json:"kind"`
				Steps []struct {
					Kind     string         `json:"kind"`
					Manager  string         `json:"manager"`
					Manifest map[string]any `json:"manifest"`
				} `json:"steps"`
			} `json:"options"`
		} `json:"plans"`
	}
	if err := t.document(ctx, args, &doc); err != nil {
		return nil, err
	}
	var out []story.Answer
	for _, plan := range doc.Plans {
		if plan.Chosen == "" {
			return nil, errors.New(firstOf(plan.Error, plan.Reason, "there is no safe way to transfer the field"))
		}
		for _, option := range plan.Options {
			if option.Kind != plan.Chosen {
				continue
			}
			for _, step := range option.Steps {
				if step.Kind != "Apply" {
					continue
				}
				answers, err := t.step(ctx, story.Step{
					Apply: []story.Body{{Object: step.Manifest}}, As: step.Manager, Client: "none",
				})
				if err != nil {
					return nil, err
				}
				out = answers
			}
		}
	}
	return out, nil
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
