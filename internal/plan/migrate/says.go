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

func owner(w report.Writer) text.Text { return text.Entry(w.Manager, w.Operation, w.Subresource) }
