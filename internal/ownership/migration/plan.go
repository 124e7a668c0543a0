package migration

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
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
	return guard.Or(
		func() Migration { return run(ctx, server, o, opts, now) },
		func(err error) Migration { return Failure(o, err) },
	)
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
	s := &subject{
		Object:     object,
		version:    apiVersion,
		given:      o.Manifest,
		opts:       opts,
		m:          blank(o),
		annotation: readAnnotation(o.Live),
	}
	if s.m.Resource = kind; server.Resource(object.Write.Kind).Known {
		s.m.Resource = server.Resource(object.Write.Kind).Resource
	}
	switch {
	case !s.readable():
		return s.blocked()
	case opts.Mode == Compatible:
		return upstream{s}.migration()
	case opts.Mode == Reverse:
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
		Gained: []Gained{}, Lost: []Lost{}, CoOwners: []CoOwner{}, Findings: []report.Finding{},
		Live: o.Live, Object: o.Live,
	}
}

// patch is the patch from the live object to the planned one. It tests
// the resourceVersion first, so that it does nothing to another state than the
// one that was planned for; where the live object has none, the entries
// themselves. written is the annotation to write; nil for none.
func (s *subject) patch(object map[string]any, written *string) []Operation {
	test, ok := ownership.TestVersion(s.Live)
	if !ok {
		test = ownership.TestAll(s.Live)
		s.find(
			noResourceVersion,
			".metadata.resourceVersion",
			text.New(
				"the live object has no resourceVersion, so that a patch cannot test whether the cluster has moved on: it tests managedFields instead",
			),
		)
	}
	patch := []Operation{test}
	if replace := ownership.ReplaceAll(object); !reflect.DeepEqual(replace, ownership.ReplaceAll(s.Live)) {
		patch = append(patch, replace)
	}
	_, has := annotationsOf(object)[LastApplied]
	switch {
	case written != nil && annotationsOf(s.Live) == nil:
		patch = append(
			patch,
			Operation{Op: "add", Path: "/metadata/annotations", Value: map[string]any{LastApplied: *written}},
		)
	case written != nil:
		patch = append(patch, Operation{Op: "add", Path: client.LastAppliedPointer, Value: *written})
	case s.annotated() && !has:
		patch = append(patch, Operation{Op: "remove", Path: client.LastAppliedPointer})
	}
	return patch
}

// Options are what the user asks for. The zero value takes no entry but those that are
// named, and chooses who gets them.
type Options struct {
	Mode Mode
	// To is the field manager that gets the fields; empty chooses it.
	To string
	// From names managers whose entries are to be migrated.
	From []string
	// Auto looks for further ones by evidence.
	Auto Search
	// Subresource is that of the entries; empty is the object itself.
	Subresource string
	Annotation  AnnotationPolicy
	// Claim is ClaimManifest when empty.
	Claim Claim
	// Send simulates the next apply; nil for the bare request.
	Send ownership.Send
}

// The managers of kubectl that a plan knows by heart.
const (
	// ServerSideKubectl is the default of kubectl apply --server-side.
	ServerSideKubectl = "kubectl"
	// ClientSideKubectl is the default of kubectl apply.
	ClientSideKubectl = "kubectl-client-side-apply"
	// AnnotationKeeper applies nothing but the annotation, so that it stays
	// when kubectl goes on server-side (kubectl, pkg/cmd/apply/apply.go).
	AnnotationKeeper = "kubectl-last-applied"
)

// Mode is how a migration is planned.
type Mode string

// The modes.
const (
	// Complete covers all that is known to go wrong; it is the default.
	Complete Mode = ""
	// Compatible does what upstream's csaupgrade does, no more and no less.
	Compatible Mode = "compatible"
	// Reverse goes back to client-side apply.
	Reverse Mode = "reverse"
)

// AnnotationPolicy says what to do with the last-applied annotation; empty drops it,
// unless another manager applies it, or the client-side apply that it belongs to goes on.
type AnnotationPolicy string

// The policies.
const (
	DropAnnotation AnnotationPolicy = "drop"
	KeepAnnotation AnnotationPolicy = "keep"
)

// Claim says which fields of client-side entries the Apply entry gets.
type Claim string

// The claims.
const (
	// ClaimManifest: those that the manifest or the annotation has.
	ClaimManifest Claim = "manifest"
	// ClaimLeftover: besides, those that neither has and that are no
	// defaults, so that the next apply removes them.
	ClaimLeftover Claim = "leftover"
	// ClaimAll: all of them, as csaupgrade does.
	ClaimAll Claim = "all"
)

// Claims are the claims in the order of the help text.
func Claims() []string {
	return []string{string(ClaimManifest), string(ClaimLeftover), string(ClaimAll)}
}

// Search reports whether client-side entries are looked for by evidence.
type Search bool

// The kinds of search.
const (
	ByEvidence Search = true
	ByNameOnly Search = false
)

// evidenceValue is the value of --from that looks for entries by evidence.
const evidenceValue = "auto"

// ParseFrom reads the values of --from: auto looks for entries by evidence, and
// any other names a manager. A leading equals sign is not part of the name, so
// that every manager can be named: =auto is the manager auto.
func ParseFrom(values []string) (names []string, search Search, err error) {
	for _, v := range values {
		switch v {
		case evidenceValue:
			search = ByEvidence
		case "":
			err = errors.New("--from names no field manager")
		default:
			names = append(names, strings.TrimPrefix(v, "="))
		}
	}
	return names, search, err
}

// FromValue is the value of --from that names a manager.
func FromValue(manager string) string {
	if manager == evidenceValue || manager == "" || strings.HasPrefix(manager, "=") {
		return "=" + manager
	}
	return manager
}
