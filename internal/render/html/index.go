package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
)

// index is what the objects of a page can be filtered by: how bad they are, or what came
// of them, their kinds, and the field managers that occur in them. The tag of an object has the
// places of its own in these lists.
type index struct {
	tiles    list
	classes  []string
	kinds    list
	managers list
	// links are the first objects of each manager.
	links   [][]markup
	objects int
}

// list is names with how often each occurs, in the order in which they were met.
type list struct {
	at     map[string]int
	names  []string
	counts []int
}

func (l *list) add(name string) int {
	i, known := l.at[name]
	if !known {
		if l.at == nil {
			l.at = map[string]int{}
		}
		i = len(l.names)
		l.at[name] = i
		l.names, l.counts = append(l.names, name), append(l.counts, 0)
	}
	l.counts[i]++
	return i
}

// managersOf are the field managers in a section, each once.
func managersOf(s model.Section) []string {
	seen := map[string]bool{}
	var out []string
	s.Walk(func(t model.Text) {
		for _, span := range t {
			if span.Role == model.Manager && !seen[span.Text] {
				seen[span.Text] = true
				out = append(out, span.Text)
			}
		}
	})
	return out
}

// add indexes a section, and gives its tag up to the end.
func (x *index) add(p part) markup {
	x.objects++
	tag := fmt.Sprintf(`<details class="object" id="object-%d"`, x.objects)
	if p.Subject == nil {
		return markup(tag)
	}
	tile := x.tiles.add(cmp.Or(p.Severity, p.Subject.Reason))
	if tile == len(x.classes) {
		class := severityClasses[p.Severity]
		for _, g := range groups {
			if class == "" && g.weight == p.Weight {
				class = g.class
			}
		}
		x.classes = append(x.classes, class)
	}
	var managers strings.Builder
	for _, m := range p.managers {
		at := x.managers.add(m)
		managers.WriteString(" " + strconv.Itoa(at))
		if at == len(x.links) {
			x.links = append(x.links, nil)
		}
		if len(x.links[at]) < maxLinks {
			x.links[at] = append(
				x.links[at],
				markup(fmt.Sprintf(`<a href="#object-%d">`, x.objects))+escape(p.Subject.Name)+"</a> ",
			)
		}
	}
	return markup(
		fmt.Sprintf(
			`%s data-tile="%d" data-kind="%d" data-managers="%s "`, tag, tile, x.kinds.add(p.Subject.Kind),
			managers.String(),
		),
	)
}

// maxLinks is how many objects of a manager are linked; the filter shows all.
const maxLinks = 30

// byManager is the page by field manager, of one with several objects: which
// objects each takes part in, those with the most first.
func (x *index) byManager(total int) markup {
	if total <= 1 || len(x.managers.names) == 0 {
		return ""
	}
	var list []markup
	for _, i := range x.managers.byCount() {
		name := x.managers.names[i]
		links := join(x.links[i])
		if more := x.managers.counts[i] - len(x.links[i]); more > 0 {
			links += markup(fmt.Sprintf(" and %d more", more))
		}
		list = append(
			list,
			element(
				"dt",
				"",
				element("span", "m "+look(name), escape(name)),
				markup(fmt.Sprintf(` <span class="soft">%d</span>`, x.managers.counts[i])),
			),
			element("dd", "", links),
			"\n",
		)
	}
	return element(
		"details",
		"part managers",
		element("summary", "", element("h2", "", "Objects by field manager")),
		element("dl", "", list...),
	) + "\n"
}

// byCount are the places in a list, those that occur most first.
func (l list) byCount() []int {
	order := make([]int, len(l.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return l.counts[b] - l.counts[a] })
	return order
}

// maxTiles is how many outcomes the style sheet can hide without the script.
const maxTiles = 8

// form are the filters of a page with several objects: those by outcome work
// without the script, which shows the others. Of a severity the count is that of the
// headline, where there is one, next to that of the objects.
func (x *index) form(total int, severities map[string]int) markup {
	if total <= 1 || len(x.tiles.names) == 0 {
		return ""
	}
	var tiles []markup
	for _, i := range x.worstFirst() {
		count, name := x.tiles.counts[i], strings.ToLower(x.tiles.names[i])
		if n := severities[x.tiles.names[i]]; n > 0 {
			if n > 1 {
				name += "s"
			}
			name += fmt.Sprintf(", objects: %d", count)
			count = n
		}
		tiles = append(
			tiles,
			markup(fmt.Sprintf(`<label class="tile %s"><input type="checkbox" id="show-%d" checked> <b class="sign">%d</b> `,
				x.classes[i], i, count)),
			escape(name),
			"</label>\n",
		)
	}
	return `<form role="search" autocomplete="off" aria-label="Filter the objects">` + "\n" +
		`<fieldset class="tiles"><legend class="vh">Show by severity and outcome</legend>` + "\n" + join(tiles) + "</fieldset>\n" +
		`<div class="finders" hidden>` + "\n" +
		`<p class="wide"><label for="find">Name, file or changed field</label><input type="search" id="find" spellcheck="false"></p>` + "\n" +
		choice("kind", "Kind", "all kinds", x.kinds) + choice("manager", "Field manager", "all managers", x.managers) +
		`<p class="buttons"><button type="button" id="unfold">Unfold all</button><button type="button" id="fold">Fold all</button>` +
		`<button type="reset" id="clear">Reset</button></p>` + "\n</div>\n" +
		`<p class="shown" hidden><output id="shown" for="find kind manager"></output></p>` + "\n</form>\n"
}

// severityClasses are those of severities in the style sheet, and severities their order.
var (
	severityClasses = map[string]string{"error": "conflicted", "warning": "configured", "note": "unchanged"}
	severities      = []string{"error", "warning", "note"}
)

// worstFirst are the places of the tiles: severities, and then what came of the others.
func (x *index) worstFirst() []int {
	var out []int
	for i := range min(len(x.tiles.names), maxTiles) {
		out = append(out, i)
	}
	rank := func(i int) int {
		if at := slices.Index(severities, x.tiles.names[i]); at >= 0 {
			return at
		}
		return len(severities)
	}
	slices.SortStableFunc(out, func(a, b int) int { return rank(a) - rank(b) })
	return out
}

// choice is a filter by one of a list, those that occur most first.
func choice(id, title, all string, l list) markup {
	options := []markup{`<option value="">`, markup(all), "</option>"}
	for _, i := range l.byCount() {
		options = append(options, markup(fmt.Sprintf(`<option value="%d">`, i)), escape(l.names[i]),
			markup(fmt.Sprintf(" (%d)", l.counts[i])), "</option>")
	}
	return markup(`<p><label for="`+id+`">`+title+`</label><select id="`+id+`">`) + join(options) + "</select></p>\n"
}
