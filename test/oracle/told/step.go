package told

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/story"
	"github.com/ssactl/ssactl/test/oracle/kube"
)

// request is one that a step sends.
type request struct {
	method, path, contentType string
	// object is the path of the main resource; empty where its name comes with the answer.
	object string
	query  url.Values
	body   any
	verb   string
}

// step sends the requests of a step, and gives what each came to.
func (t *Teller) step(ctx context.Context, s story.Step) ([]story.Answer, error) {
	list, err := t.requests(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []story.Answer
	for _, r := range list {
		t.made = append(t.made, r.object)
		a, err := t.ask(ctx, r)
		if err != nil {
			return nil, err
		}
		a.Manager = s.As
		out = append(out, a)
	}
	return out, nil
}

// requests are those of a step.
func (t *Teller) requests(ctx context.Context, s story.Step) ([]request, error) {
	query := url.Values{"fieldManager": {cmp.Or(s.As, "kubectl")}}
	if s.DryRun {
		query.Set("dryRun", "All")
	}
	if s.Validate != "" {
		query.Set("fieldValidation", map[string]string{"strict": "Strict", "warn": "Warn", "ignore": "Ignore"}[s.Validate])
	}
	switch {
	case len(s.Apply) > 0:
		if s.Force {
			query.Set("force", "true")
		}
		return t.ofBodies(
			ctx,
			s,
			request{method: http.MethodPatch, contentType: "application/apply-patch+yaml", query: query, verb: "Apply"},
			s.Apply,
		)
	case len(s.Create) > 0:
		return t.ofBodies(
			ctx,
			s,
			request{method: http.MethodPost, contentType: "application/json", query: query, verb: "Create"},
			s.Create,
		)
	case len(s.Update) > 0:
		return t.ofBodies(
			ctx,
			s,
			request{method: http.MethodPut, contentType: "application/json", query: query, verb: "Update"},
			s.Update,
		)
	}
	path, err := t.named(ctx, s.Patch+s.Scale+s.Delete)
	if err != nil {
		return nil, err
	}
	r := request{object: path, path: path, query: query, method: http.MethodPatch, verb: "Patch"}
	switch {
	case s.Patch != "":
		kind := cmp.Or(s.Type, "strategic")
		r.contentType, r.body = "application/"+map[string]string{
			"json": "json-patch+json", "merge": "merge-patch+json", "strategic": "strategic-merge-patch+json",
		}[kind], s.With
		if s.Subresource != "" {
			r.path += "/" + s.Subresource
		}
	case s.Scale != "":
		r.path, r.contentType = path+"/scale", "application/merge-patch+json"
		r.body = map[string]any{"spec": map[string]any{"replicas": *s.Replicas}}
	default:
		r.method, r.verb, r.query = http.MethodDelete, "Delete", url.Values{}
	}
	return []request{r}, nil
}

// ofBodies is a request for each object.
func (t *Teller) ofBodies(ctx context.Context, s story.Step, of request, bodies []story.Body) ([]request, error) {
	objects, err := t.objects(bodies)
	if err != nil {
		return nil, err
	}
	var out []request
	for _, o := range objects {
		r := of
		_, path, err := t.at(ctx, o)
		if err != nil {
			return nil, err
		}
		r.object, r.path, r.body = path, path, o
		if r.method == http.MethodPost {
			r.path = path[:strings.LastIndex(path, "/")]
		}
		if s.Subresource != "" {
			r.path += "/" + s.Subresource
		}
		out = append(out, r)
	}
	return out, nil
}

// named is the path of an object that a step names: one that the story has made.
func (t *Teller) named(ctx context.Context, object string) (string, error) {
	namespace, kind, group, name := split(object)
	for _, path := range t.made {
		if !strings.HasSuffix(path, "/"+name) || group != "" && !strings.Contains(path, "/apis/"+group+"/") ||
			namespace != "" && !strings.Contains(path, "/namespaces/"+namespace+"/") {
			continue
		}
		answer, err := t.Server.Client.Get(ctx, path)
		if err != nil {
			return "", err
		}
		if o, err := jsontree.Decode(answer.Body); err == nil && strings.EqualFold(fmt.Sprint(o["kind"]), kind) {
			return path, nil
		}
	}
	return "", fmt.Errorf("the story has no %s so far", object)
}

// ask sends a request, and gives what it came to.
func (t *Teller) ask(ctx context.Context, r request) (story.Answer, error) {
	before, err := t.get(ctx, r.object)
	if err != nil {
		return story.Answer{}, err
	}
	if object, is := r.body.(map[string]any); is && r.verb != "Patch" {
		r.body = t.versioned(object, before, r.verb == "Update")
	}
	answer, err := t.send(ctx, r.method, r.path, r.query, r.contentType, r.body)
	if err != nil {
		return story.Answer{}, err
	}
	said, _ := jsontree.Decode(answer.Body)
	after := said
	if r.path != r.object && r.method != http.MethodPost || r.method == http.MethodDelete {
		if after, err = t.get(ctx, r.object); err != nil {
			return story.Answer{}, err
		}
	}
	if answer.Code >= http.StatusBadRequest {
		return refused(r, before, said, answer), nil
	}
	a := story.AnswerOf(before, after)
	if after == nil {
		a = story.AnswerOf(nil, before)
		a.Object, a.Deleted = nil, true
	}
	a.Operation, a.Code, a.Live, a.Warnings = r.verb, int64(answer.Code), before, answer.Warnings
	switch {
	case before == nil:
		a.Outcome = "Created"
	case after != nil && story.Equal(assigned(before, true), assigned(after, true)):
		a.Outcome = "Unchanged"
	}
	return a, nil
}

// refused is the answer to a request that the server refuses.
func refused(r request, before, status map[string]any, answer kube.Answer) story.Answer {
	of := before
	if of == nil {
		of, _ = r.body.(map[string]any)
	}
	a := story.AnswerOf(before, of)
	a.Operation, a.Outcome, a.Code, a.Object, a.Live = r.verb, "Invalid", int64(answer.Code), nil, before
	a.Warnings = answer.Warnings
	message, _ := status["message"].(string)
	a.Status = &struct {
		Message string `json:"message"`
	}{message}
	details, _ := status["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	for _, c := range causes {
		cause, _ := c.(map[string]any)
		if cause["reason"] != "FieldManagerConflict" {
			continue
		}
		a.Outcome = "Conflicted"
		field, _ := cause["field"].(string)
		for _, name := range quoted.FindAllStringSubmatch(fmt.Sprint(cause["message"]), -1) {
			a.Conflicts = append(a.Conflicts, struct {
				Field   string `json:"field"`
				Manager string `json:"manager"`
			}{field, name[1]})
		}
	}
	return a
}

// quoted is the field manager in the message of a cause.
var quoted = regexp.MustCompile(`conflict with "([^"]*)"`)

// get reads an object; nil where there is none.
func (t *Teller) get(ctx context.Context, path string) (map[string]any, error) {
	answer, err := t.Server.Client.Get(ctx, path)
	if err != nil || answer.Code == http.StatusNotFound {
		return nil, err
	}
	return jsontree.Decode(answer.Body)
}

func revision(object map[string]any) any {
	metadata, _ := object["metadata"].(map[string]any)
	return metadata["resourceVersion"]
}

// versioned is an object with the resource version that the server has given it; one that replaces
// another has one.
func (t *Teller) versioned(object, live map[string]any, needs bool) map[string]any {
	given := revision(object)
	version, known := t.revisions[given]
	switch {
	case given != nil && !known, given == nil && (live == nil || !needs):
		return object
	case given == nil:
		version = revision(live)
	}
	out := assigned(object, true)
	out["metadata"].(map[string]any)["resourceVersion"] = version
	return out
}
