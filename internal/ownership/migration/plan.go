package migration

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Object is one object to plan for.
type Object struct {
	Target report.Target
	// Live is the object as the server reads JSON. It is never changed.
	Live   map[string]any
	Source report.Source
	// Manifest is what is to be applied from now on; nil when it is not given.
	Manifest       map[string]any
	ManifestSource *report.Source
}

// Run plans one object with a server that knows its kind. It always gives a
// Migration: where no answer could be given, panics of server code included,
// the verdict is Failed.
func Run(ctx context.Context, server api.Server, o Object, opts Options, now time.Time) Migration {
	return guard.Or(func() Migration { return run(ctx, server, o, opts, now) }, func(err error) Migration { return Failure(o, err) })
}

func run(ctx context.Context, server api.Server, o Object, opts Options, now time.Time) Migration {
	apiVersion, _ := o.Live["apiVersion"].(string)
	kind, _ := o.Live["kind"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return Failure(o, fmt.Errorf("parse the live object's apiVersion: %w", err))
	}
	object, err := ownership.Of(ctx, server, engine.Write{
		Kind: gv.WithKind(kind), Namespace: o.Target.Namespace, Name: o.Target.Name, LiveObject: o.Live, Now: now,
	})
	if err != nil {
		return Failure(o, err)
	}
	if opts.Send != nil {
		object.Send = opts.Send
	}
	m := newSubject(object, o, opts).plan()
	if m.Resource = kind; server.Resource(object.Write.Kind).Known {
		m.Resource = server.Resource(object.Write.Kind).Resource
	}
	return m
}

// plan reports what a migration of the object does.
func (s *subject) plan() Migration {
	switch {
	case !s.readable():
		return s.blocked()
	case s.opts.Mode == Compatible:
		return upstream{s}.migration()
	case s.opts.Mode == Reverse:
		return wayBack{s}.migration()
	}
	return s.complete()
}

// Failure is the Migration where no answer could be given.
func Failure(o Object, err error) Migration {
	m := blank(o)
	m.Verdict, m.Error = Failed, err.Error()
	return m
}

func blank(o Object) Migration {
	return Migration{
		Target: o.Target, Source: o.Source, Manifest: o.ManifestSource,
		Evidence: []Evidence{}, Basis: ByNothing, Annotation: AnnotationEffect{Effect: Absent},
		Before: []EntrySummary{}, After: []EntrySummary{},
		Gained: []Gained{}, Lost: []Lost{}, CoOwners: []CoOwner{}, Findings: []finding.Finding{},
		Live: o.Live, Object: o.Live,
	}
}

// changed reports whether the plan changes the object.
func changed(before, after map[string]any) bool { return !reflect.DeepEqual(before, after) }

// patch is the patch from the live object to the planned one. It tests
// the resourceVersion first, so that it does nothing to another state than the
// one that was planned for; where the live object has none, the entries
// themselves. written is the annotation to write; nil for none.
func (s *subject) patch(object map[string]any, written *string) []Operation {
	test, ok := ownership.TestVersion(s.Live)
	if !ok {
		test = ownership.TestAll(s.Live)
		s.find(noResourceVersion, ".metadata.resourceVersion", text.New("the live object has no resourceVersion, so that a patch cannot test whether the cluster has moved on: it tests managedFields instead"))
	}
	patch := []Operation{test}
	if replace := ownership.ReplaceAll(object); !reflect.DeepEqual(replace, ownership.ReplaceAll(s.Live)) {
		patch = append(patch, replace)
	}
	_, has := annotationsOf(object)[LastApplied]
	switch {
	case written != nil && annotationsOf(s.Live) == nil:
		patch = append(patch, Operation{Op: "add", Path: "/metadata/annotations", Value: map[string]any{LastApplied: *written}})
	case written != nil:
		patch = append(patch, Operation{Op: "add", Path: client.LastAppliedPointer, Value: *written})
	case s.annotated() && !has:
		patch = append(patch, Operation{Op: "remove", Path: client.LastAppliedPointer})
	}
	return patch
}
