package rules

import (
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
)

// checks are the rules, in the order in which findings of one severity are reported, each
// with what looks for it: nil for what the check of another rule finds too, and for what
// only all objects together show.
var checks = slices.Concat([]check{
	{conflict.Rule, findConflicts},
	{finding.Refused, findRefused},
}, ofRisks(), []check{
	{managedFieldsUnreadable, findUnreadable},
	{forbiddenOwner, findForbidden},

	{applyKeepsDropped, findKept},
	{applyRemoves, findRemoved},
	{staysWhenDropped, findLeftovers},
	{leftOverField, nil},
	{appliesAndUpdates, findAppliesAndUpdates},
	{beforeFirstApply, findMadeUp},
	{managedFieldsMissing, nil},
	{entryVersionRemoved, findEntryVersions},
	{objectVersionRemoved, findObjectVersion},
	{lastAppliedLeaks, findLastApplied},
	{lastAppliedUnreadable, nil},
	{lastAppliedOther, nil},
	{lastAppliedRemoved, nil},
	{lastAppliedStale, nil},
	{replicasAutoscaled, findAutoscaled},
	{claimProtectsNothing, findVoidClaims},
	{atomicShared, findAtomicShared},
	{duplicateKeys, findListFaults},
	{stringDataOwned, findMissing},

	{changedByHand, findChangedByHand},
	{unownedDiffers, findUnowned},
	{lastAppliedDrift, nil},
	{finding.PortsByProtocol, nil},
	{ownedFieldMissing, nil},
	{staleManager, nil},
	{ancientChanges, nil},
	{manyUpdateEntries, nil},
})

// check is a rule with what looks for it.
type check struct {
	finding.Rule
	check func(*examined)
}

// ofRisks are the rules of an apply, which one check finds.
func ofRisks() []check {
	var out []check
	for _, r := range applyRisks() {
		out = append(out, check{Rule: r})
	}
	out[0].check = findRisks
	return out
}

// Rules are all rules, in the order in which their findings are reported within a
// severity.
func Rules() finding.Rules {
	var out finding.Rules
	for _, c := range checks {
		out = append(out, c.Rule)
	}
	return out
}

// Examined is one object with what its rules found.
type Examined struct {
	Findings []report.Finding
	target   report.Target
	ignored  []string
	writes   writes
	tracking tracking
}

// Examine asks an object all rules that need no other. It changes nothing, and
// may be called for several objects at once.
func Examine(o Object, server Server, settings Settings) Examined {
	s := newSubject(o, server, settings)
	for _, c := range checks {
		if c.check != nil {
			c.check(s)
		}
	}
	return Examined{s.out, o.Target, finding.Ignored(o.Live, IgnoreAnnotation), writesOf(s), trackingOf(s)}
}

// ReportKind is the kind of the report document.
const ReportKind = "AuditReport"

// IgnoreAnnotation names the rules that are not to be reported of an object: names
// or patterns, separated by commas.
const IgnoreAnnotation = "ssactl.dev/audit-ignore"

// Run are the objects of a run with what was found.
type Run struct {
	report.Run
	Examined     []Examined
	Manifests    int
	Settings     Settings
	Suppressions []finding.Suppression
}

// Conclude makes the report of a run. Of one that was interrupted, it has no findings
// that need all objects.
func Conclude(run Run) finding.Report {
	out := finding.Run{
		Run: run.Run, Kind: ReportKind, Rules: Rules(), Objects: len(run.Examined), Manifests: run.Manifests,
		Ignoring: map[report.Target][]string{}, Annotation: IgnoreAnnotation,
		Join: run.Settings.join, Selection: run.Settings.Selection, Suppressions: run.Suppressions,
		Now: run.Settings.Clock.Now,
	}
	for _, e := range run.Examined {
		out.Findings = append(out.Findings, e.Findings...)
		if len(e.ignored) > 0 {
			out.Ignoring[e.target] = e.ignored
		}
	}
	if run.Interrupted == nil {
		out.Findings = append(append(out.Findings, silent(run.Examined, run.Settings.Clock)...), untracked(run.Examined)...)
	}
	return finding.Conclude(out)
}
