package pathquery

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// The limits of expressions: of one, and of all that share a budget.
const (
	maxQuery, maxQueryNesting = 16 << 10, 200
	maxQueries, maxAllQueries = 500, 256 << 10
	// maxPaths is how many fields one may delete, maxQueried how large the object may be.
	maxPaths, maxQueried = 10_000, 2 << 20
)

// How long expressions may take: one, as in Argo CD, and all that take noticeably long.
const (
	queryLimit      = time.Second
	noticeable      = 100 * time.Millisecond
	allQueriesLimit = 4 * time.Second
)

// Budget is what the expressions of an Application may take together: their length, and time. The
// zero Budget is unspent.
type Budget struct {
	length int
	mu     sync.Mutex
	// spent is the time of those that took long.
	spent time.Duration
}

var errTooMany = fmt.Errorf("jqPathExpressions of ignoreDifferences are more than %d, or longer than %d KiB",
	maxQueries, maxAllQueries>>10)

// within does work in the time of one expression, or of what is left for all; false without.
func (b *Budget) within(work func(context.Context)) bool {
	b.mu.Lock()
	left := min(queryLimit, allQueriesLimit-b.spent)
	b.mu.Unlock()
	if left <= 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), left)
	defer cancel()
	start := time.Now()
	work(ctx)
	if took := time.Since(start); took > noticeable {
		b.mu.Lock()
		b.spent += took
		b.mu.Unlock()
	}
	return ctx.Err() == nil
}

// tooLarge is why an expression is not even read; nil for none.
func tooLarge(text string) error {
	if len(text) > maxQuery {
		return fmt.Errorf("it has more than %d KiB", maxQuery>>10)
	}
	depth, deepest, groups := 0, 0, 0
	for _, c := range []byte(text) {
		switch c {
		case '(', '[', '{':
			groups++
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth--
		}
	}
	if deepest > maxQueryNesting || groups > maxGroups {
		return fmt.Errorf("it has more than %d brackets in each other, or %d in all", maxQueryNesting, maxGroups)
	}
	return nil
}
