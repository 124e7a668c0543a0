package migrate

import (
	"cmp"
	"slices"
)

// Severity is how much a finding matters.
type Severity string

// The severities, the worst first.
const (
	// Blocks: the object is left alone.
	Blocks Severity = "Blocks"
	// Warns: the migration goes on, and something is to be known.
	Warns Severity = "Warns"
	// Notes: worth to know.
	Notes Severity = "Notes"
)

var severities = []Severity{Blocks, Warns, Notes}

// Finding is one remark on an object.
type Finding struct {
	// Rule is a stable name.
	Rule     string   `json:"rule" secret:"public"`
	Severity Severity `json:"severity"`
	// Field is what it is about; empty for the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Fact is what it says.
	Fact Fact `json:"-"`
	// Message is a sentence without a final period, written where the document is.
	Message string `json:"message" secret:"ours"`
	// Advice is what to do; its Kind may be empty. Hint is the same in words,
	// written where the document is.
	Advice Advice `json:"-"`
	Hint   string `json:"hint,omitempty" secret:"ours"`
}

// Advice is what to do about a finding.
type Advice struct {
	Kind AdviceKind
	// Manager is who it is about, and Version at what.
	Manager string `secret:"public"`
	Version string `secret:"public"`
	// Search is how --from looks for the other managers.
	Search Search
	// Fields is how many fields it is about.
	Fields int
}

// AdviceKind is a thing to do.
type AdviceKind string

// The kinds of advice.
const (
	// NameManager names the manager's entry too, GiveOrName asks for the manifest
	// instead, LetGo names it so that it lets go of what it shares.
	NameManager AdviceKind = "NameManager"
	GiveOrName  AdviceKind = "GiveOrName"
	LetGo       AdviceKind = "LetGo"
	// NameTarget names who is to have the fields, NameReturning who goes back.
	NameTarget    AdviceKind = "NameTarget"
	NameReturning AdviceKind = "NameReturning"
	// GiveManifest asks for the manifest; GiveOrAnnotate instead of an annotation
	// that cannot be used, GiveRenamed where fields have other names at Version.
	GiveManifest   AdviceKind = "GiveManifest"
	GiveOrAnnotate AdviceKind = "GiveOrAnnotate"
	GiveRenamed    AdviceKind = "GiveRenamed"
	// GiveDefinition asks for the CustomResourceDefinition.
	GiveDefinition AdviceKind = "GiveDefinition"
	// FetchAgain, FetchTracked (with managed fields) and FetchServed (at Version)
	// fetch the live object; WriteServed writes the manifest at Version.
	FetchAgain   AdviceKind = "FetchAgain"
	FetchTracked AdviceKind = "FetchTracked"
	FetchServed  AdviceKind = "FetchServed"
	WriteServed  AdviceKind = "WriteServed"
	// ClearAll clears managed fields, ClearUnreadable those that the server
	// refuses applies for.
	ClearAll        AdviceKind = "ClearAll"
	ClearUnreadable AdviceKind = "ClearUnreadable"
	// PlanOwn plans without --compatible, which KeepsSame keeps more.
	PlanOwn   AdviceKind = "PlanOwn"
	KeepsSame AdviceKind = "KeepsSame"
	// ClaimLeftOver and ClaimEverything claim more fields.
	ClaimLeftOver   AdviceKind = "ClaimLeftOver"
	ClaimEverything AdviceKind = "ClaimEverything"
	// LeavesUnowned says that nobody owns the fields unless a manifest has them.
	LeavesUnowned AdviceKind = "LeavesUnowned"
	// MigrateStatus, RemoveAnnotation and ExplainConflict are other runs.
	MigrateStatus    AdviceKind = "MigrateStatus"
	RemoveAnnotation AdviceKind = "RemoveAnnotation"
	ExplainConflict  AdviceKind = "ExplainConflict"
)

func advise(kind AdviceKind) Advice { return Advice{Kind: kind} }

// The rules of findings.
const (
	RuleNoManagedFields   = "no-managed-fields"
	RuleUnreadable        = "unreadable-managed-fields"
	RuleAnnotationBroken  = "annotation-broken"
	RuleAnnotationForeign = "annotation-foreign"
	RuleAnnotationStale   = "annotation-stale"
	RuleAnnotationLone    = "annotation-without-entry"
	RuleAnnotationSize    = "annotation-too-large"
	RuleAnnotationSecret  = "annotation-holds-secret"
	RuleAnnotationFrozen  = "annotation-frozen"
	RuleThinEvidence      = "thin-evidence"
	RuleManagerMissing    = "manager-missing"
	RuleTargetUnclear     = "target-unclear"
	RuleCoOwner           = "co-owner"
	RuleLeftOver          = "left-over"
	RuleUnsorted          = "defaults-unknown"
	RuleNoBasis           = "no-manifest"
	RuleNotConverted      = "not-converted"
	RuleUnserved          = "unserved-version"
	RuleNoSchema          = "no-schema"
	RuleNoResourceVersion = "no-resource-version"
	RuleConflicts         = "next-apply-conflicts"
	RuleRefused           = "next-apply-refused"
	RuleStatus            = "status-entry"
	RuleUpstream          = "upstream-fails"
	RuleUpstreamLoses     = "upstream-discards"
	RuleLoss              = "way-back-loses"
	RuleManifestOther     = "manifest-unusable"
)

type findings struct{ list []Finding }

func (f *findings) add(rule string, severity Severity, field string, fact Fact, advice Advice) {
	f.list = append(f.list, Finding{Rule: rule, Severity: severity, Field: field, Fact: fact, Advice: advice})
}

// sorted are the findings, the worst first; never nil.
func (f *findings) sorted() []Finding {
	out := slices.Clone(f.list)
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Field, b.Field),
		)
	})
	if out == nil {
		out = []Finding{}
	}
	return out
}

// block reports whether one of them blocks the plan.
func (f *findings) block() bool {
	return slices.ContainsFunc(f.list, func(f Finding) bool { return f.Severity == Blocks })
}
