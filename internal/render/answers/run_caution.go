package answers

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// tallied are the cautions of a run. Those that differ in the objects or kinds to fetch
// only are one.
type tallied struct{ keyed[page.Caution, tally] }

// tally is a caution with how many objects have it.
type tally struct {
	page.Caution
	n int
	// kinds, their types and definitions as kubectl takes them, and namespaces are those
	// of the objects to fetch.
	kinds, types, definitions, namespaces []string
}

// fetched are the rules whose cautions are about what was not fetched.
var fetched = map[string]func(one *tally) page.Caution{
	report.RuleNoManagedFields: (*tally).untracked, report.RuleNoLiveKind: (*tally).noLiveKinds, report.RuleAssumedSchema: (*tally).noSchemas,
}

func (t *tallied) add(c page.Caution, target report.Target) {
	c.Field = ""
	key := c
	if fetched[c.Rule] != nil {
		key = page.Caution{Caveat: report.Caveat{Rule: c.Rule}}
	}
	one := t.of(key, func() *tally { return &tally{Caution: c} })
	if one == nil {
		return
	}
	if one.n++; fetched[c.Rule] == nil {
		return
	}
	group, _ := words.GroupVersion(target.APIVersion)
	if resource := page.ResourceArgument(target.Kind, group); len(one.types) < maxGroups && !slices.Contains(one.types, resource) {
		one.types, one.kinds, one.definitions = append(one.types, resource), append(one.kinds, target.Kind), append(one.definitions, page.DefinitionOf(target))
	}
	if target.Namespace != "" {
		one.namespaces = once(one.namespaces, target.Namespace)
	}
}

// once adds what a list does not have yet, as long as there is room.
func once(list []string, s string) []string {
	if len(list) >= maxGroups || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// caution is the one on all these objects of so many.
func (one *tally) caution(total int) page.Caution {
	c := one.Caution
	if one.n > 1 && one.types != nil {
		c = fetched[c.Rule](one)
	}
	if one.n < total {
		c.Message = fmt.Sprintf("%s (%d of %s)", c.Message, one.n, words.Count(total, "object"))
	}
	return c
}

// untracked is about objects without managed fields.
func (one *tally) untracked() page.Caution {
	c := one.Caution
	get := kubectl.Get{Everywhere: len(one.namespaces) != 1, Selections: selections(one.types)}
	if !get.Everywhere {
		get.Namespace = one.namespaces[0]
	}
	c.Cure, c.Command = page.Cured("Fetch them with their managed fields:", page.Fetch(get, "live.yaml"))
	return c
}

// noLiveKinds is about kinds without a live object.
func (one *tally) noLiveKinds() page.Caution {
	c := one.Caution
	if len(one.types) > 1 {
		c.Message = fmt.Sprintf("The live files have no objects of %s (%s): each object is taken as absent from the cluster.", words.Count(len(one.types), "kind"), someKinds(one.kinds))
		c.Cure, c.Command = page.Cured("Fetch all of them:", page.Fetch(kubectl.Get{Everywhere: true, Selections: selections(one.types)}, "more.yaml"))
	}
	return c
}

// noSchemas is about kinds without a definition.
func (one *tally) noSchemas() page.Caution {
	c := one.Caution
	if len(one.types) > 1 {
		c.Message = fmt.Sprintf("No schema is known for %s (%s): it is assumed that every key is a field of its own and every list atomic, and nothing is defaulted or validated.",
			words.Count(len(one.types), "kind"), someKinds(one.kinds))
		c.Cure, c.Command = page.Cured("Give their CustomResourceDefinitions with --crds:", page.Fetch(kubectl.Get{Selections: page.Named("crd", one.definitions...)}, "crds.yaml"))
	}
	return c
}

// mostKinds is how many kinds a sentence names.
const mostKinds = 5

func someKinds(kinds []string) string { return words.Some(kinds, mostKinds, len(kinds)) }

func selections(types []string) []kubectl.Selection {
	var out []kubectl.Selection
	for _, t := range types {
		out = append(out, page.Named(t)...)
	}
	return out
}

// Cautious says once what makes the answers on many objects doubtful.
func (w *Run) Cautious(total int) []model.Block {
	var out []model.Block
	for _, one := range w.cautions.list {
		out = append(out, detached(page.BlocksOf(one.caution(total)))...)
	}
	return out
}

// detached puts an empty line before blocks that begin with a paragraph.
func detached(blocks []model.Block) []model.Block {
	if p, ok := blocks[0].(model.Paragraph); ok {
		p.Apart = true
		blocks[0] = p
	}
	return blocks
}
