package audit

import (
	"github.com/ssactl/ssactl/internal/finding"
)

// checks are the rules, in the order in which findings of one severity are reported, each
// with what looks for it: nil for what the check of another rule finds too, and for what
// only all objects together show.
var checks = []struct {
	finding.Rule
	check func(*subject)
}{
	{applyConflicts, (*subject).conflicts},
	{applyRefused, (*subject).refused},
	{managedFieldsUnreadable, (*subject).unreadable},
	{forbiddenOwner, (*subject).forbidden},

	{applyKeepsDropped, (*subject).keepsDropped},
	{applyRemoves, (*subject).removes},
	{staysWhenDropped, (*subject).leftovers},
	{leftOverField, nil},
	{appliesAndUpdates, (*subject).appliesAndUpdates},
	{beforeFirstApply, (*subject).madeUp},
	{managedFieldsMissing, nil},
	{entryVersionRemoved, (*subject).entryVersions},
	{objectVersionRemoved, (*subject).objectVersion},
	{lastAppliedLeaks, (*subject).lastApplied},
	{lastAppliedUnreadable, nil},
	{lastAppliedOther, nil},
	{lastAppliedRemoved, nil},
	{lastAppliedStale, nil},
	{replicasAutoscaled, nil},
	{claimProtectsNothing, (*subject).voidClaims},
	{atomicShared, (*subject).atomicShared},
	{duplicateKeys, (*subject).lists},
	{stringDataOwned, (*subject).ownedThoughMissing},

	{changedByHand, (*subject).changedByHand},
	{lastAppliedDrift, nil},
	{portsByProtocol, nil},
	{ownedFieldMissing, nil},
	{staleManager, nil},
	{ancientChanges, nil},
	{manyUpdateEntries, nil},
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
