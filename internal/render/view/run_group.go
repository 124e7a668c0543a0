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

// maxGroups bounds what a run keeps of each kind: hostile input has as many
// different fields as it wants.
const maxGroups = 1000

// groups are fields that are the same one in many objects: by who owns them, and
// by their pattern.
type groups struct {
	list []*group
	at   map[groupKey]*group
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
	// named are the first fields.
	named []string
	first report.Target
	last  int
}

// add counts a field of an object, which has a number in the run. What sets groups
// of one field apart is about.
func (g *groups) add(object int, target report.Target, owner report.Writer, field, applier string, about ...string) *group {
	if g.at == nil {
		g.at = map[groupKey]*group{}
	}
	g.fields++
	pattern, keys := report.Pattern(field)
	owner.APIVersion, owner.Time = "", nil
	key := groupKey{owner, pattern, kindName(target), applier, strings.Join(about, " ")}
	one := g.at[key]
	if one == nil {
		if len(g.list) >= maxGroups {
			return nil
		}
		one = &group{groupKey: key, keys: keys, first: target}
		g.at[key], g.list = one, append(g.list, one)
	}
	for i, k := range keys {
		if one.keys[i] != k {
			one.keys[i] = "*"
		}
	}
	if len(one.named) <= maxFields && !slices.Contains(one.named, field) {
		one.named = append(one.named, field)
	}
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

// rows are those of a table, of which the first ones are kept.
type rows struct {
	list [][]model.Text
	more int
}

// maxRows bounds a table over all objects.
const maxRows = 1000

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
