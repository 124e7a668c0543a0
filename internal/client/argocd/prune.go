package argocd

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
)

// pruneTask is a live object of the application that no manifest names, and when a sync
// comes to it.
type pruneTask struct {
	key  client.Key
	live map[string]any
	step argoStep
}

// pruneTasks are the objects that a sync prunes, or leaves by an option, with their waves
// (gitops-engine, pkg/sync/sync_context.go, getSyncTasks): those of the first wave come in
// the last, and so on, by the waves that prunes have; PruneLast puts them behind all waves.
func (a *argoCD) pruneTasks(applied []argoStep) []pruneTask {
	var tasks []pruneTask
	if a.Spare == nil || a.app == nil && !a.prune {
		return nil
	}
	for key, object := range a.Spare {
		live := object()
		if step, runs := stepOf(live); runs && !a.Makes(key) && !isArgoHook(live) && a.owns(live) {
			tasks = append(tasks, pruneTask{key, live, step})
		}
	}
	swapWaves(tasks)
	last := 0
	for _, step := range applied {
		if step.phase == syncPhase {
			last = max(last, step.wave)
		}
	}
	for _, t := range tasks {
		last = max(last, t.step.wave)
	}
	for i, t := range tasks {
		if slices.Contains(a.options, "PruneLast=true") || objects.HasOption(t.live, syncOptions, "PruneLast=true") {
			tasks[i].step.wave = last + 1
		}
	}
	return tasks
}

// swapWaves gives the tasks of the first wave the last one, and so on.
func swapWaves(tasks []pruneTask) {
	all := map[int]bool{}
	for _, t := range tasks {
		all[t.step.wave] = true
	}
	waves := slices.Sorted(maps.Keys(all))
	for i, t := range tasks {
		n, _ := slices.BinarySearch(waves, t.step.wave)
		tasks[i].step.wave = waves[len(waves)-1-n]
	}
}

// waitsFor finds the prunes of a wave that a person has to confirm: the sync does nothing of
// the wave before. It gives what there is to say of what does not come; empty for none.
func (a *argoCD) waitsFor(wave *argoWave) string {
	why := ""
	for _, t := range wave.prunes {
		if a.pruneOption(t.live) == "confirm" {
			k := t.key
			a.waiting[k] = fmt.Sprintf("waiting for pruning confirmation of %s/%s/%s", k.Group, k.Kind, k.Name)
			why = fmt.Sprintf(
				"not applied: the sync waits until the deletion of %s %s is confirmed (Prune=confirm)",
				k.Kind,
				k.Name,
			)
		}
	}
	return why
}

// deletes notes what a wave prunes.
func (a *argoCD) deletes(wave *argoWave) {
	for _, t := range wave.prunes {
		if a.prune && a.pruneOption(t.live) != "false" && objects.Text(t.live, "metadata", "deletionTimestamp") == "" {
			a.pruned[t.key] = true
		}
	}
}

// decides is what decides of a live object without a manifest, where the Application is not known.
func (a *argoCD) decides(live map[string]any) client.Deciding {
	if a.pruneOption(live) == "false" {
		return client.Deciding{}
	}
	return client.Deciding{Object: "Application", If: "prunes"}
}

// prunes reports whether the sync deletes a live object.
func (a *argoCD) prunes(key client.Key, _ func() map[string]any) (string, bool) {
	return a.propagation(), a.pruned[key]
}
