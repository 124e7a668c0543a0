package clear

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// patch gives the operations that carry a choice out.
//
// All entries go by a list of one empty entry, which the server takes as a
// reset (apimachinery, managedfields/internal/fieldmanager.go); an empty list
// resets built-in kinds only, and removing the list does nothing. Single ones
// are removed by their place, from the last to the first, so that the places
// hold. The resourceVersion is tested first; without one, the managers at the
// places are.
func (c *clearing) patch(chosen choice) ([]Operation, error) {
	var out []Operation
	version := c.resourceVersion()
	if version != "" {
		out = append(out, Operation{Op: "test", Path: "/metadata/resourceVersion", Value: version})
	}
	if len(chosen.clear) == len(c.owners.Entries) {
		return append(out, Operation{Op: "replace", Path: "/metadata/managedFields", Value: []any{map[string]any{}}}), nil
	}
	if version == "" {
		for _, e := range sortedEntries(chosen) {
			out = append(out, report.TestEntry(e, "manager", e.Manager))
		}
	}
	for _, e := range chosen.prune {
		fields, err := report.ReplaceFields(e, e.Set.Difference(c.missing(e)))
		if err != nil {
			return nil, err
		}
		out = append(out, fields)
	}
	slices.SortFunc(chosen.clear, func(a, b managedfields.Entry) int { return b.Index - a.Index })
	for _, e := range chosen.clear {
		out = append(out, report.RemoveEntry(e))
	}
	return out, nil
}

func sortedEntries(chosen choice) []managedfields.Entry {
	all := slices.Concat(chosen.clear, chosen.prune)
	slices.SortFunc(all, func(a, b managedfields.Entry) int { return a.Index - b.Index })
	return all
}

func (c *clearing) resourceVersion() string {
	metadata, _ := c.live["metadata"].(map[string]any)
	version, _ := metadata["resourceVersion"].(string)
	return version
}

// missing are the paths of an entry that the object does not have.
func (c *clearing) missing(e managedfields.Entry) *fieldpath.Set {
	out := fieldpath.NewSet()
	var find managedfields.Finder
	e.Set.Iterate(func(p fieldpath.Path) {
		if !find.Has(c.shape, c.live, p) {
			out.Insert(p.Copy())
		}
	})
	return out
}

func size(set *fieldpath.Set) int {
	n := 0
	set.Iterate(func(fieldpath.Path) { n++ })
	return n
}
