package objects

import (
	"io"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// diffContext is the number of equal lines around a change.
const diffContext = 3

// NewDiff writes a unified diff from the live to the resulting object for each
// accepted write that changes something. Created and deleted objects have
// /dev/null on their empty side.
func NewDiff(w io.Writer, o Options) stream.Stream {
	return &stream.Texts{Sink: stream.Sink{W: w}, Text: func(r report.Result) (string, error) {
		if r.Outcome.Refused() {
			return "", nil
		}
		live, merged := sidesOf(r, o)
		if reflect.DeepEqual(live, merged) {
			return "", nil
		}
		if hunks, ok := hunksOf(live, merged); ok {
			return unified(words.FileName(r.Target), live != nil, merged != nil, hunks), nil
		}
		d, err := textsOf(r, live, merged)
		return d.Unified(), err
	}}
}

// hunksOf finds what differs without writing all that does not; false where it cannot.
func hunksOf(live, merged map[string]any) ([]textdiff.Hunk, bool) {
	pieces, ok := changedLines(live, merged, diffContext)
	if !ok {
		return nil, false
	}
	return textdiff.InPieces(pieces, diffContext)
}

// DiffTexts are the two sides of an object's diff.
type DiffTexts struct {
	// Name is a file name for the object, safe on every system; the same as
	// kubectl diff gives it where that is possible.
	Name string
	// Live and Merged are YAML; empty where there is no object.
	Live, Merged Lines
}

// Texts gives the two sides that every diff of a result compares: YAML without
// what the options leave out.
func Texts(r report.Result, o Options) (DiffTexts, error) {
	live, merged := sidesOf(r, o)
	return textsOf(r, live, merged)
}

// sidesOf are the objects that a diff compares, without what the options leave out.
func sidesOf(r report.Result, o Options) (live, merged map[string]any) {
	return forDiff(r.Live, o.Ignore.Keep(r.Live, r.Object), o)
}

// Differing is Texts where the two sides differ; false, and no texts, where they do
// not. Most objects of a large run are unchanged, and to write one as YAML takes longer
// than all else that is asked of it.
func Differing(r report.Result, o Options) (DiffTexts, bool, error) {
	live, merged := sidesOf(r, o)
	return differing(r, live, merged)
}

func differing(r report.Result, live, merged map[string]any) (DiffTexts, bool, error) {
	if reflect.DeepEqual(live, merged) {
		return DiffTexts{}, false, nil
	}
	d, err := textsOf(r, live, merged)
	return d, !slices.Equal(d.Live, d.Merged), err
}

func textsOf(r report.Result, live, merged map[string]any) (DiffTexts, error) {
	sides, err := yamlLines(live, merged)
	if err != nil {
		return DiffTexts{}, err
	}
	return DiffTexts{Name: words.FileName(r.Target), Live: sides[0], Merged: sides[1]}, nil
}

// Hunks gives the changed lines with their context.
func (d DiffTexts) Hunks() []textdiff.Hunk {
	return textdiff.Between(d.Live, d.Merged, diffContext)
}

// Unified is the diff as patch reads it; empty when nothing differs.
func (d DiffTexts) Unified() string {
	return unified(d.Name, len(d.Live) > 0, len(d.Merged) > 0, d.Hunks())
}

// unified is the diff of an object, of which there is a live and a resulting one or not.
func unified(name string, live, merged bool, hunks []textdiff.Hunk) string {
	old, new := "live/"+name, "merged/"+name
	if !live {
		old = "/dev/null"
	}
	if !merged {
		new = "/dev/null"
	}
	return textdiff.Unified(old, new, hunks)
}

// Differs reports whether an accepted write changes something that diffs show.
func Differs(r report.Result, o Options) (bool, error) {
	if r.Outcome.Refused() {
		return false, nil
	}
	live, merged := sidesOf(r, o)
	if saysOther(live, merged) {
		return true, nil
	}
	_, differs, err := differing(r, live, merged)
	return differs, err
}

// saysOther reports whether YAML surely says something else of one value than of
// another: a field, an item or a text. Numbers may be written alike.
func saysOther(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		for key, value := range a {
			if other, has := b[key]; ok && (!has || saysOther(value, other)) {
				return true
			}
		}
		return ok && len(a) != len(b)
	case []any:
		b, ok := b.([]any)
		return ok && (len(a) != len(b) || !slices.EqualFunc(a, b, func(a, b any) bool { return !saysOther(a, b) }))
	case string:
		b, ok := b.(string)
		return ok && a != b && readsAlike(a) && readsAlike(b)
	}
	return false
}
