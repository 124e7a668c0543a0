package view

import (
	"strings"

	"github.com/ssactl/ssactl/internal/plan/resolve"
)

// resolveRemarks are what resolve has to remark of the FIELDs and managers that were
// asked for. NAME stands for the one.
var resolveRemarks = map[resolve.FactKind]string{
	resolve.StopsNoConflict: "--stop-managing NAME: the field does not conflict",
	resolve.UsesNoConflict:  "--use-live-value NAME: the field does not conflict",
	resolve.OwnsNoConflict:  "--owned-by NAME: it owns no field that conflicts",
}

// ResolveDocument writes remarks, which resolve gives as data, into a document.
func ResolveDocument(d resolve.Document) resolve.Document {
	d.Notices = nil
	for _, r := range d.Remarks {
		d.Notices = append(d.Notices, strings.Replace(resolveRemarks[r.Kind], "NAME", r.Name, 1))
	}
	return d
}
