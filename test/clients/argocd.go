package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// argoRun are the settings of an Application.
type argoRun struct {
	ServerSide, Replace, Force, Prune, NoMigration bool
	PruneLast, CreateNamespace                     bool
	PruneOption, Propagation, Migrates             string
	Managed                                        *managedMetadata `json:",omitempty"`
}

// managedMetadata is managedNamespaceMetadata.
type managedMetadata struct{ Labels, Annotations map[string]string }

const trackingID = "argocd.argoproj.io/tracking-id"

// sync runs the program argocd.
func (s argoRun) sync(ctx context.Context, w *world, c *testCase, objects []map[string]any) error {
	live, err := s.live(ctx, w, c, objects)
	if err != nil {
		return err
	}
	var targets []map[string]any
	for _, object := range objects {
		namespace := any(cmp.Or(namespaceOf(object), c.namespace))
		if kindOf(object).cluster {
			namespace = nil
		}
		in := c.namespace
		if namespace != nil {
			in = namespace.(string)
		}
		// The identity has the namespace of the application where the object has none.
		id := fmt.Sprintf("%s:%s/%s:%s/%s", release, groupOf(object), object["kind"], in, nameOf(object))
		targets = append(
			targets,
			changed(object, change{"metadata/namespace": namespace, "metadata/annotations/argocd.argoproj.io~1tracking-id": id}),
		)
	}
	request := struct {
		argoRun
		Server, Namespace string
		Targets           []map[string]any
		Live              []json.RawMessage
	}{s, w.proxy.url, c.namespace, targets, live}
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(w.programs, "argocd-application-controller"))
	cmd.Stdin = bytes.NewReader(text)
	switch out, err := cmd.CombinedOutput(); {
	case ctx.Err() != nil:
		return errImpatient
	case err != nil:
		return fmt.Errorf("%s", bytes.TrimSpace(out))
	}
	return nil
}

// patience is how long a client may wait: finalizers may keep objects for ever.
const patience = 5 * time.Second

// errImpatient is of a run that was cut off, and says nothing.
var errImpatient = errors.New("the client still waits")

func groupOf(object map[string]any) string {
	group, _, is := strings.Cut(fmt.Sprint(object["apiVersion"]), "/")
	if !is {
		return ""
	}
	return group
}

// live are the live objects of the application, and those that manifests name.
func (s argoRun) live(
	ctx context.Context,
	w *world,
	c *testCase,
	objects []map[string]any,
) (out []json.RawMessage, err error) {
	all, _, err := w.dump(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, raw := range all {
		var object map[string]any
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, err
		}
		named := slices.ContainsFunc(
			objects,
			func(o map[string]any) bool { return o["kind"] == object["kind"] && nameOf(o) == nameOf(object) },
		)
		if named || strings.Contains(string(raw), trackingID+`":"`+release+":") {
			out = append(out, raw)
		}
	}
	return out, nil
}

// application is the object that has the settings.
func (s argoRun) application(namespace string) map[string]any {
	var options []any
	add := func(option string, is bool) {
		if is {
			options = append(options, option)
		}
	}
	add("ServerSideApply=true", s.ServerSide)
	add("Replace=true", s.Replace)
	add("Force=true", s.Force)
	add("ClientSideApplyMigration=false", s.NoMigration)
	add("PruneLast=true", s.PruneLast)
	add("CreateNamespace=true", s.CreateNamespace)
	add("Prune="+s.PruneOption, s.PruneOption != "")
	add("PrunePropagationPolicy="+strings.ToLower(s.Propagation), s.Propagation != "")
	metadata := map[string]any{"name": release, "namespace": "argocd"}
	if s.Migrates != "" {
		metadata["annotations"] = map[string]any{"argocd.argoproj.io/client-side-apply-migration-manager": s.Migrates}
	}
	policy := map[string]any{"syncOptions": options, "automated": map[string]any{"prune": s.Prune}}
	if s.Managed != nil {
		policy["managedNamespaceMetadata"] = map[string]any{"labels": s.Managed.Labels, "annotations": s.Managed.Annotations}
	}
	return map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata,
		"spec": map[string]any{"destination": map[string]any{"namespace": namespace}, "syncPolicy": policy},
	}
}

func finalArgoCD(c *testCase) final {
	s := argoRun{ServerSide: !c.one(4), Replace: c.one(10), Force: c.one(10), Prune: c.one(2), NoMigration: c.one(5)}
	if c.one(6) {
		s.Migrates = pick(c, []string{"kubectl-edit", "deployer"})
	}
	s.PruneLast, s.CreateNamespace = c.one(5), c.one(3)
	if s.CreateNamespace && !c.one(3) {
		s.Managed = &managedMetadata{
			Labels: pick(
				c,
				[]map[string]string{{"team": "managed"}, {"pod-security.kubernetes.io/enforce": "restricted"}, nil},
			),
			Annotations: pick(c, []map[string]string{nil, {"note": "managed"}}),
		}
	}
	if c.one(6) {
		s.PruneOption = pick(c, []string{"false", "confirm"})
	}
	if c.one(6) {
		s.Propagation = "Background"
	}
	c.setNamespaces()
	return final{
		command: "argocd sync " + s.String(), settings: []map[string]any{s.application(c.namespace)},
		run: func(ctx context.Context, w *world, c *testCase) error { return s.sync(ctx, w, c, c.manifests) },
	}
}

// String is the run as JSON.
func (s argoRun) String() string {
	text, _ := json.Marshal(s)
	return string(text)
}

var argoMarks = []change{
	{"metadata/annotations/argocd.argoproj.io~1sync-options": "Replace=true"},
	{"metadata/annotations/argocd.argoproj.io~1sync-options": "Force=true,Replace=true"},
	{"metadata/annotations/argocd.argoproj.io~1sync-options": "ServerSideApply=false"},
	{"metadata/annotations/argocd.argoproj.io~1sync-options": "Prune=false"},
	{"metadata/annotations/argocd.argoproj.io~1sync-options": "Force=true"},
	{"metadata/annotations/argocd.argoproj.io~1sync-wave": "-1"},
	{"metadata/annotations/argocd.argoproj.io~1sync-wave": "2"},
	{"metadata/annotations/argocd.argoproj.io~1sync-wave": "5"},
	{"metadata/annotations/argocd.argoproj.io~1sync-options": "PruneLast=true"},
	{"metadata/annotations/argocd.argoproj.io~1sync-options": "Prune=confirm"},
}

// argoHooks are what makes a hook of an object, from its first manifest on.
var argoHooks = []change{
	{"metadata/annotations/argocd.argoproj.io~1hook": "PreSync"},
	{"metadata/annotations/argocd.argoproj.io~1hook": "Sync", "metadata/annotations/argocd.argoproj.io~1sync-wave": "1"},
	{
		"metadata/annotations/argocd.argoproj.io~1hook":               "PostSync",
		"metadata/annotations/argocd.argoproj.io~1hook-delete-policy": "HookSucceeded",
	},
	{"metadata/annotations/argocd.argoproj.io~1hook": "SyncFail"},
	{"metadata/annotations/argocd.argoproj.io~1hook": "Skip"},
	{"metadata/annotations/helm.sh~1hook": "pre-install,pre-upgrade", "metadata/annotations/helm.sh~1hook-weight": "-5"},
}
