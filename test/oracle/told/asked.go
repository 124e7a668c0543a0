package told

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/cmd"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/story"
	"github.com/ssactl/ssactl/test/oracle/scenario"
	"github.com/ssactl/ssactl/test/parity"
)

// Asked is what the calls of a story came to.
type Asked struct {
	// Calls is how many the server has answered, Left how many it was not asked, by the reason.
	Calls int
	Left  map[string]int
	// Differences are the calls that it answers otherwise than ssactl, each with its story.
	Differences []string
}

// Add adds what another story came to.
func (a *Asked) Add(other Asked) {
	a.Calls += other.Calls
	a.Differences = append(a.Differences, other.Differences...)
	for because, n := range other.Left {
		a.Left[because] += n
	}
}

// Ask has ssactl tell a story, whose expectations have to hold, and asks the server each of the calls
// that ssactl made of its own: it has the same object live, and answers the same.
func (t *Teller) Ask(ctx context.Context, s story.Story, calls *Calls) (out Asked, err error) {
	out.Left = map[string]int{}
	calls.Start()
	var said bytes.Buffer
	code := cmd.Main(
		[]string{"test", s.At.File, "--run", "^" + regexp.QuoteMeta(s.Name) + "$", "--jobs", "1"},
		iostreams.New(strings.NewReader(""), &said, &said, nil),
	)
	list := calls.Stop()
	if code != 0 {
		return out, fmt.Errorf("ssactl test ends with %d:\n%s", code, said.String())
	}
	t.begin(s)
	defer func() {
		if failed := t.clear(ctx); err == nil {
			err = failed
		}
	}()
	if err := t.prepare(ctx, s); err != nil {
		return out, err
	}
	recorder := &scenario.Recorder{Client: t.Server.Client}
	for i, c := range list {
		diff, err := t.same(ctx, recorder, c)
		left := (*leftError)(nil)
		switch {
		case errors.As(err, &left):
			out.Left[left.Error()]++
			continue
		case err != nil:
			return out, fmt.Errorf("call %d, %s: %w", i, line(c.request), err)
		case diff != "":
			out.Differences = append(out.Differences, fmt.Sprintf("%s: call %d, %s:\n%s", s.Name, i, line(c.request), diff))
		}
		out.Calls++
	}
	return out, nil
}

// leftError is why a call is not asked.
type leftError struct{ because string }

func (e *leftError) Error() string { return e.because }

func line(r api.Request) string {
	return fmt.Sprintf("%s %s/%s by %s", r.Verb, strings.ToLower(r.Kind.Kind), r.Name, cmp.Or(r.Manager, r.UserAgent))
}

// same is how the server's answer to a call differs from ssactl's; empty where they are the same.
func (t *Teller) same(ctx context.Context, recorder *scenario.Recorder, c call) (string, error) {
	step, err := t.stepOf(ctx, c.request)
	if err != nil {
		return "", err
	}
	if step, err = recorder.Step(ctx, step); err != nil {
		return "", err
	}
	request, err := parity.Request(step)
	if err != nil {
		return "", err
	}
	answer, err := c.server.Do(ctx, request)
	if err != nil {
		return "", err
	}
	return parity.Diff(step, answer) + parity.DiffStored(step, answer), nil
}

// methods are those of verbs, with their media types.
var methods = map[api.Verb][2]string{
	api.Apply:          {http.MethodPatch, "application/apply-patch+yaml"},
	api.MergePatch:     {http.MethodPatch, "application/merge-patch+json"},
	api.JSONPatch:      {http.MethodPatch, "application/json-patch+json"},
	api.StrategicPatch: {http.MethodPatch, "application/strategic-merge-patch+json"},
	api.Create:         {http.MethodPost, api.JSON},
	api.Update:         {http.MethodPut, api.JSON},
	api.Delete:         {http.MethodDelete, api.JSON},
}

// stepOf is the request of a call, to an object that the server has now as the call has it.
func (t *Teller) stepOf(ctx context.Context, r api.Request) (parity.Step, error) {
	version, kind := r.Kind.ToAPIVersionAndKind()
	res, err := t.resourceOf(ctx, version, kind)
	if errors.Is(err, errNotServed) {
		return parity.Step{}, &leftError{err.Error()}
	}
	if err != nil {
		return parity.Step{}, err
	}
	if r.Name == "" {
		return parity.Step{}, &leftError{"its name is the server's to make"}
	}
	namespace := ""
	if res.namespaced {
		namespace = cmp.Or(r.Namespace, "default")
	}
	if err := t.recorder().Prepare(ctx, &parity.Scenario{Namespace: namespace}); err != nil {
		return parity.Step{}, err
	}
	path := res.path(namespace, r.Name)
	version, err = t.place(ctx, res, path, r)
	if err != nil {
		return parity.Step{}, err
	}
	method := methods[r.Verb]
	step := parity.Step{
		UserAgent: r.UserAgent,
		Target:    parity.Target{APIVersion: r.Kind.GroupVersion().String(), Kind: kind, Namespace: namespace, Name: r.Name},
		Request: parity.HTTPRequest{
			Method: method[0], Path: path, ContentType: cmp.Or(r.MediaType, method[1]), Query: queryOf(r),
			BodyText: string(versionedBody(r, version)),
		},
	}
	if r.Verb == api.Create {
		step.Request.Path = path[:strings.LastIndex(path, "/")]
	}
	if r.Subresource != "" {
		step.Request.Path += "/" + r.Subresource
	}
	return step, nil
}

// queryOf are the parameters of a call.
func queryOf(r api.Request) map[string][]string {
	out := map[string][]string{}
	for name, v := range map[string]string{
		"fieldManager": r.Manager, "fieldValidation": r.FieldValidation, "dryRun": r.DryRun,
		"propagationPolicy": r.PropagationPolicy,
	} {
		if v != "" {
			out[name] = []string{v}
		}
	}
	if r.Force {
		out["force"] = []string{"true"}
	}
	if r.GracePeriodSeconds != nil {
		out["gracePeriodSeconds"] = []string{strconv.FormatInt(*r.GracePeriodSeconds, 10)}
	}
	return out
}

// place has the server have the live object of a call, to its managed fields, and gives the
// resourceVersion that it has now; empty for no object.
func (t *Teller) place(ctx context.Context, res resource, path string, r api.Request) (string, error) {
	stored, err := t.get(ctx, path)
	if err != nil {
		return "", err
	}
	live, err := jsontree.Decode(r.Live)
	if err != nil || live == nil {
		t.made = append(t.made, path)
		return "", t.erase(ctx, res, path, stored)
	}
	if stored == nil {
		if stored, err = t.create(ctx, path, live); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(identified(live, stored))
	if err != nil {
		return "", err
	}
	key, err := t.keyOf(ctx, res, path)
	if err != nil {
		return "", err
	}
	if err := t.Server.Store(ctx, key, text); err != nil {
		return "", err
	}
	if stored, err = t.get(ctx, path); err != nil {
		return "", err
	}
	version, _ := revision(stored).(string)
	return version, nil
}

// erase takes a stored object away; nil is none.
func (t *Teller) erase(ctx context.Context, res resource, path string, stored map[string]any) error {
	if stored == nil {
		return nil
	}
	key, err := t.keyOf(ctx, res, path)
	if err != nil {
		return err
	}
	return t.Server.Erase(ctx, key)
}

// create makes an object, without what only a server gives.
func (t *Teller) create(ctx context.Context, path string, object map[string]any) (map[string]any, error) {
	collection := path[:strings.LastIndex(path, "/")]
	answer, err := t.send(ctx, http.MethodPost, collection, nil, api.JSON, assigned(object, false))
	if err != nil {
		return nil, err
	}
	if answer.Code != http.StatusCreated {
		return nil, &leftError{fmt.Sprintf("its live object cannot be made: %s", answer.Body)}
	}
	t.made = append(t.made, path)
	return jsontree.Decode(answer.Body)
}

// identified is a live object to be stored in the place of another one: with what that one has as its
// identity, where it has none of its own.
func identified(live, stored map[string]any) map[string]any {
	metadata, _ := live["metadata"].(map[string]any)
	was, _ := stored["metadata"].(map[string]any)
	delete(metadata, "resourceVersion")
	for _, name := range []string{"uid", "creationTimestamp"} {
		if metadata[name] == nil {
			metadata[name] = was[name]
		}
	}
	if was["namespace"] != nil {
		metadata["namespace"] = was["namespace"]
	}
	return live
}

// keyOf is where the server stores the object of a path.
func (t *Teller) keyOf(ctx context.Context, res resource, path string) (string, error) {
	p, err := parity.ParsePath(path)
	if err != nil {
		return "", err
	}
	return t.Server.Key(ctx, res.plural, p.Namespace, p.Name)
}

// versionedBody is the body of a call in which the resourceVersion of the live object is the one that
// the server has given it.
func versionedBody(r api.Request, version string) []byte {
	live, err := jsontree.Decode(r.Live)
	if err != nil {
		return r.Body
	}
	was, _ := revision(live).(string)
	if was == "" || version == "" {
		return r.Body
	}
	given := regexp.MustCompile(`("?resourceVersion"?: ?)"?` + regexp.QuoteMeta(was) + `"?`)
	return given.ReplaceAll(r.Body, []byte(`${1}"`+version+`"`))
}
