package told

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/scenario"
	"github.com/ssactl/ssactl/test/parity"
)

// resource is where the objects of a kind are.
type resource struct {
	root, plural string
	namespaced   bool
}

// path is that of an object.
func (r resource) path(namespace, name string) string {
	if !r.namespaced {
		namespace = ""
	}
	return parity.Path{Group: r.root, Namespace: namespace, Resource: r.plural}.Object(name)
}

// rootOf is the path of an API version.
func rootOf(apiVersion string) string {
	if strings.Contains(apiVersion, "/") {
		return "/apis/" + apiVersion
	}
	return "/api/" + apiVersion
}

// resourceOf looks a kind up; the kind may be in lower case, or its plural.
func (t *Teller) resourceOf(ctx context.Context, apiVersion, kind string) (resource, error) {
	if found, is := t.paths[apiVersion+" "+kind]; is {
		return found, nil
	}
	answer, err := t.Server.Client.Get(ctx, rootOf(apiVersion))
	if err != nil {
		return resource{}, err
	}
	var list struct {
		Resources []struct {
			Name, Kind string
			Namespaced bool
		}
	}
	if answer.Code == http.StatusNotFound {
		return resource{}, fmt.Errorf("%w: %s", errNotServed, apiVersion)
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return resource{}, fmt.Errorf("read the resources of %s: %w", apiVersion, err)
	}
	for _, r := range list.Resources {
		if strings.Contains(r.Name, "/") || !strings.EqualFold(r.Kind, kind) && r.Name != kind {
			continue
		}
		found := resource{rootOf(apiVersion), r.Name, r.Namespaced}
		t.paths[apiVersion+" "+kind] = found
		return found, nil
	}
	return resource{}, fmt.Errorf("%w: %s in %s", errNotServed, kind, apiVersion)
}

// errNotServed is wrapped where the server has no such kind.
var errNotServed = errors.New("not served")

// at is the path of an object, whose namespace is made where there is none.
func (t *Teller) at(ctx context.Context, object map[string]any) (resource, string, error) {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	r, err := t.resourceOf(ctx, apiVersion, kind)
	if err != nil {
		return r, "", err
	}
	namespace, name := nameOf(object)
	if !r.namespaced {
		return r, r.path("", name), nil
	}
	if namespace == "" {
		namespace = t.inNamespace()
	}
	return r, r.path(namespace, name), t.recorder().Prepare(ctx, &parity.Scenario{Namespace: namespace})
}

func (t *Teller) inNamespace() string {
	if t.namespace != "" {
		return t.namespace
	}
	return "default"
}

// define makes the server serve a definition.
func (t *Teller) define(ctx context.Context, definition map[string]any) error {
	_, path, err := t.at(ctx, definition)
	if err != nil {
		return err
	}
	text, err := json.Marshal(definition)
	if err != nil {
		return err
	}
	t.made = append(t.made, path)
	if err := t.recorder().Prepare(ctx, &parity.Scenario{CRDs: []json.RawMessage{text}}); err != nil {
		return err
	}
	// What is established is served a moment later.
	return sleep(ctx, time.Second)
}

// recorder makes namespaces and definitions as those of recorded scenarios are made.
func (t *Teller) recorder() *scenario.Recorder { return &scenario.Recorder{Client: t.Server.Client} }

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// store makes a live object as it is given, with its managed fields. One of a kind that the server
// does not have, as of another program, is only an input of ssactl.
func (t *Teller) store(ctx context.Context, object map[string]any) error {
	r, path, err := t.at(ctx, object)
	if errors.Is(err, errNotServed) {
		return nil
	}
	if err != nil {
		return err
	}
	collection := path[:strings.LastIndex(path, "/")]
	answer, err := t.send(ctx, http.MethodPost, collection, nil, "application/json", assigned(object, false))
	switch {
	case err != nil:
		return err
	case answer.Code == http.StatusConflict:
		// What a server has from its start, such as kube-system.
		return nil
	case answer.Code != http.StatusCreated:
		return fmt.Errorf("create %s: %d %s", path, answer.Code, answer.Body)
	}
	t.made = append(t.made, path)
	stored, err := jsontree.Decode(answer.Body)
	if err != nil {
		return err
	}
	metadata, _ := object["metadata"].(map[string]any)
	if metadata["managedFields"] != nil {
		if err := t.storeFields(ctx, r, stored, metadata["managedFields"]); err != nil {
			return err
		}
		if stored, err = t.get(ctx, path); err != nil {
			return err
		}
	}
	if given := revision(object); given != nil {
		t.revisions[given] = revision(stored)
	}
	return nil
}

// storeFields gives a stored object other managed fields, as no request can.
func (t *Teller) storeFields(ctx context.Context, r resource, stored map[string]any, fields any) error {
	metadata := stored["metadata"].(map[string]any)
	metadata["managedFields"] = fields
	delete(metadata, "resourceVersion")
	namespace, name := nameOf(stored)
	key, err := t.Server.Key(ctx, r.plural, namespace, name)
	if err != nil || key == "" {
		return errors.Join(fmt.Errorf("%s %s is not stored", r.plural, name), err)
	}
	text, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	if err := t.Server.Store(ctx, key, text); err != nil {
		return err
	}
	// Reads come from a cache that watches.
	return sleep(ctx, 200*time.Millisecond)
}

// assigned is an object without what only a server assigns, but for its managed fields where
// they are kept.
func assigned(object map[string]any, keepsFields bool) map[string]any {
	out := map[string]any{}
	for k, v := range object {
		out[k] = v
	}
	metadata := map[string]any{}
	of, _ := object["metadata"].(map[string]any)
	for k, v := range of {
		switch k {
		case "uid", "resourceVersion", "creationTimestamp", "generation", "selfLink":
		case "managedFields":
			if keepsFields {
				metadata[k] = v
			}
		default:
			metadata[k] = v
		}
	}
	out["metadata"] = metadata
	return out
}

// clear removes the objects of a story.
func (t *Teller) clear(ctx context.Context) error {
	for i := len(t.made) - 1; i >= 0; i-- {
		body := map[string]any{"gracePeriodSeconds": 0, "propagationPolicy": "Background"}
		if _, err := t.send(ctx, http.MethodDelete, t.made[i], nil, "application/json", body); err != nil {
			return err
		}
		if !strings.Contains(t.made[i], "/customresourcedefinitions/") {
			continue
		}
		for range 300 {
			if gone, err := t.get(ctx, t.made[i]); err != nil || gone == nil {
				break
			}
			if err := sleep(ctx, 100*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return nil
}

// send sends a request with a body as JSON; a text is sent as it is.
func (t *Teller) send(
	ctx context.Context, method, path string, query map[string][]string, contentType string, body any,
) (kube.Answer, error) {
	text, is := body.(string)
	sent := []byte(text)
	if !is && body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return kube.Answer{}, err
		}
	}
	return t.Server.Client.Do(ctx, kube.Call{
		Method: method, Path: path, Query: query, ContentType: contentType, UserAgent: "story", Body: sent,
	})
}
