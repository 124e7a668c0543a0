package migrate

import (
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// fields are the paths of a set as the server writes them, in the set's order.
func fields(set *fieldpath.Set) []string {
	var out []string
	set.Iterate(func(p fieldpath.Path) { out = append(out, p.String()) })
	return out
}

// listed shows the first few of a list.
func listed(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:n], ", "), len(list)-n)
}

func countedFields(n int) string {
	if n == 1 {
		return "1 field"
	}
	return fmt.Sprintf("%d fields", n)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func itThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func staysText(n int) string {
	if n == 1 {
		return "it stays"
	}
	return "they stay"
}

func operation(op, subresource string) string {
	if subresource == "" {
		return op
	}
	return op + " of " + subresource
}
