package textdiff

import "sort"

// anchors pairs the tokens that occur exactly once on each side, and keeps a
// longest list of pairs that rises on both sides.
func anchors(old, new []string) [][2]int {
	inOld, inNew := once(old), once(new)
	var pairs [][2]int
	for i, token := range old {
		if at, ok := inOld[token]; !ok || at != i {
			continue
		}
		if j, ok := inNew[token]; ok {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return rising(pairs)
}

// once gives the positions of the tokens that occur once.
func once(list []string) map[string]int {
	seen := make(map[string]int, len(list))
	for i, token := range list {
		if _, ok := seen[token]; ok {
			seen[token] = -1
			continue
		}
		seen[token] = i
	}
	for token, at := range seen {
		if at < 0 {
			delete(seen, token)
		}
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
