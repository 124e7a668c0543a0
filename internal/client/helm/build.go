package helm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// readDeployed finds the objects of the deployed revision, and gives why Helm cannot build
// them: the classic after an upgrade of the cluster (pkg/action/upgrade.go, performUpgrade,
// and helm/helm#7219).
func (h *helm) readDeployed(server api.Server) (removed client.Stop) {
	if h.deployed == nil {
		return client.Stop{}
	}
	var errs []error
	meant := ""
	// A release keeps its hooks elsewhere; what 'helm template' prints has them.
	for _, object := range flattened(slices.DeleteFunc(slices.Clone(h.manifest), isHook)) {
		key := h.keyIn(server, object)
		u := &unstructured.Unstructured{Object: object}
		if is := h.unbuilt(server, u.GroupVersionKind()); is != "" {
			meant = cmp.Or(meant, is)
			errs = append(errs, errors.New(client.Unmapped(u.GroupVersionKind(), u.GetNamespace(), u.GetName(), "")))
		}
		if key.Namespace != "" {
			_ = unstructured.SetNestedField(object, key.Namespace, "metadata", "namespace")
		}
		h.old[key] = object
	}
	if errs == nil {
		return client.Stop{}
	}
	return client.Stop{
		Message: "unable to build kubernetes objects from current release manifest: " + utilerrors.NewAggregate(errs).Error(),
		Notice:  "the manifest of the deployed revision has a kind that the server does not serve: " + meant + "; 'helm mapkubeapis' edits the release",
	}
}

// flattened are objects with the items of Lists instead of these, as Helm builds them
// (pkg/kube/client.go, Build).
func flattened(documents []map[string]any) []map[string]any {
	var out []map[string]any
	for _, object := range documents {
		kind, isList := strings.CutSuffix(objects.Text(object, "kind"), "List")
		items, has := object["items"].([]any)
		if !isList || !has {
			out = append(out, object)
			continue
		}
		var of []map[string]any
		for _, item := range items {
			one, _ := item.(map[string]any)
			if one == nil {
				continue
			}
			if objects.Text(one, "kind") == "" && kind != "" {
				one["kind"], one["apiVersion"] = kind, object["apiVersion"]
			}
			of = append(of, one)
		}
		out = append(out, flattened(of)...)
	}
	return out
}

// unbuilt is why Helm cannot build an object of a kind: the server does not serve it before
// the run; empty where it can.
func (h *helm) unbuilt(server api.Server, kind schema.GroupVersionKind) string {
	if meant := engine.Unserved(server, kind); meant != "" {
		return meant
	}
	if h.Brings(kind.GroupKind()) && !h.served[kind.GroupKind()] {
		return fmt.Sprintf(
			"no kind %s is served yet: Helm looks up all kinds before it sends anything, and the definition is among the same manifests; put it into crds/ of the chart, which an install applies first, or into a chart of its own",
			kind.Kind,
		)
	}
	return ""
}

// refuse has Helm refuse objects before it writes any, and gives their names. It builds
// all objects before it looks at the live ones (pkg/action/upgrade.go, prepareUpgrade and
// performUpgrade, and install.go, RunWithContext).
func (h *helm) refuse(server api.Server, writes []engine.Write) (refused []client.Key) {
	if h.last != nil && strings.HasPrefix(h.last.Info.Status, "pending-") {
		for _, w := range writes {
			refused = append(refused, client.KeyOf(w))
			h.Refuse(client.KeyOf(w), "another operation (install/upgrade/rollback) is in progress")
		}
		return refused
	}
	if refused = h.refuseUnbuilt(server, writes); len(refused) > 0 {
		return refused
	}
	return h.refuseForeign(writes)
}

// refuseUnbuilt refuses what Helm cannot build an object from, hooks aside.
func (h *helm) refuseUnbuilt(server api.Server, writes []engine.Write) (refused []client.Key) {
	for _, w := range writes {
		if h.crds[client.KeyOf(w)] || h.isHook(w, client.Manifest(w)) {
			continue
		}
		if meant := h.unbuilt(server, w.Kind); meant != "" {
			refused = append(refused, client.KeyOf(w))
			h.RefuseUnmapped(
				client.KeyOf(w),
				h.what(
					"unable to build kubernetes objects from release manifest: ",
					"",
				)+client.Unmapped(
					w.Kind, client.NamespaceIn(w), w.Name, "",
				),
				meant,
			)
		} else if err := client.Undecodable(w); err != nil {
			refused = append(refused, client.KeyOf(w))
			h.Refuse(client.KeyOf(w), err.Error())
		}
	}
	return refused
}

// refuseForeign refuses what exists, and is not of the release.
func (h *helm) refuseForeign(writes []engine.Write) (refused []client.Key) {
	for _, w := range writes {
		live := client.Live(w)
		if live == nil || h.Release == "" || h.old[client.KeyOf(w)] != nil || h.TakeOwnership || h.crds[client.KeyOf(w)] ||
			h.isHook(w, client.Manifest(w)) {
			continue
		}
		if wrong := h.disowned(live); wrong != "" {
			refused = append(refused, client.KeyOf(w))
			h.Refuse(
				client.KeyOf(w),
				fmt.Sprintf(
					"unable to continue with %s: %s %q in namespace %q exists and cannot be imported into the current release: invalid ownership metadata; %s",
					h.what("install", "update"),
					w.Kind.Kind,
					w.Name,
					w.Namespace,
					wrong,
				),
			)
		}
	}
	return refused
}

// disowned is what keeps a live object from being of the release; empty for nothing.
func (h *helm) disowned(live map[string]any) string {
	var wrong []string
	require := func(of string, values map[string]string, key, want string) {
		switch value, has := values[key]; {
		case !has:
			wrong = append(wrong, fmt.Sprintf("%s validation error: missing key %q: must be set to %q", of, key, want))
		case value != want:
			wrong = append(
				wrong,
				fmt.Sprintf("%s validation error: key %q must equal %q: current value is %q", of, key, want, value),
			)
		}
	}
	require("label", objects.Labels(live), managedByLabel, "Helm")
	require("annotation", objects.Annotations(live), client.ReleaseName, h.Release)
	require("annotation", objects.Annotations(live), client.ReleaseNamespace, h.marked())
	return strings.Join(wrong, "; ")
}
