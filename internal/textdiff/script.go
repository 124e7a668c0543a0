package textdiff

import "github.com/sergi/go-diff/diffmatchpatch"

// Kind tells what happens to a piece of text.
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
// script, whose cost grows with their square in the worst case. It also keeps
// token numbers below the surrogates, which go-diff could not carry.
const maxSearch = 6000

// script gives the edits that turn old into new. In a run of changes all
// deletions come before the insertions.
func script(old, new []string) []Edit {
	prefix := commonPrefix(old, new)
	suffix := commonPrefix(reversed(old[prefix:]), reversed(new[prefix:]))
	var edits []Edit
	edits = appendAll(edits, Equal, old[:prefix])
	edits = append(edits, middle(old[prefix:len(old)-suffix], new[prefix:len(new)-suffix])...)
	edits = appendAll(edits, Equal, old[len(old)-suffix:])
	return deletionsFirst(edits)
}

// middle compares two token lists that share neither end.
func middle(old, new []string) []Edit {
	switch {
	case len(old) == 0:
		return appendAll(nil, Insert, new)
	case len(new) == 0:
		return appendAll(nil, Delete, old)
	case len(old)+len(new) <= maxSearch:
		return search(old, new)
	}
	return split(old, new)
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
			edits = append(edits, Edit{kindOf(diff.Type), tokens[n-1]})
		}
	}
	return edits
}

func kindOf(op diffmatchpatch.Operation) Kind {
	switch op {
	case diffmatchpatch.DiffDelete:
		return Delete
	case diffmatchpatch.DiffInsert:
		return Insert
	}
	return Equal
}

// split cuts lists that are too long for a search at tokens that occur once
// on each side, and compares the pieces between them.
func split(old, new []string) []Edit {
	anchors := anchors(old, new)
	if len(anchors) == 0 {
		return append(appendAll(nil, Delete, old), appendAll(nil, Insert, new)...)
	}
	var edits []Edit
	i, j := 0, 0
	for _, at := range anchors {
		edits = append(edits, script(old[i:at[0]], new[j:at[1]])...)
		edits = append(edits, Edit{Equal, old[at[0]]})
		i, j = at[0]+1, at[1]+1
	}
	return append(edits, script(old[i:], new[j:])...)
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
	for _, t := range tokens {
		edits = append(edits, Edit{kind, t})
	}
	return edits
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func reversed(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[len(list)-1-i] = s
	}
	return out
}
