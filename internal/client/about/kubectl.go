package about

// Kubectl is kubectl apply.
var Kubectl = Program{
	Name: "kubectl", Title: "kubectl",
	Versions: []Version{{"1.37", "k8s.io/kubectl v0.37.2"}, {"1.36", "k8s.io/kubectl v0.36.3"}},
	Manager:  "kubectl",
	Forces:   "only with --force-conflicts",
	Steps: []Term{
		{
			"Apply",
			"the manifest, unless the server does not serve its kind. If it is refused, nothing follows, and kubectl fails.",
		},
		{
			"KeepAnnotation",
			"as manager kubectl, where the object has the last-applied annotation and no Apply entry owns it: an apply of the annotation alone as kubectl-last-applied.",
		},
		{
			"MoveEntries",
			"a JSON patch of managedFields: each Update entry that owns the annotation joins the entry of the manager, whatever its name.",
		},
		{
			"ApplyAgain",
			"where entries moved: the manifest again. It removes what they owned and the manifest lacks. If it is refused, as the two before, kubectl warns and exits with 0.",
		},
		{
			"Create",
			"with --server-side=false, where the object is absent: the manifest with the annotation, as kubectl-client-side-apply.",
		},
		{
			"Patch",
			"with --server-side=false: the patch that merges the annotation, the manifest and the live object; none where nothing differs. It never conflicts.",
		},
		{
			"Delete",
			"with --prune and -l, client-side, once all of the manifests are applied: live objects that match the selector, have the annotation and are of no manifest that it selects, in the namespaces of these; Namespaces and PersistentVolumes, too. Only ConfigMaps, Endpoints, Secrets, Services, claims, Ingresses, Pods and what makes Pods are pruned.",
		},
	},
	Options: []string{"server-side", "prune", "applyset"},
	Not: []string{
		"--prune by an ApplySet (--applyset): the answer says so", "--prune with --all or with --prune-allowlist",
		"--force and --overwrite=false of client-side apply",
		"kubectl's own validation of a file of kind List, which refuses the whole file",
	},
}
