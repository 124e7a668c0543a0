package page

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fielddiff"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// insides are the differences inside of a large value, such as an atomic list.
type insides []inside

// inside is one of them: of a field, a list item, or a line of a text.
type inside struct {
	kind model.LineKind
	// in is the map or list that it is in, empty for the value itself, and at the field, the
	// item or the line in that.
	in, at string
	// item is true for an item that its list loses or gains, or that moves in it.
	item bool
	says string
}

// Inside compares two maps, lists or texts of several lines that are too large for a
// line; none of others, and of those that share nothing.
func Inside(before, after any) insides {
	a, isText := before.(string)
	b, areTexts := after.(string)
	if isText && areTexts {
		return insideTexts(a, b)
	}
	var out insides
	if managedfields.Composite(before) && managedfields.Composite(after) && !words.Fits(large, before, after) {
		out.walk("", before, after)
	}
	return out
}

// lineAt begins the place of a line of a text.
const lineAt = "line "

// insideTexts compares texts line by line.
func insideTexts(before, after string) insides {
	var out insides
	if len(before)+len(after) <= large || !strings.Contains(before, "\n") || !strings.Contains(after, "\n") {
		return out
	}
	for _, h := range textdiff.Lines(before, after, 1) {
		var removed, added []string
		at := max(1, h.NewStart)
		for n, l := range h.Lines {
			switch l.Kind {
			case textdiff.Delete:
				removed = append(removed, strings.TrimSuffix(l.Text, "\n"))
			case textdiff.Insert:
				added = append(added, strings.TrimSuffix(l.Text, "\n"))
			}
			if l.Kind != textdiff.Equal && n < len(h.Lines)-1 {
				continue
			}
			for k := range max(len(removed), len(added)) {
				out.line(fmt.Sprintf("%s%d", lineAt, at+k), removed[min(k, len(removed)):], added[min(k, len(added)):])
			}
			at += len(added) + 1
			removed, added = nil, nil
		}
	}
	return out
}

// line adds the first of the lines that are removed and added.
func (i *insides) line(name string, removed, added []string) {
	one := inside{at: name}
	switch {
	case len(removed) == 0:
		one.kind, one.says = model.Added, strings.TrimSpace(added[0])
	case len(added) == 0:
		one.kind, one.says = model.Removed, strings.TrimSpace(removed[0])
	default:
		before, after := strings.TrimSpace(removed[0]), strings.TrimSpace(added[0])
		if before == after {
			before, after = words.Quoted(removed[0]), words.Quoted(added[0])
		}
		before, after = Differing(before, after, inSentence)
		one.kind, one.says = model.Altered, before+" -> "+after
	}
	*i = append(*i, one)
}

// walk compares two maps or lists. The items of lists without keys are aligned.
func (i *insides) walk(in string, before, after any) {
	for _, h := range fielddiff.Compare(map[string]any{"": before}, map[string]any{"": after}, nil) {
		for _, c := range h.Changes {
			name := c.Path[1:].String()
			a, isList := c.Before.([]any)
			b, areLists := c.After.([]any)
			if isList && areLists && c.Kind == fielddiff.Modified {
				i.items(in+name, a, b)
				continue
			}
			at := c.Path[len(c.Path)-1:].String()
			if len(c.Path) == 1 {
				at = ""
			}
			i.add(inside{in: in + strings.TrimSuffix(name, at), at: at, item: h.List}, c)
		}
	}
}

func (i *insides) items(in string, before, after []any) {
	for _, p := range fielddiff.Align(before, after) {
		at := fmt.Sprintf("[%d]", max(p.To, 0))
		if p.Kind == fielddiff.Removed {
			at = fmt.Sprintf("[%d]", p.From)
		}
		if p.Kind == fielddiff.Modified && managedfields.Composite(p.Before) && managedfields.Composite(p.After) {
			if name := named(p.After, at); name == named(p.Before, at) {
				at = name
			}
			i.walk(in+at, p.Before, p.After)
			continue
		}
		i.add(inside{in: in, at: at, item: p.Kind != fielddiff.Modified},
			fielddiff.Change{Kind: p.Kind, Before: p.Before, After: p.After, From: p.From + 1, To: p.To + 1})
	}
}

// named is an item by what it names, such as [alert="Down"] or {pods}, or else by its
// position.
func named(item any, position string) string {
	name := fielddiff.Identity(item)
	if rule := ruleOf(name); rule != "" {
		return "{" + rule + "}"
	}
	for field, v := range name {
		if text, ok := v.(string); ok {
			return glyph.Visible(fmt.Sprintf("[%s=%q]", field, text))
		}
		return fmt.Sprintf("[%s=%v]", field, v)
	}
	return position
}

func (i *insides) add(one inside, c fielddiff.Change) {
	switch c.Kind {
	case fielddiff.Added:
		one.kind, one.says = model.Added, itemText(c.After)
	case fielddiff.Removed:
		one.kind, one.says = model.Removed, itemText(c.Before)
	case fielddiff.Moved:
		one.kind, one.says = model.Altered, fmt.Sprintf("moved from position %d to %d", c.From, c.To)
	default:
		before, after := apart(words.Both(c.Before, c.After))
		one.kind, one.says = model.Altered, before+" -> "+after
	}
	*i = append(*i, one)
}

// itemText is a value in a line. A rule of a Role is shorter by what it is about and its
// verbs: {pods, services: get, list}.
func itemText(v any) string {
	m, _ := v.(map[string]any)
	rule := ruleOf(fielddiff.Identity(v))
	verbs, ok := m["verbs"].([]any)
	if rule == "" || !ok || len(m) > len(fielddiff.Identity(v))+1 {
		return words.Scalar(v)
	}
	return "{" + rule + ": " + listed(verbs) + "}"
}

// ruleOf is what a rule of a Role is about, from what fielddiff.Identity gives of it: its
// resources with their group, or its paths. It is empty for anything else.
func ruleOf(identity map[string]any) string {
	resources, _ := identity["resources"].([]any)
	urls, _ := identity["nonResourceURLs"].([]any)
	groups, _ := identity["apiGroups"].([]any)
	names, _ := identity["resourceNames"].([]any)
	var of []string
	for _, r := range resources {
		for _, g := range groups {
			name := words.Scalar(r)
			if group, _ := g.(string); group != "" {
				name += "." + group
			}
			if of = append(of, name); len(of) > len(resources)+len(groups) {
				// More is unreadable, as of every resource of many groups.
				return strings.Trim(listed(resources)+" of "+listed(groups), " ")
			}
		}
	}
	if groups == nil {
		of = append(of, scalars(resources)...)
	}
	of = append(of, scalars(urls)...)
	out := strings.Join(of, ", ")
	if len(names) > 0 && out != "" {
		out += " named " + listed(names)
	}
	return out
}

func listed(list []any) string { return strings.Join(scalars(list), ", ") }

// scalars are values as they stand in a list.
func scalars(list []any) []string {
	var out []string
	for _, v := range list {
		out = append(out, words.Scalar(v))
	}
	return out
}

// path is where a difference is in the value.
func (d inside) path() string { return inSchema.Replace(d.in + d.at) }

// inSchema shortens places in the schema of a definition to the field that they are about.
var inSchema = strings.NewReplacer(".schema.openAPIV3Schema.properties.", ".",
	".items.properties.", "[].", ".additionalProperties.properties.", "[].", ".properties.", ".")

// diffLine is a difference as a line, what is said of it as far as a sentence has room for
// each value.
func (d inside) diffLine() model.DiffLine {
	return model.DiffLine{Kind: d.kind, Text: model.Textf(" %v  %v", d.path(), glyph.Cut(d.says, 3*inSentence))}
}

// change is what becomes of the place of a difference.
func (d inside) change() string {
	switch d.kind {
	case model.Removed:
		return "loses "
	case model.Added:
		return "adds "
	default:
		return "changes "
	}
}

// part is a difference in a sentence that shows so many columns of a value, behind another
// one of the same verb without it.
func (d inside) part(most int, before string) (text, verb string) {
	says, gap := glyph.Cut(d.says, most), " "
	if strings.HasPrefix(d.at, lineAt) {
		gap = "  "
	}
	switch {
	case d.kind == model.Altered:
		return d.path() + "  " + glyph.Cut(d.says, 2*most+len(" -> ")), ""
	case !d.item:
		return d.change() + d.path() + gap + says, ""
	case d.in != "":
		verb = inSchema.Replace(d.in) + " "
	}
	if verb += d.change(); verb == before {
		return says, verb
	}
	return verb + says, verb
}

// fewInside is how many differences a line says, and gistColumns how long it may become.
const fewInside, gistColumns = 3, 110

// Text counts the differences, and says which way they are shown.
func (i insides) Text(way string) model.Text {
	return model.Textf("%v inside (%v)", words.Count(len(i), "difference"), way)
}

// Gist says the differences where they are few and fit; else the first ones, and how many more
// there are.
func (i insides) Gist() model.Text { return i.InRow(inSentence) }

// InRow is Gist with so many columns of each value. Of a first difference that does not fit,
// the place is said.
func (i insides) InRow(most int) model.Text {
	var out, verb string
	shown := 0
	list := i.weighed()
	for _, d := range list {
		text, next := d.part(most, verb)
		if shown == fewInside || shown > 0 && glyph.Columns(out+", "+text) > gistColumns {
			break
		}
		if len(i) > 1 && shown == 0 && glyph.Columns(text) > gistColumns {
			text, next = d.change()+d.path(), ""
		}
		if shown++; out != "" {
			out += ", "
		}
		out, verb = out+text, next
	}
	if more := len(i) - shown; more > 0 {
		out += fmt.Sprintf(", … %d more", more)
	}
	if first := list[0]; first.kind == model.Altered && (len(i) == 1 || strings.HasPrefix(first.at, lineAt)) {
		out = "inside " + out
	}
	return model.Say(out)
}

// weighed are the differences as far as a line may show them: what is lost first.
func (i insides) weighed() insides {
	var lost, rest insides
	for _, d := range i {
		if d.kind == model.Removed {
			lost = append(lost, d)
		} else {
			rest = append(rest, d)
		}
	}
	return append(lost, rest...)
}

// Diff shows the differences.
func (i insides) Diff() model.Diff {
	d := model.Diff{Shown: Shown}
	for _, one := range i {
		d.Lines = append(d.Lines, one.diffLine())
	}
	return d
}
