package faithful

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"k8s.io/apimachinery/pkg/runtime/schema"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

const quantityType = "io.k8s.apimachinery.pkg.api.resource.Quantity"

// CheckQuantities looks for such quantities in texts of a built-in kind: objects,
// parts of one, or JSON patches.
func (c *TypeConverter) CheckQuantities(kind schema.GroupVersionKind, texts ...[]byte) error {
	for _, text := range texts {
		if !hidesNumbers(text) && !hasHugeNumber(text) {
			continue
		}
		t, ok := c.Find(kind)
		value, err := decodeAny(text)
		if !ok || err != nil {
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

// decodeAny reads an object in JSON, which most texts are, or whatever YAML has.
func decodeAny(text []byte) (value any, err error) {
	if object, err := jsontree.Decode(text); err == nil {
		return object, nil
	}
	err = yaml.Unmarshal(text, &value)
	return value, err
}

// hidesNumbers reports whether a text has escapes that may stand for a part of a
// number, in JSON or in YAML.
func hidesNumbers(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '\\')
		if at < 0 || at+1 == len(text) {
			return false
		}
		if text = text[at+1:]; standsForNumber(text) {
			return true
		}
	}
}

// standsForNumber reports whether what follows a backslash may be the code of a
// character that numbers have. Most escapes are not: <, > and & in JSON.
func standsForNumber(escape []byte) bool {
	var digits int
	switch escape[0] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return false
	}
	if len(escape) <= digits {
		return true
	}
	code, err := strconv.ParseUint(string(escape[1:1+digits]), 16, 32)
	return err != nil || code < 0x80 && strings.IndexByte("0123456789eE.+-", byte(code)) >= 0
}

// longRun is the least number of digits in a row that make an exponent too large.
const longRun = 7

// hasHugeNumber reports whether a text has digits of such a number.
func hasHugeNumber(text []byte) bool {
	for from := 0; from < len(text); from++ {
		to := from
		for to < len(text) && isDigit(text[to]) {
			to++
		}
		if n := to - from; n > api.MaxDigits/2 || n >= longRun && endsInExponent(text[:from]) {
			return true
		}
		from = to
	}
	return false
}

// endsInExponent reports whether a number and the letter of its exponent are all that
// a text ends in, with or without a sign.
func endsInExponent(text []byte) bool {
	n := len(text)
	if n > 0 && (text[n-1] == '+' || text[n-1] == '-') {
		n--
	}
	return n > 1 && (text[n-1] == 'e' || text[n-1] == 'E') && (isDigit(text[n-2]) || text[n-2] == '.')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

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
		if field, ok := atom.Map.FindField(key); ok {
			return field.Type
		}
		return atom.Map.ElementType
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
		root = q.below(root, jsonpointer.Unescape(key))
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
