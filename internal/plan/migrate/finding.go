package migrate

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Finding is one remark on an object.
type Finding struct {
	// Rule is a stable name.
	Rule string `json:"rule" secret:"public"`
	// Severity: with an error, the object is left alone.
	Severity report.Severity `json:"severity"`
	// Field is what it is about; empty for the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Message is a sentence without a final period.
	Message text.Text `json:"message"`
	// Hint is what to do about it; empty where that is not known.
	Hint text.Text `json:"hint,omitzero"`
}

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

func (f *findings) add(rule string, severity report.Severity, field string, message, hint text.Text) {
	f.list = append(f.list, Finding{rule, severity, field, message, hint})
}

// sorted are the findings, the worst first; never nil.
func (f *findings) sorted() []Finding {
	out := slices.Clone(f.list)
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
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
	return slices.ContainsFunc(f.list, func(f Finding) bool { return f.Severity == report.SeverityError })
}
