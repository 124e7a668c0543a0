package owners

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// WhyDocument writes what answers say: where the value comes from, what happens if it is
// dropped or applied, and how it is removed.
func WhyDocument(d conflict.Answers) conflict.Answers {
	d.Answers = slices.Clone(d.Answers)
	for i := range d.Answers {
		a := &d.Answers[i]
		a.Says = originText(*a)
		a.Drops, a.Applies, a.Removal.Steps = slices.Clone(a.Drops), slices.Clone(a.Applies), slices.Clone(a.Removal.Steps)
		for k, drop := range a.Drops {
			a.Drops[k].Says = DropText(*a, drop)
		}
		for k, apply := range a.Applies {
			a.Applies[k].Says = applyText(*a, apply)
		}
		for k, s := range a.Removal.Steps {
			a.Removal.Steps[k].Says = "Remove it with a patch, which meets no conflict."
			if s.Manager != "" {
				a.Removal.Steps[k].Says = fmt.Sprintf(
					"Remove %s from the manifest of %s, and apply it.",
					cmp.Or(a.Whole, a.Field),
					s.Manager,
				)
			}
		}
		a.Removal.Says = removalText(a.Removal)
	}
	return d
}

// originText is where the value comes from.
func originText(a conflict.Why) string {
	switch a.Origin {
	case conflict.ServerWritten:
		if managedfields.Within(a.Field, ".status") {
			return "No manager owns it. It is in the status, which controllers report; the server resets it in any other write."
		}
		return "The field is part of the object's identity, or the server sets it: managedFields never track it."
	case conflict.UntrackedObject:
		return "The live object has no managed fields: who set the field is not known. If it has none in the cluster either, its first apply makes " + managedfields.BeforeFirstApply + " the owner of everything."
	case conflict.OwnedAbove:
		return fmt.Sprintf("%s %s as a whole, and the field with it.", words.Own(ownersOf(a)), a.Parent)
	case conflict.Owned:
		return ownedText(a)
	case conflict.OwnedBelow:
		var parts []conflict.Owner
		for _, d := range a.Drops {
			parts = append(parts, conflict.Owner{Writer: d.Writer})
		}
		return fmt.Sprintf(
			"The field itself has no owner; parts of it do: %s. Ask about one of the parts.",
			words.And(conflict.Managers(parts)),
		)
	case conflict.Default:
		return "No manager set it: it is the server default (simulated: removed, it comes back)."
	case conflict.Unset:
		return "The object does not have the field, and no manager owns it."
	}
	if a.Needed {
		return "No manager owns it, and the server requires it: the server filled it in, or its owner dropped it or was cleared."
	}
	return "No manager owns it, and it is no default: the manager that set it dropped it when another still owned it, or was cleared from managedFields, or wrote before they were tracked."
}

// ownedText is the origin of a field with owners of its own.
func ownedText(a conflict.Why) string {
	switch {
	case a.Value.Missing:
		return fmt.Sprintf(
			"%s the field, but the object does not have it: what was applied is null or empty and is not stored, or is write-only, or the field was removed since.",
			words.Own(ownersOf(a)),
		)
	case len(a.Owners) == 1:
		return fmt.Sprintf("%s set it, and no other manager owns it.", ownerNames(a))
	case a.Nature.Kind != conflict.Scalar && a.Nature.Kind != conflict.AtomicMap && a.Nature.Kind != conflict.AtomicList:
		return fmt.Sprintf("%s own it together; what is in it has owners of its own.", ownerNames(a))
	}
	return fmt.Sprintf("%s own it together: each applied or wrote this very value%s.", ownerNames(a), lastWriter(a.Owners))
}

// lastWriter names the owner with the latest time. It is empty where one has no
// time: an owner that came to share a field and changed nothing has none.
func lastWriter(owners []conflict.Owner) string {
	last := owners[0]
	for _, o := range owners {
		if o.Time == nil {
			return ""
		}
		if o.Time.After(*last.Time) {
			last = o
		}
	}
	return ", and the last to write was " + last.Manager
}

// applyText is the result of an apply of the manager.
func applyText(a conflict.Why, t conflict.Apply) string {
	alone := len(a.Owners) == 0 ||
		len(a.Owners) == 1 && a.Owners[0].Manager == a.Manager && a.Owners[0].Operation == managedfields.Apply
	switch {
	case t.Outcome == report.Conflicted:
		return fmt.Sprintf("a conflict with %s, unless forced", words.And(t.With))
	case t.Outcome.Refused():
		return fmt.Sprintf("no conflict, but the server refuses the value (%d)", t.Code)
	case a.Origin == conflict.UntrackedObject:
		return "accepted, shared with " + managedfields.BeforeFirstApply
	case t.Same && alone:
		return "accepted, nothing changes"
	case t.Same:
		return "accepted, shared with " + ownerNames(a)
	case alone:
		return "accepted"
	case a.Manager == "kubectl":
		return "accepted without a conflict: the server lets the manager kubectl, and only it, past values that its last-applied annotation explains"
	}
	return "accepted"
}

func ownerNames(a conflict.Why) string { return words.And(ownersOf(a)) }

func ownersOf(a conflict.Why) []string { return conflict.Managers(a.Owners) }
