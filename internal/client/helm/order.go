package helm

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
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
	client.Key
	at report.Source
}

func documentOf(w engine.Write) document { return document{client.KeyOf(w), w.Source} }

// findEnd finds where the run ends: at a hook that is refused, at a create that is refused
// where objects are updated, or behind all updates where another one is.
func (h *helm) findEnd(ctx context.Context, server api.Server, writes []engine.Write) {
	// What Helm comes to only behind the updates.
	follows := slices.ContainsFunc(writes, func(w engine.Write) bool {
		manifest := client.Manifest(w)
		return h.isHook(w, manifest) && (h.old[client.KeyOf(w)] != nil || h.runs(w, postHooks))
	})
	for phase := preHooks; phase < finished; phase++ {
		order := inHelmOrder(writes, phase)
		h.end = helmEnd{phase: phase, order: order, last: math.MaxInt}
		failed := h.fails(ctx, server, writes, follows)
		if phase == updates && h.misforced() {
			// It is the option that is refused, whatever the objects are.
			failed, h.end.last = true, math.MaxInt
			h.misforce(writes)
		}
		if failed {
			h.Stops = phase != postHooks
			// An option that is refused keeps Helm from updating any object.
			h.writesMore = h.reached(writes) > 1 && !(phase == updates && h.misforced())
			return
		}
	}
	h.end = helmEnd{phase: finished}
}

// fails reports whether an object of the phase in which the run ends so far is refused, and
// finds the last one that the run comes to. follows: something comes behind the updates.
func (h *helm) fails(ctx context.Context, server api.Server, writes []engine.Write, follows bool) (failed bool) {
	phase, order := h.end.phase, h.end.order
	left := map[client.Key]map[string]any{}
	for _, w := range sortedBy(writes, order) {
		object, again := left[client.KeyOf(w)]
		if again {
			w = w.On(object)
		}
		stops := h.stopsAt(phase, w)
		if !stops && !(phase == updates && follows) {
			continue
		}
		result := h.Simulate(ctx, server, w)
		if !h.Refuses(w, result) {
			left[client.KeyOf(w)] = result.Object
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
		manifest, key := client.Manifest(w), client.KeyOf(w)
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
		switch manifest := client.Manifest(w); {
		case h.crds[client.KeyOf(w)]:
		case !h.isHook(w, manifest):
			updated = true
		case h.runs(w, preHooks):
			h.carrier = client.KeyOf(w)
		case h.runs(w, postHooks):
			told = true
			h.Stopped[client.KeyOf(w)] = client.Stop{Message: misforced}
		}
	}
	switch {
	case updated || told:
		h.carrier = client.Key{}
	case h.carrier == client.Key{} && len(writes) > 0:
		h.Stopped[client.KeyOf(writes[0])] = client.Stop{Message: misforced}
	}
}

// isHook reports whether a manifest is a hook. Nothing in crds/ is: Helm reads the metadata of templates
// (pkg/release/v1/util/manifest_sorter.go).
func (h *helm) isHook(w engine.Write, manifest map[string]any) bool {
	return isHook(hooking(w, manifest)) && !h.crds[client.KeyOf(w)]
}

// stopsAt reports whether a refusal of an object ends the phase.
func (h *helm) stopsAt(phase helmPhase, w engine.Write) bool {
	switch {
	case h.crds[client.KeyOf(w)]:
		return phase == crdFiles
	case phase == updates:
		return client.Live(w) == nil && (h.deployed != nil || h.adopts) && !h.isHook(w, client.Manifest(w))
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
		kind, name string
		weight     int
	}
	var all []placed
	for _, w := range writes {
		p := placed{document: documentOf(w), kind: cmp.Or(w.List, w.Kind.Kind)}
		if w.List == "" {
			p.name = w.Name
		}
		if phase != updates {
			p.weight, _ = strconv.Atoi(objects.Annotations(hooking(w, client.Manifest(w)))["helm.sh/hook-weight"])
		}
		all = append(all, p)
	}
	if phase == crdFiles {
		// One file after the other, as they are read.
		return places(all, func(p placed) document { return p.document })
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(client.KindOrder(a.kind), client.KindOrder(b.kind)), cmp.Compare(a.kind, b.kind))
	})
	if phase != updates {
		slices.SortStableFunc(all, func(a, b placed) int {
			return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.name, b.name))
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
		phase, manifest := finished, client.Manifest(w)
		switch {
		case h.crds[client.KeyOf(w)]:
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
