package proof

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Causes are what was proven of findings, by their causes: findings of one cause are proven
// once in a run. The zero value knows none. It may be used by several at once.
type Causes struct {
	mutex sync.Mutex
	known map[string]verdict
}

// verdict is which edit holds for a finding; empty for none. Why says what others do.
type verdict struct {
	// forceFails: force was followed, and does not hold.
	forceFails bool
	edit       report.Edit
	why        text.Text
}

// mostCauses bounds what is kept: hostile input has as many causes as it wants.
const mostCauses = 1000

func (c *Causes) of(key string) (verdict, bool) {
	if c == nil {
		return verdict{}, false
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	v, known := c.known[key]
	return v, known
}

func (c *Causes) add(key string, v verdict) {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.known == nil {
		c.known = map[string]verdict{}
	}
	if len(c.known) < mostCauses {
		c.known[key] = v
	}
}

// causeOf is the same for findings that the same fixes hold for: of one rule and kind, about
// fields of one pattern, with the same owners and the same answer, where the manager that
// applies owns the same.
func (p *Prover) causeOf(f report.Finding) string {
	var b strings.Builder
	pattern, _ := report.Pattern(f.Field)
	fmt.Fprintf(
		&b,
		"%q %q %q %q %q %t %t %q", f.Rule, f.Severity, p.Write.Kind, pattern, p.answer.Outcome,
		p.owns(f.Field), respelled(f), p.migrates,
	)
	for _, fix := range f.Fixes {
		fmt.Fprintf(&b, " %q %q", fix.Edit, fix.Manager)
		if fix.Edit == report.EditMigrate {
			fmt.Fprintf(&b, " %t", p.dropped(fix.Manager).Empty())
		}
	}
	for _, row := range report.OwnersOf(managedfields.Of(p.answer.Live)) {
		if row.Field == f.Field {
			for _, w := range row.Managers {
				fmt.Fprintf(&b, " %q %q %q", w.Manager, w.Operation, w.Subresource)
			}
		}
	}
	return b.String()
}
