package redact

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// index finds spellings in texts. It looks at each place of a text once, however many
// spellings there are: those of one length class are sorted by how they begin.
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

// meaning is the value that a spelling stands for, how it comes to, and where.
type meaning struct {
	of     *value
	fit    fit
	weight weight
}

// fit is how closely a spelling matches its value; the lesser, the closer.
type fit int

const (
	// exact: it is the value.
	exact fit = iota
	// whole: it is the value as another format writes it.
	whole
	// derived: it is a line of the value, or encodes it.
	derived
)

// before reports whether this meaning of a spelling wins over another. It must not depend
// on the order of learning, as masks show which one it is.
func (a meaning) before(b meaning) bool {
	if a.fit != b.fit {
		return a.fit < b.fit
	}
	return bytes.Compare(a.of.key[:], b.of.key[:]) < 0
}

// classes are the lengths of the heads: a spelling is in the last class that it is long
// enough for.
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

// text is one in which spellings are looked for.
type text struct {
	string
	// least is the least weight that counts.
	least weight
	// public are texts that never count as values.
	public map[string]bool
}

// has reports whether a spelling found at a place of the text counts as its value.
func (t text) has(spelling string, m meaning, at int) bool {
	return m.weight >= t.least && !t.public[spelling] && (m.weight != alone || t.isApart(at, at+len(spelling)))
}

// isApart reports whether a part of the text is no part of a longer word or name.
func (t text) isApart(from, to int) bool {
	before, after := t.string[:from], t.string[to:]
	if isNamed(t.string[from]) && joins.MatchString(before[max(0, len(before)-escapeLength):]) &&
		!escapes.MatchString(before[max(0, len(before)-escapeLength):]) {
		return false
	}
	return !isNamed(t.string[to-1]) || !joined.MatchString(after[:min(2, len(after))])
}

// escapeLength is that of the longest escape, \u003c.
const escapeLength = 6

var (
	// joins and joined are what continues a name, before and after a part of it.
	joins  = regexp.MustCompile(`(?:[0-9A-Za-z_-]|[0-9A-Za-z]\.)$`)
	joined = regexp.MustCompile(`^(?:[0-9A-Za-z_-]|\.[0-9A-Za-z])`)
	// escapes end with a letter or a digit, and are a sign.
	escapes = regexp.MustCompile(`(?:\\[abfnrtv]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|%[0-9A-F]{2})$`)
)

func isNamed(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

// at is the longest spelling that a text has at a place; empty without.
func (x *index) at(t text, i int) string {
	s := t.string[i:]
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
			if strings.HasPrefix(s, spelling) && t.has(spelling, x.all[spelling], i) {
				return spelling
			}
		}
	}
	return ""
}

// ellipsis is where a text was cut off.
const ellipsis = "…"

// beginning is a spelling that begins with what was cut off; empty without, and where
// that may be a word.
func (x *index) beginning(t text, shown string) string {
	if len(shown) < leastMixed {
		return ""
	}
	if p := pair(shown); x.begins[p/64]&(1<<(p%64)) == 0 {
		return ""
	}
	if x.sorted == nil {
		x.sorted = slices.Sorted(maps.Keys(x.all))
	}
	at, _ := slices.BinarySearch(x.sorted, shown)
	for ; at < len(x.sorted) && strings.HasPrefix(x.sorted[at], shown); at++ {
		if spelling := x.sorted[at]; x.all[spelling].weight == anywhere && !t.public[spelling] {
			return spelling
		}
	}
	return ""
}

// replace writes masks for all spellings, in one pass: masks are never masked.
func (x *index) replace(t text, mask func(*value) string) string {
	s := t.string
	var b strings.Builder
	done := 0
	cut := strings.Index(s, ellipsis)
	for i := 0; i+classes[0] <= len(s); {
		if strings.HasPrefix(s[i:], maskStart) {
			i += len(maskStart)
			continue
		}
		spelling := x.at(t, i)
		shown := spelling
		for cut >= 0 && cut < i {
			if cut = strings.Index(s[i:], ellipsis); cut >= 0 {
				cut += i
			}
		}
		if spelling == "" && cut > i {
			shown = s[i:cut]
			spelling = x.beginning(t, shown)
		}
		if spelling == "" {
			i++
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(inQuotes(spelling, x.all[spelling].weight, mask(x.all[spelling].of)))
		i += len(shown)
		done = i
	}
	if done == 0 {
		return s
	}
	return b.String() + s[done:]
}

// inQuotes keeps the quotes of a spelling that has to have them.
func inQuotes(spelling string, w weight, mask string) string {
	if w != quoted {
		return mask
	}
	for _, quote := range []string{`\"`, `"`, `'`, "`"} {
		if strings.HasPrefix(spelling, quote) {
			return quote + mask + quote
		}
	}
	return mask
}
