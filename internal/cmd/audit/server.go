package audit

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Server answers the rules' questions on one object.
type Server struct {
	Ctx     context.Context
	Cluster *cluster.Cluster
	Live    *live.Object
}

// Serves reports whether the server serves the kind.
func (s Server) Serves(kind schema.GroupVersionKind) bool {
	return s.Cluster.Server.Resource(kind).Known
}

// trialManager is a name that owns nothing anywhere.
const trialManager = "ssactl-audit"

// write is a forced apply to the live object, for a trial.
func (s Server) write(o rules.Object) engine.Write {
	return engine.Write{
		Verb: api.Apply, Kind: input.KindOf(s.Live.Identity), Namespace: o.Target.Namespace, Name: o.Target.Name,
		Manager: trialManager, Force: true, Now: s.Cluster.Now,
	}
}

// Reapply applies a configuration to the live object for a trial.
func (s Server) Reapply(o rules.Object, configuration []byte) report.Result {
	w, source := s.write(o), report.Source(s.Live.Source)
	w.FieldValidation, w.Body, w.Live, w.LiveObject, w.LiveSource = "Ignore", configuration, s.Live.JSON(), o.Live, &source
	return engine.Simulate(s.Ctx, s.Cluster.Server, w)
}

// Scaler names the autoscaler among all inputs that scales an object.
func (s Server) Scaler(t report.Target) string { return s.Cluster.Claims.Scaler(t) }

// Leave asks for what the entry's manager applied last, over the live object.
func (s Server) Leave(o rules.Object, e managedfields.Entry, path fieldpath.Path) []report.ClientFix {
	if conflict.ClientOf(e.Manager) == "" {
		return nil
	}
	last := s.write(o)
	last.Live, last.LiveObject = s.Live.JSON(), o.Live
	w, body, err := engine.Last(s.Ctx, s.Cluster.Server, last, e)
	if err != nil {
		return nil
	}
	if w, err = w.Send(body); err != nil {
		return nil
	}
	return conflict.Leave(s.Ctx, s.Cluster.Server, w, path, writers.ControllerManager)
}

// Effect applies nothing but an annotation to the live object with this entry
// alone, and to the same without it: what differs is the entry's doing.
func (s Server) Effect(o rules.Object, entry int) rules.Effect {
	entries := entriesOf(o.Live)
	if entry < 0 || entry >= len(entries) {
		return rules.Unknown
	}
	without, err := s.trial(o, []any{})
	if err != nil || without.Outcome.Refused() {
		return rules.Unknown
	}
	with, err := s.trial(o, entries[entry:entry+1])
	switch {
	case err != nil || with.Outcome == report.Failed:
		return rules.Unknown
	case with.Outcome.Refused():
		return rules.Refuses
	}
	// It is kept where the object has one of its manager and version.
	want, _ := entries[entry].(map[string]any)
	if slices.ContainsFunc(entriesOf(with.Object), func(e any) bool {
		have, _ := e.(map[string]any)
		return have["manager"] == want["manager"] && have["apiVersion"] == want["apiVersion"] &&
			have["operation"] == want["operation"]
	}) {
		return rules.Kept
	}
	return rules.Dropped
}

// trial forces an annotation onto an object with other managed fields entries.
func (s Server) trial(o rules.Object, entries []any) (report.Result, error) {
	object := maps.Clone(o.Live)
	metadata, _ := o.Live["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	metadata["managedFields"], object["metadata"] = entries, metadata
	text, err := json.Marshal(object)
	if err != nil {
		return report.Result{}, err
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": o.Target.APIVersion, "kind": o.Target.Kind,
		"metadata": map[string]any{"name": o.Target.Name, "annotations": map[string]any{"ssactl.dev/trial": "true"}},
	})
	if err != nil {
		return report.Result{}, err
	}
	w := s.write(o)
	w.Body, w.Live = body, text
	return engine.Simulate(s.Ctx, s.Cluster.Server, w), nil
}

func entriesOf(object map[string]any) []any {
	entries, _ := fieldtree.Value(object, "metadata", "managedFields").([]any)
	return entries
}
