package migration

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
)

func rule(severity report.Severity, name, title, why, fix string) finding.Rule {
	return finding.Rule{Name: name, Severity: severity, Title: title, Why: why, Fix: fix}
}

const blocks, warns, notes = report.SeverityError, report.SeverityWarning, report.SeverityNote

// The rules. With an error, the object is left alone; some weigh more or less in a case.
var (
	annotationBroken = rule(blocks, "annotation-broken", "The last-applied annotation cannot be read as a manifest.",
		"Without a manifest, only the annotation says which fields are wanted.", "")
	annotationForeign = rule(blocks, "annotation-foreign", "The last-applied annotation is of another object.",
		"Controllers and people copy annotations; it does not say which fields of this object are wanted.", "")
	annotationFrozen = rule(warns, "annotation-frozen", "The last-applied annotation is kept.",
		"The server updates it for the manager kubectl only.", "")
	annotationSecret = rule(warns, "annotation-holds-secret", "The last-applied annotation has values of a Secret.",
		"Anyone who reads the metadata of the object reads them.", "")
	annotationStale = rule(warns, "annotation-stale", "The last-applied annotation has other values than the object.",
		"Others have changed the fields since, and own them.", "")
	annotationSize = rule(blocks, "annotation-too-large", "The last-applied annotation cannot be stored.",
		"The server limits the size of all annotations of an object.", "")
	annotationLone = rule(notes, "annotation-without-entry", "The last-applied annotation has no client-side entry.",
		"What it says and the object has is claimed.", "")
	coOwns = rule(warns, "co-owner", "Another manager owns fields of the target too.",
		"Such a field stays when the manifest drops it.", "")
	defaultsUnknown = rule(warns, "defaults-unknown", "It is not known which fields are defaults.",
		"The server gives no answer to the next apply, which tells them apart.", "--claim all claims what the entries own")
	leftOver = rule(warns, "left-over", "Fields that are neither in the manifest nor defaults are left unowned.",
		"No apply removes them by themselves.", "")
	managerMissing = rule(notes, "manager-missing", "A named manager has no entry to migrate.",
		"Its name may be misspelled.", "")
	manifestUnusable = rule(blocks, "manifest-unusable", "What is to be applied is not known.",
		"Its API version is not served, or its fields do not fit the kind.", "")
	nextConflicts = rule(warns, "next-apply-conflicts", "The next apply conflicts, even after the migration.",
		"Managers that are not migrated own fields with other values.", "'ssactl explain' shows the options to resolve it")
	nextRefused = rule(warns, "next-apply-refused", "The server refuses the next apply, migrated or not.",
		"The manifest cannot be applied to the object as it is.", "")
	noManagedFields = rule(blocks, "no-managed-fields", "The live object came without managedFields.",
		"Nothing is known of its owners.", "fetch it with kubectl get -o yaml --show-managed-fields; where it has none even so, "+
			"the server synthesizes before-first-apply with its first apply: migrate it after that")
	noBasis = rule(notes, "no-manifest", "Nothing says which fields are wanted.",
		"All fields of the entries are claimed, defaults too.", "give the manifest with -f")
	noResourceVersion = rule(warns, "no-resource-version", "The live object has no resourceVersion.",
		"A patch cannot test whether the cluster has moved on: it tests managedFields instead.",
		"fetch the object again")
	noSchema = rule(warns, "no-schema", "No schema is known for the kind.",
		"List items and defaults are not known.", "")
	notConverted = rule(warns, "not-converted", "Fields of an entry have no counterpart at another API version.",
		"The object does not show what they are there.", "they are left unowned, unless the manifest has them")
	statusEntry = rule(notes, "status-entry", "An entry for the status subresource stays.",
		"An apply of the object never owns its status.", "--subresource status migrates it by itself")
	targetUnclear = rule(warns, "target-unclear", "Several managers apply the object.",
		"Each of them may be the one that is to have the fields.", "name the one that is to have the fields with --to")
	thinEvidence = rule(blocks, "thin-evidence", "It is unclear whether an entry comes from client-side apply.",
		"Taking the fields of another writer would make the next apply remove or reset them.", "")
	unreadable = rule(blocks, "unreadable-managed-fields", "Managed fields entries cannot be read.",
		"The server refuses every apply while they are there.",
		"the server refuses every apply while it is there; 'ssactl clear' resets managedFields")
	unserved = rule(warns, "unserved-version", "Something is at an API version that the server does not serve.",
		"The server drops entries of such a version with the next write.", "")
	upstreamDiscards = rule(warns, "upstream-discards", "csaupgrade discards an entry.",
		"It joins only entries at the API version of the Apply entry.", "without --compatible, the fields that are the same at both versions are kept")
	upstreamFails = rule(blocks, "upstream-fails", "csaupgrade fails.",
		"kubectl apply --server-side would fail in the same way.", "plan without --compatible")
	wayBackLoses = rule(warns, "way-back-loses", "Something is lost on the way back.",
		"Client-side apply knows no owners.", "")
)

// Rules are all rules, by name.
func Rules() finding.Rules {
	return finding.Rules{
		annotationBroken, annotationForeign, annotationFrozen, annotationSecret, annotationStale, annotationSize, annotationLone,
		coOwns, defaultsUnknown, leftOver, managerMissing, manifestUnusable, nextConflicts, nextRefused, noManagedFields, noBasis,
		noResourceVersion, noSchema, notConverted, statusEntry, targetUnclear, thinEvidence, unreadable, unserved,
		upstreamDiscards, upstreamFails, wayBackLoses,
	}
}
