package pool

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A LimitError is the cause of a context that has had its processor time.
type LimitError struct{ Limit time.Duration }

func (e *LimitError) Error() string {
	return fmt.Sprintf("no answer after %s of processor time", e.Limit)
}

// Limited gives a context that ends, with a *LimitError as its cause, once what is
// done in it has had so much processor time: however busy the machine is, the same
// work ends at the same point. Time within counts for the contexts around it as well.
// The caller calls done when the work has ended.
func Limited(ctx context.Context, limit time.Duration) (limited context.Context, done context.CancelFunc) {
	return processor.limited(ctx, limit)
}

// Limit does work within a processor time. Work that goes on after it is left alone,
// and the error is a *LimitError; a panic of work comes up here.
func Limit[T any](ctx context.Context, limit time.Duration, work func(context.Context) T) (T, error) {
	ctx, done := Limited(ctx, limit)
	defer done()
	var value, none T
	if !Within(ctx, func() { value = work(ctx) }) {
		return none, context.Cause(ctx)
	}
	return value, nil
}

// often is how long the processor time is not looked at.
const often = 50 * time.Millisecond

// processor measures what is done in limited contexts.
var processor = &meter{clock: processorTime, watch: func(m *meter) { go m.run() }}

// A meter shares the processor time of the process out among what is done at once.
// Goroutines have no clock of their own, and the server's code starts some.
type meter struct {
	// clock is the processor time of the process; watch has tick called from now
	// on, as often as is exact enough.
	clock func() time.Duration
	watch func(*meter)

	mu       sync.Mutex
	accounts map[*account]bool
	watching bool
	last     time.Duration
}

// An account is that of a limited context, and of those within.
type account struct {
	spent  time.Duration
	bounds map[*bound]bool
	// over: a bound was met. What was left alone still takes its share.
	over bool
}

type bound struct {
	at  time.Duration
	end func()
}

type accountKey struct{}

func (m *meter) limited(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, within := ctx.Value(accountKey{}).(*account)
	if !within {
		a = &account{bounds: map[*bound]bool{}}
		ctx = context.WithValue(ctx, accountKey{}, a)
		m.open(a)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	b := &bound{a.spent + limit, func() { cancel(&LimitError{limit}) }}
	a.bounds[b] = true
	return ctx, func() {
		cancel(nil)
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(a.bounds, b)
		if !within && !a.over {
			delete(m.accounts, a)
		}
	}
}

// open begins an account.
func (m *meter) open(a *account) {
	if m.accounts == nil {
		m.accounts = map[*account]bool{}
	}
	m.accounts[a] = true
	if !m.watching {
		m.watching, m.last = true, m.clock()
		m.watch(m)
	}
}

func (m *meter) run() {
	ticker := time.NewTicker(often)
	defer ticker.Stop()
	for range ticker.C {
		if !m.tick() {
			return
		}
	}
}

// tick shares out what was spent since the last one, and ends what has spent too
// much. It reports whether there is anything left to watch.
func (m *meter) tick() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.clock()
	spent := now - m.last
	m.last, m.watching = now, false
	for a := range m.accounts {
		a.spend(spent / time.Duration(len(m.accounts)))
		m.watching = m.watching || len(a.bounds) > 0
	}
	return m.watching
}

func (a *account) spend(time time.Duration) {
	a.spent += time
	for b := range a.bounds {
		if a.spent >= b.at {
			delete(a.bounds, b)
			b.end()
			a.over = true
		}
	}
}
