package conflict

import (
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// simulated is what every resolution has of its result.
func simulated(kind ResolutionKind, r report.Result) Resolution {
	return Resolution{Kind: kind, Attempt: report.Attempt(r.Answer())}
}

// forced is an apply with force, which takes fields from owners.
func (s *session) forced(r report.Result, owners []Owner) Resolution {
	w := simulated(Force, r)
	w.Changes, w.Transfers = s.beyondBase(r)
	w.Reactions = others{s}.reactions(r, owners)
	return w
}

// isSettled reports whether a resolution is accepted, and no owner sets its value again.
func isSettled(w Resolution) bool {
	return !w.Outcome.Refused() && !slices.ContainsFunc(w.Reactions, func(v Reaction) bool { return v.SetsAgain })
}

// force is the forced apply of this field.
func (s *session) force(c *Claim, t Conflict, r report.Result) Resolution {
	w := s.forced(r, t.Owners)
	after := ValueAt(s.Shape, r.Object, c.Path)
	w.After, w.Safe = &after, isSettled(w)
	return w
}

// stopManaging is the apply without the field, with the edit of the manifest.
func (s *session) stopManaging(c *Claim) Resolution {
	w := s.without(c)
	if !w.Impossible.IsZero() {
		return w
	}
	w.Edit, w.NotEdited = s.edited(c.Path, func(d *edit.Doc) error { return d.Remove(c.Path) })
	return w
}

// without is the apply without the field.
func (s *session) without(c *Claim) Resolution {
	if why := s.added(c.Path); !why.IsZero() {
		return Resolution{Kind: StopManaging, Impossible: why}
	}
	r := s.base
	w := simulated(StopManaging, r)
	after := ValueAt(s.Shape, r.Object, c.Path)
	w.After = &after
	field := c.Path.String()
	for _, change := range r.Changes {
		if managedfields.Within(change.Field, field) ||
			change.Kind == report.Removed && managedfields.Within(field, change.Field) {
			w.Changes = append(w.Changes, change)
		}
	}
	for _, transfer := range r.Transfers {
		if managedfields.Within(transfer.Field, field) {
			w.Transfers = append(w.Transfers, transfer)
		}
	}
	w.Needed = !r.Outcome.Refused() && len(w.Changes) == 0 && s.needed(c)
	w.Safe = !r.Outcome.Refused() && len(w.Changes) == 0 && !w.Needed
	return w
}

// useLiveValue is the apply of the live value.
func (s *session) useLiveValue(all []Claim, c *Claim, t Conflict) Resolution {
	body, at, live, why := s.withLiveValue(all, c, t)
	if !why.IsZero() {
		return Resolution{Kind: UseLiveValue, Impossible: why}
	}
	ask := s.apply
	if s.forces {
		ask = s.override
	}
	r := ask(body)
	after := ValueAt(s.Shape, r.Object, at)
	w := simulated(UseLiveValue, r)
	w.Write, w.After = &live, &after
	w.Changes, w.Transfers = s.beyondBase(r)
	w.Edit, w.NotEdited = s.edited(c.Path, func(d *edit.Doc) error {
		if !at.Equals(c.Path) {
			if err := d.Remove(c.Path); err != nil {
				return err
			}
		}
		return d.Set(at, live.Value)
	})
	w.Reactions = others{s}.partners(r, t, at)
	w.Safe = isSettled(w)
	return w
}

// withLiveValue is the manifest with the live value of a field, which is at a path, and
// without the other conflicting fields, unless the apply takes them; why says that there is none.
func (s *session) withLiveValue(
	all []Claim,
	c *Claim,
	t Conflict,
) (body any, at fieldpath.Path, live Value, why text.Text) {
	if at, live, why = s.shareable(c, t); !why.IsZero() {
		return nil, nil, live, why
	}
	body = s.trying(all, c)
	if !at.Equals(c.Path) {
		body, _ = fieldtree.Without(s.Shape, body, c.Path)
	}
	return fieldtree.With(s.Shape, body, at, live.Value), at, live, why
}

// shareable gives where to write which value; why says that there is none.
// stringData is shared through data, as that is where its values are stored.
func (s *session) shareable(c *Claim, t Conflict) (at fieldpath.Path, live Value, why text.Text) {
	if stringData(s.Write, t.Field) && len(c.Path) == 2 {
		at = fieldpath.MakePathOrDie("data", *c.Path[1].FieldName)
		live = ValueAt(s.Shape, s.Live, at)
	} else {
		at, live = c.Path, t.Live
		if at.String() != t.Field {
			live = s.liveValue(c, t)
		}
	}
	if why = s.added(c.Path); !why.IsZero() {
		return nil, live, why
	}
	if live.Missing {
		return nil, live, text.New("nothing is stored for the field, so that there is no value to write")
	}
	if len(s.Shape.Lookup(s.Live, at)) > 1 {
		return nil, live, text.New("the live list repeats the item, and an apply cannot contain an item twice")
	}
	return at, live, why
}

// beyondBase is what a result has in addition to what the rest of the manifest does
// anyway. The generation only counts. kubectl keeps a copy of the manifest in the
// last-applied annotation, which the server rewrites at each apply of the manager kubectl
// (apimachinery, managedfields/internal/lastappliedupdater.go).
func (s *session) beyondBase(r report.Result) ([]report.Change, []report.Transfer) {
	var changes []report.Change
	for _, c := range r.Changes {
		follows := c.Field == ".metadata.generation" || c.Field == client.LastAppliedField && c.Reason != report.ReasonApplied
		if !follows && !slices.ContainsFunc(s.base.Changes, func(b report.Change) bool {
			return b.Field == c.Field && b.Kind == c.Kind && reflect.DeepEqual(b.After, c.After)
		}) {
			changes = append(changes, c)
		}
	}
	var transfers []report.Transfer
	for _, t := range r.Transfers {
		if !slices.Contains(s.base.Transfers, t) {
			transfers = append(transfers, t)
		}
	}
	return changes, transfers
}

// unfound are the resolutions of a field that the manifest does not have by that
// name: only force can be tried, for everything at once.
func (s *session) unfound(t Conflict) []Resolution {
	take := s.forced(s.override(s.body), t.Owners)
	why := text.New("the manifest has no field %v", text.Path(t.Field))
	return []Resolution{take, {Kind: StopManaging, Impossible: why}, {Kind: UseLiveValue, Impossible: why}}
}

// together are the resolutions for all fields at once.
func (s *session) together(all []Claim) []Resolution {
	var owners []Owner
	for _, c := range all {
		for _, owner := range s.ownersOf(c.Conflicts) {
			if !slices.ContainsFunc(owners, func(o Owner) bool { return reflect.DeepEqual(o, owner) }) {
				owners = append(owners, owner)
			}
		}
	}
	take, why := s.forced(s.override(s.body), owners), s.anyAdded(all)
	if !why.IsZero() {
		return []Resolution{take, {Kind: StopManaging, Impossible: why}, {Kind: UseLiveValue, Impossible: why}}
	}
	return []Resolution{take, simulated(StopManaging, s.base), s.useLiveValues(all)}
}

func (s *session) useLiveValues(all []Claim) Resolution {
	body := s.withoutOthers(all, nil)
	shared := false
	for i := range all {
		c := &all[i]
		if !c.found() {
			continue
		}
		first := c.Conflicts[0]
		t := Conflict{Field: first.Field, Live: Value{Value: first.Live, Missing: first.LiveMissing}}
		if at, live, why := s.shareable(c, t); why.IsZero() {
			body, shared = fieldtree.With(s.Shape, body, at, live.Value), true
		}
	}
	if !shared {
		return Resolution{Kind: UseLiveValue, Impossible: text.New("nothing is stored for any of the fields")}
	}
	r := s.apply(body)
	w := simulated(UseLiveValue, r)
	w.Changes, w.Transfers = s.beyondBase(r)
	return w
}

// needed reports whether the manifest cannot be without a field: a new object is refused
// then, though the live one is not.
func (s *session) needed(c *Claim) bool {
	if s.spared != nil && s.spared.has(c) {
		return false
	}
	body, ok := fieldtree.Without(s.Shape, s.body, c.Path)
	if !ok {
		return false
	}
	return Needed(s.lacking(body), func() []string { return s.lacking(s.body) })
}

// lacking is what the server has against a new object of a body.
func (s *session) lacking(body any) []string {
	w, err := s.Write.Send(body)
	if err != nil {
		return nil
	}
	return s.judges.Creations.Lacking(s.Ctx, s.Server, w)
}

// edited shows how the manifest reads once the field at a path is edited, or says why it
// cannot be.
func (s *session) edited(path fieldpath.Path, change func(*edit.Doc) error) (*Edit, string) {
	if s.advises {
		return nil, ""
	}
	doc, err := edit.Document(s.own.Body)
	if err == nil {
		doc.Within(nil, s.Shape)
		err = change(doc)
	}
	if err != nil {
		return nil, err.Error()
	}
	e := lineEdit(string(s.own.Body), string(doc.Bytes()))
	e.File = s.own.Source.File
	if l := s.own.Locator; l == nil || l.Text(e.Line).Line != 0 {
		e.Line += s.firstLine() - 1
		return &e, ""
	}
	// The body is in no file, but the field may be.
	e.Line = 0
	if at := s.own.Line(s.Shape, path); at != nil {
		e.Line = at.Line
	}
	return &e, ""
}

// firstLine is the line of the file that the body's first byte stands on: the
// source names the first line that is neither blank nor a comment.
func (s *session) firstLine() int {
	line := s.own.Source.Line
	for l := range strings.Lines(string(s.own.Body)) {
		if l = strings.TrimSpace(l); l != "" && l != "---" && !strings.HasPrefix(l, "#") {
			break
		}
		line--
	}
	return max(line, 1)
}

// lineEdit is the lines that differ between two texts, where one is the
// other with one place changed.
func lineEdit(before, after string) Edit {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	a, b = a[start:], b[start:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return Edit{Line: start + 1, Removed: a, Added: b}
}
