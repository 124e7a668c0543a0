package about

// Helm is an install or upgrade of a release.
var Helm = Program{
	Name: "helm", Title: "Helm",
	Versions: []Version{{"4", "helm.sh/helm/v4 v4.3.1"}, {"3", "helm.sh/helm/v3 v3.22.0"}},
	Manager:  "helm",
	Forces:   "only with --force-conflicts",
	Steps: []Term{
		{
			"crds/",
			"at an install, before all else: an Apply of each file, without the metadata of the release and without moving entries (client-side a Create, of those that are absent). An upgrade leaves them alone. 'helm template --include-crds' says in a comment which objects these are; of others, a live definition shows it that helm wrote without its label.",
		},
		{
			"build",
			"of all objects, and of those of the deployed revision: where the server does not serve the kind of one, nothing is sent. A definition among the templates comes too late for that.",
		},
		{"Apply or Create", "with --create-namespace, at an install: the namespace, where none of that name is live."},
		{"Create", "client-side, where the object is absent: a POST, which at an install takes generateName, too."},
		{
			"Patch",
			"client-side: the patch that merges the manifest of the release before, the new one and the live object; none where nothing differs. It never conflicts, and overwrites drift. Custom resources get the patch from the old manifest to the new one, whatever the live object is. Where the old manifest is not given, what Helm removes is not known, and the answer says so. With --force-replace a Replace.",
		},
		{
			"MoveEntries",
			"server-side, where the deployed revision was applied client-side: a JSON patch by which the Update entry of helm joins its Apply entry. It stays where the apply is refused.",
		},
		{"Apply", "server-side: the manifest."},
		{
			"Delete",
			"once all of the others succeeded: objects of the deployed revision that no manifest names, in the background, unless the live object has helm.sh/resource-policy: keep. After a refusal the other objects are still written, but nothing is deleted; after a create that is refused, not even those that come later in Helm's order of kinds.",
		},
		{
			"hooks",
			"before and after the others, by weight and name, without force: a Delete (before-hook-creation, the default of helm.sh/hook-delete-policy), then a Create or an Apply, and a Delete (hook-succeeded) once all of the event succeeded. The first that is refused ends the run. A List that is a hook has all of its items for one; their own annotations count nothing, and they keep their order.",
		},
	},
	Reads: []Term{
		{
			"Secret sh.helm.release.v1.NAME.vN",
			"the manifest of the deployed revision, and by which method the last one was applied, which --server-side=auto repeats (--release-manifest FILE in place of it). No release: an install, which Helm 4 does server-side and Helm 3 client-side",
		},
		{"# Source: CHART/crds/FILE", "the comment of 'helm template' above a document that is not of the templates"},
		{
			"app.kubernetes.io/managed-by, meta.helm.sh/*",
			"of live objects that the release does not have: those of another release are refused before anything is written, unless --take-ownership",
		},
	},
	Options: []string{
		"server-side", "release", "release-manifest", "take-ownership", "force-replace",
		"create-namespace", "rollback-on-failure",
	},
	Not: []string{
		"rollback, uninstall, and what --rollback-on-failure (--atomic) does after a refusal",
		"waits: hooks succeed once they are created", "--dry-run=server, which sends no write",
		"lookup, .Release.IsUpgrade and the API versions of the cluster, where the manifests were rendered without them: 'helm template --dry-run=server --is-upgrade' renders as an upgrade does",
	},
	Settings: Secrets,
}
