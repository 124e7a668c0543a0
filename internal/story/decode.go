package story

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/suggest"
)

// Problem is what is wrong with a story, and where.
type Problem struct {
	Place
	Message string
}

// Error implements error: FILE:LINE:COLUMN: what is wrong.
func (p *Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// maxDepth bounds how deep a story nests, aliases included.
const maxDepth = 100

// decoder puts nodes of YAML into structs by their tags, and collects all that is wrong.
type decoder struct {
	file     string
	problems []error
}

func (d *decoder) at(n *yaml.Node) Place { return Place{d.file, n.Line, n.Column} }

func (d *decoder) wrong(n *yaml.Node, format string, args ...any) {
	d.problems = append(d.problems, &Problem{d.at(n), fmt.Sprintf(format, args...)})
}

// resolved is a node behind its aliases.
func resolved(n *yaml.Node) *yaml.Node {
	for range maxDepth {
		if n.Kind != yaml.AliasNode {
			break
		}
		n = n.Alias
	}
	return n
}

var (
	bodyType = reflect.TypeFor[Body]()
	textType = reflect.TypeFor[Text]()
)

// value puts a node into a value.
func (d *decoder) value(n *yaml.Node, to reflect.Value, depth int) {
	n = resolved(n)
	if depth > maxDepth {
		d.wrong(n, "nested too deep")
		return
	}
	switch {
	case to.Type() == bodyType:
		d.body(n, to, depth)
	case to.Type() == textType:
		d.scalar(n, to, "a text")
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		d.value(n, to.Elem(), depth+1)
	case to.Kind() == reflect.Struct:
		d.fields(n, to, depth)
	case to.Kind() == reflect.Slice:
		d.list(n, to, depth)
	case to.Kind() == reflect.Map:
		d.entries(n, to, depth)
	case to.Kind() == reflect.Interface:
		if v, ok := d.plain(n, depth); ok && v != nil {
			to.Set(reflect.ValueOf(v))
		}
	default:
		d.scalar(n, to, map[reflect.Kind]string{
			reflect.String: "a text", reflect.Bool: "true or false", reflect.Int64: "a whole number",
		}[to.Kind()])
	}
}

// scalar reads one value.
func (d *decoder) scalar(n *yaml.Node, to reflect.Value, wanted string) {
	if n.Kind != yaml.ScalarNode {
		d.wrong(n, "%s is needed here", wanted)
		return
	}
	if to.Kind() == reflect.String {
		to.SetString(n.Value)
		return
	}
	if err := n.Decode(to.Addr().Interface()); err != nil {
		d.wrong(n, "%s is needed here, not %q", wanted, n.Value)
	}
}

// fields puts a mapping into a struct. Its field At gets the place, and Places those of the
// keys.
func (d *decoder) fields(n *yaml.Node, to reflect.Value, depth int) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "keys with values are needed here")
		return
	}
	to.FieldByName("At").Set(reflect.ValueOf(d.at(n)))
	keys := keysOf(to.Type())
	places := map[string]Place{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		at := slices.IndexFunc(keys, func(k Key) bool { return k.Name == key.Value })
		if _, twice := places[key.Value]; twice {
			d.wrong(key, "the key %q is there twice", key.Value)
			continue
		}
		places[key.Value] = d.at(key)
		if at < 0 {
			d.wrong(key, "%s", unknownKey(key.Value, keys))
			continue
		}
		d.value(v, to.Field(keys[at].index), depth+1)
	}
	if all := to.FieldByName("Places"); all.IsValid() {
		all.Set(reflect.ValueOf(places))
	}
	for _, k := range keys {
		if _, has := places[k.Name]; k.Required && !has {
			d.wrong(n, "the key %q is missing", k.Name)
		}
	}
}

// unknownKey says that there is no such key, and which one may be meant.
func unknownKey(name string, keys []Key) string {
	var names []string
	for _, k := range keys {
		names = append(names, k.Name)
	}
	says := fmt.Sprintf("there is no key %q", name)
	if near := suggest.Nearest(name, names); len(near) > 0 {
		return says + "; did you mean " + strings.Join(near, " or ") + "?"
	}
	slices.Sort(names)
	return says + "; there are " + strings.Join(names, ", ")
}

// list puts a sequence into a slice; what is none is its only item.
func (d *decoder) list(n *yaml.Node, to reflect.Value, depth int) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	out := reflect.MakeSlice(to.Type(), len(items), len(items))
	for i, item := range items {
		d.value(item, out.Index(i), depth+1)
	}
	to.Set(out)
}

// entries puts a mapping into a map.
func (d *decoder) entries(n *yaml.Node, to reflect.Value, depth int) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "fields with values are needed here, such as .spec.replicas: 3")
		return
	}
	out := reflect.MakeMap(to.Type())
	for i := 0; i+1 < len(n.Content); i += 2 {
		v := reflect.New(to.Type().Elem()).Elem()
		d.value(n.Content[i+1], v, depth+1)
		out.SetMapIndex(reflect.ValueOf(n.Content[i].Value), v)
	}
	to.Set(out)
}

// body reads a file name, or an object.
func (d *decoder) body(n *yaml.Node, to reflect.Value, depth int) {
	b := Body{At: d.at(n)}
	switch n.Kind {
	case yaml.ScalarNode:
		if b.Path = n.Value; b.Path == "" {
			d.wrong(n, "a file or an object is needed here")
		}
	case yaml.MappingNode:
		v, _ := d.plain(n, depth)
		b.Object, _ = v.(map[string]any)
		if kind, _ := b.Object["kind"].(string); kind == "" {
			d.wrong(n, "the object has no kind")
		}
	default:
		d.wrong(n, "a file or an object is needed here")
	}
	to.Set(reflect.ValueOf(b))
}

// plain is a node as JSON has it.
func (d *decoder) plain(n *yaml.Node, depth int) (any, bool) {
	n = resolved(n)
	if depth > maxDepth {
		d.wrong(n, "nested too deep")
		return nil, false
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, ok := d.plain(n.Content[i+1], depth+1)
			if !ok {
				return nil, false
			}
			out[n.Content[i].Value] = v
		}
		return out, true
	case yaml.SequenceNode:
		out := []any{}
		for _, item := range n.Content {
			v, ok := d.plain(item, depth+1)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	}
	if n.Tag == "!!timestamp" || n.Tag == "!!binary" {
		return n.Value, true
	}
	var v any
	if err := n.Decode(&v); err != nil {
		d.wrong(n, "%v", err)
		return nil, false
	}
	if i, is := v.(int); is {
		return int64(i), true
	}
	return v, true
}

// Key is a key of the format.
type Key struct {
	Name, Doc      string
	Required, Verb bool
	Type           reflect.Type
	index          int
}

// keysOf are the keys of a struct, in their order.
func keysOf(t reflect.Type) []Key {
	var out []Key
	for i := range t.NumField() {
		f := t.Field(i)
		if name := f.Tag.Get("yaml"); name != "" && name != "-" {
			out = append(out, Key{
				Name: name, Doc: docs[t.Name()+"."+name], Required: f.Tag.Get("required") != "",
				Verb: f.Tag.Get("verb") != "", Type: f.Type, index: i,
			})
		}
	}
	return out
}

// sorted are problems by their places.
func (d *decoder) sorted() error {
	slices.SortStableFunc(d.problems, func(a, b error) int {
		var p, q *Problem
		if !errors.As(a, &p) || !errors.As(b, &q) {
			return 0
		}
		return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	})
	return errors.Join(d.problems...)
}
