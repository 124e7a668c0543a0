package ownership

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Send simulates a write: engine.Simulate for the one request, or all that a client
// sends for it.
type Send func(context.Context, api.Server, engine.Write) report.Result

// Object is one live object in one state, with the server that answers writes to it.
type Object struct {
	Server api.Server
	// Send simulates the writes; Of makes it engine.Simulate.
	Send Send
	// Write names the object and has its live object.
	Write engine.Write
	// Live is the object, never changed.
	Live map[string]any
	// Type and Shape are those of the write's kind.
	Type  api.Type
	Shape managedfields.Shape

	// Ctx is that of all calls.
	Ctx context.Context
	// at is the object by API version; nil where the server cannot convert it.
	at map[string]map[string]any
	// owners are the entries, once they were asked for.
	owners *managedfields.Owners
}

// Of is the live object of a write. One that there is not, or that with the error cannot be
// parsed, has no field and no owner.
func Of(ctx context.Context, server api.Server, w engine.Write) (*Object, error) {
	var err error
	if w.LiveObject == nil && w.Live != nil {
		if err = kjson.Unmarshal(w.Live, &w.LiveObject); err != nil {
			err = fmt.Errorf("parse the live object: %w", err)
		}
	}
	o := &Object{Server: server, Send: engine.Simulate, Write: w, Type: server.Types(w.Kind), Ctx: ctx}
	o.Shape = managedfields.ShapeOf(o.Type.ParseableType)
	o.become(w.LiveObject)
	return o, err
}

func (o *Object) become(live map[string]any) {
	o.Live, o.owners, o.at = live, nil, map[string]map[string]any{}
	if version, ok := live["apiVersion"].(string); ok {
		o.at[version] = live
	}
}

// Owners are the entries of the object.
func (o *Object) Owners() managedfields.Owners {
	if o.owners == nil {
		owners := managedfields.Of(o.Live)
		o.owners = &owners
	}
	return *o.owners
}

// OwnedAs is the object with other entries than those that can be read of it.
func (o *Object) OwnedAs(owners managedfields.Owners) *Object {
	other := *o
	other.owners = &owners
	return &other
}

// In is the object in another state, such as the one in which a write leaves it.
func (o *Object) In(state map[string]any) *Object {
	other := *o
	other.Write = o.Write.On(state)
	other.become(state)
	return &other
}

// KindAt is the object's kind at an API version; the kind itself where that is none.
func (o *Object) KindAt(version string) schema.GroupVersionKind {
	gv, err := schema.ParseGroupVersion(version)
	if err != nil {
		return o.Write.Kind
	}
	return gv.WithKind(o.Write.Kind.Kind)
}

// TypeAt is the merge type at an API version.
func (o *Object) TypeAt(version string) api.Type { return o.Server.Types(o.KindAt(version)) }

// Served reports whether the server knows the kind at an API version. Of a kind that it
// does not know at all, every version counts as served.
func (o *Object) Served(version string) bool {
	kind := o.Write.Kind
	return o.serves(o.KindAt(version)) || !o.serves(kind) && !o.Server.Resource(kind).Custom && o.ServedAs() == ""
}

// ServedAs is an API version at which the server serves the kind; empty where it serves
// the object's own, and where none is known.
func (o *Object) ServedAs() string {
	if o.serves(o.Write.Kind) {
		return ""
	}
	return api.ServedAs(o.Write.Kind, o.serves)
}

func (o *Object) serves(kind schema.GroupVersionKind) bool { return o.Server.Resource(kind).Known }

// At is the object at an API version. It is asked for once.
func (o *Object) At(version string) (map[string]any, error) {
	object, asked := o.at[version]
	if !asked && o.Served(version) {
		at, err := engine.LiveAt(o.Ctx, o.Server, o.Write, o.KindAt(version))
		if err == nil && at["apiVersion"] == version {
			object = at
		}
	}
	o.at[version] = object
	if object == nil {
		return nil, fmt.Errorf("the live object cannot be read at %s", version)
	}
	return object, nil
}

// Simulate is a write to the object in a state; nil is no object.
func (o *Object) Simulate(w engine.Write, state map[string]any) Next {
	return Next{o.Send(o.Ctx, o.Server, w.On(state)), state}
}

// Patching is the write of a JSON patch to the object.
func (o *Object) Patching(manager, subresource string, operations []report.PatchOperation) (engine.Write, error) {
	body, err := json.Marshal(operations)
	if err != nil {
		return engine.Write{}, fmt.Errorf("encode the patch: %w", err)
	}
	w := o.Write
	w.Verb, w.Manager, w.UserAgent, w.Subresource, w.Force = api.JSONPatch, manager, "", subresource, false
	return w.WithBody(body, nil), nil
}
