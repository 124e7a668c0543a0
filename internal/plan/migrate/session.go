package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Run plans one object with a server that knows its kind. It always gives a
// Migration: where no answer could be given, panics of server code included,
// the verdict is Failed.
func Run(ctx context.Context, server api.Server, o Object, opts Options, now time.Time) Migration {
	return guard.Or(func() Migration { return run(ctx, server, o, opts, now) }, func(err error) Migration { return Failure(o, err) })
}

func run(ctx context.Context, server api.Server, o Object, opts Options, now time.Time) Migration {
	s, err := newSession(ctx, server, o, now)
	if err != nil {
		return Failure(o, err)
	}
	m := Plan(s, o, opts)
	m.Resource = s.resource()
	return m
}

// resource is how kubectl knows the kind.
func (s *session) resource() string {
	if r := s.server.Resource(s.kind); r.Known {
		return r.Resource
	}
	return s.kind.Kind
}

// session answers for one object what a plan has to know.
type session struct {
	ctx    context.Context
	server api.Server
	kind   schema.GroupVersionKind
	object Object
	now    time.Time
	at     map[string]map[string]any
	// known reports whether the server knows the kind at any version.
	known bool
}

func newSession(ctx context.Context, server api.Server, o Object, now time.Time) (*session, error) {
	apiVersion, _ := o.Live["apiVersion"].(string)
	kind, _ := o.Live["kind"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, fmt.Errorf("parse the live object's apiVersion: %w", err)
	}
	s := &session{
		ctx: ctx, server: server, kind: gv.WithKind(kind), object: o, now: now,
		at: map[string]map[string]any{apiVersion: o.Live},
	}
	s.known = s.serves(s.kind) || server.Resource(s.kind).Custom || s.ServedAs() != ""
	return s, nil
}

func (s *session) kindAt(version string) schema.GroupVersionKind {
	gv, err := schema.ParseGroupVersion(version)
	if err != nil {
		return s.kind
	}
	return gv.WithKind(s.kind.Kind)
}

// Type is the merge type at a version.
func (s *session) Type(version string) api.Type { return s.server.Types(s.kindAt(version)) }

// Served reports whether the server knows the kind at a version.
func (s *session) Served(version string) bool {
	return !s.known || s.serves(s.kindAt(version))
}

// ServedAs is a version that the server serves instead of the object's.
func (s *session) ServedAs() string {
	if s.serves(s.kind) {
		return ""
	}
	return api.ServedAs(s.kind, s.serves)
}

func (s *session) serves(kind schema.GroupVersionKind) bool { return s.server.Resource(kind).Known }

// At is the live object at a version. The server has no call for a conversion
// alone; an empty merge patch answers with the object as it is.
func (s *session) At(version string) (map[string]any, error) {
	if object, ok := s.at[version]; ok {
		if object == nil {
			return nil, errNotAt(version)
		}
		return object, nil
	}
	s.at[version] = nil
	if !s.Served(version) {
		return nil, errNotAt(version)
	}
	object, err := extract.LiveAt(s.ctx, s.server, s.write(s.object.Live, s.kindAt(version)), s.kindAt(version))
	if err != nil {
		return nil, err
	}
	if object["apiVersion"] != version {
		return nil, errNotAt(version)
	}
	s.at[version] = object
	return object, nil
}

func errNotAt(version string) error {
	return fmt.Errorf("the live object cannot be read at %s", version)
}

var errNoVersion = errors.New("the manifest has no apiVersion")

// Apply simulates an apply of the body to the object.
func (s *session) Apply(object, body map[string]any, manager string) report.Result {
	version, _ := body["apiVersion"].(string)
	w := s.write(object, s.kindAt(version))
	w.Verb, w.Manager = api.Apply, manager
	if version == "" {
		return engine.Failure(w, errNoVersion)
	}
	w, err := extract.Send(w, body)
	if err != nil {
		return engine.Failure(w, err)
	}
	return engine.Simulate(s.ctx, s.server, extract.On(w, object))
}

// write names the object, with what it is live as.
func (s *session) write(live map[string]any, kind schema.GroupVersionKind) engine.Write {
	return engine.Write{
		Kind: kind, Namespace: s.object.Target.Namespace, Name: s.object.Target.Name,
		LiveObject: live, Now: s.now,
	}
}
