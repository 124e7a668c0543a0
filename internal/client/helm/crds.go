package helm

import (
	"context"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// crdsFile is the name of a file in the crds/ of a chart or of one of its subcharts, as
// 'helm template --include-crds' has it.
var crdsFile = regexp.MustCompile(`^[^/]+(/charts/[^/]+)*/crds/.`)

// fromCrds reports whether a manifest is a file of crds/. Where nothing says from which file
// it is, a live definition shows it that helm wrote without the label of templates.
func fromCrds(w engine.Write) bool {
	if w.Template != "" {
		return crdsFile.MatchString(w.Template)
	}
	live := client.Live(w)
	return live != nil && w.Kind.GroupKind() == api.CustomResourceDefinition && objects.ManagedBy(live, "helm") &&
		objects.Labels(live)[managedByLabel] == ""
}

// findCrds finds the manifests that are files of crds/, and the kinds that an install has
// of them before it builds the objects of the templates.
func (h *helm) findCrds(writes []engine.Write) {
	h.crds, h.served = map[client.Key]bool{}, map[schema.GroupKind]bool{}
	for _, w := range writes {
		if !fromCrds(w) {
			continue
		}
		h.crds[client.KeyOf(w)] = true
		if manifest := client.Manifest(w); h.deployed == nil {
			defined := schema.GroupKind{
				Group: objects.Text(manifest, "spec", "group"), Kind: objects.Text(manifest, "spec", "names", "kind"),
			}
			h.served[defined] = true
		}
	}
}

// crdsFail reports whether an install ends at a file of crds/: nothing else is sent then.
func (h *helm) crdsFail(ctx context.Context, server api.Server, writes []engine.Write) bool {
	if h.deployed != nil || len(h.crds) == 0 {
		return false
	}
	order := inHelmOrder(writes, crdFiles)
	for i, w := range writes {
		if !h.crds[client.KeyOf(w)] {
			continue
		}
		h.end = helmEnd{phase: crdFiles, order: order, last: order[documentOf(w)]}
		if h.Refuses(w, h.Simulate(ctx, server, w)) {
			h.stopRest(slices.Concat(writes[:i], writes[i+1:]), w)
			return true
		}
	}
	h.end = helmEnd{phase: finished}
	return false
}

// stopRest has an install not come to objects behind a file of crds/ that is refused.
func (h *helm) stopRest(writes []engine.Write, refused engine.Write) {
	for _, w := range writes {
		if key := client.KeyOf(w); !h.crds[key] || h.end.order[documentOf(w)] > h.end.last {
			h.Stopped[key] = client.Stop{
				Notice: "not applied: " + refused.Kind.Kind + " " + refused.Name + " is refused, and with it the install",
			}
		}
	}
}

// notUpgraded says what an upgrade does with a file of crds/.
const notUpgraded = "not sent: an upgrade leaves crds/ alone, only an install applies it"

// installCrd is what an install sends for a file of crds/ (pkg/action/install.go,
// installCRDs): without the metadata of the release, and without moving entries. One that is
// there is skipped where it is created.
func (h *helm) installCrd(r *client.Sequence, w engine.Write, manifest map[string]any) {
	switch {
	case h.deployed != nil:
		r.Note(notUpgraded)
	case h.serverSide:
		w.FieldValidation, w.Force = "Strict", h.ForceConflicts
		r.Send(client.Apply, client.WithManifest(w, manifest))
	case r.Object() == nil:
		r.Create(w, manifest)
	}
}
