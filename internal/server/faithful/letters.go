package faithful

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/memory"

	// The types of these say where letters are.
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
)

// Some kinds hold JSON to the letter (runtime.RawExtension): what a server stores
// are the letters that were sent, and its validation and strategies compare
// letters. No file has them. A server writes them without white space, and who
// prints an object (kubectl, for one) sorts the keys.
//
// What a write makes of letters that it does not change depends on its verb: an apply, a
// merge patch and a strategic one write them anew, sorted and without white space; an
// update has those of its body; a JSON patch those of its values. So the live object is
// taken to have the letters that the write will have, wherever they say the same: what a
// file's writer did to them never shows in an answer.

// KeepsText are the resources that do so. A tree of them has no letters.
var KeepsText = map[schema.GroupResource]bool{
	{Group: "apps", Resource: "controllerrevisions"}:               true,
	{Group: "resource.k8s.io", Resource: "deviceclasses"}:          true,
	{Group: "resource.k8s.io", Resource: "resourceclaims"}:         true,
	{Group: "resource.k8s.io", Resource: "resourceclaimtemplates"}: true,
}

// letters is the part of a call's live object that is kept to the letter.
type letters struct {
	verb api.Verb
	// paths are those of jsontree.
	paths [][]string
	// spellings are the letters of the request, by what they say.
	spellings map[string][]byte
}

// LettersOf is empty for a call to a resource that keeps none.
func LettersOf(call api.Request, resource schema.GroupResource) letters {
	if !KeepsText[resource] || call.Live == nil {
		return letters{}
	}
	l := letters{verb: call.Verb, paths: LetterPaths(call.Kind), spellings: map[string][]byte{}}
	switch call.Verb {
	case api.Update:
		l.spell(call.Body, func(text []byte) []byte { return text })
	case api.JSONPatch:
		l.spell(call.Body, func(text []byte) []byte { return encoded(json.RawMessage(text)) })
	}
	return l
}

// spell remembers how the objects and lists within a text are spelled, as they
// will be stored.
func (l letters) spell(text []byte, stored func([]byte) []byte) {
	var values []json.RawMessage
	var object map[string]json.RawMessage
	switch text = bytes.TrimSpace(text); {
	case bytes.HasPrefix(text, []byte("{")) && json.Unmarshal(text, &object) == nil:
		for _, value := range object {
			values = append(values, value)
		}
	case bytes.HasPrefix(text, []byte("[")) && json.Unmarshal(text, &values) == nil:
	default:
		return
	}
	l.spellings[string(canonical(text))] = stored(text)
	for _, value := range values {
		l.spell(value, stored)
	}
}

// In gives a live object the letters that the request will have.
func (l letters) In(live []byte) []byte {
	for _, path := range l.paths {
		live, _ = jsontree.Replace(live, func(text []byte) []byte {
			said := canonical(text)
			if spelling, ok := l.spellings[string(said)]; ok {
				return spelling
			}
			return said
		}, path...)
	}
	return live
}

// Caveats say that the letters may be others, where they have an order and the
// write is accepted. An apply that changes nothing leaves them alone.
func (l letters) Caveats(live []byte, tx *memory.Transaction, code int) []api.Caveat {
	if l.verb == api.Delete || l.verb == api.Apply && !tx.Written || code >= http.StatusMultipleChoices {
		return nil
	}
	for _, path := range l.paths {
		texts, _ := jsontree.Texts(live, path...)
		for _, text := range texts {
			var value any
			if kjson.Unmarshal(text, &value) == nil && hasOrder(value) {
				field := strings.ReplaceAll("."+strings.Join(path, "."), ".*", "")
				return []api.Caveat{{Kind: api.Input, Field: field, Message: "No file has the order of keys in which a server stores " + field +
					": where it is another one than it writes now, the write changes that field, which may be refused or count as a change."}}
			}
		}
	}
	return nil
}

// hasOrder reports whether an object in a value has more than one key.
func hasOrder(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		if len(value) > 1 {
			return true
		}
		for _, child := range value {
			return hasOrder(child)
		}
	case []any:
		for _, item := range value {
			if hasOrder(item) {
				return true
			}
		}
	}
	return false
}

// canonical is a text as the API machinery writes what it says; itself where it
// says nothing.
func canonical(text []byte) []byte {
	var value any
	if kjson.Unmarshal(text, &value) != nil {
		return text
	}
	return encoded(value)
}

func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return text
}

// LetterPaths are where objects of a kind keep letters.
func LetterPaths(kind schema.GroupVersionKind) [][]string {
	t, ok := legacyscheme.Scheme.AllKnownTypes()[kind]
	if !ok {
		return nil
	}
	return letterFields(t, nil, nil)
}

// letterFields are those below a type; above are the types that it stands in.
func letterFields(t reflect.Type, path []string, above []reflect.Type) [][]string {
	if slices.Contains(above, t) {
		return nil
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Pointer:
		return letterFields(t.Elem(), path, above)
	case reflect.Slice:
		return letterFields(t.Elem(), append(path[:len(path):len(path)], "*"), above)
	case reflect.Struct:
		if t == reflect.TypeFor[runtime.RawExtension]() {
			return [][]string{path}
		}
		var paths [][]string
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			below := path[:len(path):len(path)]
			if name != "" {
				below = append(below, name)
			}
			paths = append(paths, letterFields(t.Field(i).Type, below, above)...)
		}
		return paths
	}
	return nil
}
