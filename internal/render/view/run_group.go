package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// groups are fields that are the same one in many objects: by who owns them, and
// by their pattern.
type groups struct {
	keyed[groupKey, group]
	// fields counts all, those of no group included.
	fields int
}

// groupKey is what the fields of a group have in common.
type groupKey struct {
	owner          report.Writer
	pattern, kind  string
	applier, about string
}

// group is one field that a field manager owns in objects of a kind.
type group struct {
	groupKey
	// keys are the texts in brackets, * where they differ.
	keys            []string
	objects, fields int
	first           report.Target
	last            int
}

// add counts a field of an object, which has a number in the run. What sets groups
// of one field apart is about.
func (g *groups) add(object int, target report.Target, owner report.Writer, field, applier string, about ...string) *group {
	g.fields++
	pattern, keys := report.Pattern(field)
	owner.APIVersion, owner.Time = "", nil
	key := groupKey{owner, pattern, kindName(target), applier, strings.Join(about, " ")}
	one := g.of(key, func() *group { return &group{groupKey: key, keys: keys, first: target} })
	if one == nil {
		return nil
	}
	starred(one.keys, keys)
	if one.fields++; one.last != object {
		one.last = object
		one.objects++
	}
	return one
}

// text is the field with the objects that have it.
func (g *group) text() model.Text {
	in := words.Object(g.first) + words.Where(g.first)
	if g.objects > 1 {
		in = fmt.Sprintf("%d %s", g.objects, words.Plural(g.first.Kind))
		if g.fields > g.objects {
			in += fmt.Sprintf(" (%d fields)", g.fields)
		}
	}
	if g.pattern == "" {
		return model.Say(in)
	}
	return model.Textf("%v in %v", model.Field.Of(report.Filled(g.pattern, g.keys)), in)
}

// byFields sorts groups, those of most objects first.
func byFields(a, b *group) int {
	return cmp.Or(cmp.Compare(b.objects, a.objects), cmp.Compare(b.fields, a.fields), strings.Compare(a.pattern, b.pattern), strings.Compare(a.kind, b.kind))
}

// managed is a manager with a number of fields.
type managed struct {
	manager string
	fields  int
}

// byManager counts the fields of each manager, the most first.
func byManager(list []*group) []managed {
	var out []managed
	for _, g := range list {
		i := slices.IndexFunc(out, func(o managed) bool { return o.manager == g.owner.Manager })
		if i < 0 {
			i = len(out)
			out = append(out, managed{manager: g.owner.Manager})
		}
		out[i].fields += g.fields
	}
	slices.SortStableFunc(out, func(a, b managed) int { return cmp.Compare(b.fields, a.fields) })
	return out
}

// kinds count objects by their kinds.
type kinds struct {
	list []kindCount
	n    int
}

type kindCount struct {
	kind string
	n    int
}

func (k *kinds) add(t report.Target) {
	k.n++
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

// text lists the kinds, those of most objects first.
func (k *kinds) text() string {
	slices.SortStableFunc(k.list, func(a, b kindCount) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.kind, b.kind)) })
	var parts []string
	for i, c := range k.list {
		if i == shownKinds && len(k.list) > i+1 {
			parts = append(parts, fmt.Sprintf("%d other kinds", len(k.list)-i))
			break
		}
		parts = append(parts, countOf(c.n, c.kind))
	}
	return strings.Join(parts, ", ")
}

// countOf counts objects of a kind.
func countOf(n int, kind string) string {
	if n == 1 {
		return "1 " + kind
	}
	return fmt.Sprintf("%d %s", n, words.Plural(kind))
}

// rows are the first rows of a table.
type rows struct {
	list [][]model.Text
	more int
}

// maxRows bounds a table over all objects.
const maxRows = 10_000

func (r *rows) add(row []model.Text) {
	if len(r.list) == maxRows {
		r.more++
		return
	}
	r.list = append(r.list, row)
}

// rowOf is a field of an object with its owner, in the order of columns that all
// such tables have.
func rowOf(t report.Target, field string, w report.Writer, o Options) []model.Text {
	w.APIVersion = ""
	since := words.Age(w.Time, o.Now)
	if since == "" {
		since = words.Date(w.Time)
	}
	return []model.Text{model.Say(words.Object(t) + words.Where(t)), {model.Field.Of(field)}, writerOf(w), model.Say(since)}
}

// table has the rows, and counts those that are not in it.
func (r *rows) table(title string, columns ...string) []model.Block {
	if r.list == nil {
		return nil
	}
	t := model.Table{Shown: shown, Rows: r.list}
	for _, c := range columns {
		t.Columns = append(t.Columns, model.Column{Title: c})
	}
	blocks := []model.Block{t}
	if r.more > 0 {
		blocks = append(blocks, paragraph("… and %v more fields; -o report has all", r.more))
	}
	return []model.Block{part(title, blocks...)}
}
