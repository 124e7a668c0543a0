package rules

import "github.com/ssactl/ssactl/internal/finding"

// checks are the rules, in the order in which findings of one severity are reported, each
// with what looks for it: nil for what the check of another rule finds too, and for what
// only all objects together show.
var checks = []struct {
	finding.Rule
	check func(*examined)
}{
	{applyConflicts, (*examined).conflicts},
	{applyRefused, (*examined).refused},
	{managedFieldsUnreadable, (*examined).unreadable},
	{forbiddenOwner, (*examined).forbidden},

	{applyKeepsDropped, (*examined).keepsDropped},
	{applyRemoves, (*examined).removes},
	{staysWhenDropped, (*examined).leftovers},
	{leftOverField, nil},
	{appliesAndUpdates, (*examined).appliesAndUpdates},
	{beforeFirstApply, (*examined).madeUp},
	{managedFieldsMissing, nil},
	{entryVersionRemoved, (*examined).entryVersions},
	{objectVersionRemoved, (*examined).objectVersion},
	{lastAppliedLeaks, (*examined).lastApplied},
	{lastAppliedUnreadable, nil},
	{lastAppliedOther, nil},
	{lastAppliedRemoved, nil},
	{lastAppliedStale, nil},
	{replicasAutoscaled, nil},
	{claimProtectsNothing, (*examined).voidClaims},
	{atomicShared, (*examined).atomicShared},
	{duplicateKeys, (*examined).lists},
	{stringDataOwned, (*examined).ownedThoughMissing},

	{changedByHand, (*examined).changedByHand},
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
