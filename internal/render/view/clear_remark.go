package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
)

// clearRemarks are what plans of clear have to remark. MANAGER stands for whose entry it
// is about, VERSION for the API version of that, TEXT for what kind of writer it is, or
// what is wrong.
var clearRemarks = map[clear.FactKind]string{
	clear.Unstorable:        "no server stores such managedFields (TEXT): the file was edited, or is of another tool; this answer is what a server does with entries that it can store and not read",
	clear.NoManagedFields:   "the live object has no managedFields: there is nothing to clear; if it was fetched without them, fetch it with kubectl get --show-managed-fields",
	clear.NoResourceVersion: "the live object has no resourceVersion, so that the patch cannot ask whether the object is still the same; it asks for the managers instead",
	clear.PatchWithheld:     "the patch would have masked values; --show-secrets keeps them",

	clear.EntryUnreadable:  "it cannot be read: TEXT",
	clear.SameAppliedAgain: "its age proves nothing: the server keeps the time of an Apply entry while its manager applies the same again and again; name it with --manager if it is gone",
	clear.WritesAgain:      "it is TEXT, and writes again by itself when there is something to write; name it with --manager if it is gone",

	clear.AllForgotten:     "the entry of MANAGER cannot be read, for which the server forgets all entries",
	clear.UnservedDropped:  "the server drops the entry of MANAGER too: it is at VERSION, which it does not serve",
	clear.EntryShortened:   "the server stores less of the entry of MANAGER too",
	clear.OthersAreChanged: "the server changes other things of the object at this write too; ssactl patch shows them",
}

func clearRemark(r report.Fact) string {
	return fill(program.In(clearRemarks[r.Kind]), func(word string) string { return ofFact(r, word) })
}

// ClearDocument writes remarks and commands, which plans give as data, into a document.
func ClearDocument(d clear.Document) clear.Document {
	d.Objects = slices.Clone(d.Objects)
	for i := range d.Objects {
		c := &d.Objects[i]
		c.Command, c.Findings = c.Line.String(), nil
		if err := c.Line.Err(); err != nil {
			c.Findings = append(c.Findings, "no command line can name the object: "+err.Error())
		}
		for _, r := range c.Remarks {
			c.Findings = append(c.Findings, clearRemark(r))
		}
		c.Cleared, c.Pruned, c.Spared = withWhy(c.Cleared), withWhy(c.Pruned), withWhy(c.Spared)
	}
	return d
}

// withWhy are entries with what is special about each.
func withWhy(list []clear.Entry) []clear.Entry {
	list = slices.Clone(list)
	for i, e := range list {
		list[i].Why = clearRemark(e.Because)
	}
	return list
}
