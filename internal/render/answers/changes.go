package answers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// changedIn are the changes of a result that no cause says, and how many more only carry
// a version.
type changedIn struct {
	list     []report.Change
	versions int
	// annotated: the last-applied annotation is rewritten.
	annotated bool
	// whole is what the object as a whole is; empty where it changes.
	whole wholly
}

// wholly is what becomes of an object as a whole.
type wholly string

const (
	isCreated   wholly = "created"
	isDeleted   wholly = "deleted"
	isDeleting  wholly = "deleting"
	isRecreated wholly = "recreated"
	isRun       wholly = "run"
	isRemoved   wholly = "removed"
)

// whollyOf is what becomes of the object of an accepted result as a whole.
func whollyOf(r report.Result) wholly {
	switch {
	case r.Hook != "" && r.Deleted:
		return isRemoved
	case r.Hook != "":
		return isRun
	case r.Outcome == report.Created:
		return isCreated
	case r.Deleted:
		return isDeleted
	case r.Operation == report.Delete && r.Outcome == report.Configured:
		// The rest is the server's bookkeeping.
		return isDeleting
	case r.Recreated:
		return isRecreated
	}
	return ""
}

// changesOf are those of an accepted result.
func changesOf(r report.Result) changedIn {
	if r.Outcome.Refused() {
		return changedIn{}
	}
	out := changedIn{whole: whollyOf(r)}
	if out.whole != "" && out.whole != isRecreated {
		return out
	}
	said := map[string]bool{}
	for _, k := range r.Risks {
		said[k.Field] = k.Severity != report.SeverityNote && k.Rule != risk.Takeover
	}
	for _, c := range withoutNoise(r.Changes) {
		switch {
		case said[c.Field] || c.Reason == report.ReasonRecreated && c.Kind == report.Removed:
		case CarriesVersion(c):
			out.versions++
		case RewritesLastApplied(c):
			out.annotated = true
		default:
			out.list = append(out.list, c)
		}
	}
	return out
}

// RewritesLastApplied reports whether a change is that of the last-applied annotation, which
// a client rewrites along with whatever else it applies.
func RewritesLastApplied(c report.Change) bool {
	return c.Kind == report.Modified && strings.HasSuffix(c.Field, ".annotations."+migration.LastApplied)
}

// labels are the fields of labels and annotations; versioned are versions, numbers and
// checksums in them.
var (
	labels    = regexp.MustCompile(`\.(?:labels|annotations)\.`)
	versioned = regexp.MustCompile(`v?\d+(?:\.\d+)+(?:[-+][0-9A-Za-z.-]+)?|[0-9a-f]{7,}|\d+`)
)

// CarriesVersion reports whether a label or an annotation changes in a version or a
// checksum only.
func CarriesVersion(c report.Change) bool {
	before, isText := c.Before.(string)
	after, areTexts := c.After.(string)
	return isText && areTexts && labels.MatchString(c.Field) &&
		versioned.ReplaceAllString(before, "#") == versioned.ReplaceAllString(after, "#")
}

// kinds count objects by their kinds.
type kinds struct {
	list []kindCount
	n    int
	// first are the first objects.
	first []report.Target
	// each are all of them, as far as there is room.
	each []report.Target
}

type kindCount struct {
	kind string
	n    int
}

func (k *kinds) add(t report.Target) {
	k.count(t)
	if len(k.each) < maxGroups {
		k.each = append(k.each, t)
	}
}

// name keeps an object to be named, as long as they are few.
func (k *kinds) name(t report.Target) {
	if len(k.first) < shownPlaces && !slices.Contains(k.first, t) {
		k.first = append(k.first, t)
	}
}

// clone are the same, to be added to.
func (k *kinds) clone() kinds {
	return kinds{list: slices.Clone(k.list), n: k.n, first: slices.Clone(k.first), each: slices.Clone(k.each)}
}

// count counts an object.
func (k *kinds) count(t report.Target) {
	k.n++
	k.name(t)
	i := slices.IndexFunc(k.list, func(c kindCount) bool { return c.kind == t.Kind })
	if i < 0 {
		if len(k.list) >= maxGroups {
			return
		}
		i = len(k.list)
		k.list = append(k.list, kindCount{kind: t.Kind})
	}
	k.list[i].n++
}

// shownKinds is how many kinds a sentence names.
const shownKinds = 5

// named lists the objects by their names, as long as they are few; else by their kinds.
func (k *kinds) named(w *Run) string {
	if k.n > len(k.first) {
		return k.text()
	}
	var parts []string
	for _, t := range k.first {
		parts = append(parts, w.object(t))
	}
	return strings.Join(parts, ", ")
}

// all names each object: what is deleted is never only counted. It is empty for none.
func (k *kinds) all(w *Run) string {
	var parts []string
	for _, t := range k.each {
		parts = append(parts, w.object(t))
	}
	return words.Some(parts, len(parts), k.n)
}

// fewKinds is how many kinds a sentence on a cause names.
const fewKinds = 2

// gist is the only object, or what kinds there are, or how many objects.
func (k *kinds) gist() string {
	if len(k.list) > fewKinds {
		return words.Count(k.n, "object")
	}
	return k.text()
}

// text lists the kinds, those of most objects first.
func (k *kinds) text() string {
	list := slices.Clone(k.list)
	slices.SortStableFunc(list, func(a, b kindCount) int { return cmp.Or(b.n-a.n, strings.Compare(a.kind, b.kind)) })
	var parts []string
	for i, c := range list {
		if i == shownKinds && len(list) > i+1 {
			parts = append(parts, fmt.Sprintf("%d other kinds", len(list)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", c.n, words.Agree(c.n, c.kind, text.Plural(c.kind))))
	}
	return strings.Join(parts, ", ")
}

// onlyOwnership reports whether a write changes no field, takes nothing from
// another manager, and leaves nothing to look at.
func onlyOwnership(r report.Result) bool {
	if r.Outcome != report.Configured || r.Operation == report.Delete || r.Changes == nil || len(withoutNoise(r.Changes)) > 0 {
		return false
	}
	for _, t := range r.Transfers {
		if t.Kind == report.Overridden {
			return false
		}
	}
	return len(r.Warnings)+len(r.Notices)+len(r.Risks) == 0
}

// warning is one of the server, of so many objects.
type warning struct {
	text   string
	first  report.Target
	source report.Source
	n      int
}

// warned are the warnings with the objects that get them.
func (w *Run) warned() []model.Block {
	if !w.o.Brief || w.warnings.list == nil {
		return nil
	}
	l := model.List{Marked: true, Shown: page.Shown}
	for _, one := range w.warnings.list {
		where := w.object(one.first)
		if one.n > 1 {
			where = fmt.Sprintf("%d objects, first %s", one.n, where)
		}
		l.Items = append(l.Items, model.Item{Text: model.Textf("%v (%v)", one.text, where)})
	}
	return []model.Block{page.Part("Warnings of the API server", l)}
}

// tallied are the cautions of a run. Those that differ in the objects or kinds to fetch
// only are one.
type tallied struct{ keyed[page.Caution, tally] }

// tally is a caution with how many objects have it.
type tally struct {
	page.Caution
	n      int
	first  report.Target
	source report.Source
	// kinds, their types and definitions as kubectl takes them, and namespaces are those
	// of the objects to fetch.
	kinds, types, definitions, namespaces []string
}

// fetched are the rules whose cautions are about what was not fetched.
var fetched = []string{report.RuleNoManagedFields, report.RuleNoLiveKind, report.RuleAssumedSchema}

func (t *tallied) add(c page.Caution, target report.Target, source report.Source) {
	c.Field = ""
	key, fetch := c, slices.Contains(fetched, c.Rule)
	if fetch {
		key = page.Caution{Caveat: report.Caveat{Rule: c.Rule}}
	}
	one := t.of(key, func() *tally { return &tally{Caution: c, first: target, source: source} })
	if one == nil {
		return
	}
	if one.n++; !fetch {
		return
	}
	if resource := fixes.ResourceArgument(target); len(one.types) < maxGroups && !slices.Contains(one.types, resource) {
		one.types, one.kinds = append(one.types, resource), append(one.kinds, target.Kind)
		one.definitions = append(one.definitions, fixes.DefinitionOf(target))
	}
	if n := target.Namespace; n != "" && len(one.namespaces) < maxGroups && !slices.Contains(one.namespaces, n) {
		one.namespaces = append(one.namespaces, n)
	}
}

// caution is the one on all these objects of so many.
func (one *tally) caution(total int) page.Caution {
	c := one.Caution
	kinds := fmt.Sprintf("%s (%s)", words.Count(len(one.types), "kind"), words.Some(one.kinds, shownKinds, len(one.kinds)))
	all := kubectl.Get{Everywhere: true}
	for _, t := range one.types {
		all.Selections = append(all.Selections, fixes.Named(t)...)
	}
	switch several := len(one.types) > 1; {
	case c.Rule == report.RuleNoManagedFields && one.n > 1:
		if len(one.namespaces) == 1 {
			all.Everywhere, all.Namespace = false, one.namespaces[0]
		}
		c = page.CautionOf(c.Caveat, fixes.Fetching("Fetch them with their managed fields:", all, "live.yaml"))
	case c.Rule == report.RuleNoLiveKind && several:
		c.Message = fmt.Sprintf("The live files have no objects of %s: each object is taken as absent from the cluster.", kinds)
		c = page.CautionOf(c.Caveat, fixes.Fetching("Fetch all of them:", all, "more.yaml"))
	case c.Rule == report.RuleAssumedSchema && several:
		c.Message = fmt.Sprintf("No schema is known for %s: it is assumed that every key is a field of its own and every list atomic, and "+
			"nothing is defaulted or validated.", kinds)
		definitions := kubectl.Get{Selections: fixes.Named("crd", one.definitions...)}
		c = page.CautionOf(c.Caveat, fixes.Fetching("Give their CustomResourceDefinitions with --crds:", definitions, "crds.yaml"))
	}
	if one.n < total {
		c.Message = fmt.Sprintf("%s (%d of %s)", c.Message, one.n, words.Count(total, "object"))
	}
	return c
}

// Cautious says once what makes the answers on many objects doubtful.
func (w *Run) Cautious(total int) []model.Block {
	var out []model.Block
	for _, one := range w.cautions.list {
		blocks := page.BlocksOf(one.caution(total))
		if p, ok := blocks[0].(model.Paragraph); ok {
			p.Apart = true
			blocks[0] = p
		}
		out = append(out, blocks...)
	}
	return out
}
