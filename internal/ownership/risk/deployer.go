package risk

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/text"
)

var helmRelease = schema.GroupKind{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}

// undeployed says what the controller of a deleted object deletes of what it has deployed; empty where its
// settings leave that (argoproj/argo-cd, controller/appcontroller.go; fluxcd/kustomize-controller and
// fluxcd/helm-controller, internal/controller).
func (f *finder) undeployed() text.Text {
	finalizers := finalizersOf(f.Live)
	flux := slices.Contains(finalizers, "finalizers.fluxcd.io") && fieldtree.Value(f.Live, "spec", "suspend") != true
	deployed := 0
	switch f.kind() {
	case about.Applications:
		if !slices.ContainsFunc(finalizers, func(name string) bool {
			return strings.HasPrefix(name, "resources-finalizer.argocd.argoproj.io") ||
				strings.HasPrefix(name, "foreground-finalizer.argocd.argoproj.io") ||
				strings.HasPrefix(name, "background-finalizer.argocd.argoproj.io")
		}) {
			return text.Text{}
		}
		deployed = len(objects.List(f.Live, "status", "resources"))
	case about.Kustomizations:
		switch policy, _ := fieldtree.Value(f.Live, "spec", "deletionPolicy").(string); {
		case !flux, policy == "Orphan":
			return text.Text{}
		case policy == "Delete", policy == "WaitForTermination":
		case fieldtree.Value(f.Live, "spec", "prune") != true:
			return text.Text{}
		}
		deployed = len(objects.List(f.Live, "status", "inventory", "entries"))
	case helmRelease:
		if !flux {
			return text.Text{}
		}
		return text.New(
			"deleting the HelmRelease %v uninstalls its release, with all objects of it",
			text.Name(f.Target.Name),
		)
	}
	says := text.New(
		"deleting the %v %v deletes all that it has deployed",
		text.Name(f.Target.Kind),
		text.Name(f.Target.Name),
	)
	if deployed == 0 {
		return says
	}
	return text.New("%v, %v by its status", says, text.Count(deployed, "object"))
}
