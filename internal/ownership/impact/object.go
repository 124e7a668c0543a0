package impact

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Unserved is the rule of an object whose kind is no longer served.
var Unserved = &effectRule{finding.Rule{
	Name: kindRemoved.Name, Severity: kindRemoved.Severity, Title: kindRemoved.Title, Why: kindRemoved.Why,
	Fix: "save the objects first, or keep the definition",
}, func(Effect) text.Text { return text.New("the kind is no longer served") }}

var versionNamed = &effectRule{finding.Rule{
	Name: "version-named", Severity: report.SeverityError,
	Title: "Managed fields name a version that is gone.",
	Why:   "The API server cannot convert the object to that version, and answers every write to it with 500 (kubernetes/kubernetes#111937).",
	Fix:   "have the manager write at a version that stays, or take its entry out (ssactl clear), before the change",
}, func(e Effect) text.Text { return text.New("the entry of %v makes every write fail", e.by()) }}

var writeRefused = &effectRule{finding.Rule{
	Name: "write-refused", Severity: report.SeverityError,
	Title: "Every write to a live object is rejected.",
	Why:   "Values that a write leaves alone are not validated again (ratcheting), but these are, or the object as a whole is. All writes fail, to the status too, until the object is repaired.",
	Fix:   "repair the objects before the change",
}, func(e Effect) text.Text { return text.New("%v makes every write fail", e.field()) }}

var dataPruned = &effectRule{finding.Rule{
	Name: report.RuleDataPruned, Severity: report.SeverityError,
	Title: "Data of live objects is dropped.",
	Why:   "The API server leaves out fields that the schema does not have when it reads an object, and deletes them at the next write.",
	Fix:   "move the data to a field that stays, before the change",
}, func(e Effect) text.Text { return text.New("%v is dropped", e.field()) }}

var objectInvalid = &effectRule{finding.Rule{
	Name: "object-invalid", Severity: report.SeverityWarning,
	Title: "Live objects do not pass the new validation.",
	Why:   "Writes that leave the values alone are accepted (ratcheting); the same object in a new cluster, restored, or created again is rejected.",
	Fix:   "repair the objects, best before the change",
}, func(e Effect) text.Text { return text.New("%v is invalid", e.field()) }}

var objectDefaulted = &effectRule{finding.Rule{
	Name: "object-defaulted", Severity: report.SeverityNote,
	Title: "Live objects get defaults.",
	Why:   "The value is there from the next read on, without an owner.",
}, func(e Effect) text.Text { return text.New("%v is filled in", e.field()) }}

// Effect is what the change does to one object. Effects of one rule, field and manager are
// one finding.
type Effect struct {
	Rule *effectRule
	// Field is the path with [*] for items and values; empty for the object.
	Field string
	// Manager is the field manager that it is about; empty for none.
	Manager string
	// Detail says it of this object; it may be empty.
	Detail string
}

// effectRule is a rule on live objects, and what it says of an effect.
type effectRule struct {
	finding.Rule
	says func(Effect) text.Text
}

func (e Effect) by() text.Arg { return text.By(e.Manager) }

func (e Effect) field() text.Arg { return text.Path(cmp.Or(e.Field, "the object")) }

// Object is one live object, and the two sides that serve its kind.
type Object struct {
	Target report.Target
	Live   map[string]any
	// Old is the server of the old definitions; nil where it cannot be run beside the
	// new one. New is that of the new ones.
	Old, New api.Server
	// Was and Is are the merge types of the kind at the object's API version and at To.
	Was, Is api.Type
	// To is the version at which the object is written from now on: its own, where
	// the new side serves it.
	To gvk.GroupVersionKind
	// Now is the time of the writes.
	Now time.Time
}

// Object is a live object of the kind, to be written through the servers of both sides: old is nil where it
// cannot be run. It is false where the new side no longer serves the kind.
func (k Kind) Object(target report.Target, live map[string]any, old, new api.Server) (Object, bool) {
	own := gvk.FromAPIVersionAndKind(target.APIVersion, target.Kind)
	to, served := k.written(own, new)
	if !served {
		return Object{}, false
	}
	return Object{
		Target: target, Live: live, Old: old, New: new, Was: k.Before.Types(own), Is: new.Types(to), To: to,
	}, true
}

// written is the version at which an object is written from now on: its own, or one
// that the server of the new side has. It is false where that has none.
func (k Kind) written(own gvk.GroupVersionKind, new api.Server) (gvk.GroupVersionKind, bool) {
	serves := func(kind gvk.GroupVersionKind) bool { return new.Resource(kind).Known }
	if serves(own) {
		return own, true
	}
	if k.New != nil {
		for _, version := range append([]string{k.New.Storage()}, k.served(k.After)...) {
			if to := own.GroupKind().WithVersion(version); serves(to) {
				return to, true
			}
		}
		return own, false
	}
	gv, err := gvk.ParseGroupVersion(api.ServedAs(own, serves))
	return gv.WithKind(own.Kind), err == nil && gv.Version != "" && gv.Group == own.Group
}

// Affect returns the effect of the change on an object. What the old side does as well is
// left out; it is asked only if the new one does something. An
// error means that the object could not be simulated.
func Affect(ctx context.Context, o Object) ([]Effect, error) {
	after, err := o.under(o.New, o.To, o.Is)
	if err != nil {
		return nil, err
	}
	before := sync.OnceValues(func() (*trial, error) {
		return o.under(o.Old, gvk.FromAPIVersionAndKind(o.Target.APIVersion, o.Target.Kind), o.Was)
	})
	var out []Effect
	for _, ask := range append([]part{(*trial).next, (*trial).create}, after.applies()...) {
		effects, err := after.part(ctx, ask)
		if err != nil {
			return nil, err
		}
		var others []Effect
		if len(effects) > 0 && o.Old != nil {
			old, err := before()
			if err != nil {
				return nil, err
			}
			if others, err = old.part(ctx, ask); err != nil {
				return nil, fmt.Errorf("under the old definition: %w", err)
			}
		}
		if out = append(out, without(effects, others)...); after.written.refused() {
			break
		}
	}
	return out, nil
}

// without are the effects that are not among others, whatever their details, each once.
func without(list, others []Effect) []Effect {
	seen := map[Effect]bool{}
	for _, e := range others {
		e.Detail = ""
		seen[e] = true
	}
	var out []Effect
	for _, e := range list {
		detail := e.Detail
		if e.Detail = ""; !seen[e] {
			seen[e] = true
			e.Detail = detail
			out = append(out, e)
		}
	}
	return out
}

// next is the effect of the next write that changes nothing itself.
func (t *trial) next(context.Context) error {
	if t.written.refused() {
		// A server that cannot convert an entry fails; what it refuses has other causes.
		if t.written.code != http.StatusInternalServerError || !t.unknownVersions() {
			t.refused(writeRefused, "", *t.written)
		}
		return nil
	}
	// Neither pruning nor defaults move the items of a list, so that they are paired by
	// their places.
	for _, key := range keysOf(t.object, t.written.object) {
		if key != "metadata" && key != "apiVersion" && key != "kind" {
			t.value(both{t.was.Field(key), t.is.Field(key)}, "."+key, t.object[key], t.written.object[key])
		}
	}
	t.owners(t.written.object)
	return nil
}

// unknownVersions notes the entries at versions that the side does not have, which
// make the conversion of a custom resource fail, and with it every write.
func (t *trial) unknownVersions() bool {
	found := false
	for _, e := range managedfields.Of(t.Live).Readable() {
		if !t.server.Resource(gvk.FromAPIVersionAndKind(e.APIVersion, t.kind.Kind)).Known {
			t.effect(Effect{Rule: versionNamed, Manager: e.Manager, Detail: e.APIVersion})
			found = true
		}
	}
	return found
}

// refused notes why something is refused: each cause, or the message where there is
// none.
func (t *trial) refused(rule *effectRule, manager string, a outcome) {
	list := causes.Of(&a.status, causes.Question{Verb: a.verb, Kind: t.kind, Body: a.body, Live: t.object, Shape: t.is})
	if len(list) == 0 {
		list = []report.Cause{{Message: fmt.Sprintf("%d: %s", a.code, a.status.Message)}}
	}
	for _, c := range list {
		t.effect(Effect{Rule: rule, Manager: manager, Field: causeField(c.Field), Detail: text.FirstLine(c.Message)})
	}
}

var inBrackets = regexp.MustCompile(`\[[^\]]*\]`)

// causeField is a field of a cause without the items of this object.
func causeField(field string) string {
	field = inBrackets.ReplaceAllString(field, each)
	if field == "" || field == "<nil>" || strings.HasPrefix(field, ".") {
		return strings.TrimPrefix(field, "<nil>")
	}
	return "." + field
}

// both are the shapes of a field on the two sides.
type both struct{ was, is managedfields.Shape }

// value compares a value of the object with what is stored of it.
func (t *trial) value(shapes both, field string, before, after any) {
	switch before := before.(type) {
	case nil:
		if after != nil {
			t.effect(Effect{Rule: objectDefaulted, Field: field, Detail: fields.JSON(after)})
		}
	case map[string]any:
		after, is := after.(map[string]any)
		if !is {
			t.effect(Effect{Rule: dataPruned, Field: field})
			return
		}
		for _, key := range keysOf(before, after) {
			name := "." + key
			if shapes.was.Open() || shapes.is.Open() {
				name = each
			}
			t.value(both{shapes.was.Field(key), shapes.is.Field(key)}, field+name, before[key], after[key])
		}
	case []any:
		after, is := after.([]any)
		if !is || len(before) != len(after) {
			t.effect(Effect{Rule: dataPruned, Field: field})
			return
		}
		for i := range before {
			t.value(both{shapes.was.Item(), shapes.is.Item()}, field+each, before[i], after[i])
		}
	default:
		if after == nil {
			t.effect(Effect{Rule: dataPruned, Field: field})
		}
	}
}

// keysOf are the keys of two maps, sorted, each once.
func keysOf(a, b map[string]any) []string {
	return slices.Compact(
		slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b))))),
	)
}
