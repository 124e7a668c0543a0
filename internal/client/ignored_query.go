package client

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/itchyny/gojq"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/server/api"
)

// A jqPathExpression is a program of whoever writes the Application, which reads live
// objects. It is asked for the paths that it deletes, with other values in place of those of
// Secrets: what it reads of a Secret cannot come back, not even as one of two answers. Its
// size, and what it makes, are bounded (ignored_bounds.go).

// pathQuery is one of jqPathExpressions.
type pathQuery struct {
	text string
	code *gojq.Code
	// literals are the texts in it.
	literals []string
	// limits are those that it has met.
	limits *limits
	// refused is why it is not evaluated; empty where it is.
	refused string
}

// The limits of jqPathExpressions: of one, and of all in an Application.
const (
	maxQuery, maxQueryNesting = 16 << 10, 200
	maxQueries, maxAllQueries = 500, 256 << 10
	// maxPaths is how many fields one may delete, maxQueried how large the object may be.
	maxPaths, maxQueried = 10_000, 2 << 20
)

// readQueries reads jqPathExpressions. The error is that of one that Argo CD cannot read.
func readQueries(expressions []string, already *int) ([]pathQuery, error) {
	var out []pathQuery
	for _, text := range expressions {
		*already += len(text)
		if len(out) == maxQueries || *already > maxAllQueries {
			return append(
				out,
				pathQuery{
					refused: fmt.Sprintf(
						"jqPathExpressions of ignoreDifferences are more than %d, or longer than %d KiB",
						maxQueries,
						maxAllQueries>>10,
					),
				},
			), nil
		}
		q, err := newPathQuery(text)
		if err != nil {
			return nil, fmt.Errorf("jqPathExpressions of ignoreDifferences: %w", err)
		}
		out = append(out, q)
	}
	return out, nil
}

func newPathQuery(text string) (pathQuery, error) {
	q := pathQuery{text: text, limits: &limits{}}
	if q.refused = tooLarge(text); q.refused != "" {
		return q, nil
	}
	// As upstream reads it.
	whole, err := gojq.Parse("del(" + text + ")")
	if err != nil {
		return q, err
	}
	if _, err := gojq.Compile(whole); err != nil {
		return q, err
	}
	alone, err := gojq.Parse(text)
	if err != nil {
		q.refused = "it is more than a path expression"
		return q, nil
	}
	b := bounding{own: map[string]bool{}}
	b.query(alone)
	q.literals = b.literals
	if q.refused = b.refused; q.refused != "" {
		return q, nil
	}
	paths := &gojq.Query{
		Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: "path", Args: []*gojq.Query{alone}}},
	}
	if q.code, err = gojq.Compile(paths, q.limits.functions()...); err != nil {
		q.refused = "it cannot be evaluated within limits"
	}
	return q, nil
}

// tooLarge is why an expression is not even read; empty for none.
func tooLarge(text string) string {
	if len(text) > maxQuery {
		return fmt.Sprintf("it has more than %d KiB", maxQuery>>10)
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
		return fmt.Sprintf("it has more than %d brackets in each other, or %d in all", maxQueryNesting, maxGroups)
	}
	return ""
}

// queryTime is how long the queries of an Application may take: one, as in Argo CD, and all
// that take noticeably long.
const (
	queryLimit      = time.Second
	noticeable      = 100 * time.Millisecond
	allQueriesLimit = 4 * time.Second
)

// clock is what queries have taken that took long.
type clock struct {
	mu    sync.Mutex
	spent time.Duration
}

// within does work in the time of one query, or of what is left for all; false without.
func (c *clock) within(work func(context.Context)) bool {
	if c == nil {
		c = &clock{}
	}
	c.mu.Lock()
	left := min(queryLimit, allQueriesLimit-c.spent)
	c.mu.Unlock()
	if left <= 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), left)
	defer cancel()
	start := time.Now()
	work(ctx)
	if took := time.Since(start); took > noticeable {
		c.mu.Lock()
		c.spent += took
		c.mu.Unlock()
	}
	return ctx.Err() == nil
}

var (
	errLate    = errors.New("it takes longer than it may")
	errLimited = errors.New("it makes more than it may, or too much of the object")
	errReads   = errors.New("it depends on values of a Secret")
)

// deletes are the paths that a query deletes in an object, and why that is not known. A
// query that fails deletes nothing.
func (q pathQuery) deletes(object map[string]any, disguise api.Disguise, c *clock) (any, error) {
	if q.refused != "" {
		return nil, errors.New(q.refused)
	}
	seen := []map[string]any{object}
	if disguise != nil {
		if worlds := disguises(object, disguise, q.literals); worlds != nil {
			seen = worlds
		}
	}
	var first any
	for i, object := range seen {
		paths, err := q.paths(object, c)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			first = paths
		case !reflect.DeepEqual(first, paths):
			return nil, errReads
		}
	}
	return first, nil
}

// disguises are an object with other values in place of those of Secrets, in several ways:
// equal ones stay equal, and those of the literals are what an expression may compare with.
// Nil where it has none.
func disguises(object map[string]any, disguise api.Disguise, literals []string) []map[string]any {
	var ways []func(number int) string
	for _, length := range [...]int{1, 3, 5, 8, 12, 16, 24, 33, 40, 200} {
		ways = append(ways, func(number int) string {
			sum := sha256.Sum256(fmt.Append(nil, length, number))
			text := strings.Repeat(base64.StdEncoding.EncodeToString(sum[:]), 1+length/40)[:length]
			return text + strconv.Itoa(number)
		})
	}
	for _, text := range literals {
		ways = append(ways, func(int) string { return text })
		if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
			ways = append(ways, func(int) string { return string(plain) })
		}
	}
	var out []map[string]any
	for _, way := range ways {
		numbers := map[string]int{}
		disguised, has := disguise(object, func(plain string) string {
			if _, known := numbers[plain]; !known {
				numbers[plain] = len(numbers)
			}
			return way(numbers[plain])
		})
		if !has {
			return nil
		}
		out = append(out, disguised)
	}
	return out
}

// paths are those that a query gives for an object; nil where it fails, as it does upstream.
func (q pathQuery) paths(object map[string]any, c *clock) (any, error) {
	input, err := generic(object)
	if err != nil {
		return nil, err
	}
	out := []any{}
	q.limits.one.Lock()
	defer q.limits.one.Unlock()
	q.limits.tripped, q.limits.steps = false, 0
	failed := false
	inTime := c.within(func(ctx context.Context) {
		err = guard.Do(func() error {
			results := q.code.RunWithContext(ctx, input)
			for {
				path, more := results.Next()
				if !more {
					return nil
				}
				if _, failed = path.(error); failed {
					return nil
				}
				if out = append(out, path); len(out) > maxPaths {
					return errLimited
				}
			}
		})
	})
	switch {
	case err != nil:
		return nil, errLimited
	case !inTime:
		return nil, errLate
	case q.limits.tripped:
		return nil, errLimited
	case failed:
		return nil, nil
	}
	return out, nil
}

// unknown says what is not known of an answer for want of what a query deletes.
func (q pathQuery) unknown(why error) string {
	named := "An expression of jqPathExpressions"
	if q.text != "" && len(q.text) <= maxNamed {
		named = fmt.Sprintf("The expression %s of jqPathExpressions", q.text)
	}
	return fmt.Sprintf(
		"%s is not evaluated: %v. Argo CD may keep live values where the manifest is applied here.",
		named,
		why,
	)
}

// maxNamed is up to which length an expression is said.
const maxNamed = 100

// deletion deletes paths, as the function del does.
var deletion = sync.OnceValue(func() *gojq.Code {
	query, err := gojq.Parse("delpaths($paths)")
	if err != nil {
		panic(err)
	}
	code, err := gojq.Compile(query, gojq.WithVariables([]string{"$paths"}))
	if err != nil {
		panic(err)
	}
	return code
})

// without is an object without what a query deletes.
func without(object map[string]any, paths any) map[string]any {
	if list, ok := paths.([]any); !ok || len(list) == 0 {
		return object
	}
	input, err := generic(object)
	if err != nil {
		return object
	}
	result, _ := deletion().Run(input, paths).Next()
	left, is := result.(map[string]any)
	if !is {
		return object
	}
	encoded, err := json.Marshal(left)
	if err != nil {
		return object
	}
	return decoded(encoded)
}

// generic is an object as queries see it.
func generic(object map[string]any) (any, error) {
	encoded, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	if len(encoded) > maxQueried {
		return nil, errLimited
	}
	var out any
	return out, json.Unmarshal(encoded, &out)
}
