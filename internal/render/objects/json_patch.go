package objects

import (
	"errors"
	"fmt"
	"io"
	"strings"

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

func (e *LackError) add(text string) {
	if e.First == "" {
		e.First = text
		return
	}
	e.More++
}

// patchPart is what one object comes to; lacks says why it has no patch.
type patchPart struct{ text, lacks string }

const patchIndent = "  "

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
		part.text, err = JSONAt(e, patchIndent, patchIndent)
		part.text = patchIndent + part.text
	case part.lacks != "":
		return nil, errors.New(part.lacks)
	default:
		part.text, err = JSON(e.Patch, patchIndent)
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
	if p.lacks != "" {
		s.lack.add(p.lacks)
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
	for _, o := range operations {
		if holdsMask(o.Value) {
			return true
		}
	}
	return false
}

func holdsMask(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, maskStart)
	case map[string]any:
		for _, item := range v {
			if holdsMask(item) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if holdsMask(item) {
				return true
			}
		}
	}
	return false
}
