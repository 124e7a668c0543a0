package argocd

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
)

const (
	trackingID     = "argocd.argoproj.io/tracking-id"
	trackingLabel  = "app.kubernetes.io/instance"
	installationID = "argocd.argoproj.io/installation-id"
)

// tracking is what a tracking id says: the application of an object, and its namespace or,
// for an object that has none, that of the application's destination (argo-cd,
// util/argo/resource_tracking.go, UnstructuredToAppInstanceValue).
type tracking struct{ application, namespace string }

// trackingOf reads the tracking id of a live object; zero for none.
func trackingOf(live map[string]any) tracking {
	parts := strings.SplitN(objects.Annotations(live)[trackingID], ":", 3)
	if len(parts) < 3 {
		return tracking{application: parts[0]}
	}
	namespace, _, _ := strings.Cut(parts[2], "/")
	return tracking{parts[0], namespace}
}

// trackedBy is the application that the annotation of a live object names.
func trackedBy(live map[string]any) string { return trackingOf(live).application }

// track finds the application of the live objects, and its destination where no
// Application says it. One that is given marks its objects by the annotation, the default
// since Argo CD 3, unless they have its label only.
func (a *argoCD) track(writes []engine.Write) {
	labeled := func(w engine.Write) bool { return objects.Labels(client.Live(w))[trackingLabel] == a.name }
	a.tracks = a.app != nil && !slices.ContainsFunc(writes, labeled)
	names, destinations := map[string]int{}, map[string]int{}
	for _, w := range writes {
		live := client.Live(w)
		of := trackingOf(live)
		if of.application == "" {
			continue
		}
		a.tracks = true
		a.installation = cmp.Or(a.installation, objects.Annotations(live)[installationID])
		names[of.application]++
		if w.Namespace == "" {
			destinations[of.namespace]++
		}
	}
	if a.app != nil {
		if qualified := objects.Text(a.app, "metadata", "namespace") + "_" + a.name; names[qualified] > 0 {
			// An Application outside of Argo CD's own namespace.
			a.name = qualified
		}
		a.names = map[string]int{a.name: 1}
		return
	}
	a.names, a.name = names, cmp.Or(a.name, mostOf(names))
	switch own := namespacesOf(writes); {
	case len(destinations) > 0:
		a.namespace = mostOf(destinations)
	case a.given != "":
		a.namespace = a.given
	default:
		a.guesses = true
		if len(own) == 1 {
			a.namespace = own[0]
		}
	}
}

// tracked adds the name of its application to a manifest without one, where the live object
// has it; false where nothing is added.
func (a *argoCD) tracked(manifest map[string]any, w engine.Write) bool {
	u := &unstructured.Unstructured{Object: manifest}
	annotations := u.GetAnnotations()
	if !a.tracks || annotations[trackingID] != "" || a.Makes(client.KeyOf(w)) {
		return false
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	of := a.trackingFor(w)
	annotations[trackingID] = of.application + ":" + w.Kind.Group + "/" + w.Kind.Kind + ":" + of.namespace + "/" + w.Name
	if a.installation != "" && annotations[installationID] == "" {
		annotations[installationID] = a.installation
	}
	u.SetAnnotations(annotations)
	return true
}

// trackingFor is what the tracking id of a manifest says. Without an Application, the live
// object knows best.
func (a *argoCD) trackingFor(w engine.Write) tracking {
	if of := trackingOf(client.Live(w)); a.app == nil && of.application != "" {
		return of
	}
	return tracking{a.name, cmp.Or(w.Namespace, a.namespace)}
}

// guessesFor reports whether a tracking id is added whose namespace no input says.
func (a *argoCD) guessesFor(w engine.Write) bool {
	return a.guesses && a.tracks && w.Namespace == "" &&
		objects.Annotations(client.Manifest(w))[trackingID] == "" && trackedBy(client.Live(w)) == ""
}

// owns reports whether a live object is of the application.
func (a *argoCD) owns(live map[string]any) bool {
	if !a.tracks && a.name == "" {
		return objects.ManagedBy(live, a.Manager)
	}
	if id := trackedBy(live); id != "" {
		return a.names[id] > 0
	}
	return a.name != "" && objects.Labels(live)[trackingLabel] == a.name
}

// namespacesOf are the namespaces of writes, sorted.
func namespacesOf(writes []engine.Write) []string {
	all := map[string]bool{}
	for _, w := range writes {
		if w.Namespace != "" {
			all[w.Namespace] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// mostOf is what is counted most often, the first by name of several; empty for none.
func mostOf(counts map[string]int) string {
	best := ""
	for i, name := range slices.Sorted(maps.Keys(counts)) {
		if i == 0 || counts[name] > counts[best] {
			best = name
		}
	}
	return best
}
