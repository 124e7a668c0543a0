package client

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// helmPhase is a part of an install or upgrade (pkg/action/upgrade.go, releasingUpgrade,
// and install.go, performInstall). It follows once all of the one before succeeded.
type helmPhase int

const (
	crdFiles helmPhase = iota
	preHooks
	updates
	removals
	postHooks
	finished
)

// helmEnd is the phase in which a run ends, and the position of the last object that it
// comes to there.
type helmEnd struct {
	phase helmPhase
	order map[Key]int
	last  int
}

// findEnd finds where the run ends: at a hook that is refused, at a create that is refused
// where objects are updated, or behind all updates where another one is.
func (h *helm) findEnd(ctx context.Context, server api.Server, writes []engine.Write) {
	// What Helm comes to only behind the updates.
	follows := slices.ContainsFunc(writes, func(w engine.Write) bool {
		manifest := manifestOf(w)
		return h.isHook(w, manifest) && (h.old[KeyOf(w)] != nil || h.runs(manifest, postHooks))
	})
	for phase := preHooks; phase < finished; phase++ {
		order := inHelmOrder(writes, phase)
		h.end = helmEnd{phase: phase, order: order, last: math.MaxInt}
		failed := false
		for _, w := range slices.SortedFunc(slices.Values(writes), func(a, b engine.Write) int { return cmp.Compare(order[KeyOf(a)], order[KeyOf(b)]) }) {
			stops := h.stopsAt(phase, w)
			if !stops && !(phase == updates && follows) || !h.refuses(w, h.Simulate(ctx, server, w)) {
				continue
			}
			failed = true
			if stops {
				h.end.last = order[KeyOf(w)]
				break
			}
		}
		if phase == updates && h.misforced() {
			failed = true
			h.misforce(writes)
		}
		if failed {
			h.Stops = phase != postHooks
			h.writesMore = h.reached(writes) > 1
			return
		}
	}
	h.end = helmEnd{phase: finished}
}

// reaches reports whether the run comes to an object in a phase.
func (h *helm) reaches(key Key, phase helmPhase) bool {
	return phase < h.end.phase || phase == h.end.phase && h.end.order[key] <= h.end.last
}

// reached counts the objects that the run comes to in a phase of theirs.
func (h *helm) reached(writes []engine.Write) (n int) {
	for _, w := range writes {
		manifest, key := manifestOf(w), KeyOf(w)
		comes := func(phase helmPhase) bool { return h.runs(manifest, phase) && h.reaches(key, phase) }
		if !h.crds[key] && (!isHook(manifest) && h.reaches(key, updates) || comes(preHooks) || comes(postHooks)) {
			n++
		}
	}
	return n
}

// misforce says of a run that it is refused where no object is updated: a hook behind the
// updates says it, else the last one before them, else the first manifest.
func (h *helm) misforce(writes []engine.Write) {
	updated, told := false, false
	for _, w := range h.inOrder(writes) {
		switch manifest := manifestOf(w); {
		case h.crds[KeyOf(w)]:
		case !isHook(manifest):
			updated = true
		case h.runs(manifest, preHooks):
			h.carrier = KeyOf(w)
		case h.runs(manifest, postHooks):
			told = true
			h.stopped[KeyOf(w)] = stopped{message: misforced}
		}
	}
	switch {
	case updated || told:
		h.carrier = Key{}
	case h.carrier == Key{} && len(writes) > 0:
		h.stopped[KeyOf(writes[0])] = stopped{message: misforced}
	}
}

// isHook reports whether a manifest is a hook: of what is in crds/, nothing is.
func (h *helm) isHook(w engine.Write, manifest map[string]any) bool {
	return isHook(manifest) && !h.crds[KeyOf(w)]
}

// stopsAt reports whether a refusal of an object ends the phase.
func (h *helm) stopsAt(phase helmPhase, w engine.Write) bool {
	switch {
	case h.crds[KeyOf(w)]:
		return phase == crdFiles
	case phase == updates:
		return liveOf(w) == nil && (h.deployed != nil || h.adopts) && !isHook(manifestOf(w))
	case phase == crdFiles || phase == removals:
		return false
	}
	return h.runs(manifestOf(w), phase)
}

// inHelmOrder are the positions of objects in a phase: by kind (pkg/release/v1/util,
// InstallOrder), hooks by weight and name.
func inHelmOrder(writes []engine.Write, phase helmPhase) map[Key]int {
	type placed struct {
		key    Key
		weight int
	}
	var all []placed
	for _, w := range writes {
		p := placed{key: KeyOf(w)}
		if phase != updates {
			p.weight, _ = strconv.Atoi(annotationsOf(manifestOf(w))["helm.sh/hook-weight"])
		}
		all = append(all, p)
	}
	if phase == crdFiles {
		// One file after the other, as they are read.
		return places(all, func(p placed) Key { return p.key })
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(kindOrder(a.key.Kind), kindOrder(b.key.Kind)), cmp.Compare(a.key.Kind, b.key.Kind))
	})
	if phase != updates {
		slices.SortStableFunc(all, func(a, b placed) int {
			return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.key.Name, b.key.Name))
		})
	}
	return places(all, func(p placed) Key { return p.key })
}

func places[T any](all []T, key func(T) Key) map[Key]int {
	out := map[Key]int{}
	for i, one := range all {
		out[key(one)] = i
	}
	return out
}

// inOrder are the manifests as a run comes to them: hooks before the updates, what is no
// hook, and hooks behind them.
func (h *helm) inOrder(writes []engine.Write) []engine.Write {
	phases, orders := map[Key]helmPhase{}, map[helmPhase]map[Key]int{}
	for phase := crdFiles; phase <= finished; phase++ {
		orders[phase] = inHelmOrder(writes, phase)
	}
	for _, w := range writes {
		phase, manifest := finished, manifestOf(w)
		switch {
		case h.crds[KeyOf(w)]:
			phase = crdFiles
		case !isHook(manifest):
			phase = updates
		case h.runs(manifest, preHooks):
			phase = preHooks
		case h.runs(manifest, postHooks):
			phase = postHooks
		}
		phases[KeyOf(w)] = phase
	}
	return slices.SortedStableFunc(slices.Values(writes), func(a, b engine.Write) int {
		phase := phases[KeyOf(a)]
		return cmp.Or(cmp.Compare(phase, phases[KeyOf(b)]), cmp.Compare(orders[phase][KeyOf(a)], orders[phase][KeyOf(b)]))
	})
}

// kindOrder is the place of a kind; those that Helm does not know come last.
func kindOrder(kind string) int {
	if i := slices.Index(installOrder, kind); i >= 0 {
		return i
	}
	return len(installOrder)
}

var installOrder = []string{
	"PriorityClass", "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy", "PodDisruptionBudget",
	"ServiceAccount", "Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim",
	"CustomResourceDefinition", "ClusterRole", "ClusterRoleList", "ClusterRoleBinding", "ClusterRoleBindingList", "Role", "RoleList",
	"RoleBinding", "RoleBindingList", "Service", "DaemonSet", "Pod", "ReplicationController", "ReplicaSet", "Deployment",
	"HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob", "IngressClass", "Ingress", "APIService",
}

func isHook(manifest map[string]any) bool { return annotationsOf(manifest)[hookAnnotation] != "" }

// runs reports whether an object is a hook of a phase.
func (h *helm) runs(manifest map[string]any, phase helmPhase) bool {
	event := "upgrade"
	if h.deployed == nil {
		event = "install"
	}
	switch phase {
	case preHooks:
		return option(manifest, hookAnnotation, "pre-"+event)
	case postHooks:
		return option(manifest, hookAnnotation, "post-"+event)
	}
	return false
}

// hook deletes and creates a hook of a phase (pkg/action/hooks.go).
func (h *helm) hook(r *sequence, w engine.Write, manifest map[string]any, phase helmPhase) {
	if !h.runs(manifest, phase) {
		return
	}
	policy := func(name string) bool {
		given := annotationsOf(manifest)[hookPolicy] != ""
		return w.Kind.Kind != "CustomResourceDefinition" && (option(manifest, hookPolicy, name) || !given && name == "before-hook-creation")
	}
	if err := undecodable(w); err != nil {
		r.stop(Create, w, err.Error())
		return
	}
	if policy("before-hook-creation") && !h.removeHook(r, w) {
		return
	}
	created := false
	if h.serverSide {
		w.FieldValidation = "Strict"
		created = r.send(Apply, sending(w, manifest))
	} else {
		created = r.create(w, manifest)
	}
	if created && h.end.phase > phase && policy("hook-succeeded") {
		h.removeHook(r, w)
	}
}

// removeHook deletes a hook that is there. Helm 3 waits until it is gone.
func (h *helm) removeHook(r *sequence, w engine.Write) bool {
	if h.Version == "3" {
		return r.object() == nil || r.delete(w, "Background")
	}
	return remove(r, w)
}

// remove deletes an object that is there, and goes on where finalizers keep it.
func remove(r *sequence, w engine.Write) bool {
	return r.object() == nil || r.sendDelete(w, "Background")
}
