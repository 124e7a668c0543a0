package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/jsondiff"
	"github.com/fluxcd/pkg/ssa/normalize"
	ssautil "github.com/fluxcd/pkg/ssa/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

const fluxGroup = "kustomize.toolkit.fluxcd.io"

// fluxRun are the settings of a Kustomization.
type fluxRun struct {
	force, prune        bool
	ignored, overridden []string
	// common are labels and annotations of all objects.
	common map[string]string
}

// reconcile is what kustomize-controller v1.9.0 does with built manifests
// (internal/controller/kustomization_controller.go, reconcile, apply and prune), one
// object after the other.
func (s fluxRun) reconcile(ctx context.Context, w *world, c *testCase, objects []map[string]any) error {
	// It waits for stages, and for what it deletes.
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	manager, err := w.fluxManager()
	if err != nil {
		return err
	}
	var all []*unstructured.Unstructured
	for _, object := range objects {
		u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
		if !kindOf(object).cluster && u.GetNamespace() == "" {
			u.SetNamespace(c.namespace)
		}
		all = append(all, u)
	}
	manager.SetOwnerLabels(all, release, c.namespace)
	if err := normalize.UnstructuredList(all); err != nil {
		return err
	}
	ssautil.SetCommonMetadata(all, s.common, s.common)
	before := c.inventory
	changes, err := manager.ApplyAllStaged(ctx, all, s.options())
	if err != nil {
		return err
	}
	c.inventory = nil
	for _, entry := range changes.Entries {
		c.inventory = append(c.inventory, entry.ObjMetadata.String()+" "+entry.GroupVersion)
	}
	if !s.prune {
		return nil
	}
	return errors.Join(s.deleteStale(ctx, manager, c, before)...)
}

func (w *world) fluxManager() (*ssa.ResourceManager, error) {
	config := rest.CopyConfig(w.config())
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, http)
	if err != nil {
		return nil, err
	}
	to, err := client.New(config, client.Options{HTTPClient: http, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	return ssa.NewResourceManager(
		to,
		polling.NewStatusPoller(to, mapper, polling.Options{}),
		ssa.Owner{Field: "kustomize-controller", Group: fluxGroup},
	), nil
}

// options are those of the controller.
func (s fluxRun) options() ssa.ApplyOptions {
	o := ssa.DefaultApplyOptions()
	o.Force = s.force
	o.ExclusionSelector = map[string]string{fluxGroup + "/reconcile": "disabled", fluxGroup + "/ssa": "Ignore"}
	o.IfNotPresentSelector = map[string]string{fluxGroup + "/ssa": "IfNotPresent"}
	o.ForceSelector = map[string]string{fluxGroup + "/force": "enabled"}
	if len(s.ignored) > 0 {
		o.DriftIgnoreRules = []jsondiff.IgnoreRule{{Paths: s.ignored}}
	}
	managers := []ssa.FieldManager{
		{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
		{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
		{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
		{Name: "kustomize-controller", OperationType: metav1.ManagedFieldsOperationUpdate},
	}
	for _, name := range s.overridden {
		managers = append(managers, ssa.FieldManager{Name: name, OperationType: metav1.ManagedFieldsOperationApply},
			ssa.FieldManager{Name: name, OperationType: metav1.ManagedFieldsOperationUpdate})
	}
	o.Cleanup = ssa.ApplyCleanupOptions{
		Annotations:   []string{corev1.LastAppliedConfigAnnotation, fluxGroup + "/checksum", "fluxcd.io/sync-checksum"},
		Labels:        []string{"fluxcd.io/sync-gc-mark"},
		FieldManagers: managers,
		Exclusions:    map[string]string{fluxGroup + "/ssa": "Merge"},
	}
	return o
}

// deleteStale deletes what an earlier run applied, and this one did not.
func (s fluxRun) deleteStale(
	ctx context.Context,
	manager *ssa.ResourceManager,
	c *testCase,
	before []string,
) (errs []error) {
	for _, k := range kinds {
		u := &unstructured.Unstructured{Object: c.parsed(k)}
		if !k.cluster {
			u.SetNamespace(c.namespace)
		}
		id := fmt.Sprintf(
			"%s_%s_%s_%s %s",
			u.GetNamespace(),
			u.GetName(),
			u.GroupVersionKind().Group,
			u.GetKind(),
			u.GroupVersionKind().Version,
		)
		if !slices.Contains(before, id) || slices.Contains(c.inventory, id) {
			continue
		}
		_, err := manager.Delete(ctx, u, ssa.DeleteOptions{
			PropagationPolicy: metav1.DeletePropagationBackground,
			Inclusions:        manager.GetOwnerLabels(release, c.namespace),
			Exclusions: map[string]string{
				fluxGroup + "/prune": "disabled", fluxGroup + "/reconcile": "disabled", fluxGroup + "/ssa": "Ignore",
			},
		})
		errs = append(errs, err)
	}
	return errs
}

// kustomization is the object that has the settings.
func (s fluxRun) kustomization(namespace string, inventory []string) map[string]any {
	spec := map[string]any{"prune": s.prune, "force": s.force}
	if len(s.ignored) > 0 {
		spec["ignore"] = []any{map[string]any{"paths": anys(s.ignored)}}
	}
	if len(s.common) > 0 {
		spec["commonMetadata"] = map[string]any{"labels": s.common, "annotations": s.common}
	}
	var entries []any
	for _, applied := range inventory {
		id, version, _ := strings.Cut(applied, " ")
		entries = append(entries, map[string]any{"id": id, "v": version})
	}
	return map[string]any{
		"apiVersion": fluxGroup + "/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": release, "namespace": namespace}, "spec": spec,
		"status": map[string]any{"inventory": map[string]any{"entries": entries}},
	}
}

func anys(texts []string) []any {
	var out []any
	for _, text := range texts {
		out = append(out, text)
	}
	return out
}

func finalFlux(c *testCase) final {
	s := fluxRun{force: c.one(4), prune: c.one(2)}
	var flags []string
	if c.one(4) {
		s.ignored = []string{
			pick(
				c,
				[]string{
					"/spec/replicas", "/data/a", "/spec/size", "/metadata/labels/team",
					"/spec/template/spec/containers/0/image",
				},
			),
		}
	}
	if c.one(4) {
		s.overridden = []string{"team-b"}
		flags = append(flags, "--override-manager=team-b")
	}
	if c.one(6) {
		s.common = map[string]string{"team": "common", "note": "common"}
	}
	c.setNamespaces()
	return final{
		command: fmt.Sprintf(
			"kustomize-controller, force %v, prune %v, ignore %v, override-manager %v, common %v", s.force,
			s.prune, s.ignored, s.overridden, s.common,
		),
		flags: flags, settings: []map[string]any{s.kustomization(c.namespace, c.inventory)},
		run: func(ctx context.Context, w *world, c *testCase) error { return s.reconcile(ctx, w, c, c.manifests) },
	}
}

var fluxMarks = []change{
	{"metadata/annotations/kustomize.toolkit.fluxcd.io~1ssa": "Merge"},
	{"metadata/annotations/kustomize.toolkit.fluxcd.io~1ssa": "IfNotPresent"},
	{"metadata/annotations/kustomize.toolkit.fluxcd.io~1ssa": "Ignore"},
	{"metadata/annotations/kustomize.toolkit.fluxcd.io~1force": "enabled"},
	{"metadata/annotations/kustomize.toolkit.fluxcd.io~1prune": "disabled"},
}
