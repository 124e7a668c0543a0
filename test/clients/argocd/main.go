// Command argocd syncs objects as Argo CD does, with the code of its engine. It reads a
// Request from standard input. It is a module of its own: the engine is built with
// another kubectl.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// Request is a sync of targets, given the live objects of an application.
type Request struct {
	Server, Namespace                              string
	ServerSide, Replace, Force, Prune, NoMigration bool
	Migrates                                       string
	Targets, Live                                  []map[string]any
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

// sync is what controller/sync.go of argo-cd does.
func (r Request) sync() error {
	var targets []*unstructured.Unstructured
	for _, object := range r.Targets {
		targets = append(targets, &unstructured.Unstructured{Object: object})
	}
	live := map[kube.ResourceKey]*unstructured.Unstructured{}
	for _, object := range r.Live {
		u := &unstructured.Unstructured{Object: object}
		live[kube.GetResourceKey(u)] = u
	}
	config := &rest.Config{Host: r.Server, QPS: -1}
	ops := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	foreground := metav1.DeletePropagationForeground
	running, cleanup, err := sync.NewSyncContext("1", sync.Reconcile(targets, live, r.Namespace, namespaced{}), config, config, ops, r.Namespace,
		sync.WithLogr(logr.Discard()), sync.WithOperationSettings(false, r.Prune, r.Force, false), sync.WithPrunePropagationPolicy(&foreground),
		sync.WithReplace(r.Replace), sync.WithServerSideApply(r.ServerSide), sync.WithServerSideApplyManager("argocd-controller"),
		sync.WithClientSideApplyMigration(!r.NoMigration, r.Migrates), sync.WithManifestValidation(true))
	if err != nil {
		return err
	}
	defer cleanup()
	for range 100 {
		running.Sync()
		phase, message, results := running.GetState()
		if !phase.Completed() {
			time.Sleep(50 * time.Millisecond)
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

// namespaced knows which kinds of the cases have a namespace.
type namespaced struct{}

func (namespaced) IsNamespaced(kind schema.GroupKind) (bool, error) {
	return kind.Kind != "ClusterRole", nil
}
