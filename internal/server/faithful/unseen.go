package faithful

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/features"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

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
				return []api.Caveat{
					{Kind: api.Input, Field: field, Message: "No file has the order of keys in which a server stores " + field +
						": where it is another one than it writes now, the write changes that field, which may be refused or count as a change."},
				}
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

// HiddenFields says what of the stored object no client can see, and so no file has.
func HiddenFields(call api.Request) []api.Caveat {
	return append(hiddenTrafficPolicy(call), hiddenOrder(call)...)
}

// hiddenTrafficPolicy: an ExternalName Service may have a stored internalTrafficPolicy that
// reading leaves out (registry/core/service/storage). An entry that owns it shows that; the
// next write takes the ownership away.
func hiddenTrafficPolicy(call api.Request) []api.Caveat {
	if !Allocates(call.Kind.GroupKind()) || !bytes.Contains(call.Live, []byte(`"f:internalTrafficPolicy"`)) {
		return nil
	}
	var service struct {
		Spec struct {
			Type                  string          `json:"type"`
			InternalTrafficPolicy json.RawMessage `json:"internalTrafficPolicy"`
		} `json:"spec"`
	}
	if json.Unmarshal(call.Live, &service) != nil || service.Spec.Type != "ExternalName" ||
		service.Spec.InternalTrafficPolicy != nil {
		return nil
	}
	return []api.Caveat{{Kind: api.Input, Field: ".spec.internalTrafficPolicy",
		Message: "The stored Service may have an internalTrafficPolicy, which is left out when an ExternalName Service is read: who owns that field afterwards is not known."}}
}

// hiddenOrder: an autoscaler at v1 has other metrics than the processor's in an annotation,
// without their stored order. Another order raises the generation
// (registry/autoscaling/horizontalpodautoscaler).
func hiddenOrder(call api.Request) []api.Caveat {
	var scaler autoscalingv1.HorizontalPodAutoscaler
	if call.Kind.Group != autoscaling.GroupName || !bytes.Contains(call.Live, []byte(autoscaling.MetricSpecsAnnotation)) ||
		!utilfeature.DefaultFeatureGate.Enabled(features.HPAGeneration) || json.Unmarshal(call.Live, &scaler) != nil ||
		scaler.APIVersion != autoscalingv1.SchemeGroupVersion.String() || scaler.Spec.TargetCPUUtilizationPercentage == nil {
		return nil
	}
	return []api.Caveat{{Kind: api.Input, Field: ".metadata.generation",
		Message: "The live object is at autoscaling/v1, which does not say in which order the metrics are stored: the generation may rise."}}
}

// A server stores fieldsV1 as its own encoder writes it, and takes an entry for
// changed as soon as its bytes differ (apiserver, fieldmanager/equality.go).
// Files have it as their writers like it: kubectl indents JSON, and YAML sorts
// the keys of list items as texts, {"port":443} before {"port":80}.

// maxFieldsTexts bounds how many texts are remembered: many objects share one.
const maxFieldsTexts = 4096

type fieldsTexts struct {
	mu    sync.Mutex
	known map[string][]byte
}

var knownFieldsTexts fieldsTexts

// stored is a fieldsV1 as a server stores it; what it could not read stays, and
// what is no object.
func (f *fieldsTexts) stored(text []byte) []byte {
	if text[0] != '{' {
		return text
	}
	f.mu.Lock()
	known, ok := f.known[string(text)]
	f.mu.Unlock()
	if ok {
		return known
	}
	canonical := text
	fields := fieldpath.NewSet()
	if err := fields.FromJSON(bytes.NewReader(text)); err == nil {
		if again, err := fields.ToJSON(); err == nil {
			canonical = again
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known) >= maxFieldsTexts {
		f.known = map[string][]byte{}
	}
	f.known[string(text)] = canonical
	return canonical
}

// withStoredFields writes the fieldsV1 of a live object as a server stores
// them. Entries that are none are left to the server to judge.
func withStoredFields(live []byte) []byte {
	live, _ = jsontree.Replace(live, knownFieldsTexts.stored, "metadata", "managedFields", "*", "fieldsV1")
	return live
}
