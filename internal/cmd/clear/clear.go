package clear

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Request asks to clear entries of one object.
type Request struct {
	// Object names the object: kind, namespace, name, live object, source and
	// time. The rest of the write is not looked at.
	Object    engine.Write
	Selection Selection
	// Now is what ages are counted to.
	Now time.Time
	// Applies says whether the next applies are reported.
	Applies Applies
	// With is the next apply of a real manifest, without its live object; nil
	// for none.
	With *engine.Write
}

// Applies says whether the next applies are simulated.
type Applies bool

// The two ways to ask.
const (
	WithoutApplies Applies = false
	WithApplies    Applies = true
)

// clearer is the field manager that kubectl patch has; the patch gives it
// nothing.
const clearer = "kubectl-patch"

// clearing is one object under work.
type clearing struct {
	*ownership.Object
	selection Selection
	now       time.Time
	// unstorable says why no server stores the managedFields of the file; nil
	// for those that one does.
	unstorable error
	choice
	out Clearing
}

// Clear plans it. It always gives a Clearing: what the server refuses is an
// outcome, and where no answer could be given the outcome is Failed. Applies of the
// manager kubectl are simulated as kubectl sends them.
func Clear(ctx context.Context, server api.Server, q Request) Clearing {
	object, err := ownership.Of(ctx, server, q.Object)
	if err != nil {
		return Failure(q.Object, err)
	}
	object.Send = client.Simulate
	c := &clearing{Object: object, selection: q.Selection, now: q.Now, out: blank(q.Object)}
	if err := c.replaceUnstorable(); err != nil {
		return Failure(q.Object, err)
	}
	c.describe()
	stored := c.Live
	if len(c.clear)+len(c.prune) > 0 || c.unstorable != nil {
		if stored = c.carryOut(); stored == nil {
			return c.out
		}
		c.findLosses(stored)
		if q.Applies == WithApplies {
			c.out.Next = c.next(stored)
		}
	} else {
		c.out.Result = &report.Result{
			Target: c.Write.Target(), Operation: report.Patch, Outcome: report.Unchanged,
			Live: c.Live, LiveSource: c.Write.LiveSource, Object: c.Live,
		}
	}
	if q.With != nil {
		c.out.With = c.with(*q.With, stored)
	}
	return c.out
}

func blank(object engine.Write) Clearing {
	return Clearing{
		Target: object.Target(), Source: object.LiveAt(), Attempt: report.Attempt{Outcome: report.Unchanged},
		Cleared: []Entry{}, Ownerless: []string{}, Remaining: []report.FieldOwners{},
	}
}

// Failure is the Clearing where no answer could be given.
func Failure(object engine.Write, err error) Clearing {
	out := blank(object)
	out.Outcome, out.Message = report.Failed, err.Error()
	return out
}

// describe chooses, and says what is chosen.
func (c *clearing) describe() {
	c.choose()
	out := &c.out
	out.Entries = len(c.Owners().Entries)
	for _, e := range c.Owners().Entries {
		out.Managers, out.Subresources = append(out.Managers, e.Manager), append(out.Subresources, e.Subresource)
	}
	for _, e := range c.clear {
		out.Cleared = append(out.Cleared, c.entry(e, text.Text{}))
	}
	for _, e := range c.prune {
		pruned := c.entry(e, text.Text{})
		pruned.Fields = c.missing(e).Size()
		out.Pruned = append(out.Pruned, pruned)
	}
	out.Spared = c.spared
	c.remark()
}

// whole reports whether all entries are cleared.
func (c *clearing) whole() bool { return len(c.clear) == len(c.Owners().Entries) }

// carryOut asks the server for the patch, and gives what it stores; nil where
// it refuses.
func (c *clearing) carryOut() map[string]any {
	out := &c.out
	patch, err := c.patch()
	var w engine.Write
	if err == nil {
		w, err = c.Patching(clearer, "", patch)
	}
	if err != nil {
		out.Outcome, out.Message = report.Failed, err.Error()
		return nil
	}
	out.Patch, out.Whole = patch, c.whole()
	out.Object = kubectl.Named(c.Server, c.Write.Kind, c.Write.Namespace, c.Write.Name)
	out.Command = out.Object.Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: w.Body})
	if err := out.Command.Err(); err != nil {
		c.find(noCommand, "no command line can name the object: %v", text.Said(err.Error()))
	}
	r := c.Simulate(w, c.Live).Result
	out.Result, out.Attempt = &r, report.Attempt(r.Answer())
	if r.Outcome.Refused() {
		return nil
	}
	c.remarkAstray(r.Object)
	return r.Object
}

// patch gives the operations that carry the choice out. The resourceVersion is tested first;
// without one, the managers at the places are.
func (c *clearing) patch() ([]Operation, error) {
	var guards []Operation
	test, ok := ownership.TestVersion(c.Live)
	if ok {
		guards = []Operation{test}
	}
	if c.whole() {
		// Those that no server stores are no entries to remove.
		return append(guards, ownership.ReplaceAll(nil)), nil
	}
	es := ownership.Edit(c.Live)
	for _, e := range c.prune {
		es.Prune(ownership.Is(e), c.missing(e))
	}
	for _, e := range c.clear {
		es.Remove(ownership.Is(e))
	}
	if !ok {
		guards = es.Guards(ownership.Manager)
	}
	patch, err := es.Patch()
	return append(guards, patch...), err
}

// missing are the paths of an entry that the object does not have.
func (c *clearing) missing(e managedfields.Entry) *fieldpath.Set {
	out := fieldpath.NewSet()
	var find managedfields.Finder
	e.Set.Iterate(func(p fieldpath.Path) {
		if !find.Has(c.Shape, c.Live, p) {
			out.Insert(p.Copy())
		}
	})
	return out
}

// findLosses sorts, by what happens to them, the leaves that the cleared entries own and the
// object has: without an owner, or still owned by others. Fields are reported in
// the terms of the entry's API version.
func (c *clearing) findLosses(stored map[string]any) {
	out := &c.out
	at := managedfields.Of(stored).Index()
	told := map[string]bool{}
	for _, e := range c.clear {
		// The object as it is, where it cannot be read at the version of the entry.
		live, shape := c.Live, c.Shape
		if read, err := c.At(e.APIVersion); err == nil {
			live, shape = read, managedfields.ShapeOf(c.TypeAt(e.APIVersion).ParseableType)
		}
		var find managedfields.Finder
		e.Set.Leaves().Iterate(func(p fieldpath.Path) {
			field := p.String()
			if told[field] || !find.Has(shape, live, p) {
				return
			}
			told[field] = true
			if owners := at(p); len(owners) > 0 {
				out.Remaining = append(out.Remaining, report.FieldOwners{Field: field, Managers: report.WritersOf(owners)})
			} else {
				out.Ownerless = append(out.Ownerless, field)
			}
		})
	}
	slices.Sort(out.Ownerless)
	slices.SortFunc(out.Remaining, func(a, b report.FieldOwners) int { return cmp.Compare(a.Field, b.Field) })
}

func (c *clearing) find(rule finding.Rule, format string, args ...text.Argument) {
	c.out.Findings = append(c.out.Findings, rule.On(c.Write.Target(), c.Write.LiveAt(), text.New(format, args...)))
}

// remark says what is to be known of the live object.
func (c *clearing) remark() {
	switch {
	case c.unstorable != nil:
		c.find(
			unstorable,
			"no server stores such managedFields (%v): the file was edited, or is of another tool; this answer is what a server does with entries that it can store and not read",
			text.Said(c.unstorable.Error()),
		)
	case len(c.Owners().Entries) == 0:
		c.find(
			noManagedFields,
			"the live object has no managedFields: there is nothing to clear; if it was fetched without them, fetch it with kubectl get --show-managed-fields",
		)
	}
	if _, ok := ownership.TestVersion(c.Live); !ok && len(c.clear)+len(c.prune) > 0 {
		c.find(
			noResourceVersion,
			"the live object has no resourceVersion, so that the patch cannot ask whether the object is still the same; it asks for the managers instead",
		)
	}
}

// remarkAstray reports where the server stores other entries than those that were to
// be left.
func (c *clearing) remarkAstray(stored map[string]any) {
	gone := slices.Concat(c.clear, c.prune)
	after := managedfields.Of(stored).Roles()
	for _, e := range c.Owners().Entries {
		has, ok := after[e.Role]
		switch {
		case slices.ContainsFunc(gone, ownership.Is(e)):
		case e.Err != nil:
			c.find(allForgotten, "the entry of %v cannot be read, for which the server forgets all entries", text.By(e.Manager))
		case !ok && !c.Served(e.APIVersion):
			c.find(
				entryDropped, "the server drops the entry of %v too: it is at %v, which it does not serve",
				text.By(e.Manager), text.Name(e.APIVersion),
			)
		case !ok || !e.Set.Difference(has).Empty():
			c.find(entryShortened, "the server stores less of the entry of %v too", text.By(e.Manager))
		}
	}
	if !reflect.DeepEqual(withoutEntries(c.Live), withoutEntries(stored)) {
		c.find(
			otherChanges,
			program.In("the server changes other things of the object at this write too; ssactl patch shows them"),
		)
	}
}

// withoutEntries is an object to compare: a write moves its managedFields and
// resourceVersion.
func withoutEntries(object map[string]any) map[string]any {
	out := maps.Clone(object)
	from, _ := object["metadata"].(map[string]any)
	metadata := map[string]any{}
	maps.Copy(metadata, from)
	delete(metadata, "managedFields")
	delete(metadata, "resourceVersion")
	out["metadata"] = metadata
	return out
}

// replaceUnstorable replaces with one empty entry managedFields that no
// server has, being no list of entries: it could not read the object, and so
// not answer. The empty entry it can store, as little as it can read it
// (apimachinery, managedfields/internal/managedfields.go). Only all of such
// managedFields can be cleared.
func (c *clearing) replaceUnstorable() error {
	metadata, _ := c.Live["metadata"].(map[string]any)
	if c.unstorable = storable(metadata["managedFields"]); c.unstorable == nil {
		return nil
	}
	if !c.selection.Whole() {
		return fmt.Errorf(
			"managedFields cannot be read: %w: clear all of them, without a flag that selects entries",
			c.unstorable,
		)
	}
	live := maps.Clone(c.Live)
	metadata = maps.Clone(metadata)
	live["metadata"], metadata["managedFields"] = metadata, []any{map[string]any{}}
	c.Object = c.In(live).OwnedAs(c.Owners())
	return nil
}

// storable says why managedFields are no list of entries.
func storable(v any) error {
	list, ok := v.([]any)
	if !ok && v != nil {
		return errors.New("metadata.managedFields is not a list")
	}
	for i, entry := range list {
		text, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		if json.Unmarshal(text, &metav1.ManagedFieldsEntry{}) != nil {
			return fmt.Errorf("element %d is no managed fields entry", i+1)
		}
	}
	return nil
}
