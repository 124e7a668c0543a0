package flux

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// lastStage is that of all kinds without one of their own.
const lastStage = 2

// stageOf is the stage in which a kind is applied.
func stageOf(w engine.Write) int {
	switch kind := w.Kind.GroupKind().String(); {
	case kind == "CustomResourceDefinition.apiextensions.k8s.io", kind == "Namespace",
		kind == "ClusterRole.rbac.authorization.k8s.io":
		return 0
	case strings.HasSuffix(w.Kind.Kind, "Class"):
		return 1
	}
	return lastStage
}

// stages finds whose labels the objects have, and, by dry runs, at which object the
// reconciliation ends: nothing of its stage is applied, and what follows is not tried.
func (f *flux) stages(ctx context.Context, server api.Server, writes []engine.Write) {
	for _, w := range writes {
		owner := objects.Labels(client.Live(w))
		if f.name == "" && owner[fluxGroup+"name"] != "" {
			f.name, f.namespace = owner[fluxGroup+"name"], owner[fluxGroup+"namespace"]
		}
	}
	for stage, rest := 0, writes; len(rest) > 0; stage++ {
		var all []engine.Write
		for _, w := range rest {
			if stageOf(w) == stage {
				all = append(all, w)
			}
		}
		rest = slices.DeleteFunc(slices.Clone(rest), func(w engine.Write) bool { return stageOf(w) == stage })
		slices.SortStableFunc(all, inFluxOrder)
		if why := f.stage(ctx, server, all); why != "" {
			f.stop(rest, client.Stop{Notice: why})
			return
		}
	}
}

// stage finds at which object of a stage the reconciliation ends, and what there is to say
// of those that are not applied; empty where it goes on.
func (f *flux) stage(ctx context.Context, server api.Server, all []engine.Write) string {
	// A dry run tells of the apply, unless entries move in between, or paths are ignored.
	var moved []client.Key
	refused := func(w engine.Write, until client.Request) bool {
		r := client.NewSequence(ctx, server, w)
		r.Until = until
		f.apply(r, w)
		if r.MovesEntries() {
			moved = append(moved, client.KeyOf(w))
		}
		return f.Refuses(w, r.Last())
	}
	why := func(w engine.Write) string {
		return fmt.Sprintf("not applied: %s %s is refused, and with it the reconciliation", w.Kind.Kind, w.Name)
	}
	if i := slices.IndexFunc(all, func(w engine.Write) bool { return refused(w, client.Apply) }); i >= 0 {
		why := why(all[i])
		f.stop(all[:i], client.Stop{After: client.Apply, Notice: why})
		f.stop(all[i:i+1], client.Stop{After: client.Apply})
		f.stop(
			all[i+1:],
			client.Stop{
				Notice: why + "; kustomize-controller tries four objects at a time, and may have moved the entries of this one",
			},
		)
		return why
	}
	mayFail := func(w engine.Write) bool {
		return slices.Contains(moved, client.KeyOf(w)) || len(f.rulesFor(client.Manifest(w))) > 0
	}
	if i := slices.IndexFunc(all, func(w engine.Write) bool { return mayFail(w) && refused(w, "") }); i >= 0 {
		f.stop(all[i+1:], client.Stop{After: client.Apply, Notice: why(all[i])})
		return why(all[i])
	}
	if i := slices.IndexFunc(all, f.awaits); i >= 0 {
		f.stop(
			all[i:i+1],
			client.Stop{Message: fmt.Sprintf("timeout waiting for: [%s/%s status: 'NotFound']", all[i].Kind.Kind, all[i].Name)},
		)
		return why(all[i])
	}
	return ""
}

// awaits reports whether the reconciliation waits for an object that it does not apply:
// stages before the last are to be ready.
func (f *flux) awaits(w engine.Write) bool {
	_, skips := skipping(w, client.Manifest(w), nil)
	return stageOf(w) < lastStage && client.Live(w) == nil && skips
}

func (f *flux) stop(writes []engine.Write, s client.Stop) {
	for _, w := range writes {
		f.Stopped[client.KeyOf(w)] = s
	}
}

// inFluxOrder compares objects as Flux orders them (fluxcd/pkg/ssa, sort.go): by stage,
// kind and name.
func inFluxOrder(a, b engine.Write) int {
	return cmp.Or(
		cmp.Compare(stageOf(a), stageOf(b)),
		cmp.Compare(fluxOrder(a), fluxOrder(b)),
		cmp.Compare(a.Kind.Group, b.Kind.Group), cmp.Compare(a.Kind.Kind, b.Kind.Kind),
		cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
	)
}

// inStages are the manifests in the order of Flux.
func inStages(writes []engine.Write) []engine.Write {
	return slices.SortedStableFunc(slices.Values(writes), inFluxOrder)
}

func fluxOrder(w engine.Write) int {
	if strings.HasSuffix(w.Kind.Kind, "WebhookConfiguration") {
		return len(fluxFirst) + 1
	}
	if i := slices.Index(fluxFirst, w.Kind.Kind); i >= 0 {
		return i
	}
	return len(fluxFirst)
}

var fluxFirst = []string{
	"CustomResourceDefinition", "Namespace", "ClusterRole", "ClusterClass", "RuntimeClass", "PriorityClass",
	"StorageClass", "VolumeSnapshotClass", "IngressClass", "GatewayClass", "ClusterRoleBinding", "ResourceQuota",
	"ServiceAccount", "Role", "RoleBinding", "ConfigMap", "Secret", "Service", "LimitRange", "Deployment",
	"StatefulSet", "CronJob", "PodDisruptionBudget",
}
