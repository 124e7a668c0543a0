package impact

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Effect is what becomes of one object. Effects of one rule, field and manager are
// one finding.
type Effect struct {
	Rule string
	// Field is the path with [*] for items and values; empty for the object.
	Field string
	// Manager is the field manager that it is about; empty for none.
	Manager string
	// Detail says it of this object; it may be empty.
	Detail string
}

// Object is one live object, and the two sides that serve its kind.
type Object struct {
	Target report.Target
	Live   map[string]any
	// Old is the server of the old definitions; nil where it cannot be run beside the
	// new one. New is that of the new ones.
	Old, New api.Server
	// Was and Is are the merge types of the kind at the object's API version and at To.
	Was, Is api.Type
	// To is the version at which the object is written from now on: its own, where
	// the new side serves it.
	To gvk.GroupVersionKind
	// Now is the time of the writes.
	Now time.Time
}

// Affect says what becomes of an object that comes of the change: what the old side
// does as well is left out, and it is asked only where the new one does something. An
// error means that the object could not be simulated.
func Affect(ctx context.Context, o Object) ([]Effect, error) {
	after, err := o.under(o.New, o.To, o.Is)
	if err != nil {
		return nil, err
	}
	before := sync.OnceValues(func() (*trial, error) {
		return o.under(o.Old, gvk.FromAPIVersionAndKind(o.Target.APIVersion, o.Target.Kind), o.Was)
	})
	var out []Effect
	for _, ask := range append([]part{(*trial).next, (*trial).create}, after.applies()...) {
		effects, err := after.part(ctx, ask)
		if err == nil && len(effects) > 0 && o.Old != nil {
			effects, err = withoutOld(ctx, before, effects, ask)
		}
		if err != nil {
			return nil, err
		}
		if out = append(out, effects...); after.written.refused() {
			break
		}
	}
	return out, nil
}

// withoutOld leaves out the effects that the old side has as well.
func withoutOld(ctx context.Context, before func() (*trial, error), effects []Effect, ask part) ([]Effect, error) {
	old, err := before()
	if err != nil {
		return nil, err
	}
	others, err := old.part(ctx, ask)
	if err != nil {
		return nil, fmt.Errorf("under the old definition: %w", err)
	}
	return without(effects, others), nil
}

// without are the effects that are not among others, whatever their details.
func without(list, others []Effect) []Effect {
	seen := map[Effect]bool{}
	for _, e := range others {
		e.Detail = ""
		seen[e] = true
	}
	var out []Effect
	for _, e := range list {
		detail := e.Detail
		if e.Detail = ""; !seen[e] {
			seen[e] = true
			e.Detail = detail
			out = append(out, e)
		}
	}
	return out
}

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

// next is what comes of the next write of somebody who changes nothing of what is
// there.
func (t *trial) next(context.Context) error {
	if t.written.refused() {
		// A server that cannot convert an entry fails; what it refuses has other causes.
		if t.written.code != http.StatusInternalServerError || !t.unknownVersions() {
			t.refused(WriteRefused, "", *t.written)
		}
		return nil
	}
	t.values(t.written.object)
	t.owners(t.written.object)
	return nil
}

// unknownVersions notes the entries at versions that the side does not have, which
// make the conversion of a custom resource fail, and with it every write.
func (t *trial) unknownVersions() bool {
	found := false
	for _, e := range managedfields.Of(t.Live).Readable() {
		if !t.server.Resource(gvk.FromAPIVersionAndKind(e.APIVersion, t.kind.Kind)).Known {
			t.effect(Effect{Rule: VersionNamed, Manager: e.Manager, Detail: e.APIVersion})
			found = true
		}
	}
	return found
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
	answer, err := t.do(ctx, api.Request{Verb: api.Apply, Manager: probe}, map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata})
	t.written = &answer
	return err
}

// create sends the object as a new one, for which there is no ratcheting.
func (t *trial) create(ctx context.Context) error {
	body, metadata := maps.Clone(t.object), maps.Clone(asMap(t.object["metadata"]))
	for _, key := range []string{"uid", "resourceVersion", "managedFields", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		delete(metadata, key)
	}
	body["metadata"] = metadata
	fresh := *t
	fresh.live = nil
	created, err := fresh.do(ctx, api.Request{Verb: api.Create, Manager: probe}, body)
	if err == nil && created.code == http.StatusUnprocessableEntity {
		t.refused(ObjectInvalid, "", created)
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
		err := kjson.Unmarshal(answer.Body, &out.status.Raw)
		out.status.Message, _ = out.status.Raw["message"].(string)
		out.status.Reason, _ = out.status.Raw["reason"].(string)
		return out, err
	}
	return out, kjson.Unmarshal(answer.Stored, &out.object)
}

// refused notes why something is refused: each cause, or the message where there is
// none.
func (t *trial) refused(rule, manager string, a outcome) {
	list := causes.Of(&a.status, causes.Question{Verb: a.verb, Kind: t.kind, Body: a.body, Live: t.object, Shape: t.is})
	if len(list) == 0 {
		list = []report.Cause{{Message: fmt.Sprintf("%d: %s", a.code, a.status.Message)}}
	}
	for _, c := range list {
		t.effect(Effect{Rule: rule, Manager: manager, Field: causeField(c.Field), Detail: firstLine(c.Message)})
	}
}

var inBrackets = regexp.MustCompile(`\[[^\]]*\]`)

// causeField is a field of a cause without the items of this object.
func causeField(field string) string {
	field = inBrackets.ReplaceAllString(field, each)
	if field == "" || field == "<nil>" || strings.HasPrefix(field, ".") {
		return strings.TrimPrefix(field, "<nil>")
	}
	return "." + field
}

// values compares the object with what is stored of it. Neither pruning nor
// defaults move the items of a list, so that they are paired by their places.
func (t *trial) values(stored map[string]any) {
	for _, key := range sortedKeys(union(t.object, stored)) {
		if key != "metadata" && key != "apiVersion" && key != "kind" {
			t.value(both{t.was.Field(key), t.is.Field(key)}, "."+key, t.object[key], stored[key])
		}
	}
}

// both are the shapes of a field on the two sides.
type both struct{ was, is managedfields.Shape }

func (t *trial) value(shapes both, field string, before, after any) {
	switch before := before.(type) {
	case nil:
		if after != nil {
			t.effect(Effect{Rule: ObjectDefaulted, Field: field, Detail: text(after)})
		}
	case map[string]any:
		after, is := after.(map[string]any)
		if !is {
			t.effect(Effect{Rule: DataPruned, Field: field})
			return
		}
		for _, key := range sortedKeys(union(before, after)) {
			name := "." + key
			if shapes.was.Open() || shapes.is.Open() {
				name = each
			}
			t.value(both{shapes.was.Field(key), shapes.is.Field(key)}, field+name, before[key], after[key])
		}
	case []any:
		after, is := after.([]any)
		if !is || len(before) != len(after) {
			t.effect(Effect{Rule: DataPruned, Field: field})
			return
		}
		for i := range before {
			t.value(both{shapes.was.Item(), shapes.is.Item()}, field+each, before[i], after[i])
		}
	default:
		if after == nil {
			t.effect(Effect{Rule: DataPruned, Field: field})
		}
	}
}

func union(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	for k, v := range b {
		if _, has := out[k]; !has {
			if out == nil {
				out = map[string]any{}
			}
			out[k] = v
		}
	}
	return out
}
