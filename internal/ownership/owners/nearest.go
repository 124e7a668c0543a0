package owners

import (
	"slices"
	"strings"
)

// maxNearest bounds the length of texts that are compared letter by letter.
const maxNearest = 256

// Nearest finds the name that was probably meant: the one with the fewest
// letters to change, or else one that ends as the given one does. It is empty
// where none is near.
func Nearest(given string, names []string) string {
	given = strings.ToLower(spelling(given))
	if len(given) > maxNearest {
		return ""
	}
	best, fewest := "", len(given)/3+1
	for _, name := range names {
		spelled := strings.ToLower(spelling(name))
		if len(spelled) > maxNearest || abs(len(spelled)-len(given)) >= fewest {
			continue
		}
		if n := changes(given, spelled); n < fewest {
			best, fewest = name, n
		}
	}
	if best != "" {
		return best
	}
	at := slices.IndexFunc(names, func(name string) bool {
		return strings.HasSuffix(strings.ToLower(spelling(name)), given)
	})
	if at < 0 {
		return ""
	}
	return names[at]
}

// changes counts the letters to insert, delete or replace to make b of a.
func changes(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func abs(n int) int { return max(n, -n) }
