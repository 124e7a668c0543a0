package view

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/program"
)

// transferRemarks are what plans of transfer have to remark. MANAGER stands for whom it
// is about, OPERATION for how it owns FIELDS, ALL for the fields of the plan, OWNED for
// those of others, STEP for the number of a step.
var transferRemarks = map[transfer.RemarkKind]string{
	transfer.ToItself:      "MANAGER cannot hand a field over to itself; ssactl migrate moves what it owns by updates to its Apply entry",
	transfer.NoValue:       "the live object does not have FIELDS, so that there is no value to hand over",
	transfer.OwnedByOthers: "MANAGER does not own OWNED",

	transfer.FromUnknown:      "the manifest of MANAGER is put together from the fields that it owns; --from-manifest names the real one",
	transfer.ToUnknown:        "the manifest of MANAGER is put together from the fields that it owns; --to-manifest names the real one",
	transfer.AlsoOwned:        "MANAGER owns FIELDS too (OPERATION), and goes on to",
	transfer.DroppedAlready:   "the given manifest of MANAGER does not have FIELDS any more: its next apply drops it at once",
	transfer.RemoveFromSource: "MANAGER writes by updates, which never conflict: if a manifest of it has ALL, take it out after step STEP, and before the tool runs again",
}

func transferRemark(p transfer.Plan, r transfer.Remark) string {
	var owned []string
	for _, o := range r.Owned {
		owned = append(owned, o.Field+" ("+ownedBy(o.Owners)+")")
	}
	return strings.NewReplacer("MANAGER", r.Manager, "OPERATION", r.Operation, "FIELDS", strings.Join(r.Fields, ", "),
		"ALL", fieldsOf(p), "OWNED", strings.Join(owned, ", "), "STEP", fmt.Sprint(r.Step)).
		Replace(program.In(transferRemarks[r.Kind])) + Elsewhere(r.Elsewhere)
}

func ownedBy(managers []string) string {
	if len(managers) == 0 {
		return "nobody does"
	}
	return "owned by " + strings.Join(managers, " and ")
}

// Elsewhere says which entries are at other API versions; empty without any.
func Elsewhere(entries []transfer.Entry) string {
	if len(entries) == 0 {
		return ""
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Manager+" at "+e.Version)
	}
	return " (at other API versions, where fields may have other names, there are entries of " + strings.Join(out, ", ") + ")"
}
