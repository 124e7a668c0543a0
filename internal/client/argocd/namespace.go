package argocd

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
)

// creates finds the namespace of the destination that a sync creates with
// CreateNamespace=true. With managedNamespaceMetadata it writes that to a live one too, and
// server-side, whatever else it does (argo-cd, controller/sync_namespace.go).
func (a *argoCD) creates(writes []engine.Write) {
	managed, manages, _ := unstructured.NestedMap(a.app, "spec", "syncPolicy", "managedNamespaceMetadata")
	isIt := func(w engine.Write) bool { return client.KeyOf(w) == client.Key{Kind: "Namespace", Name: a.namespace} }
	const ignored = "managedNamespaceMetadata of the Application is not written: "
	switch {
	case !slices.Contains(a.options, "CreateNamespace=true"):
		if manages {
			a.Notices = append(a.Notices, ignored+"it lacks the sync option CreateNamespace=true")
		}
		return
	case slices.ContainsFunc(writes, isIt):
		if manages {
			a.ofNamespace = ignored + "the Namespace is among the manifests"
		}
		return
	}
	metadata := map[string]any{}
	if manages {
		annotations := map[string]any{}
		own, _, _ := unstructured.NestedMap(managed, "annotations")
		maps.Copy(annotations, own)
		annotations[syncOptions] = "ServerSideApply=true"
		metadata["annotations"] = annotations
		if labels, _, _ := unstructured.NestedMap(managed, "labels"); labels != nil {
			metadata["labels"] = labels
		}
	}
	a.CreatesNamespace(a.namespace, metadata, writes)
	if a.Creates != nil {
		// The engine makes it of the type, which never omits these.
		a.Creates["spec"], a.Creates["status"] = map[string]any{}, map[string]any{}
		a.Adopts = manages
	}
}

// failsShared stops a sync whose objects are another application's too, where the options
// say so; false where it goes on.
func (a *argoCD) failsShared(writes []engine.Write) bool {
	if a.app == nil || !slices.Contains(a.options, "FailOnSharedResource=true") {
		return false
	}
	why := ""
	for _, w := range writes {
		if message := a.shared(client.Live(w)); message != "" {
			a.Stopped[client.KeyOf(w)] = client.Stop{Message: message}
			why = "not applied: " + w.Kind.Kind + " " + w.Name + " is of another application, and with it the sync fails"
		}
	}
	if why == "" {
		return false
	}
	a.Stops = true
	for _, w := range writes {
		if _, is := a.Stopped[client.KeyOf(w)]; !is {
			a.Stopped[client.KeyOf(w)] = client.Stop{Notice: why}
		}
	}
	return true
}
