package migrate

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// few is how many fields or owners a sentence lists.
const few = 4

// fields are the paths of a set as the server writes them, in the set's order.
func fields(set *fieldpath.Set) []string {
	var out []string
	set.Iterate(func(p fieldpath.Path) { out = append(out, p.String()) })
	return out
}

func listed(fields []string) text.Text { return text.Paths(fields, few, len(fields)) }

func quoted(manager string) text.Text { return text.New(`"%v"`, text.By(manager)) }

// owner names a managed fields entry.
func owner(w report.Writer) text.Text {
	if w.Subresource != "" {
		return text.New("%v (%v of %v)", quoted(w.Manager), text.Name(w.Operation), text.Name(w.Subresource))
	}
	return text.New("%v (%v)", quoted(w.Manager), text.Name(w.Operation))
}

// agree is the word that goes with a number.
func agree(n int, one, several string) text.Arg {
	if n == 1 {
		return text.Name(one)
	}
	return text.Name(several)
}
