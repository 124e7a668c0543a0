package argocd

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// The annotations of hooks and waves.
const (
	syncWave      = "argocd.argoproj.io/sync-wave"
	syncHook      = "argocd.argoproj.io/hook"
	syncPolicy    = "argocd.argoproj.io/hook-delete-policy"
	hookFinalizer = "argocd.argoproj.io/hook-finalizer"
)

// argoStep is a phase and a wave in it.
type argoStep struct{ phase, wave int }

func (s argoStep) compare(other argoStep) int {
	return cmp.Or(cmp.Compare(s.phase, other.phase), cmp.Compare(s.wave, other.wave))
}

// syncPhase is that of objects that are no hooks.
const syncPhase = 1

// argoPhases are those of hooks: PreSync, Sync and PostSync, in their order.
var argoPhases = [][]string{
	{"PreSync", "pre-install", "pre-upgrade"},
	{"Sync"},
	{"PostSync", "post-install", "post-upgrade"},
}

// stepOf is when a sync comes first to an object; false where it does not.
func stepOf(manifest map[string]any) (argoStep, bool) {
	if steps := stepsOf(manifest); len(steps) > 0 {
		return steps[0], true
	}
	return argoStep{phase: -1}, false
}

// stepsOf are when a sync comes to an object, in their order: to a hook once in each of its phases; none
// where it does not come to it.
func stepsOf(manifest map[string]any) (steps []argoStep) {
	notes := objects.Annotations(manifest)
	wave, err := strconv.Atoi(notes[syncWave])
	if err != nil {
		wave, _ = strconv.Atoi(notes["helm.sh/hook-weight"])
	}
	if !isArgoHook(manifest) {
		if notes[syncHook] == "Skip" {
			return nil
		}
		return []argoStep{{syncPhase, wave}}
	}
	key := syncHook
	if notes[key] == "" {
		key = client.HookAnnotation
	}
	for phase, names := range argoPhases {
		if slices.ContainsFunc(names, func(name string) bool { return objects.HasOption(manifest, key, name) }) {
			steps = append(steps, argoStep{phase, wave})
		}
	}
	if objects.Text(manifest, "metadata", "name") == "" && len(steps) > 1 {
		// Each phase has an object of its own name; the first one is answered for.
		return steps[:1]
	}
	return steps
}

// inOrder are the manifests as a sync comes to them (gitops-engine, pkg/sync/sync_tasks.go,
// Sort): by phase, wave, kind and name, a namespace before what is in it, and a definition
// before the objects of its kind, whatever their waves.
func (a *argoCD) inOrder(writes []engine.Write) []engine.Write {
	sent, _ := a.schedule(writes)
	return sent
}

// schedule is inOrder, with the steps of the manifests: what comes early for the sake of
// another comes in the step of that.
func (a *argoCD) schedule(writes []engine.Write) ([]engine.Write, map[client.Key]argoStep) {
	steps := map[client.Key]argoStep{}
	for _, w := range writes {
		step, is := stepOf(client.Manifest(w))
		if !is {
			step.phase = len(argoPhases)
		}
		steps[client.KeyOf(w)] = step
	}
	// Argo CD has the order of Helm, but for this kind.
	kind := func(w engine.Write) int {
		if w.Kind.Kind == "PriorityClass" {
			return client.KindOrder("")
		}
		return client.KindOrder(w.Kind.Kind)
	}
	moved := func(w, before engine.Write) { steps[client.KeyOf(w)] = steps[client.KeyOf(before)] }
	out := slices.SortedStableFunc(slices.Values(writes), func(a, b engine.Write) int {
		return cmp.Or(
			steps[client.KeyOf(a)].compare(steps[client.KeyOf(b)]),
			cmp.Compare(kind(a), kind(b)),
			cmp.Compare(a.Name, b.Name),
		)
	})
	out = needsFirst(out, func(w engine.Write) string {
		if w.Kind.GroupKind() == (schema.GroupKind{Kind: "Namespace"}) {
			return w.Name
		}
		return ""
	}, func(w engine.Write) string { return cmp.Or(w.Namespace, a.namespace) }, moved)
	out = needsFirst(out, func(w engine.Write) string {
		if w.Kind.GroupKind() != api.CustomResourceDefinition {
			return ""
		}
		manifest := client.Manifest(w)
		return schema.GroupKind{
			Group: objects.Text(manifest, "spec", "group"),
			Kind:  objects.Text(manifest, "spec", "names", "kind"),
		}.String()
	}, func(w engine.Write) string { return w.Kind.GroupKind().String() }, moved)
	return out, steps
}

// needsFirst puts what others need before the first of those, and says what it moved. Each is
// named by what it is for the others; empty for nothing.
func needsFirst(
	writes []engine.Write, gives, needs func(engine.Write) string, moved func(w, before engine.Write),
) []engine.Write {
	var out []engine.Write
	first := map[string]int{}
	for _, w := range writes {
		given, needed := gives(w), needs(w)
		at, late := first[given]
		switch {
		case given != "" && late:
			moved(w, out[at])
			out = slices.Insert(out, at, w)
			for name, i := range first {
				if i >= at {
					first[name] = i + 1
				}
			}
			continue
		case given == "" && needed != "":
			if _, known := first[needed]; !known {
				first[needed] = len(out)
			}
		}
		out = append(out, w)
	}
	return out
}

// argoWave is what a sync does in one step: it prunes first, then it applies.
type argoWave struct {
	prunes []pruneTask
	writes []engine.Write
}

// noPhase is the step of what no sync that succeeds applies.
var noPhase = argoStep{phase: len(argoPhases)}

// waves are the steps of a sync.
func (a *argoCD) waves(writes []engine.Write) map[argoStep]*argoWave {
	_, steps := a.schedule(writes)
	out := map[argoStep]*argoWave{}
	at := func(step argoStep) *argoWave {
		if out[step] == nil {
			out[step] = &argoWave{}
		}
		return out[step]
	}
	var applied []argoStep
	for _, w := range writes {
		step, own := steps[client.KeyOf(w)], client.Key{Kind: "Namespace", Name: a.namespace}
		switch {
		case step.phase == noPhase.phase:
			step = noPhase
		case client.Live(w) == nil && client.KeyOf(w) == own:
			// It comes before all others.
			step = argoStep{phase: -1}
		case a.Makes(own) && client.KeyOf(w) == own:
			step = argoStep{}
		default:
			applied = append(applied, step)
		}
		wave := at(step)
		wave.writes = append(wave.writes, w)
		if steps := stepsOf(client.Manifest(w)); len(steps) > 1 {
			for _, again := range steps[1:] {
				wave := at(again)
				wave.writes = append(wave.writes, w)
			}
		}
	}
	for _, t := range a.pruneTasks(applied) {
		wave := at(t.step)
		wave.prunes = append(wave.prunes, t)
	}
	return out
}

// order finds what the sync does not come to: what no sync applies, and what is behind a
// step in which an object is refused, or that waits (gitops-engine,
// pkg/sync/sync_context.go, Sync).
func (a *argoCD) order(ctx context.Context, server api.Server, waves map[argoStep]*argoWave) {
	others := waves[noPhase]
	alone := len(waves) == 1
	delete(waves, noPhase)
	why := ""
	for _, step := range slices.SortedFunc(maps.Keys(waves), argoStep.compare) {
		wave := waves[step]
		if why == "" {
			why = a.waitsFor(wave)
		}
		if why != "" {
			for _, w := range wave.writes {
				if a.phases[client.KeyOf(w)] == 0 {
					a.Stopped[client.KeyOf(w)] = client.Stop{Notice: why}
				}
			}
			continue
		}
		a.deletes(wave)
		for _, w := range wave.writes {
			a.phases[client.KeyOf(w)]++
		}
		if !alone {
			why = a.refusedIn(ctx, server, wave)
		}
	}
	if others == nil {
		return
	}
	for _, w := range others.writes {
		manifest := client.Manifest(w)
		if !a.fails || !objects.HasOption(manifest, syncHook, "SyncFail") {
			hook := cmp.Or(objects.Annotations(manifest)[syncHook], objects.Annotations(manifest)[client.HookAnnotation])
			a.Stopped[client.KeyOf(w)] = client.Stop{Notice: "not applied: a sync that succeeds has no phase " + hook}
		}
	}
}

// refusedIn says what keeps the sync from later waves: an object of this one that is
// refused; empty for none.
func (a *argoCD) refusedIn(ctx context.Context, server api.Server, wave *argoWave) string {
	why := ""
	for _, w := range wave.writes {
		if a.Refuses(w, a.Simulate(ctx, server, w)) {
			why = fmt.Sprintf("not applied: %s %s is refused, and with it the sync", w.Kind.Kind, w.Name)
			a.fails = true
		}
	}
	return why
}
