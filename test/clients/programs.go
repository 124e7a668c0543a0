package main

import (
	"context"
	"slices"
	"strings"
)

// clientKind is a client whose runs are recorded.
type clientKind struct {
	name, client, version string
	// writers are who may have written before, by their names.
	writers []string
	// marks are changes of manifests that mean something to this client.
	marks []change
	// hooks make hooks of manifests.
	hooks []change
	// final draws the run that is recorded.
	final func(*testCase) final
}

// final is a run, with the flags that tell ssactl of it.
type final struct {
	command  string
	flags    []string
	settings []map[string]any
	run      func(context.Context, *world, *testCase) error
}

type writer func(context.Context, *world, *testCase, []map[string]any) error

// writers are what makes the objects of a case.
var writers = map[string]writer{
	"kubectl apply":               kubectl("apply"),
	"kubectl apply --server-side": kubectl("apply", "--server-side"),
	"kubectl apply --server-side --field-manager=deployer": kubectl(
		"apply", "--server-side", "--field-manager=deployer", "--force-conflicts",
	),
	"kubectl apply --field-manager=deployer": kubectl("apply", "--field-manager=deployer"),
	"kubectl create":                         kubectl("create"),
	"kubectl create --save-config":           kubectl("create", "--save-config"),
	"kubectl replace":                        kubectl("replace"),
	"kubectl apply set-last-applied":         kubectl("apply", "set-last-applied", "--create-annotation"),
	"helm4 rollback":                         rollback("helm4"),
	"helm4 install other": func(ctx context.Context, w *world, c *testCase, objects []map[string]any) error {
		return w.run(ctx, "helm4", "install", "other", c.chart(objects[:1]), "-n", c.namespace, "--timeout", "3s")
	},
	"helm3 rollback":                              rollback("helm3"),
	"helm3 upgrade --install":                     helm("helm3"),
	"helm4 upgrade --install":                     helm("helm4"),
	"helm4 upgrade --install --server-side=false": helm("helm4", "--server-side=false"),
	"helm4 upgrade --install --server-side=true":  helm("helm4", "--server-side=true"),
	"helm4 upgrade --install --server-side=true --force-conflicts": helm(
		"helm4",
		"--server-side=true",
		"--force-conflicts",
	),
	"flux":                fluxRun{}.reconcile,
	"argocd":              argoRun{ServerSide: true}.sync,
	"argocd, client-side": argoRun{}.sync,
}

func kubectl(args ...string) writer {
	return func(ctx context.Context, w *world, c *testCase, objects []map[string]any) error {
		if !c.bare {
			args = append(slices.Clone(args), "-n", c.namespace)
		}
		return w.run(ctx, "kubectl", append(slices.Clone(args), "-f", c.file(objects))...)
	}
}

func helm(program string, flags ...string) writer {
	return func(ctx context.Context, w *world, c *testCase, objects []map[string]any) error {
		defer w.completing(ctx, c.namespace)()
		return w.run(
			ctx,
			program,
			append(
				[]string{"upgrade", "--install", release, c.chart(objects), "-n", c.namespace, "--timeout", "3s"},
				flags...)...)
	}
}

func rollback(program string) writer {
	return func(ctx context.Context, w *world, c *testCase, _ []map[string]any) error {
		return w.run(ctx, program, "rollback", release, "-n", c.namespace)
	}
}

// release is the name of Helm's release.
const release = "shop"

// clientsOf are the clients.
func clientsOf() []clientKind {
	past := []string{
		"", "kubectl apply", "kubectl apply", "kubectl apply --server-side",
		"kubectl apply --server-side --field-manager=deployer", "kubectl apply --field-manager=deployer",
		"kubectl create", "kubectl create --save-config", "kubectl replace",
		"kubectl apply set-last-applied",
	}
	return []clientKind{
		{
			name:    "kubectl",
			client:  "kubectl",
			version: "kubectl 0.37.2",
			writers: append(past, "helm3 upgrade --install", "helm4 upgrade --install"),
			final:   finalKubectl,
		},
		{name: "helm4", client: "helm@4", version: "Helm 4.3.1", final: finalHelm4, marks: helmMarks,
			writers: []string{
				"", "kubectl apply", "helm3 upgrade --install", "helm3 upgrade --install",
				"helm3 upgrade --install", "helm4 upgrade --install", "helm4 upgrade --install",
				"helm4 rollback", "helm3 rollback", "helm4 install other",
				"helm4 upgrade --install --server-side=false", "helm4 upgrade --install --server-side=true",
				"helm4 upgrade --install --server-side=true --force-conflicts",
			}},
		{name: "helm3", client: "helm@3", version: "Helm 3.22.0", final: finalHelm3, marks: helmMarks,
			writers: []string{
				"", "kubectl apply", "helm3 upgrade --install", "helm3 upgrade --install",
				"helm3 upgrade --install", "helm4 upgrade --install", "helm3 rollback",
			}},
		{name: "flux", client: "flux", version: "fluxcd/pkg/ssa 0.78.0", final: finalFlux, marks: fluxMarks,
			writers: append(past, "flux", "flux", "flux", "flux", "flux", "helm3 upgrade --install")},
		{
			name:    "argocd",
			client:  "argocd",
			version: "gitops-engine c9c369efcc5b",
			final:   finalArgoCD,
			marks:   argoMarks,
			hooks:   argoHooks,
			writers: append(
				past, "argocd", "argocd", "argocd", "argocd", "argocd", "argocd", "argocd", "argocd",
				"argocd, client-side", "helm3 upgrade --install",
			),
		},
	}
}

var helmMarks = []change{
	{"metadata/annotations/helm.sh~1resource-policy": "keep"},
	{"metadata/annotations/helm.sh~1hook": "pre-upgrade,pre-install"},
	{
		"metadata/annotations/helm.sh~1hook":               "post-upgrade",
		"metadata/annotations/helm.sh~1hook-delete-policy": "hook-succeeded",
	},
	{"metadata/annotations/helm.sh~1hook": "pre-install,pre-upgrade", "metadata/annotations/helm.sh~1hook-weight": "-3"},
}

func finalKubectl(c *testCase) final {
	var flags []string
	if c.one(4) {
		flags = []string{"--server-side=false"}
	} else {
		flags = []string{"--server-side"}
		if c.one(3) {
			flags = append(flags, "--force-conflicts")
		}
		if c.one(3) {
			flags = append(flags, "--field-manager="+pick(c, []string{"deployer", "team-b", "argocd-controller"}))
		}
	}
	if c.one(8) {
		flags = append(flags, "--validate="+pick(c, []string{"warn", "ignore"}))
	}
	c.listed = c.one(8)
	return program(flags, "kubectl apply -f manifests.yaml", kubectl(append([]string{"apply"}, flags...)...))
}

func finalHelm4(c *testCase) final {
	var flags []string
	switch c.rng.IntN(4) {
	case 0:
		flags = append(flags, "--server-side=true")
	case 1:
		flags = append(flags, "--server-side=false")
	}
	if c.one(4) && !slices.Contains(flags, "--server-side=false") {
		flags = append(flags, "--force-conflicts")
	}
	if c.one(5) {
		flags = append(flags, "--take-ownership")
	}
	if c.one(12) {
		// It excludes --force-conflicts.
		flags = []string{"--server-side=false", "--force-replace"}
	}
	return releaseOf(c, flags, flags, "helm upgrade --install shop ./chart", helm("helm4", flags...))
}

func finalHelm3(c *testCase) final {
	var flags, ours []string
	if c.one(5) {
		flags = append(flags, "--take-ownership")
	}
	ours = flags
	if c.one(8) {
		flags, ours = append(flags, "--force"), append(ours, "--force-replace")
	}
	return releaseOf(c, flags, ours, "helm upgrade --install shop ./chart", helm("helm3", flags...))
}

// releaseOf is a run of Helm with flags, and what ssactl calls them.
func releaseOf(c *testCase, flags, ours []string, command string, run writer) final {
	f := program(flags, command, run)
	f.flags = append([]string{"--release=" + release}, ours...)
	c.listed = c.one(8)
	return f
}

// program is the run of a program whose flags ssactl has too.
func program(flags []string, command string, run writer) final {
	return final{
		command: strings.Join(append([]string{command}, flags...), " "),
		flags:   flags,
		run: func(ctx context.Context, w *world, c *testCase) error {
			return run(ctx, w, c, c.manifests)
		},
	}
}
