package view

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/audit"
)

// fixes say what the fixes of an audit do; MANAGER, VERSION and FILE stand for
// what they are about.
var fixes = map[audit.FixKind]string{
	audit.GiveFields:          "gives the entry's fields to MANAGER, whose next apply then removes what its manifest does not have",
	audit.GiveServed:          "gives its fields to MANAGER at a version that is served",
	audit.MigrateEntry:        "moves the object to server-side apply, with the fields of MANAGER",
	audit.MigrateServed:       "moves the object to server-side apply, with the entry's fields at a version that is served",
	audit.MigratePorts:        "moves the object to server-side apply, which tells the ports apart",
	audit.MigrateRead:         "moves the object to server-side apply; the annotation is read as one of VERSION, and dropped",
	audit.ClearEntry:          "removes the entry of MANAGER; what it alone owned stays, unowned",
	audit.ClearUnserved:       "removes the entries at versions that are not served; what they alone owned stays, unowned",
	audit.ClearAll:            "clears managedFields, so that the API server starts to track again",
	audit.ClearMissing:        "removes these paths from the entry",
	audit.ClearMissingApplied: "removes these paths from the entry; remove them from the manifest of MANAGER first",
	audit.DropAnnotation:      "removes the annotation; apply with --server-side from then on, or kubectl writes it again",
	audit.ListEntries:         "lists the entries, with what each of them owns",
	audit.ListOwned:           "lists what MANAGER owns; with .data in its manifest instead of .stringData, it owns its keys",
	audit.ListPorts:           "shows who writes the ports; all of them should apply server-side",
	audit.ShowField:           "shows who owns the field, and how each of them gets rid of it",
	audit.ShowConflict:        "explains the conflict in full, with the options to resolve it, each simulated",
	audit.ShowAnswer:          "shows the answer of the API server",
	audit.ShowChanges:         "shows what the apply changes",
	audit.RemoveField:         "removes the field from the manifest; the live value stays",
	audit.WriteLive:           "writes the live value into the manifest",
	audit.TakeObject:          "hands the whole object over to MANAGER",
	audit.HandOver:            "plans the hand-over to the autoscaler, step by step, without a moment at which the server sets 1",
	audit.HandOverTo:          "plans the hand-over of the field to MANAGER, step by step",
	audit.FetchServed:         "fetches it as VERSION, which manifests should use too",
	audit.FetchTracked:        "shows whether the object has none in the cluster either",
	audit.FetchFile:           "fetches the objects with managedFields; write them to FILE instead of these",
}

// AuditDocument writes what findings say, the commands of fixes, and what they do,
// into a report.
func AuditDocument(d audit.Report) audit.Report {
	return withTexts(d, auditRules, func(f *audit.Finding) {
		if f.Fact.Kind != "" {
			f.Message = auditMessage(*f)
		}
		f.Fixes, f.InClient = fixesOf(f.Fixes), written(f.InClient, f.Target, f.Source.File)
	})
}

func fixesOf(list []audit.Fix) []audit.Fix {
	list = slices.Clone(list)
	for i, f := range list {
		list[i].Command = f.Line.String()
		list[i].Does = strings.NewReplacer("MANAGER", f.Manager, "VERSION", f.Version, "FILE", f.File).Replace(fixes[f.Kind])
	}
	return list
}
