package impact

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// trial is an object under one of the sides.
type trial struct {
	Object
	server api.Server
	kind   gvk.GroupVersionKind
	// was and is are the shapes of the object as it is given, and as it is stored.
	was, is managedfields.Shape
	// object and live are the object at the version that is written.
	object map[string]any
	live   []byte
	// written is the answer to the next write; nil before it is asked for.
	written *outcome
	out     []Effect
}

// part is one of the things that a side is asked.
type part func(*trial, context.Context) error

// under is the object under one side.
func (o Object) under(server api.Server, kind gvk.GroupVersionKind, is api.Type) (*trial, error) {
	t := &trial{Object: o, server: server, kind: kind, was: shapeOf(o.Was), is: shapeOf(is), object: maps.Clone(o.Live)}
	t.object["apiVersion"], t.object["kind"] = kind.ToAPIVersionAndKind()
	var err error
	t.live, err = json.Marshal(t.object)
	return t, err
}

// part gives the effects of one part.
func (t *trial) part(ctx context.Context, ask part) ([]Effect, error) {
	t.out = nil
	if err := t.write(ctx); err != nil {
		return nil, err
	}
	err := ask(t, ctx)
	return t.out, err
}

func shapeOf(t api.Type) managedfields.Shape {
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
}

func (t *trial) effect(e Effect) { t.out = append(t.out, e) }

// probe is the manager of the write that changes nothing of what is there. As it
// applies, it makes no room for itself among the entries of others.
const probe = "ssactl-schema-impact"

// write asks for the next write, once.
func (t *trial) write(ctx context.Context) error {
	if t.written != nil {
		return nil
	}
	metadata := map[string]any{"name": t.Target.Name, "annotations": map[string]any{"ssactl.dev/" + probe: ""}}
	if t.Target.Namespace != "" {
		metadata["namespace"] = t.Target.Namespace
	}
	apiVersion, kind := t.kind.ToAPIVersionAndKind()
	answer, err := t.do(
		ctx,
		api.Request{Verb: api.Apply, Manager: probe},
		map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata},
	)
	t.written = &answer
	return err
}

// create sends the object as a new one, for which there is no ratcheting.
func (t *trial) create(ctx context.Context) error {
	body, metadata := maps.Clone(t.object), maps.Clone(asMap(t.object["metadata"]))
	for _, key := range []string{
		"uid", "resourceVersion", "managedFields", "creationTimestamp", "generation", "deletionTimestamp",
		"deletionGracePeriodSeconds", "selfLink",
	} {
		delete(metadata, key)
	}
	body["metadata"] = metadata
	fresh := *t
	fresh.live = nil
	created, err := fresh.do(ctx, api.Request{Verb: api.Create, Manager: probe}, body)
	if err == nil && created.code == http.StatusUnprocessableEntity {
		t.refused(objectInvalid, "", created)
	}
	return err
}

// outcome is what the server answers to a request.
type outcome struct {
	verb   api.Verb
	body   any
	code   int
	status report.Status
	object map[string]any
}

func (a outcome) refused() bool { return a.code >= http.StatusMultipleChoices }

func (t *trial) do(ctx context.Context, r api.Request, body map[string]any) (outcome, error) {
	var err error
	if r.Body, err = json.Marshal(body); err != nil {
		return outcome{}, err
	}
	r.Kind, r.Namespace, r.Name = t.kind, t.Target.Namespace, t.Target.Name
	r.Live, r.Now = t.live, t.Now
	answer, err := t.server.Do(ctx, r)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{verb: r.Verb, body: body, code: answer.Code}
	if out.refused() {
		return out, out.status.UnmarshalJSON(answer.Body)
	}
	return out, kjson.Unmarshal(answer.Stored, &out.object)
}

var applyRefused = &effectRule{finding.Rule{
	Name: "apply-refused", Severity: report.SeverityError,
	Title: "The next apply of a field manager is rejected.",
	Why:   "It was accepted before the change, with the same manifest.",
	Fix:   "change the manifest together with the definition",
}, func(e Effect) text.Text {
	return text.New("the next apply of %v is rejected for %v", e.by(), e.field())
}}

var applyChanges = &effectRule{finding.Rule{
	Name: "apply-changes", Severity: report.SeverityWarning,
	Title: "The next apply of an unchanged manifest changes the object.",
	Why:   "It changed nothing before.",
	Fix:   "compare the manifest with what is meant",
}, func(e Effect) text.Text { return text.New("the next apply of %v changes %v", e.by(), e.field()) }}

// applies send once more what each manager applied last, as far as its entry says it:
// an unchanged manifest. Of entries at another version than the object's that is not
// known without a conversion.
func (t *trial) applies() []part {
	var out []part
	for _, e := range managedfields.Of(t.Live).Readable() {
		if e.Operation == managedfields.Apply && e.Subresource != "scale" && e.APIVersion == t.Target.APIVersion &&
			!t.Was.Deduced {
			out = append(out, func(t *trial, ctx context.Context) error { return t.apply(ctx, e) })
		}
	}
	return out
}

func (t *trial) apply(ctx context.Context, e managedfields.Entry) error {
	if t.written.refused() {
		return nil
	}
	body, err := engine.Extract(t.Was.ParseableType, t.Live, e.Set)
	if err != nil {
		return err
	}
	next := *t
	next.kind = gvk.FromAPIVersionAndKind(e.APIVersion, t.kind.Kind)
	answer, err := next.do(ctx, api.Request{Verb: api.Apply, Manager: e.Manager, Subresource: e.Subresource}, body)
	if err != nil {
		return err
	}
	if answer.refused() {
		t.refused(applyRefused, e.Manager, answer)
		return nil
	}
	for _, leaf := range engine.Difference(t.is, t.written.object, answer.object) {
		if name := leaf.Path[0].FieldName; name == nil || *name != "metadata" && *name != "apiVersion" {
			t.effect(Effect{Rule: applyChanges, Field: general(t.is, leaf.Path), Manager: e.Manager, Detail: string(leaf.Kind)})
		}
	}
	return nil
}
