// Package suggest reports how alike two names are, to find what a mistyped one was
// meant to be.
package suggest

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

// Nearest is the name that is most like a mistyped one; empty where none is.
func Nearest(typed string, names []string) string {
	best, distance := "", max(1, len(typed)/4)+1
	for _, name := range names {
		if d := Distance(typed, name); d < distance {
			best, distance = name, d
		}
	}
	return best
}
