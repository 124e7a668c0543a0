package conflict

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
)

// DifferenceKind reports how your value differs from the live one.
type DifferenceKind string

// The kinds of difference. All but Real and Unknown mean that the object would
// stay as it is.
const (
	// Real: another value would be stored.
	Real DifferenceKind = "Real"
	// Spelling: the server stores your value as the live one (1000m as 1).
	Spelling DifferenceKind = "Spelling"
	// Dropped: the server stores nothing for your value (false, {}, [], null).
	Dropped DifferenceKind = "Dropped"
	// Defaulted: the live value is yours with defaults filled in.
	Defaulted DifferenceKind = "Defaulted"
	// WriteOnly: the field is never seen in the live object (stringData).
	WriteOnly DifferenceKind = "WriteOnly"
	// Unknown: the server stores nothing to compare with, as it refuses.
	Unknown DifferenceKind = "Unknown"
)

// Difference is what the server would store for your value, compared with what
// is stored.
type Difference struct {
	Kind DifferenceKind `json:"kind"`
	// Stored is what would be stored for your value.
	Stored *Value `json:"stored,omitempty"`
	// Filled are the places below the field that defaulting fills in, sorted;
	// only for Defaulted.
	Filled []string `json:"filled,omitempty" secret:"path"`
}

// Changes reports whether the live object would change.
func (d Difference) Changes() bool { return d.Kind == Real || d.Kind == Unknown }

// difference reads off the forced apply of this field alone what your value
// comes to.
func (s *session) difference(c *Claim, t Conflict, take report.Result) Difference {
	if take.Object == nil {
		return Difference{Kind: Unknown}
	}
	if stringData(s.Write, t.Field) {
		return writeOnly(take, s.base)
	}
	stored := ValueAt(s.Shape, take.Object, c.Path)
	d := Difference{Kind: Real, Stored: &stored}
	live := s.liveValue(c, t)
	switch {
	case !reflect.DeepEqual(stored, live):
	case live.Missing:
		d.Kind = Dropped
	case ownership.Extends(live.Value, t.Yours.Value, sameJSON):
		d.Kind, d.Filled = Defaulted, filled("", t.Yours.Value, live.Value)
	default:
		d.Kind = Spelling
	}
	return d
}

// liveValue is what is stored for a claim's field at the manifest's version:
// the owner's version may spell it otherwise.
func (s *session) liveValue(c *Claim, t Conflict) Value {
	version, _ := s.Write.Kind.ToAPIVersionAndKind()
	live, err := s.At(version)
	if err != nil {
		return t.Live
	}
	return ValueAt(s.Shape, live, c.Path)
}

// ValueAt is the value that an object has at a path, by its shape.
func ValueAt(shape managedfields.Shape, object map[string]any, path fieldpath.Path) Value {
	switch found := shape.Lookup(object, path); len(found) {
	case 0:
		return Value{Missing: true}
	case 1:
		return Value{Value: found[0]}
	default:
		return Value{Value: found}
	}
}

func stringData(w engine.Write, field string) bool {
	return w.Kind.Group == "" && w.Kind.Kind == "Secret" && len(field) > len(".stringData") && field[:len(".stringData")] == ".stringData"
}

// writeOnly looks at data for what stringData does.
func writeOnly(take, base report.Result) Difference {
	if reflect.DeepEqual(take.Object["data"], base.Object["data"]) {
		return Difference{Kind: WriteOnly}
	}
	return Difference{Kind: Real}
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// filled are the paths that a stored value has beyond what was asked for.
func filled(at string, asked, stored any) []string {
	var out []string
	switch have := stored.(type) {
	case map[string]any:
		want, _ := asked.(map[string]any)
		for k, v := range have {
			if w, ok := want[k]; ok {
				out = append(out, filled(at+"."+k, w, v)...)
			} else {
				out = append(out, at+"."+k)
			}
		}
	case []any:
		want, _ := asked.([]any)
		for i, v := range have {
			if i < len(want) {
				out = append(out, filled(fmt.Sprintf("%s[%d]", at, i), want[i], v)...)
			}
		}
	}
	slices.Sort(out)
	return out
}
