package about

// ArgoCD is a sync of an Application.
var ArgoCD = Program{
	Name: "argocd", Title: "Argo CD",
	Versions: []Version{{"3", "argo-cd gitops-engine of September 2026"}},
	Manager:  "argocd-controller",
	Forces:   "always",
	Steps: []Term{
		{
			"client-side dry run",
			"of all objects, by kubectl: where one fails (a last-applied annotation that is no JSON, a role with a wrong type, a kind that the server does not serve, but with SkipDryRunOnMissingResource=true), nothing is sent.",
		},
		{
			"Apply",
			"with CreateNamespace=true: the namespace of the destination, where none of that name is live; a live one too, with managedNamespaceMetadata.",
		},
		{
			"MoveEntries",
			"where kubectl-client-side-apply (or the manager of the annotation argocd.argoproj.io/client-side-apply-migration-manager of the Application) has an Update entry: a JSON patch by which it joins the entry of argocd-controller; not with ClientSideApplyMigration=false.",
		},
		{
			"Apply",
			"the manifest, forced, by kubectl's own code, and then what kubectl sends where other Update entries own the last-applied annotation.",
		},
		{
			"Patch",
			"with ServerSideApply=false, or an Application without ServerSideApply=true: client-side apply as argocd-controller, for RBAC behind a Replace or Create by kubectl auth reconcile, which adds what is missing; with Force=true, a patch that is refused becomes a Delete and a Create, and if that is refused, a Create of the former object.",
		},
		{
			"Replace",
			"with Replace=true: a PUT; with Force=true too, a Delete and a Create, but of definitions and namespaces. Absent objects are created.",
		},
		{
			"hooks",
			"PreSync, Sync and PostSync (SyncFail where the sync fails), and those of Helm, one of several phases in each, one with generateName under a placeholder of the name that Argo CD gives it: a Delete (BeforeHookCreation, the default), then as the others with the finalizer argocd.argoproj.io/hook-finalizer, a Replace that removes it, and a Delete (HookSucceeded) once the sync succeeded.",
		},
		{
			"Delete",
			"with --prune, or syncPolicy.automated.prune of the Application: live objects of the application that no manifest names, by PrunePropagationPolicy (default foreground), but with Prune=false. The waves of what is pruned are swapped: the last comes first. With PruneLast=true, all come behind the last wave. A wave with Prune=confirm waits until it is confirmed, and all behind it.",
		},
	},
	Reads: []Term{
		{
			"Application",
			"syncOptions (without an Application, ServerSideApply=true), ignoreDifferences: jsonPointers, jqPathExpressions and managedFieldsManagers (with RespectIgnoreDifferences=true the ignored fields keep their live values), the tracking of its objects",
		},
		{
			"argocd.argoproj.io/sync-options",
			"of manifests and live objects: Replace, Force, ServerSideApply, Prune, PruneLast, SkipDryRunOnMissingResource",
		},
		{
			"argocd.argoproj.io/tracking-id",
			"of live objects, without an Application: whose they are, and the destination namespace that cluster-scoped objects are tracked with; without any, -n",
		},
		{
			"argocd.argoproj.io/hook and sync-wave",
			"the phase and wave: once an object is refused, those of later ones are not applied. Skip, and phases that no sync has, are left out",
		},
	},
	Options: []string{"server-side", "prune"},
	Not: []string{
		"waits: all of a wave is healthy, and a hook succeeds, once it is applied",
		"ignoreDifferences of the ConfigMap argocd-cm",
		"ApplyOutOfSyncOnly, and sync options that are newer: the answer names them",
	},
	Settings: Applications,
}
