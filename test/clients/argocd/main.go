// Command argocd syncs objects as Argo CD does, with the code of its engine. It reads a
// Request from standard input. It is a module of its own: the engine is built with
// another kubectl.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/hook"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Request is a sync of targets, given the live objects of an application.
type Request struct {
	Server, Namespace                              string
	ServerSide, Replace, Force, Prune, NoMigration bool
	PruneLast, CreateNamespace                     bool
	// PruneOption is what syncOptions say of Prune; Propagation is PrunePropagationPolicy.
	PruneOption, Propagation string
	// Managed is managedNamespaceMetadata; nil for none.
	Managed       *struct{ Labels, Annotations map[string]string }
	Migrates      string
	Targets, Live []map[string]any
}

func main() {
	var r Request
	err := json.NewDecoder(os.Stdin).Decode(&r)
	if err == nil {
		err = r.sync()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// sync is what controller/sync.go of argo-cd does: a new context each time, on the live
// objects as they are then. All that has health is taken for healthy, as nothing runs here.
func (r Request) sync() error {
	var targets []*unstructured.Unstructured
	for _, object := range r.Targets {
		targets = append(targets, &unstructured.Unstructured{Object: object})
	}
	// What a hook made goes at once: nothing collects garbage here.
	policy := metav1.DeletePropagationForeground
	if r.Propagation != "" {
		policy = metav1.DeletionPropagation(r.Propagation)
	}
	if slices.ContainsFunc(targets, hook.IsHook) {
		policy = metav1.DeletePropagationBackground
	}
	config := &rest.Config{Host: r.Server, QPS: -1}
	live, err := r.reader(config)
	if err != nil {
		return err
	}
	ops := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	var phase common.OperationPhase
	var message string
	var results []common.ResourceSyncResult
	options := r.options(config, &policy)
	for range 100 {
		running, cleanup, err := sync.NewSyncContext(
			"1",
			sync.Reconcile(targets, live(), r.Namespace, namespaced{}),
			config, config, ops, r.Namespace,
			append(options, sync.WithInitialState(phase, message, results, metav1.Now()))...)
		if err != nil {
			return err
		}
		running.Sync()
		phase, message, results = running.GetState()
		cleanup()
		if strings.Contains(message, "waiting for pruning confirmation") {
			// No person is there to confirm it.
			return errors.New(message)
		}
		if !phase.Completed() {
			continue
		}
		if phase == common.OperationSucceeded {
			return nil
		}
		for _, result := range results {
			message += "\n" + result.ResourceKey.String() + ": " + result.Message
		}
		return errors.New(message)
	}
	return errors.New("the sync does not end")
}

// options are those of controller/sync.go.
func (r Request) options(config *rest.Config, policy *metav1.DeletionPropagation) []sync.SyncOpt {
	out := []sync.SyncOpt{
		sync.WithHealthOverride(healthy{}), sync.WithLogr(logr.Discard()),
		sync.WithOperationSettings(false, r.Prune, r.Force, false), sync.WithPrunePropagationPolicy(policy),
		sync.WithReplace(
			r.Replace,
		), sync.WithServerSideApply(r.ServerSide), sync.WithServerSideApplyManager("argocd-controller"),
		sync.WithClientSideApplyMigration(!r.NoMigration, r.Migrates), sync.WithManifestValidation(true),
		sync.WithPruneLast(r.PruneLast),
	}
	if r.PruneOption != "" {
		out = append(out, sync.WithDefaultPruneOption(&r.PruneOption))
	}
	if r.CreateNamespace {
		out = append(out, sync.WithNamespaceModifier(r.syncNamespace))
	}
	return out
}

// syncNamespace is that of controller/sync_namespace.go.
func (r Request) syncNamespace(managed, live *unstructured.Unstructured) (bool, error) {
	if managed == nil || live != nil && r.Managed == nil {
		return false, nil
	}
	if r.Managed != nil {
		managed.SetLabels(r.Managed.Labels)
		annotations := map[string]string{common.AnnotationSyncOptions: common.SyncOptionServerSideApply}
		for key, value := range r.Managed.Annotations {
			if key != common.AnnotationSyncOptions {
				annotations[key] = value
			}
		}
		managed.SetAnnotations(annotations)
	}
	return true, nil
}

// reader gives the objects of the application as they are at the time, without those that
// the garbage collector would have deleted.
func (r Request) reader(config *rest.Config) (func() map[kube.ResourceKey]*unstructured.Unstructured, error) {
	disco, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	var known []*unstructured.Unstructured
	for _, object := range slices.Concat(r.Targets, r.Live) {
		known = append(known, &unstructured.Unstructured{Object: object})
	}
	return func() map[kube.ResourceKey]*unstructured.Unstructured {
		out := map[kube.ResourceKey]*unstructured.Unstructured{}
		for _, u := range known {
			resource, err := kube.ServerResourceForGroupVersionKind(disco, u.GroupVersionKind(), "get")
			if err != nil {
				continue
			}
			at := kube.ToResourceInterface(
				client,
				resource,
				kube.ToGroupVersionResource(u.GetAPIVersion(), resource),
				cmp.Or(u.GetNamespace(), r.Namespace),
			)
			if live, err := at.Get(context.Background(), u.GetName(), metav1.GetOptions{}); err == nil &&
				!slices.Equal(live.GetFinalizers(), []string{metav1.FinalizerDeleteDependents}) {
				out[kube.GetResourceKey(live)] = live
			}
		}
		return out
	}, nil
}

// healthy finds everything healthy that has health.
type healthy struct{}

func (healthy) GetResourceHealth(*unstructured.Unstructured) (*health.HealthStatus, error) {
	return &health.HealthStatus{Status: health.HealthStatusHealthy}, nil
}

// namespaced knows which kinds of the cases have a namespace.
type namespaced struct{}

func (namespaced) IsNamespaced(kind schema.GroupKind) (bool, error) {
	return !slices.Contains(
		[]string{
			"ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "Namespace", "PriorityClass",
			"StorageClass", "ValidatingWebhookConfiguration",
		},
		kind.Kind,
	), nil
}
