package risk

import (
	"strings"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// NamesOwners reports whether a write gives its object owners that the live one does not have.
func NamesOwners(r report.Result) bool {
	return r.Operation != report.Delete && !r.Outcome.Refused() && !r.Deleted && len(newOwners(r)) > 0
}

// newOwners are the references to owners that the live object does not have.
func newOwners(r report.Result) []map[string]any {
	list := func(object map[string]any) []any {
		refs, _ := fieldtree.Value(object, "metadata", "ownerReferences").([]any)
		return refs
	}
	had := map[string]bool{}
	for _, item := range list(r.Live) {
		ref, _ := item.(map[string]any)
		had[objects.Text(ref, "uid")] = true
	}
	var out []map[string]any
	for _, item := range list(r.Object) {
		ref, _ := item.(map[string]any)
		if uid := objects.Text(ref, "uid"); uid != "" && !had[uid] {
			out = append(out, ref)
		}
	}
	return out
}

// Ownerless adds to the risks of a result that its object names none but owners which the inputs do not
// have: it was copied with them, and the garbage collector deletes what has no owner left.
func Ownerless(risks []report.Finding, r report.Result, others *Others) []report.Finding {
	const field = ".metadata.ownerReferences"
	f := finder{Result: r}
	refs, _ := fieldtree.Value(r.Object, "metadata", "ownerReferences").([]any)
	var names []string
	for _, item := range refs {
		ref, _ := item.(map[string]any)
		if others.uids[objects.Text(ref, "uid")] {
			return risks
		}
		names = append(names, strings.ToLower(objects.Text(ref, "kind"))+"/"+objects.Text(ref, "name"))
	}
	if len(newOwners(r)) < len(refs) {
		return risks
	}
	at := f.changedIn(field)
	return settled(append(risks, f.risk(OwnerMissing, at, f.Manager, text.New(
		"the manifest names %v as %v by a uid that no object of the inputs has: where the cluster has none either, "+
			"the garbage collector deletes the object", text.List(names, maxNamed, text.Name),
		text.Agree(len(names), "its owner", "its owners")))))
}
