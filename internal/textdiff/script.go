package textdiff

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Kind reports what happens to a piece of text.
type Kind int

// The kinds of edit.
const (
	Equal Kind = iota
	Delete
	Insert
)

// Edit is one token of an edit script.
type Edit struct {
	Kind Kind
	Text string
}

// maxSearch bounds the tokens of both sides in one search for the shortest
// script, whose steps grow with the product of their lengths in the worst case. It also keeps
// token numbers below the surrogates, which go-diff could not carry.
const maxSearch = 6000

// maxWork bounds the steps of a whole comparison: four of the largest searches,
// however long the texts are.
const maxWork = 4 * (maxSearch / 2) * (maxSearch / 2)

// comparison is one that may take so many steps more.
type comparison struct{ work int }

// spend takes steps, if there are as many.
func (c *comparison) spend(steps int) bool {
	if steps > c.work {
		return false
	}
	c.work -= steps
	return true
}

// script gives the edits that turn old into new. In a run of changes all
// deletions come before the insertions.
func script(old, new []string) []Edit {
	c := comparison{work: maxWork}
	return c.script(old, new)
}

func (c *comparison) script(old, new []string) []Edit {
	prefix, suffix, shorter := 0, 0, min(len(old), len(new))
	for prefix < shorter && old[prefix] == new[prefix] {
		prefix++
	}
	for suffix < shorter-prefix && old[len(old)-1-suffix] == new[len(new)-1-suffix] {
		suffix++
	}
	middle := c.middle(old[prefix:len(old)-suffix], new[prefix:len(new)-suffix])
	edits := make([]Edit, 0, prefix+len(middle)+suffix)
	edits = appendAll(edits, Equal, old[:prefix])
	edits = append(edits, middle...)
	edits = appendAll(edits, Equal, old[len(old)-suffix:])
	return deletionsFirst(edits)
}

// middle compares two token lists that share neither end. What is not aligned
// within the work that is left is one block.
func (c *comparison) middle(old, new []string) []Edit {
	switch {
	case len(old) == 0:
		return appendAll(nil, Insert, new)
	case len(new) == 0:
		return appendAll(nil, Delete, old)
	case len(old)+len(new) <= maxSearch && c.spend(len(old)*len(new)):
		return search(old, new)
	case c.spend(len(old) + len(new)):
		return c.split(old, new)
	}
	return block(old, new)
}

// block is one deletion and one insertion.
func block(old, new []string) []Edit {
	return append(appendAll(nil, Delete, old), appendAll(nil, Insert, new)...)
}

var kinds = map[diffmatchpatch.Operation]Kind{
	diffmatchpatch.DiffDelete: Delete, diffmatchpatch.DiffInsert: Insert, diffmatchpatch.DiffEqual: Equal,
}

// search finds a shortest script. Tokens are numbered, and go-diff compares
// the numbers as if they were runes.
func search(old, new []string) []Edit {
	numbers := map[string]rune{}
	var tokens []string
	number := func(list []string) []rune {
		out := make([]rune, len(list))
		for i, token := range list {
			n, ok := numbers[token]
			if !ok {
				n = rune(len(tokens)) + 1
				numbers[token] = n
				tokens = append(tokens, token)
			}
			out[i] = n
		}
		return out
	}
	a, b := number(old), number(new)
	dmp := diffmatchpatch.New()
	// A timeout would make the answer depend on the speed of the machine.
	dmp.DiffTimeout = 0
	var edits []Edit
	for _, diff := range dmp.DiffMainRunes(a, b, false) {
		for _, n := range diff.Text {
			edits = append(edits, Edit{kinds[diff.Type], tokens[n-1]})
		}
	}
	return edits
}

// split cuts lists that are too long for a search at tokens that occur once
// on each side, and compares the pieces between them.
func (c *comparison) split(old, new []string) []Edit {
	anchors := anchors(old, new)
	if len(anchors) == 0 {
		return block(old, new)
	}
	var edits []Edit
	i, j := 0, 0
	for _, at := range anchors {
		edits = append(edits, c.script(old[i:at[0]], new[j:at[1]])...)
		edits = append(edits, Edit{Equal, old[at[0]]})
		i, j = at[0]+1, at[1]+1
	}
	return append(edits, c.script(old[i:], new[j:])...)
}

// deletionsFirst reorders each run of changes.
func deletionsFirst(edits []Edit) []Edit {
	out := make([]Edit, 0, len(edits))
	var inserts []Edit
	for _, e := range edits {
		switch e.Kind {
		case Insert:
			inserts = append(inserts, e)
		case Delete:
			out = append(out, e)
		default:
			out = append(append(out, inserts...), e)
			inserts = inserts[:0]
		}
	}
	return append(out, inserts...)
}

func appendAll(edits []Edit, kind Kind, tokens []string) []Edit {
	edits = slices.Grow(edits, len(tokens))
	for _, t := range tokens {
		edits = append(edits, Edit{kind, t})
	}
	return edits
}

// anchors pairs the tokens that occur exactly once on each side, and keeps a
// longest list of pairs that rises on both sides.
func anchors(old, new []string) [][2]int {
	inOld, inNew := places(old), places(new)
	var pairs [][2]int
	for i, token := range old {
		if j, ok := inNew[token]; ok && j >= 0 && inOld[token] == i {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return rising(pairs)
}

// places gives the place of each token; -1 for those that occur more than once.
func places(list []string) map[string]int {
	seen := make(map[string]int, len(list))
	for i, token := range list {
		if _, again := seen[token]; again {
			i = -1
		}
		seen[token] = i
	}
	return seen
}

// rising keeps a longest subsequence whose second numbers rise.
func rising(pairs [][2]int) [][2]int {
	var tails []int
	before := make([]int, len(pairs))
	for k, p := range pairs {
		at := sort.Search(len(tails), func(t int) bool { return pairs[tails[t]][1] >= p[1] })
		before[k] = -1
		if at > 0 {
			before[k] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, k)
		} else {
			tails[at] = k
		}
	}
	out := make([][2]int, len(tails))
	if len(tails) == 0 {
		return out
	}
	for k, n := tails[len(tails)-1], len(tails)-1; k >= 0; k, n = before[k], n-1 {
		out[n] = pairs[k]
	}
	return out
}

// Words gives the edits that turn old into new, a piece for each run of the
// same kind. Texts with little in common are reported as one deletion and one
// insertion, as scattered equal letters tell a reader nothing.
func Words(old, new string) []Edit {
	edits := merge(script(cutWords(old), cutWords(new)))
	kept := 0
	for _, e := range edits {
		if e.Kind == Equal {
			kept += len(e.Text)
		}
	}
	if 3*kept < len(old) && 3*kept < len(new) {
		return merge([]Edit{{Delete, old}, {Insert, new}})
	}
	return edits
}

// cutWords cuts a text into runs of letters and digits, and single other
// characters. Joined, the pieces are the text, valid UTF-8 or not.
func cutWords(text string) []string {
	var words []string
	start, inWord := 0, false
	for i, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if i > start && !(word && inWord) {
			words = append(words, text[start:i])
			start = i
		}
		inWord = word
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

// merge joins neighbors of the same kind, and drops empty pieces.
func merge(edits []Edit) []Edit {
	var out []Edit
	for i := 0; i < len(edits); {
		var b strings.Builder
		j := i
		for ; j < len(edits) && edits[j].Kind == edits[i].Kind; j++ {
			b.WriteString(edits[j].Text)
		}
		if b.Len() > 0 {
			out = append(out, Edit{edits[i].Kind, b.String()})
		}
		i = j
	}
	return out
}
