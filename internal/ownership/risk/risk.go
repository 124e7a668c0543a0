package risk

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Of lists the risks of a result, the most important first; empty for none. Of what is
// refused it is nil, unless the client has deleted the object before. The claims are those
// of the inputs, and the counts those of the live objects in them.
func Of(r report.Result, claims writers.Claims, given Counts) []report.Finding {
	f := finder{Result: r, autoscaler: claims.Scaler(r.Target), going: claims.GoingScaler(r.Target)}
	f.fromZero = slices.ContainsFunc(claims.Scalers(r.Target), func(c writers.Claim) bool { return c.Scaling.FromZero })
	if r.Outcome.Refused() {
		return append(f.gone(given), f.terminating()...)
	}
	risks := []report.Finding{}
	finds := []func() []report.Finding{
		f.notSent, f.autoscaled, f.handedOver, f.taken, f.overwritten, f.removedWithOthers, f.defaulted,
		f.injected, f.dropped, f.normalised, f.terminating, f.scaledDown, f.unprotected, f.released, f.unfinalized,
		f.uninjected, f.paused, f.fromRelease,
	}
	switch {
	case r.Deleted || r.Operation == report.Delete:
		return append(risks, f.deleting(given)...)
	case f.marks():
		return append(risks, f.lost(text.New("the client deletes the object, and applies to it while finalizers keep it: "+
			"it goes with what is applied"), f.goesWith(given))...)
	case r.Recreated:
		// Fields of a new object have no losers.
		risks = f.recreating(given)
		finds = []func() []report.Finding{f.notSent, f.autoscaled, f.unscaled, f.injected, f.normalised}
	}
	for _, find := range finds {
		risks = append(risks, find()...)
	}
	return settled(risks)
}

// settled are risks in their order. One speaks of a field: that of the rule which
// explains most, and of one rule the worst.
func settled(risks []report.Finding) []report.Finding {
	slices.SortStableFunc(risks, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(rules.Index(a.Rule), rules.Index(b.Rule)), compare(a, b))
	})
	spoken := map[string]bool{}
	risks = slices.DeleteFunc(risks, func(r report.Finding) bool {
		before := r.Field == templateGeneration || r.Field != "" && spoken[r.Field]
		spoken[r.Field] = true
		return before
	})
	slices.SortStableFunc(risks, compare)
	return risks
}

// templateGeneration is written by the server at every change of a DaemonSet's template,
// from a field that only the internal version has: no manifest is to have it.
const templateGeneration = ".metadata.annotations.deprecated.daemonset.template.generation"

func compare(a, b report.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
		cmp.Compare(rules.Index(a.Rule), rules.Index(b.Rule)),
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Manager, b.Manager),
	)
}

// The names of the rules.
const (
	// ForbiddenOwner: the policy does not let the manager own a field.
	ForbiddenOwner = report.RuleForbiddenOwner
	// DeletesMore: a deletion takes other objects or data with the object.
	DeletesMore = report.RuleDeletesMore
	// Terminating: the live object is being deleted.
	Terminating = "being-deleted"
	// DataUnprotected: a policy becomes Delete, so that a later deletion takes data.
	DataUnprotected = "data-unprotected"
	// AddressReleased: a Service gives its load balancer back.
	AddressReleased = "address-released"
	// FinalizerRemoved: a finalizer goes without the cleanup that it stands for.
	FinalizerRemoved = "finalizer-removed"
	// OwnerMissing: the object names owners that are not there.
	OwnerMissing = "owner-missing"
	// InjectionStops: an injector no longer renews what it wrote.
	InjectionStops = "injection-stops"
	// RolloutPaused: a template changes, and nothing is started by it.
	RolloutPaused = "rollout-paused"
	// TwoReleases: Helm takes an object from another release.
	TwoReleases = "two-releases"
	// NeverSettles: the client and other writers undo each other.
	NeverSettles = "never-settles"
	// NotIdempotent: the same write once more is no no-op.
	NotIdempotent = "not-idempotent"
	// NotApplied: the client leaves a field of the manifest out, which differs from live.
	NotApplied = "not-applied"
	// ReplicasAutoscaled: the manifest sets replicas that an autoscaler writes.
	ReplicasAutoscaled = "replicas-autoscaled"
	// Takeover: most of the object is taken from the tool that applied it before.
	Takeover = "takeover"
	// TakenByForce: a field is taken from its field manager.
	TakenByForce = "taken-by-force"
	// RemovedByKubectl: kubectl moves client-side entries, applies again, and so
	// removes what the manifest lacks.
	RemovedByKubectl = "kubectl-removes"
	// OwnSettings: the run changes the object that its client takes settings from.
	OwnSettings = "own-settings"
	// AtomicReplaced: a whole list or map of another field manager is replaced.
	AtomicReplaced = "atomic-replaced"
	// RemovedWithOthers: what others own goes with what is removed.
	RemovedWithOthers = "removed-with-others"
	// FallsBackToDefault: a dropped field gets the server's default.
	FallsBackToDefault = "falls-back-to-default"
	// InjectedField: the manifest sets a field that an injector writes.
	InjectedField = "injected-field"
	// DroppedStays: a dropped field stays, as somebody else owns it.
	DroppedStays = "dropped-stays"
	// StoredDifferently: the server stores another spelling than what is applied.
	StoredDifferently = "stored-differently"
	// Kept: a value that the manifest lacks stays in the live object.
	Kept = "kept"
)

// rules are in the order of importance, which is that of how much they explain: of
// several about one field the first speaks.
var rules = finding.Rules{
	{Name: ForbiddenOwner, Severity: report.SeverityError,
		Title: "The write takes ownership that the policy of `--policy` does not allow.",
		Why:   "The policy leaves the field to other managers: with this write the manager owns what it may not own.",
		Fix:   "remove the field from the manifest, or allow it in the policy."},
	{Name: DeletesMore, Severity: report.SeverityError,
		Title: "Deleting an object, or deleting it and creating it again, deletes or breaks others.",
		Why: "What goes with the object, data above all, is not in its manifest: applying the object again does not " +
			"bring it back. What uses it fails without it.",
		Fix: "keep the object in the manifests, unless all of it is to go."},
	{Name: Terminating, Severity: report.SeverityWarning,
		Title: "The live object is being deleted: what is written goes with it.",
		Why:   "A deletion cannot be taken back: the object goes as soon as its finalizers are removed.",
		Fix:   "wait until the object is gone, then apply again."},
	{Name: TwoReleases, Severity: report.SeverityWarning,
		Title: "Helm takes an object from another release, which still has it in its manifest.",
		Why:   "Both releases write as one field manager: neither conflicts with the other.",
		Fix: "first upgrade the other release with helm.sh/resource-policy: keep on the object, then without the object; " +
			"then take it over."},
	{Name: DataUnprotected, Severity: report.SeverityWarning,
		Title: "A policy becomes Delete: a later deletion deletes data, which the live policy keeps.",
		Why:   "The change alone deletes nothing; what is deleted after it does.",
		Fix:   "keep Retain, unless the data may go."},
	{Name: AddressReleased, Severity: report.SeverityWarning,
		Title: "A Service stops being a LoadBalancer, and its address is given back.",
		Why:   "The cloud may give the address to others: a LoadBalancer later gets another one.",
		Fix:   "keep the type LoadBalancer until no DNS name or client uses the address."},
	{Name: FinalizerRemoved, Severity: report.SeverityWarning,
		Title: "The write removes a finalizer, and with it the cleanup before the object goes.",
		Why:   "Who set the finalizer waits for the deletion to clean up: without it the object goes at once.",
		Fix:   "keep the finalizer in the manifest, unless nothing is to be cleaned up."},
	{Name: OwnerMissing, Severity: report.SeverityWarning,
		Title: "The manifest has ownerReferences to objects that are not among the inputs.",
		Why:   "A uid is that of one object in one cluster: what was copied with its owners has none elsewhere.",
		Fix:   "take ownerReferences out of the manifest."},
	{Name: InjectionStops, Severity: report.SeverityWarning,
		Title: "The write removes the annotation by which an injector renews CA bundles.",
		Why:   "The bundle stays as it is: nothing fails before the CA is renewed.",
		Fix:   "keep the annotation in the manifest, or set the CA bundle there."},
	{Name: RolloutPaused, Severity: report.SeverityWarning,
		Title: "A changed template is not rolled out: another manager has paused or suspended the object.",
		Why:   "The manifest does not have the field, so that the apply leaves it as it is.",
		Fix:   "resume it, or set the field in the manifest."},
	{Name: ReplicasAutoscaled, Severity: report.SeverityError,
		Title: "The write sets replicas that an autoscaler among the inputs writes.",
		Why:   "The manifest and the autoscaler undo each other: one sets its number at every apply, the other scales again.",
		Fix:   "remove the field from the manifest; the autoscaler decides it."},
	{Name: NotApplied, Severity: report.SeverityWarning,
		Title: "The client does not send a field of the manifest, and its value differs from the live one.",
		Why:   "A setting of the client leaves the field to others: what the manifest says of it has no effect.",
		Fix:   "change the setting if the manifest is to decide the field, or remove the field from the manifest."},
	{Name: RemovedByKubectl, Severity: report.SeverityError, By: report.ByCause,
		Title: "kubectl moves client-side entries to its own, applies again, and removes what the manifest lacks.",
		Why:   "The second apply is not announced: the fields are gone though the first one keeps them.",
		Fix:   "add to the manifest what is to stay."},
	{Name: OwnSettings, Severity: report.SeverityWarning,
		Title: "The run changes the object that its client takes settings from; the answers go by the live one.",
		Fix:   "apply the change of the settings by itself, then preview the rest with the live object that it leaves."},
	{Name: NotIdempotent, Severity: report.SeverityWarning,
		Title: "The same client changes the object again when it writes once more.",
		Why:   "Each run looks like a change: generation and resourceVersion grow, and controllers and diffs react.",
		Fix:   "write the value as the API server stores it, or leave the field out."},
	{Name: InjectedField, Severity: report.SeverityWarning,
		Title: "The manifest sets a field that an injector writes.",
		Why:   "The manifest and the injector undo each other; between the two, callers may see a certificate that fails.",
		Fix:   "remove the field from the manifest; the injector sets it."},
	{Name: NeverSettles, Severity: report.SeverityError,
		Title: "The write and other writers undo each other: the object never comes to rest.",
		Why:   "Each sets its value again as soon as the other has written: rounds of them were simulated, and a state came back.",
		Fix:   "let one writer decide the field: remove it from the manifest, or turn the other writer off."},
	{Name: Takeover, Severity: report.SeverityWarning, By: report.ByOwner,
		Title: "Most of an object is taken by force from the tool that applied it before.",
		Why:   "Two tools apply one object: when the former one runs again, it conflicts, or takes its fields back."},
	{Name: AtomicReplaced, Severity: report.SeverityWarning, By: report.ByOwner,
		Title: "A whole list or map of another field manager is replaced.",
		Why:   "The list or map is one field: items that only its other owner has are lost.",
		Fix:   "agree with its owner on one manifest that has the whole value."},
	{Name: TakenByForce, Severity: report.SeverityWarning, By: report.ByOwner,
		Title: "A field is taken from its field manager, or its value is overwritten.",
		Why:   "Value and ownership change hands without a conflict: the former owner is not asked."},
	{Name: RemovedWithOthers, Severity: report.SeverityWarning, By: report.ByCause,
		Title: "What other field managers own is removed together with what the manifest drops.",
		Why:   "Another manager set the field, and has not dropped it.",
		Fix:   "add to the manifest what is to stay."},
	{Name: FallsBackToDefault, Severity: report.SeverityWarning,
		Title: "A field that the manifest drops falls back to the server's default.",
		Why:   "Dropping a field with a default does not leave the live value: the server sets the default.",
		Fix:   "keep the field in the manifest, unless the default is meant."},
	{Name: DroppedStays, Severity: report.SeverityNote,
		Title: "A field that the manifest drops stays, as another field manager owns it.",
		Why:   "A field is removed with its last owner only."},
	{Name: StoredDifferently, Severity: report.SeverityNote,
		Title: "The server stores another spelling than the one in the manifest.",
		Why:   "The server compares spellings: the same value in another one conflicts."},
	{Name: Kept, Severity: report.SeverityNote, By: report.ByOwner,
		Title: "The live object keeps a value that the manifest lacks: a person or a former tool left it there.",
		Why:   "An apply removes only what its manager applied before; what others left stays until they remove it.",
		Fix:   "add it to the manifest, or remove it from the live object, so that both say the same."},
}

// FixOf is what to do about a risk of a result, in a clause; empty where that depends.
func FixOf(r report.Result, k report.Finding) string {
	scaled := k.Rule == ReplicasAutoscaled ||
		k.Rule == FallsBackToDefault && k.Field == writers.Replicas && k.Severity == report.SeverityError
	if fix, is := kept(r, k); is {
		return fix
	}
	switch {
	case k.Rule == RemovedByKubectl && k.Field == "":
		// What it says is how to ask.
		return ""
	case scaled && r.Client != nil:
		if fix := keptReplicas(r); fix != "" {
			return fix
		}
	}
	return rules.Of(k.Rule).Fix
}

// kept is what keeps an object that a client deletes on its way, or claims that go with Pods; false for
// other risks.
func kept(r report.Result, k report.Finding) (string, bool) {
	deletes := k.Rule == DeletesMore || k.Rule == NotIdempotent && r.Recreated
	switch {
	case k.Rule == DeletesMore && k.Field == writers.Replicas:
		return "keep the number of replicas, or set " + claimRetention + ".whenScaled to Retain first.", true
	case !deletes || r.Operation == report.Delete || r.Client == nil:
		return "", false
	case isHook(r):
		return unhooked[r.Client.Name], true
	}
	return unforced[r.Client.Name], true
}

// keptReplicas is how to leave autoscaled replicas to the autoscaler where the client patches or
// replaces: without a field that it set before, the server removes it from the object, so that the
// number cannot just be left out. It is empty where it can.
func keptReplicas(r report.Result) string {
	live := "keep the field in the manifest, with the live value: "
	switch {
	case r.Operation == report.Update:
		return live + "an object that is replaced without it gets the server's default."
	case r.Operation == report.Patch && r.Client.Name == "helm":
		fix := live + "an upgrade without a field that the deployed revision has sets the server's default"
		if r.Client.Version != "3" {
			fix += "; or upgrade without it, and with --server-side=true"
		}
		return fix + "."
	case r.Operation == report.Patch:
		return "first remove the field from the last-applied annotation (kubectl apply edit-last-applied), " +
			"then from the manifest: removed from the manifest alone, it becomes the server's default."
	}
	return ""
}

// unforced says, of clients that delete an object on their way, which setting makes them do so,
// and what happens without it.
var unforced = map[string]string{
	"argocd": "unless that is meant, take Force=true out of the sync options: then nothing is deleted, and the sync fails where the server refuses the change.",
	"flux":   "unless that is meant, take the force setting away (spec.force of the Kustomization, or the annotation kustomize.toolkit.fluxcd.io/force): then nothing is deleted, and the reconciliation fails where the server refuses the change.",
}

// unhooked says, of clients that delete a hook before they create it anew, what keeps the object.
var unhooked = map[string]string{
	"argocd": "unless that is meant, take the annotation of the hook out of the manifest: " +
		"the object is then synced like any other.",
	"helm": "unless that is meant, take the annotation helm.sh/hook out of the manifest, and upgrade with --take-ownership " +
		"once: the object is then a part of the release.",
}

// isHook reports whether the live object is a hook of the client.
func isHook(r report.Result) bool {
	if r.Client == nil || unhooked[r.Client.Name] == "" {
		return false
	}
	notes := objects.Annotations(r.Live)
	return r.Hook != "" || notes[client.HookAnnotation] != "" ||
		r.Client.Name == "argocd" && notes["argocd.argoproj.io/hook"] != ""
}

// Rules are all rules, in the order of importance.
func Rules() finding.Rules { return rules }
