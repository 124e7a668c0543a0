package about

// Flux is a reconciliation of a Kustomization.
var Flux = Program{
	Name: "flux", Title: "Flux",
	Versions: []Version{{"2", "kustomize-controller v1.9.0, fluxcd/pkg/ssa v0.78.0"}},
	Manager:  "kustomize-controller",
	Forces:   "always",
	Steps: []Term{
		{
			"DryRun",
			"the manifest, with the labels of its Kustomization and normalized by its Go type, which drops fields that the type lacks: forced, as a dry run. If one of a stage is refused, nothing of the stage is applied, and later stages are not tried. Stages: definitions, namespaces and cluster roles; kinds that end in Class; the rest.",
		},
		{
			"Delete",
			"where that is refused with a conflict, as invalid or immutable, and spec.force, --force or the annotation kustomize.toolkit.fluxcd.io/force: enabled says so; then the dry run again.",
		},
		{
			"MoveEntries",
			"unless the annotation kustomize.toolkit.fluxcd.io/ssa is Merge: a JSON patch that removes the last-applied annotation, and by which entries of managers that begin with kubectl (and those of --override-manager), the Update entries of before-first-apply and of kustomize-controller join its own.",
		},
		{
			"Apply",
			"the manifest, forced, where the dry run or the patch changes labels, annotations or anything but the status. Fields of spec.ignore (--ignore-path) that drifted are left out where another manager applies them, and else have their live values.",
		},
		{
			"Delete",
			"with --prune or spec.prune: live objects of the inventory of the Kustomization (where none is given, with its labels) that no manifest names, but with kustomize.toolkit.fluxcd.io/prune: disabled.",
		},
	},
	Reads: []Term{
		{
			"Kustomization",
			"force, prune, ignore, commonMetadata, the labels that its objects get, and the inventory in its status",
		},
		{"kustomize.toolkit.fluxcd.io/ssa", "Merge, IfNotPresent and Ignore; reconcile: disabled as Ignore"},
	},
	Options: []string{"prune", "force", "override-manager", "ignore-path"},
	Not: []string{
		"health checks and waits",
		"substitution, decryption and patches of the Kustomization: the manifests are what it builds, and the answer says where they still have what it substitutes or decrypts",
		"HelmReleases, which are Helm's: see --client helm", "--custom-stage-kinds and MigrateAPIVersion",
	},
	Settings: Kustomizations,
}
