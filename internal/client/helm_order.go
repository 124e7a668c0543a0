package client

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
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
	order map[document]int
	last  int
}

// document is one manifest: a chart may have several of one object.
type document struct {
	Key
	at report.Source
}

func documentOf(w engine.Write) document { return document{KeyOf(w), w.Source} }

// findEnd finds where the run ends: at a hook that is refused, at a create that is refused
// where objects are updated, or behind all updates where another one is.
func (h *helm) findEnd(ctx context.Context, server api.Server, writes []engine.Write) {
	// What Helm comes to only behind the updates.
	follows := slices.ContainsFunc(writes, func(w engine.Write) bool {
		manifest := manifestOf(w)
		return h.isHook(w, manifest) && (h.old[KeyOf(w)] != nil || h.runs(w, postHooks))
	})
	for phase := preHooks; phase < finished; phase++ {
		order := inHelmOrder(writes, phase)
		h.end = helmEnd{phase: phase, order: order, last: math.MaxInt}
		failed := h.fails(ctx, server, writes, follows)
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

// fails reports whether an object of the phase in which the run ends so far is refused, and
// finds the last one that the run comes to. follows: something comes behind the updates.
func (h *helm) fails(ctx context.Context, server api.Server, writes []engine.Write, follows bool) (failed bool) {
	phase, order := h.end.phase, h.end.order
	left := map[Key]map[string]any{}
	for _, w := range sortedBy(writes, order) {
		object, again := left[KeyOf(w)]
		if again {
			w = w.On(object)
		}
		stops := h.stopsAt(phase, w)
		if !stops && !(phase == updates && follows) {
			continue
		}
		result := h.Simulate(ctx, server, w)
		if !h.refuses(w, result) {
			left[KeyOf(w)] = result.Object
			continue
		}
		failed = true
		if stops {
			h.end.last = order[documentOf(w)]
			break
		}
	}
	return failed
}

// sortedBy are manifests by their places.
func sortedBy(writes []engine.Write, order map[document]int) []engine.Write {
	return slices.SortedFunc(slices.Values(writes), func(a, b engine.Write) int {
		return cmp.Compare(order[documentOf(a)], order[documentOf(b)])
	})
}

// reaches reports whether the run comes to a manifest in a phase.
func (h *helm) reaches(w engine.Write, phase helmPhase) bool {
	return phase < h.end.phase || phase == h.end.phase && h.end.order[documentOf(w)] <= h.end.last
}

// reached counts the objects that the run comes to in a phase of theirs.
func (h *helm) reached(writes []engine.Write) (n int) {
	for _, w := range writes {
		manifest, key := manifestOf(w), KeyOf(w)
		comes := func(phase helmPhase) bool { return h.runs(w, phase) && h.reaches(w, phase) }
		if !h.crds[key] && (!h.isHook(w, manifest) && h.reaches(w, updates) || comes(preHooks) || comes(postHooks)) {
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
		case !h.isHook(w, manifest):
			updated = true
		case h.runs(w, preHooks):
			h.carrier = KeyOf(w)
		case h.runs(w, postHooks):
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

// isHook reports whether a manifest is a hook. Nothing in crds/ is, and no item of a List:
// Helm reads the metadata of documents (pkg/release/v1/util/manifest_sorter.go).
func (h *helm) isHook(w engine.Write, manifest map[string]any) bool {
	return isHook(manifest) && w.List == "" && !h.crds[KeyOf(w)]
}

// stopsAt reports whether a refusal of an object ends the phase.
func (h *helm) stopsAt(phase helmPhase, w engine.Write) bool {
	switch {
	case h.crds[KeyOf(w)]:
		return phase == crdFiles
	case phase == updates:
		return liveOf(w) == nil && (h.deployed != nil || h.adopts) && !h.isHook(w, manifestOf(w))
	case phase == crdFiles || phase == removals:
		return false
	}
	return h.runs(w, phase)
}

// inHelmOrder are the positions of objects in a phase: by kind (pkg/release/v1/util,
// InstallOrder), hooks by weight and name. A List is one document, of a kind of its own, and
// its items keep their order.
func inHelmOrder(writes []engine.Write, phase helmPhase) map[document]int {
	type placed struct {
		document
		kind   string
		weight int
	}
	var all []placed
	for _, w := range writes {
		p := placed{document: documentOf(w), kind: cmp.Or(w.List, w.Kind.Kind)}
		if phase != updates {
			p.weight, _ = strconv.Atoi(annotationsOf(manifestOf(w))["helm.sh/hook-weight"])
		}
		all = append(all, p)
	}
	if phase == crdFiles {
		// One file after the other, as they are read.
		return places(all, func(p placed) document { return p.document })
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(kindOrder(a.kind), kindOrder(b.kind)), cmp.Compare(a.kind, b.kind))
	})
	if phase != updates {
		slices.SortStableFunc(all, func(a, b placed) int {
			return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.Name, b.Name))
		})
	}
	return places(all, func(p placed) document { return p.document })
}

func places[T any, K comparable](all []T, key func(T) K) map[K]int {
	out := map[K]int{}
	for i, one := range all {
		out[key(one)] = i
	}
	return out
}

// inOrder are the manifests as a run comes to them: hooks before the updates, what is no
// hook, and hooks behind them.
func (h *helm) inOrder(writes []engine.Write) []engine.Write {
	phases, orders := map[document]helmPhase{}, map[helmPhase]map[document]int{}
	for phase := crdFiles; phase <= finished; phase++ {
		orders[phase] = inHelmOrder(writes, phase)
	}
	for _, w := range writes {
		phase, manifest := finished, manifestOf(w)
		switch {
		case h.crds[KeyOf(w)]:
			phase = crdFiles
		case !h.isHook(w, manifest):
			phase = updates
		case h.runs(w, preHooks):
			phase = preHooks
		case h.runs(w, postHooks):
			phase = postHooks
		}
		phases[documentOf(w)] = phase
	}
	return slices.SortedStableFunc(slices.Values(writes), func(a, b engine.Write) int {
		phase := phases[documentOf(a)]
		return cmp.Or(cmp.Compare(phase, phases[documentOf(b)]),
			cmp.Compare(orders[phase][documentOf(a)], orders[phase][documentOf(b)]))
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

// runs reports whether a manifest is a hook of a phase.
func (h *helm) runs(w engine.Write, phase helmPhase) bool {
	return w.List == "" && h.asksFor(manifestOf(w), phase)
}

// asksFor reports whether the annotations of an object make it a hook of a phase.
func (h *helm) asksFor(manifest map[string]any, phase helmPhase) bool {
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
	if !h.runs(w, phase) {
		return
	}
	policy := func(name string) bool {
		given := annotationsOf(manifest)[hookPolicy] != ""
		return w.Kind.Kind != "CustomResourceDefinition" &&
			(option(manifest, hookPolicy, name) || !given && name == "before-hook-creation")
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
