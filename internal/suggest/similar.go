// Package suggest reports how alike two names are, to find what a mistyped one was
// meant to be.
package suggest

import (
	"slices"
	"strings"
)

// Distance is how many letters have to be put in, taken out, replaced or swapped
// with the next to come from one text to the other, in bytes (the optimal string
// alignment distance); texts of very different lengths are not compared.
func Distance(a, b string) int {
	if d := len(a) - len(b); d > len(a)/2+2 || -d > len(a)/2+2 {
		return len(a) + len(b)
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// mostNearest is how many names are suggested.
const mostNearest = 3

// Nearest are the names that are most like one that is not there, whatever their case: the
// likeliest first, each once, and none that is far from it.
func Nearest(name string, names []string) []string {
	far := max(1, len(name)/3)
	distance := func(other string) int { return Distance(strings.ToLower(name), strings.ToLower(other)) }
	var out []string
	for _, other := range names {
		if distance(other) <= far && !slices.Contains(out, other) {
			out = append(out, other)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return distance(a) - distance(b) })
	return out[:min(len(out), mostNearest)]
}

// Likeliest is the first of the nearest names; empty where none is near.
func Likeliest(name string, names []string) string {
	if near := Nearest(name, names); len(near) > 0 {
		return near[0]
	}
	return ""
}
