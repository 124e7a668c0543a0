package clear

import (
	"maps"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// The rules of remarks on the live object, and on the server's answer.
var (
	unstorable = finding.Rule{Name: "unstorable-managed-fields", Severity: report.SeverityWarning, Title: "managedFields is not a list of entries.",
		Why: "No server stores it: the answer is what a server does with entries that it can store and not read."}
	noManagedFields = finding.Rule{Name: "no-managed-fields", Severity: report.SeverityNote, Title: "The live object has no managedFields.",
		Why: "There is nothing to clear, unless it was fetched without them."}
	noResourceVersion = finding.Rule{Name: "no-resource-version", Severity: report.SeverityWarning, Title: "The live object has no resourceVersion.",
		Why: "The patch cannot test whether the object is still the same: it tests the managers."}
	noCommand = finding.Rule{Name: "no-command", Severity: report.SeverityWarning, Title: "No command line can name the object.",
		Why: "The patch has to be sent in another way."}
	withheld = finding.Rule{Name: "patch-withheld", Severity: report.SeverityNote, Title: "The patch is left out.",
		Why: "It would write masks in place of values."}
	allForgotten = finding.Rule{Name: "unreadable-entry", Severity: report.SeverityWarning, Title: "An entry that stays cannot be read.",
		Why: "The server forgets all entries for it."}
	entryDropped = finding.Rule{Name: "entry-dropped", Severity: report.SeverityWarning, Title: "The server drops another entry too.",
		Why: "It does not serve the API version of the entry."}
	entryShortened = finding.Rule{Name: "entry-shortened", Severity: report.SeverityWarning, Title: "The server stores less of another entry too.",
		Why: "Its manager loses fields that were not to be cleared."}
	otherChanges = finding.Rule{Name: "other-changes", Severity: report.SeverityNote, Title: "The server changes other things of the object too.",
		Why: "Every write is defaulted, converted and admitted."}
)

// Rules are all rules.
func Rules() finding.Rules {
	return finding.Rules{
		unstorable, noManagedFields, noResourceVersion, noCommand, withheld, allForgotten, entryDropped, entryShortened, otherChanges,
	}
}

func (c *clearing) find(rule finding.Rule, format string, args ...text.Argument) {
	c.out.Findings = append(c.out.Findings, rule.On(c.Write.Target(), c.Write.LiveAt(), text.New(format, args...)))
}

// remark says what is to be known of the live object.
func (c *clearing) remark() {
	switch {
	case c.unstorable != nil:
		c.find(unstorable, "no server stores such managedFields (%v): the file was edited, or is of another tool; this answer is what a server does with entries that it can store and not read", text.Said(c.unstorable.Error()))
	case len(c.Owners.Entries) == 0:
		c.find(noManagedFields, "the live object has no managedFields: there is nothing to clear; if it was fetched without them, fetch it with kubectl get --show-managed-fields")
	}
	if _, ok := ownership.TestVersion(c.Live); !ok && len(c.clear)+len(c.prune) > 0 {
		c.find(noResourceVersion, "the live object has no resourceVersion, so that the patch cannot ask whether the object is still the same; it asks for the managers instead")
	}
}

// remarkAstray reports where the server stores other entries than those that were to
// be left.
func (c *clearing) remarkAstray(stored map[string]any) {
	gone := slices.Concat(c.clear, c.prune)
	after := managedfields.Of(stored).Roles()
	for _, e := range c.Owners.Entries {
		has, ok := after[e.Role]
		switch {
		case slices.ContainsFunc(gone, ownership.Is(e)):
		case e.Err != nil:
			c.find(allForgotten, "the entry of %v cannot be read, for which the server forgets all entries", text.By(e.Manager))
		case !ok && !c.Served(e.APIVersion):
			c.find(entryDropped, "the server drops the entry of %v too: it is at %v, which it does not serve", text.By(e.Manager), text.Name(e.APIVersion))
		case !ok || !e.Set.Difference(has).Empty():
			c.find(entryShortened, "the server stores less of the entry of %v too", text.By(e.Manager))
		}
	}
	if !reflect.DeepEqual(withoutEntries(c.Live), withoutEntries(stored)) {
		c.find(otherChanges, program.In("the server changes other things of the object at this write too; ssactl patch shows them"))
	}
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
	out := maps.Clone(object)
	from, _ := object["metadata"].(map[string]any)
	metadata := map[string]any{}
	maps.Copy(metadata, from)
	delete(metadata, "managedFields")
	delete(metadata, "resourceVersion")
	out["metadata"] = metadata
	return out
}
