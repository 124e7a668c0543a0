// Package similar tells how alike two names are, to find what a mistyped one was
// meant to be.
package similar

// Distance is the Levenshtein distance of two texts in bytes; texts of very
// different lengths are told apart without looking.
func Distance(a, b string) int {
	if d := len(a) - len(b); d > len(a)/2+2 || -d > len(a)/2+2 {
		return len(a) + len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
