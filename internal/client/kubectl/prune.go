package kubectl

import (
	"context"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// prunable are the kinds that kubectl prunes where --prune-allowlist names none (kubectl,
// pkg/util/prune/prune.go), and whether they have a namespace.
var prunable = map[schema.GroupKind]bool{
	{Kind: "ConfigMap"}: true, {Kind: "Endpoints"}: true, {Kind: "PersistentVolumeClaim"}: true, {Kind: "Pod"}: true,
	{Kind: "ReplicationController"}: true, {Kind: "Secret"}: true, {Kind: "Service"}: true,
	{Group: "batch", Kind: "Job"}: true, {Group: "batch", Kind: "CronJob"}: true,
	{Group: "networking.k8s.io", Kind: "Ingress"}: true,
	{Group: "apps", Kind: "DaemonSet"}:            true, {Group: "apps", Kind: "Deployment"}: true,
	{Group: "apps", Kind: "ReplicaSet"}: true, {Group: "apps", Kind: "StatefulSet"}: true,
	{Kind: "Namespace"}: false, {Kind: "PersistentVolume"}: false,
}

// What kubectl says where --prune has no selector, or comes with server-side apply
// (pkg/cmd/apply/apply.go, Validate).
var (
	errPrunesAll = errors.New("all resources selected for prune without explicitly passing --all. " +
		"To prune all resources, pass the --all flag. " +
		"If you did not mean to prune all resources, specify a label selector")
	errPrunesServerSide = errors.New("--prune is in alpha and doesn't currently work on objects " +
		"created by server-side apply; with --applyset it does, which is not simulated")
)

// prune has kubectl delete what it applied and no manifest names any more (pkg/cmd/apply/
// prune.go): objects that match the selector and have the last-applied annotation, in the
// namespaces of the manifests, once all of these are applied.
func prune(c *client.Client, b *client.Behavior, s client.Settings) error {
	switch {
	case s.Selector == nil || s.Selector.Empty():
		return errPrunesAll
	case !c.ClientSide:
		return errPrunesServerSide
	}
	c.Stops = true
	var visited []string
	b.Plan = func(_ context.Context, _ api.Server, writes []engine.Write) {
		visited = nil
		for _, w := range writes {
			visited = append(visited, w.Namespace)
		}
	}
	c.Prunes = func(key client.Key, object func() map[string]any) (string, bool) {
		namespaced, is := prunable[schema.GroupKind{Group: key.Group, Kind: key.Kind}]
		if !is || namespaced && !slices.Contains(visited, key.Namespace) {
			return "", false
		}
		live := object()
		_, applied := client.Annotation(live)
		return "Background", applied && s.Selector.Matches(labels.Set(objects.Labels(live)))
	}
	return nil
}
