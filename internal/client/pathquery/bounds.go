package pathquery

import (
	"errors"
	"math/big"
	"strings"
	"sync"

	"github.com/itchyny/gojq"
)

// What a query makes is bounded by functions that are put behind all that makes values:
// the interpreter can be stopped between its instructions, and not in a function that goes
// through a value which has been doubled forty times.

// limits are the bounds of what a query makes.
type limits struct {
	// one evaluation is done at a time.
	one sync.Mutex
	// tripped: one was met, even where the query goes on.
	tripped bool
	// steps are those of recursion so far.
	steps int
}

// The functions by which queries are bounded, and their bounds: of a value, counting each of
// its parts and each 16 bytes of text; of a text in bytes; of regular expressions; of the
// steps of recursion, which all stay on the interpreter's stack.
const (
	boundedValue, boundedText, boundedPattern, countedStep = "ssactl_value", "ssactl_text", "ssactl_pattern", "ssactl_step"

	maxValue, maxText, maxPattern, maxGroups, maxSteps = 100_000, 64 << 10, 4 << 10, 1000, 100_000
	// maxPatternGroups bounds what matching takes: each group costs memory for each character
	// of the pattern.
	maxPatternGroups = 100
)

var errBound = errors.New("more than it may make")

func (l *limits) functions() []gojq.CompilerOption {
	function := func(name string, fits func(any) bool) gojq.CompilerOption {
		return gojq.WithFunction(name, 0, 0, func(v any, _ []any) any {
			if !fits(v) {
				l.tripped = true
				return errBound
			}
			return v
		})
	}
	return []gojq.CompilerOption{
		function(boundedValue, func(v any) bool { left := maxValue; return fits(v, &left) }),
		function(boundedText, func(v any) bool { s, is := v.(string); return !is || len(s) <= maxText }),
		function(boundedPattern, func(v any) bool {
			left := maxPattern / 16
			s, is := v.(string)
			return fits(v, &left) && (!is || strings.Count(s, "(") <= maxPatternGroups)
		}),
		function(countedStep, func(any) bool { l.steps++; return l.steps <= maxSteps }),
	}
}

// fits takes the size of a value from what is left.
func fits(v any, left *int) bool {
	*left--
	switch v := v.(type) {
	case string:
		*left -= len(v) / 16
	case *big.Int:
		*left -= v.BitLen() / 8
	case []any:
		for i := 0; i < len(v) && *left >= 0; i++ {
			fits(v[i], left)
		}
	case map[string]any:
		for key, item := range v {
			if *left -= len(key) / 16; *left < 0 || !fits(item, left) {
				break
			}
		}
	}
	return *left >= 0
}

// passing are the functions that give a part of what they get, which may be a path.
var passing = setOf("empty error select recurse first last limit skip nth until while repeat getpath path not " +
	"arrays objects iterables booleans numbers finites normals strings nulls values scalars true false null")

// unbounded are functions and operators that may make more at once than can be checked
// behind them, or that look out of the object.
var unbounded = setOf("setpath input inputs debug stderr halt halt_error input_filename input_line_number " +
	"= |= += -= *= /= %= //=")

// repeating are those that call their arguments again and again.
var repeating = setOf("recurse repeat while until")

// matching are those that match a regular expression, their first argument.
var matching = setOf("test match capture scan split splits sub gsub")

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(words) {
		out[word] = true
	}
	return out
}

// bounding puts bounds into a query.
type bounding struct {
	// own are the functions and parameters that the query defines.
	own      map[string]bool
	literals []string
	// refused is why the query is not evaluated; nil where it is.
	refused error
}

func (b *bounding) query(q *gojq.Query) {
	if q == nil {
		return
	}
	for _, f := range q.FuncDefs {
		b.own[f.Name] = true
		for _, arg := range f.Args {
			b.own[arg] = true
		}
		b.query(f.Body)
		f.Body = counted(f.Body)
	}
	if len(q.Imports) > 0 {
		b.refuse("import")
	}
	b.term(q.Term)
	b.query(q.Left)
	b.query(q.Right)
	switch {
	case q.Func != "" && b.makes(q.Func):
		*q = *piped(&gojq.Query{FuncDefs: q.FuncDefs, Func: q.Func}, boundedValue)
	case q.Left == nil:
	case unbounded[q.Op.String()]:
		b.refuse(q.Op.String())
	case q.Op == gojq.OpAdd || q.Op == gojq.OpMul:
		inner := *q
		inner.FuncDefs, inner.Meta, inner.Imports = nil, nil, nil
		*q = gojq.Query{FuncDefs: q.FuncDefs, Left: &inner, Op: gojq.OpPipe, Right: call(boundedValue)}
	}
}

// makes reports whether a function makes values; it may refuse the query.
func (b *bounding) makes(name string) bool {
	if unbounded[name] || strings.HasPrefix(name, "_") {
		b.refuse(name)
	}
	return !b.own[name] && !passing[name] && !strings.HasPrefix(name, "$") && name != "." && name != ".."
}

func (b *bounding) refuse(what string) {
	if b.refused == nil {
		b.refused = errors.New("it has " + what)
	}
}

func (b *bounding) term(t *gojq.Term) {
	if t == nil {
		return
	}
	makes := b.parts(t)
	for _, s := range t.SuffixList {
		b.index(s.Index)
		if s.Bind != nil {
			b.patterns(s.Bind.Patterns)
			b.query(s.Bind.Body)
		}
	}
	if !makes {
		return
	}
	inner := *t
	inner.SuffixList = nil
	bounded := &gojq.Query{Term: &inner}
	if t.Type == gojq.TermTypeFunc && matching[t.Func.Name] {
		// What is searched is bounded before the function has it.
		bounded = &gojq.Query{Left: call(boundedText), Op: gojq.OpPipe, Right: bounded}
	}
	*t = gojq.Term{Type: gojq.TermTypeQuery, Query: piped(bounded, boundedValue), SuffixList: t.SuffixList}
}

// parts bounds what is in a term, and reports whether it makes values.
func (b *bounding) parts(t *gojq.Term) (makes bool) {
	b.index(t.Index)
	b.text(t.Str)
	b.query(t.Query)
	switch t.Type {
	case gojq.TermTypeFunc:
		return b.function(t.Func)
	case gojq.TermTypeObject:
		for _, kv := range t.Object.KeyVals {
			b.text(kv.KeyString)
			b.query(kv.KeyQuery)
			b.query(kv.Val)
		}
		return true
	case gojq.TermTypeArray:
		b.query(t.Array.Query)
		return true
	case gojq.TermTypeFormat:
		return true
	case gojq.TermTypeString:
		return len(t.Str.Queries) > 0
	case gojq.TermTypeUnary:
		b.term(t.Unary.Term)
	case gojq.TermTypeLabel:
		b.query(t.Label.Body)
	case gojq.TermTypeTry:
		b.query(t.Try.Body)
		b.query(t.Try.Catch)
	default:
		b.control(t)
	}
	return false
}

// control bounds what is in a condition or a loop.
func (b *bounding) control(t *gojq.Term) {
	switch t.Type {
	case gojq.TermTypeIf:
		b.queries(t.If.Cond, t.If.Then, t.If.Else)
		for _, elif := range t.If.Elif {
			b.queries(elif.Cond, elif.Then)
		}
	case gojq.TermTypeReduce:
		b.patterns([]*gojq.Pattern{t.Reduce.Pattern})
		b.queries(t.Reduce.Query, t.Reduce.Start, t.Reduce.Update)
	case gojq.TermTypeForeach:
		b.patterns([]*gojq.Pattern{t.Foreach.Pattern})
		b.queries(t.Foreach.Query, t.Foreach.Start, t.Foreach.Update, t.Foreach.Extract)
	}
}

func (b *bounding) queries(list ...*gojq.Query) {
	for _, q := range list {
		b.query(q)
	}
}

func (b *bounding) function(f *gojq.Func) (makes bool) {
	b.queries(f.Args...)
	makes = b.makes(f.Name)
	if repeating[f.Name] {
		for i := range f.Args {
			f.Args[i] = counted(f.Args[i])
		}
	}
	if b.own[f.Name] || !matching[f.Name] || len(f.Args) == 0 {
		return makes
	}
	f.Args[0] = piped(f.Args[0], boundedPattern)
	if len(f.Args) > 1 && (f.Name == "sub" || f.Name == "gsub") {
		f.Args[1] = piped(f.Args[1], boundedPattern)
	}
	return makes
}

func (b *bounding) index(i *gojq.Index) {
	if i == nil {
		return
	}
	b.text(i.Str)
	b.query(i.Start)
	b.query(i.End)
}

func (b *bounding) text(s *gojq.String) {
	if s == nil {
		return
	}
	if len(s.Queries) == 0 {
		b.literals = append(b.literals, s.Str)
	}
	b.queries(s.Queries...)
}

func (b *bounding) patterns(list []*gojq.Pattern) {
	for _, p := range list {
		if p == nil {
			continue
		}
		b.patterns(p.Array)
		for _, o := range p.Object {
			b.text(o.KeyString)
			b.query(o.KeyQuery)
			b.patterns([]*gojq.Pattern{o.Val})
		}
	}
}

// counted is a query with a step counted before it; it keeps being a path.
func counted(q *gojq.Query) *gojq.Query {
	step := call(countedStep)
	step.Term.SuffixList = []*gojq.Suffix{
		{Bind: &gojq.Bind{Patterns: []*gojq.Pattern{{Name: "$" + countedStep}}, Body: q}},
	}
	return step
}

// piped is a query with a function behind it.
func piped(q *gojq.Query, name string) *gojq.Query {
	return &gojq.Query{Left: q, Op: gojq.OpPipe, Right: call(name)}
}

func call(name string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name}}}
}
