// Package pathquery evaluates jq path expressions as Argo CD does, which takes them from
// jqPathExpressions of an Application: what they name is deleted.
//
// An expression is a program of the author of the Application, and it reads live objects. It is
// asked for the paths that it deletes, with other values in place of those of Secrets
// (disguise.go): what it reads of a Secret cannot come back, not even as one of two answers. Its
// size, its time, and what it makes are bounded (bounds.go, budget.go).
package pathquery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/itchyny/gojq"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Query is one expression.
type Query struct {
	text string
	code *gojq.Code
	// literals are the texts in it.
	literals []string
	// limits are those that it has met.
	limits *limits
	// budget is that of all expressions that were read with it.
	budget *Budget
	// refused is why it is not evaluated; nil where it is.
	refused error
}

// Read reads expressions, which share the budget with all others that are read with it. The
// error is that of one that Argo CD cannot read. One that is too large is a Query that is never
// evaluated, and so is one for all that are more than there may be.
func Read(expressions []string, b *Budget) ([]Query, error) {
	var out []Query
	for _, text := range expressions {
		if b.length += len(text); len(out) == maxQueries || b.length > maxAllQueries {
			return append(out, Query{refused: errTooMany}), nil
		}
		q, err := newQuery(text)
		if err != nil {
			return nil, err
		}
		q.budget = b
		out = append(out, q)
	}
	return out, nil
}

func newQuery(text string) (Query, error) {
	q := Query{text: text, limits: &limits{}}
	if q.refused = tooLarge(text); q.refused != nil {
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
		q.refused = errors.New("it is more than a path expression")
		return q, nil
	}
	b := bounding{own: map[string]bool{}}
	b.query(alone)
	q.literals = b.literals
	if q.refused = b.refused; q.refused != nil {
		return q, nil
	}
	paths := &gojq.Query{
		Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: "path", Args: []*gojq.Query{alone}}},
	}
	if q.code, err = gojq.Compile(paths, q.limits.functions()...); err != nil {
		q.refused = errors.New("it cannot be evaluated within limits")
	}
	return q, nil
}

// Delete gives an object without what the query deletes. A query that fails deletes nothing, as
// upstream. The error says why it is not known what the query deletes: it is not evaluated, does
// not end within its bounds, or depends on the values of a Secret. With a nil disguise, it sees
// them.
func (q Query) Delete(object map[string]any, disguise api.Disguise) (map[string]any, error) {
	paths, err := q.deletes(object, disguise)
	if err != nil {
		return object, err
	}
	return without(object, paths), nil
}

// deletes are the paths that a query deletes in an object.
func (q Query) deletes(object map[string]any, disguise api.Disguise) ([]any, error) {
	if q.refused != nil {
		return nil, q.refused
	}
	seen := []map[string]any{object}
	if disguise != nil {
		if others := disguises(object, disguise, q.literals); others != nil {
			seen = others
		}
	}
	var first []any
	for i, object := range seen {
		paths, err := q.paths(object)
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

var (
	errLate    = errors.New("it takes longer than it may")
	errLimited = errors.New("it makes more than it may, or too much of the object")
	errReads   = errors.New("it depends on values of a Secret")
)

// paths are those that a query gives for an object; none where it fails, as it does upstream.
func (q Query) paths(object map[string]any) ([]any, error) {
	input, err := generic(object)
	if err != nil {
		return nil, err
	}
	out := []any{}
	q.limits.one.Lock()
	defer q.limits.one.Unlock()
	q.limits.tripped, q.limits.steps = false, 0
	failed := false
	inTime := q.budget.within(func(ctx context.Context) {
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

// maxNamed is up to which length an expression is said.
const maxNamed = 100

// Name is the expression as a sentence names it: quoted where it is short.
func (q Query) Name() string {
	if q.text == "" || len(q.text) > maxNamed {
		return "An expression of jqPathExpressions"
	}
	return fmt.Sprintf("The expression %s of jqPathExpressions", q.text)
}

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

// without is an object without what is at paths.
func without(object map[string]any, paths []any) map[string]any {
	if len(paths) == 0 {
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
	if out, err := jsontree.Decode(encoded); err == nil {
		return out
	}
	return object
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
