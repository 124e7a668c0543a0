package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server/api"
)

const quantityType = "io.k8s.apimachinery.pkg.api.resource.Quantity"

// checkQuantities looks for such quantities in texts of a built-in kind: objects,
// parts of one, or JSON patches.
func (c *typeConverter) checkQuantities(kind schema.GroupVersionKind, texts ...[]byte) error {
	for _, text := range texts {
		if !mayBeHuge(text) {
			continue
		}
		t, ok := c.find(kind)
		var value any
		if !ok || yaml.Unmarshal(text, &value) != nil {
			continue
		}
		q := quantities{schema: t.Schema}
		if operations, ok := value.([]any); ok {
			for _, operation := range operations {
				q.operation(t.TypeRef, operation)
			}
		}
		if q.look(t.TypeRef, value, ""); q.found != nil {
			return q.found
		}
	}
	return nil
}

// mayBeHuge reports whether a text may have such a number: one with an exponent
// of seven digits, one of very many, or an escape that hides some.
func mayBeHuge(text []byte) bool {
	digits, exponent := 0, false
	for i, c := range text {
		switch {
		case '0' <= c && c <= '9':
			if digits++; exponent && digits > 6 || digits > api.MaxDigits/2 {
				return true
			}
			continue
		case c == 'e' || c == 'E':
			exponent = digits > 0 || i > 0 && text[i-1] == '.'
		case c == '+' || c == '-':
			exponent = exponent && i > 0 && (text[i-1] == 'e' || text[i-1] == 'E')
		case c == '\\' && i+1 < len(text) && strings.IndexByte("uUx", text[i+1]) >= 0:
			return true
		default:
			exponent = false
		}
		digits = 0
	}
	return false
}

// quantities looks for them by the merge schema, which names their type.
type quantities struct {
	schema *smd.Schema
	found  error
}

// look finds the first one at or below a value of a type.
func (q *quantities) look(ref smd.TypeRef, value any, path string) {
	if ref.NamedType != nil && *ref.NamedType == quantityType {
		q.check(value, path)
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			q.look(q.below(ref, key), value[key], path+"."+key)
		}
	case []any:
		for i, item := range value {
			q.look(q.below(ref, ""), item, fmt.Sprintf("%s[%d]", path, i))
		}
	}
}

// below is the type of a map's key or of a list's items; one of nothing where the
// schema has none.
func (q *quantities) below(ref smd.TypeRef, key string) smd.TypeRef {
	atom, ok := q.schema.Resolve(ref)
	switch {
	case ok && atom.Map != nil:
		return fieldType(atom.Map, key)
	case ok && atom.List != nil:
		return atom.List.ElementType
	}
	return smd.TypeRef{}
}

// operation looks into the value of an operation of a JSON patch.
func (q *quantities) operation(root smd.TypeRef, operation any) {
	fields, _ := operation.(map[string]any)
	pointer, _ := fields["path"].(string)
	for _, key := range strings.Split(pointer, "/")[1:] {
		root = q.below(root, strings.NewReplacer("~1", "/", "~0", "~").Replace(key))
	}
	q.look(root, fields["value"], pointer)
}

// check looks at what is to be a quantity.
func (q *quantities) check(value any, path string) {
	text, ok := value.(string)
	if !ok || q.found != nil || !api.EndlessQuantity(text) {
		return
	}
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	q.found = fmt.Errorf("%s: a server is busy with the quantity %s until it gives up: no answer", path, text)
}
