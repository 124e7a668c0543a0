package redact

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"strings"
)

// index finds spellings in texts. It looks at each place of a text once,
// however many spellings there are: those of one length class are sorted by
// how they begin.
type index struct {
	// all maps each spelling to what it stands for.
	all map[string]meaning
	// begins has a bit for each two bytes with which a spelling begins.
	begins [1 << 16 / 64]uint64
	// heads are the spellings that begin alike, longest first, by length class.
	heads [len(classes)]map[string][]string
	// sorted are all spellings, for those that are cut off; nil when out of date.
	sorted []string
}

// meaning is the value that a spelling stands for, and how it comes to.
type meaning struct {
	of  *value
	fit fit
}

// fit is how a spelling comes to stand for a value; the better one is the lesser.
type fit int

const (
	// exact: it is the value.
	exact fit = iota
	// whole: it is the value as another format writes it.
	whole
	// derived: it is a line of the value, or encodes it.
	derived
)

// before reports whether a spelling of two values stands for this one. That must not
// depend on which was learned first, as masks show which one it is: large texts are
// learned beside the reading (cli), and what is in a map in any order.
func (a meaning) before(b meaning) bool {
	if a.fit != b.fit {
		return a.fit < b.fit
	}
	return bytes.Compare(a.of.key[:], b.of.key[:]) < 0
}

// classes are the lengths of the heads: a spelling is in the last class whose
// head it has.
var classes = [...]int{3, 16, 64}

func newIndex() index {
	x := index{all: map[string]meaning{}}
	for i := range x.heads {
		x.heads[i] = map[string][]string{}
	}
	return x
}

// add has a spelling stand for a value, unless it stands for another before that.
func (x *index) add(spelling string, m meaning) {
	if len(spelling) < classes[0] {
		return
	}
	if known, ok := x.all[spelling]; ok {
		if m.before(known) {
			x.all[spelling] = m
		}
		return
	}
	x.all[spelling], x.sorted = m, nil
	at := pair(spelling)
	x.begins[at/64] |= 1 << (at % 64)
	class := 0
	for class+1 < len(classes) && len(spelling) >= classes[class+1] {
		class++
	}
	head := spelling[:classes[class]]
	list := x.heads[class][head]
	i := sort.Search(len(list), func(i int) bool { return len(list[i]) < len(spelling) })
	x.heads[class][head] = slices.Insert(list, i, spelling)
}

func pair(s string) int { return int(s[0])<<8 | int(s[1]) }

// at is the longest spelling with which a text begins; empty without.
func (x *index) at(s string, skip map[string]bool) string {
	if len(s) < classes[0] {
		return ""
	}
	if p := pair(s); x.begins[p/64]&(1<<(p%64)) == 0 {
		return ""
	}
	for class := len(classes) - 1; class >= 0; class-- {
		if len(s) < classes[class] {
			continue
		}
		for _, spelling := range x.heads[class][s[:classes[class]]] {
			if strings.HasPrefix(s, spelling) && !skip[spelling] {
				return spelling
			}
		}
	}
	return ""
}

// ellipsis is where a text was cut off.
const ellipsis = "…"

// beginning is a spelling that begins with a text that was cut off; empty
// without.
func (x *index) beginning(text string, skip map[string]bool) string {
	if p := pair(text); x.begins[p/64]&(1<<(p%64)) == 0 {
		return ""
	}
	if x.sorted == nil {
		x.sorted = slices.Sorted(maps.Keys(x.all))
	}
	at, _ := slices.BinarySearch(x.sorted, text)
	for ; at < len(x.sorted) && strings.HasPrefix(x.sorted[at], text); at++ {
		if !skip[x.sorted[at]] {
			return x.sorted[at]
		}
	}
	return ""
}

// replace writes masks for all spellings. It goes through the text once, so that
// masks are never masked. What is public is skipped.
func (x *index) replace(s string, public map[string]bool, mask func(*value) string) string {
	var b strings.Builder
	done := 0
	cut := strings.Index(s, ellipsis)
	for i := 0; i+classes[0] <= len(s); {
		if strings.HasPrefix(s[i:], maskStart) {
			i += len(maskStart)
			continue
		}
		spelling := x.at(s[i:], public)
		shown := spelling
		for cut >= 0 && cut < i {
			if cut = strings.Index(s[i:], ellipsis); cut >= 0 {
				cut += i
			}
		}
		if spelling == "" && cut >= i+shortest {
			shown = s[i:cut]
			spelling = x.beginning(shown, public)
		}
		if spelling == "" {
			i++
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(inQuotes(spelling, mask(x.all[spelling].of)))
		i += len(shown)
		done = i
	}
	if done == 0 {
		return s
	}
	return b.String() + s[done:]
}

// inQuotes keeps the quotes of a spelling that has them.
func inQuotes(spelling, mask string) string {
	for _, quote := range []string{`\"`, `"`, `'`, "`"} {
		inner, ok := strings.CutPrefix(spelling, quote)
		if inner, closed := strings.CutSuffix(inner, quote); ok && closed && (len(inner) < shortest || words[inner] || isNumber(inner)) {
			return quote + mask + quote
		}
	}
	return mask
}
