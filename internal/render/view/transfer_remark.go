package view

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
)

// transferRemarks are what plans of transfer have to remark. MANAGER stands for whom it
// is about, OWNER for another owner and OPERATION for how it owns LIST, ALL for the
// fields of the plan, OWNED for those of others, COUNT for the number of a step.
var transferRemarks = map[transfer.FactKind]string{
	transfer.ToItself:      "MANAGER cannot hand a field over to itself; ssactl migrate moves what it owns by updates to its Apply entry",
	transfer.NoValue:       "the live object does not have LIST, so that there is no value to hand over",
	transfer.OwnedByOthers: "MANAGER does not own OWNED",

	transfer.FromUnknown:      "the manifest of MANAGER is put together from the fields that it owns; --from-manifest names the real one",
	transfer.ToUnknown:        "the manifest of MANAGER is put together from the fields that it owns; --to-manifest names the real one",
	transfer.AlsoOwned:        "OWNER owns LIST too (OPERATION), and goes on to",
	transfer.DroppedAlready:   "the given manifest of MANAGER does not have LIST any more: its next apply drops it at once",
	transfer.RemoveFromSource: "MANAGER writes by updates, which never conflict: if a manifest of it has ALL, take it out after step COUNT, and before the tool runs again",
	transfer.MigratesFirst:    "kubectl apply --server-side, as any manager, moves all fields of OTHERS to that manager, and removes those that its manifest lacks: step 1 prevents that. From then on, apply the manifest of OTHERS with --server-side as MANAGER; a client-side apply makes the entry again",
	transfer.MigrateFirst:     "ssactl migrate -f LIVE plans the move of OTHERS to server-side apply: transfer the fields after it",
}

func transferRemark(p transfer.Plan, f report.Fact) string {
	text := fill(program.In(transferRemarks[f.Kind]), func(word string) string {
		switch word {
		case "OWNER":
			return f.By[0].Manager
		case "OPERATION":
			return f.By[0].Operation
		case "ALL":
			return fieldsOf(p)
		case "OWNED":
			return ownedFields(p, f.Fields)
		}
		return ofFact(f, word)
	})
	if f.Kind == transfer.OwnedByOthers {
		text += Elsewhere(f.By)
	}
	return text
}

// ownedFields are fields of a plan with who owns each.
func ownedFields(p transfer.Plan, fields []string) string {
	var out []string
	for _, s := range p.Fields {
		if slices.Contains(fields, s.Field) {
			out = append(out, s.Field+" ("+ownedBy(s.Owners)+")")
		}
	}
	return strings.Join(out, ", ")
}

func ownedBy(owners []report.Writer) string {
	names := slices.Compact(managersOf(owners))
	if len(names) == 0 {
		return "nobody does"
	}
	return "owned by " + strings.Join(names, " and ")
}

// Elsewhere says which entries are at other API versions; empty without any.
func Elsewhere(entries []report.Writer) string {
	if len(entries) == 0 {
		return ""
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Manager+" at "+e.APIVersion)
	}
	return " (at other API versions, where fields may have other names, there are entries of " + strings.Join(out, ", ") + ")"
}

func managersOf(list []report.Writer) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Manager)
	}
	return out
}
