package admission

import (
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Expressions of policies read Secrets, as the object that they judge, as the one
// before it, or as parameters, and what they make of a value need not look like it: a
// part, an encoding, a length, one of two sentences. It is found by evaluating them
// again in other worlds, where each value of a Secret is another one. What is the same
// in all worlds says nothing of the values.

// fromSecret replaces a text made from values of a Secret.
const fromSecret = "*** (made from values of a Secret; --show-secrets shows it)"

// world gives what stands in place of a value.
type world func(value any) any

// here is as things are.
func here(value any) any { return value }

// nowhere has no values: an expression that asks for one has no result.
func nowhere(any) any { return types.NewUnknown(0, types.NewAttributeTrail("secret")) }

// similar has values of the same length, made of the same classes of characters.
func similar(value any) any {
	switch v := value.(type) {
	case string:
		return disguise.Text(v)
	case bool, int64, float64:
		return disguise.Value(v)
	}
	return nil
}

// always has one text for all values, so that those that differ are equal.
func always(text string) world {
	return func(value any) any {
		if _, ok := value.(string); !ok {
			return similar(value)
		}
		return text
	}
}

// otherWorlds are those in which expressions are evaluated again: the texts that they
// compare values with are values of some.
func otherWorlds(literals []string) []world {
	worlds := []world{similar, always(""), always("x"), always(strings.Repeat("Other 1.", 32))}
	for _, text := range literals {
		worlds = append(worlds, always(text))
		if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
			worlds = append(worlds, always(string(plain)))
		}
	}
	return worlds
}

// inputs are what an expression reads, with marks in place of the values of Secrets and
// of what was made of them before.
type inputs struct {
	attributes *admission.VersionedAttributes
	params     runtime.Object
	// object, old and marked are the marked trees; nil where there is nothing to mark.
	object, old, marked map[string]any
	values              []any
	marks               map[string]string
}

// secretInputs are the inputs of an expression; false where no Secret is among them.
func secretInputs(
	disguise api.Disguise,
	attributes *admission.VersionedAttributes,
	params runtime.Object,
	record *Record,
) (*inputs, bool) {
	if disguise == nil {
		return nil, false
	}
	in := &inputs{attributes: attributes, params: params, marks: map[string]string{}}
	marked := func(object runtime.Object) map[string]any {
		tree, ok := policyTree(object)
		if !ok {
			return nil
		}
		marked, has := disguise(tree, in.markText)
		for _, path := range record.Derived {
			if object != params {
				marked, has = path.In(marked, func(v any) any { return in.mark(v) }).(map[string]any), true
			}
		}
		for _, names := range record.derived {
			if object == attributes.VersionedObject.Object() {
				marked, has = in.markAt(marked, names), true
			}
		}
		if !has {
			return nil
		}
		return marked
	}
	in.object, in.old, in.marked = marked(
		attributes.VersionedObject.Object(),
	), marked(
		attributes.VersionedOldObject.Object(),
	), marked(
		params,
	)
	return in, in.object != nil || in.old != nil || in.marked != nil
}

// policyTree is an object as expressions see it; false for none.
func policyTree(object runtime.Object) (map[string]any, bool) {
	if object == nil || reflect.ValueOf(object).IsNil() {
		return nil, false
	}
	tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, false
	}
	if tree["kind"] == nil {
		// Objects of informers do not say what they are.
		if kinds, _, err := legacyscheme.Scheme.ObjectKinds(object); err == nil {
			tree["apiVersion"], tree["kind"] = kinds[0].ToAPIVersionAndKind()
		}
	}
	return tree, true
}

// A mark is as long as base64 takes in whole groups.
const markStart = "ssactl:"

var (
	encodedStart = base64.StdEncoding.EncodeToString([]byte(markStart))[:8]
	aMark        = regexp.MustCompile(markStart + `[0-9]{8}|` + encodedStart + `[0-9A-Za-z+/]{12}`)
)

func (in *inputs) mark(value any) string {
	in.values = append(in.values, value)
	return fmt.Sprintf(markStart+"%08d", len(in.values)-1)
}

// markText marks equal texts alike.
func (in *inputs) markText(plain string) string {
	if _, ok := in.marks[plain]; !ok {
		in.marks[plain] = in.mark(plain)
	}
	return in.marks[plain]
}

func (in *inputs) markAt(v map[string]any, names fieldNames) map[string]any {
	value, ok := v[names[0]]
	if !ok {
		return v
	}
	out := maps.Clone(v)
	if below, isMap := value.(map[string]any); len(names) > 1 && isMap {
		out[names[0]] = in.markAt(below, names[1:])
	} else {
		out[names[0]] = in.mark(value)
	}
	return out
}

func (in *inputs) of(mark string) (value any, encoded bool) {
	if strings.HasPrefix(mark, encodedStart) {
		plain, err := base64.StdEncoding.DecodeString(mark)
		if err != nil {
			return mark, false
		}
		mark, encoded = string(plain), true
	}
	n, err := strconv.Atoi(strings.TrimPrefix(mark, markStart))
	if err != nil || n >= len(in.values) {
		return mark, encoded
	}
	return in.values[n], encoded
}

// as are the attributes and the parameters as they are in a world.
func (in *inputs) as(w world) (*admission.VersionedAttributes, runtime.Object) {
	there := *in.attributes
	if in.object != nil {
		there.VersionedObject.Set(in.filled(in.object, w))
	}
	if in.old != nil {
		there.VersionedOldObject.Set(in.filled(in.old, w))
	}
	if in.marked != nil {
		return &there, in.filled(in.marked, w)
	}
	return &there, in.params
}

func (in *inputs) filled(tree map[string]any, w world) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: in.fill(tree, w).(map[string]any)}
}

// fill puts the values of a world in place of the marks.
func (in *inputs) fill(v any, w world) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = in.fill(item, w)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = in.fill(item, w)
		}
		return out
	case string:
		return in.fillText(v, w)
	}
	return v
}

func (in *inputs) fillText(text string, w world) any {
	at := aMark.FindStringIndex(text)
	if at == nil {
		return text
	}
	value, encoded := in.of(text[at[0]:at[1]])
	there := w(value)
	if _, none := there.(*types.Unknown); none || !encoded && at[1]-at[0] == len(text) {
		return there
	}
	return aMark.ReplaceAllStringFunc(text, func(mark string) string {
		value, encoded := in.of(mark)
		there := fmt.Sprint(w(value))
		if encoded {
			there = base64.StdEncoding.EncodeToString([]byte(there))
		}
		return there
	})
}

// fieldNames are the names that lead to a field. A list represents everything in it.
type fieldNames []string

func (f fieldNames) String() string { return "." + strings.Join(f, ".") }

// differing are the fields of a value that are not the same in all worlds. Where a name
// is in none of the others, it may be made from a value itself: then its parent is named.
func differing(here any, there []any, at fieldNames) []fieldNames {
	object, isMap := here.(map[string]any)
	if !isMap || len(there) == 0 {
		if slices.ContainsFunc(there, func(v any) bool { return !reflect.DeepEqual(here, v) }) {
			return []fieldNames{slices.Clone(at)}
		}
		return nil
	}
	var out []fieldNames
	for key, item := range object {
		var items []any
		missing := 0
		for _, v := range there {
			other, _ := v.(map[string]any)
			if other[key] == nil && item != nil {
				missing++
			}
			items = append(items, other[key])
		}
		if missing == len(there) && len(at) > 0 {
			return []fieldNames{slices.Clone(at)}
		}
		out = append(out, differing(item, items, append(slices.Clone(at), key))...)
	}
	return out
}
