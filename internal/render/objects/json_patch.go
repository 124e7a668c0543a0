package objects

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// NewJSONPatch writes what each accepted write does to its live object as an RFC
// 6902 patch, which 'kubectl patch --type json --patch-file' applies. Where
// the live object has a resourceVersion, the patch tests it first, so that it
// does nothing to another state than the one it was made for.
//
// For a single object it writes the patch itself, and for several a list with
// the target of each. What no patch can do is an error: to create or delete an
// object, or to carry masked values of a Secret. The list tells it too, and is
// whole otherwise: the error is a LackError then.
func NewJSONPatch(w io.Writer, o Options) stream.Stream {
	return &patchStream{Sink: stream.Sink{W: w}, o: o}
}

type patchStream struct {
	stream.Sink
	o       Options
	several bool
	n       int
	lack    LackError
}

// LackError is the error of an output that is whole but for some objects.
type LackError struct {
	// First is what the first of them lacks, and More counts those after it.
	First string
	More  int
}

// Error implements error.
func (e *LackError) Error() string {
	if e.More == 0 {
		return e.First
	}
	return fmt.Sprintf("%s (and %d more without a patch)", e.First, e.More)
}

// patchPart is what one object comes to; lacks says why it has no patch.
type patchPart struct{ text, lacks string }

// Begin implements Stream.
func (s *patchStream) Begin(start stream.Start) error {
	s.several = start.Total != 1
	return nil
}

// Part implements Stream.
func (s *patchStream) Part(r report.Result) (stream.Part, error) {
	if r.Outcome.Refused() {
		return patchPart{}, nil
	}
	e := patchEntryOf(r, s.o)
	var part patchPart
	if e.NoPatch != "" {
		part.lacks = words.Object(e.Target) + words.Where(e.Target) + ": " + e.NoPatch
	}
	var err error
	switch {
	case s.several:
		part.text, err = JSONAt(e, indent, indent)
		part.text = indent + part.text
	case part.lacks != "":
		return nil, errors.New(part.lacks)
	default:
		part.text, err = JSON(e.Patch, indent)
		part.text += "\n"
	}
	return part, err
}

// Add implements Stream.
func (s *patchStream) Add(part stream.Part) error {
	p := part.(patchPart)
	text := p.text
	if text == "" {
		return nil
	}
	switch {
	case p.lacks == "":
	case s.lack.First == "":
		s.lack.First = p.lacks
	default:
		s.lack.More++
	}
	switch s.n++; {
	case s.several && s.n == 1:
		text = "[\n" + text
	case s.several:
		text = ",\n" + text
	}
	return s.Write(text)
}

// End implements Stream.
func (s *patchStream) End(stream.Ending) error {
	switch {
	case s.n == 0:
		return s.Write("[]\n")
	case !s.several:
		return nil
	}
	if err := s.Write("\n]\n"); err != nil || s.lack.First == "" {
		return err
	}
	return &s.lack
}

// patchEntry is one object of several.
type patchEntry struct {
	Target  report.Target    `json:"target"`
	Patch   []patchOperation `json:"patch,omitempty"`
	NoPatch string           `json:"noPatch,omitempty"`
}

func patchEntryOf(r report.Result, o Options) patchEntry {
	e := patchEntry{Target: r.Target}
	switch {
	case r.Live == nil:
		e.NoPatch = "a patch cannot create an object; -o yaml has it"
	case r.Object == nil || r.Operation == report.Delete:
		e.NoPatch = "a patch cannot delete an object"
	default:
		e.Patch = patchOf(r.Live, o.Ignore.Keep(r.Live, r.Object))
		if masked(e.Patch) {
			e.Patch, e.NoPatch = nil, "the patch would have masked values; --show-secrets keeps them"
		}
	}
	return e
}

// maskStart is how internal/report/redact begins a mask.
const maskStart = "*** (secret "

// masked reports whether an operation carries a mask in place of a value.
func masked(operations []patchOperation) bool {
	found := false
	same := func(key string) string { return key }
	for _, o := range operations {
		mapStrings(o.Value, func(s string) string {
			found = found || strings.Contains(s, maskStart)
			return s
		}, same)
	}
	return found
}

// patchOperation is one operation of RFC 6902.
type patchOperation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// MarshalJSON leaves the value out of a removal, and keeps null in the others.
func (p patchOperation) MarshalJSON() ([]byte, error) {
	m := map[string]any{"op": p.Op, "path": p.Path}
	if p.Op != "remove" {
		m["value"] = p.Value
	}
	s, err := JSON(m, "")
	return []byte(s), err
}

// patchOf gives the operations that make object of live.
func patchOf(live, object map[string]any) []patchOperation {
	d := patchDiff{[]patchOperation{}}
	if version, ok, _ := unstructured.NestedFieldNoCopy(live, "metadata", "resourceVersion"); ok {
		d.add("test", "/metadata/resourceVersion", version)
	}
	kept := append([]string{"managedFields"}, ServerFields...)
	d.maps("", withoutMetadata(live, kept...), withoutMetadata(object, kept...))
	return d.operations
}

type patchDiff struct{ operations []patchOperation }

func (d *patchDiff) add(op, path string, value any) {
	d.operations = append(d.operations, patchOperation{op, path, value})
}

func (d *patchDiff) maps(path string, old, new map[string]any) {
	both := map[string]any{}
	maps.Copy(both, old)
	maps.Copy(both, new)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		before, inOld := old[key]
		after, inNew := new[key]
		at := path + "/" + jsonpointer.Escape(key)
		switch {
		case !inNew:
			d.add("remove", at, nil)
		case !inOld:
			d.add("add", at, after)
		default:
			d.values(at, before, after)
		}
	}
}

func (d *patchDiff) values(path string, old, new any) {
	if reflect.DeepEqual(old, new) {
		return
	}
	switch o := old.(type) {
	case map[string]any:
		if n, ok := new.(map[string]any); ok {
			d.maps(path, o, n)
			return
		}
	case []any:
		if n, ok := new.([]any); ok {
			d.lists(path, o, n)
			return
		}
	}
	d.add("replace", path, new)
}

// lists changes what is between the equal items at both ends: item by item as
// far as both sides go, then the rest is added or removed from its end.
func (d *patchDiff) lists(path string, old, new []any) {
	start := 0
	for start < len(old) && start < len(new) && reflect.DeepEqual(old[start], new[start]) {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(new)-start && reflect.DeepEqual(old[len(old)-1-end], new[len(new)-1-end]) {
		end++
	}
	o, n := old[start:len(old)-end], new[start:len(new)-end]
	at := func(i int) string { return fmt.Sprintf("%s/%d", path, start+i) }
	both := min(len(o), len(n))
	for i := range both {
		d.values(at(i), o[i], n[i])
	}
	for i := len(o) - 1; i >= both; i-- {
		d.add("remove", at(i), nil)
	}
	for i := both; i < len(n); i++ {
		d.add("add", at(i), n[i])
	}
}
