package clear

import (
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// remarks are those on the live object.
func (c *clearing) remarks(chosen choice) []finding.Finding {
	var out []finding.Finding
	switch {
	case c.unstorable != nil:
		out = append(out, c.find(unstorable, "no server stores such managedFields (%v): the file was edited, or is of another tool; this answer is what a server does with entries that it can store and not read", text.Said(c.unstorable.Error())))
	case len(c.Owners.Entries) == 0:
		out = append(out, c.find(noManagedFields, "the live object has no managedFields: there is nothing to clear; if it was fetched without them, fetch it with kubectl get --show-managed-fields"))
	}
	if _, ok := ownership.TestVersion(c.Live); !ok && len(chosen.clear)+len(chosen.prune) > 0 {
		out = append(out, c.find(noResourceVersion, "the live object has no resourceVersion, so that the patch cannot ask whether the object is still the same; it asks for the managers instead"))
	}
	return out
}

// astray reports where the server stores other entries than those that were to
// be left.
func (c *clearing) astray(chosen choice, stored map[string]any) []finding.Finding {
	gone := map[int]bool{}
	for _, e := range slices.Concat(chosen.clear, chosen.prune) {
		gone[e.Index] = true
	}
	after := managedfields.Of(stored).Roles()
	var out []finding.Finding
	for _, e := range c.Owners.Entries {
		if gone[e.Index] {
			continue
		}
		has, ok := after[e.Role]
		switch {
		case e.Err != nil:
			out = append(out, c.find(allForgotten, "the entry of %v cannot be read, for which the server forgets all entries", text.By(e.Manager)))
		case !ok && !c.Served(e.APIVersion):
			out = append(out, c.find(entryDropped, "the server drops the entry of %v too: it is at %v, which it does not serve", text.By(e.Manager), text.Name(e.APIVersion)))
		case !ok || !e.Set.Difference(has).Empty():
			out = append(out, c.find(entryShortened, "the server stores less of the entry of %v too", text.By(e.Manager)))
		}
	}
	if !reflect.DeepEqual(withoutEntries(c.Live), withoutEntries(stored)) {
		out = append(out, c.find(otherChanges, program.In("the server changes other things of the object at this write too; ssactl patch shows them")))
	}
	return out
}

// Withheld is the clearing without its patch, which would write masks.
func (c Clearing) Withheld() Clearing {
	c.Patch, c.Command = nil, shell.Line{}
	c.Findings = append(slices.Clone(c.Findings), withheld.On(c.Target, c.Source, text.New("the patch would have masked values; --show-secrets keeps them")))
	return c
}

// withoutEntries is an object to compare: a write moves its managedFields and
// resourceVersion.
func withoutEntries(object map[string]any) map[string]any {
	out, metadata := map[string]any{}, map[string]any{}
	for k, v := range object {
		out[k] = v
	}
	from, _ := object["metadata"].(map[string]any)
	for k, v := range from {
		if k != "managedFields" && k != "resourceVersion" {
			metadata[k] = v
		}
	}
	out["metadata"] = metadata
	return out
}
