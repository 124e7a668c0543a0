package view

import "github.com/ssactl/ssactl/internal/plan/resolve"

// resolveRemarks are what resolve has to remark of the FIELDs and managers that were
// asked for. LIST stands for the field, MANAGER for the manager.
var resolveRemarks = map[resolve.FactKind]string{
	resolve.StopsNoConflict: "--stop-managing LIST: the field does not conflict",
	resolve.UsesNoConflict:  "--use-live-value LIST: the field does not conflict",
	resolve.OwnsNoConflict:  "--owned-by MANAGER: it owns no field that conflicts",
}

// ResolveDocument writes remarks, which resolve gives as data, into a document.
func ResolveDocument(d resolve.Document) resolve.Document {
	d.Notices = nil
	for _, r := range d.Remarks {
		d.Notices = append(d.Notices, fill(resolveRemarks[r.Kind], func(word string) string { return ofFact(r, word) }))
	}
	return d
}
