package risk

import (
	"slices"
	"strings"
	"sync"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// taken are the fields that a write takes from others. One whose owner writes again by
// itself is worse: the two keep changing it in turn.
func (f *finder) taken() []report.Finding {
	var fields []string
	from := map[string][]report.Writer{}
	former, all := f.takeover()
	for _, t := range f.Transfers {
		if !f.takes(t) {
			continue
		}
		if all && t.Manager == former.Manager && t.Operation == former.Operation && t.Subresource == former.Subresource {
			continue
		}
		if from[t.Field] == nil {
			fields = append(fields, t.Field)
		}
		from[t.Field] = append(from[t.Field], t.Writer())
	}
	var out []report.Finding
	for _, field := range fields {
		// What changes as a whole is atomic.
		rule := TakenByForce
		if c, ok := f.change(field); ok && managedfields.Composite(c.Before) {
			rule = AtomicReplaced
		}
		out = append(out, f.loss(rule, field, from[field]...))
	}
	return out
}

// takes reports whether a field is taken from its field manager: by force, or by a client
// that overwrites a change which is not of an earlier release.
func (f *finder) takes(t report.Transfer) bool {
	switch {
	case f.going != "" && writers.ByAutoscaler(t.Manager, t.Subresource):
		// It goes with the run, and sets nothing back.
		return false
	case f.Force && t.Kind == report.Overridden:
		return true
	case f.Client == nil || t.Manager == f.Manager:
		return false
	}
	c, changed := f.change(t.Field)
	kind := writers.Judge(t.Writer(), f.Manager, t.Field, f.Live)
	switch t.Kind {
	case report.Overridden:
		return t.Cause == report.ByUpdate && c.Reason != report.ReasonDefaulted &&
			(kind.Kind == writers.Person || kind.Returns == writers.Always || kind.Returns == writers.OnSync)
	case report.Relinquished:
		// The client moves the entry to its own, and then overwrites the value.
		return changed && kind.Kind == writers.Person
	}
	return false
}

// handedOver is the takeover of the object, if force makes it one.
func (f *finder) handedOver() []report.Finding {
	former, all := f.takeover()
	if !all {
		return nil
	}
	var fields []string
	var from report.Writer
	for _, t := range f.Transfers {
		if t.Kind == report.Overridden && t.Manager == former.Manager {
			fields, from = append(fields, t.Field), t.Writer()
		}
	}
	if fields == nil {
		return nil
	}
	next := Next(from, writers.Judge(from, f.Manager, fields[0], f.Live))
	lost := text.Count(len(fields), "field")
	r := f.risk(Takeover, "", former.Manager, TakenOver(former.Manager, lost, f.Manager, next.For(len(fields))))
	r.Fields, r.Counted = fields[:min(len(fields), report.MaxFields)], len(fields)
	return []report.Finding{r}
}

// TakenOver says that a manager loses most of what it owns to another one, and what it does
// next.
func TakenOver(former string, lost text.Argument, by string, next text.Text) text.Text {
	return text.New("%v loses %v to %v: a takeover. It %v", text.By(former), lost, text.By(by), next)
}

// takeover is the entry of whom a forced apply takes the object over from; false for
// none.
func (f *finder) takeover() (report.Writer, bool) {
	if f.former == nil {
		f.former = sync.OnceValues(f.findTakeover)
	}
	return f.former()
}

func (f *finder) findTakeover() (report.Writer, bool) {
	// It is reported where fields change hands.
	if !f.Force || !slices.ContainsFunc(f.Transfers, func(t report.Transfer) bool { return t.Kind == report.Overridden }) {
		return report.Writer{}, false
	}
	role := managedfields.Role{Manager: f.Manager, Operation: managedfields.Apply, Subresource: f.Target.Subresource}
	manifest := managedfields.Of(f.Object).Roles()[role]
	if manifest == nil {
		return report.Writer{}, false
	}
	return conflict.TakenOver(f.Manager, manifest, f.Live)
}

// overwritten are the values of others that a Secret's stringData replaces in data: the
// server writes it over data, and sees no conflict between the two.
func (f *finder) overwritten() []report.Finding {
	var owners []report.FieldOwners
	var out []report.Finding
	for _, c := range f.Changes {
		if c.Detail != report.ThroughStringData {
			continue
		}
		if owners == nil {
			owners = report.OwnersOf(managedfields.Of(f.Live))
		}
		for _, row := range owners {
			if row.Field == c.Field && row.Managers[0].Manager != f.Manager && !f.succeeds(c.Field, row.Managers[0]) {
				out = append(out, f.loss(TakenByForce, c.Field, row.Managers[0]))
			}
		}
	}
	return out
}

// succeeds reports whether the client moves the entry that owns a field to its own, as that
// of an earlier release: nobody sets the former value again.
func (f *finder) succeeds(field string, w report.Writer) bool {
	return f.Client != nil && writers.Judge(w, f.Manager, field, f.Live).Kind != writers.Person &&
		slices.ContainsFunc(f.Transfers, func(t report.Transfer) bool {
			return t.Field == field && t.Manager == w.Manager && t.Operation == w.Operation && t.Kind == report.Relinquished
		})
}

// loss is a field, or a whole list or map, that is taken from managers, with what those do next. One that
// writes by itself makes it an error, and comes first.
func (f *finder) loss(rule, field string, from ...report.Writer) report.Finding {
	kind := func(w report.Writer) writers.ManagerKind { return writers.Judge(w, f.Manager, field, f.Live) }
	again := func(w report.Writer) bool {
		return kind(w).Returns == writers.Always || kind(w).Returns == writers.OnSync
	}
	if i := slices.IndexFunc(from, again); i > 0 {
		from = slices.Concat(from[i:i+1], from[:i], from[i+1:])
	}
	first := from[0]
	r := f.risk(rule, field, first.Manager, Taken(first, kind(first)))
	if c, _ := f.change(field); field == writers.Replicas && c.After == int64(0) &&
		writers.ByAutoscaler(first.Manager, first.Subresource) {
		r.Message = text.New("taken from %v: it stops every Pod, and a HorizontalPodAutoscaler does not scale from 0",
			text.Entry(first.Manager, first.Operation, first.Subresource))
	}
	for i, w := range from[1:] {
		says, last := Taken(w, kind(w)), from[i]
		byHand := kind(w).Kind == writers.Person || kind(last).Kind == writers.Person
		if !byHand && Next(w, kind(w)).String() == Next(last, kind(last)).String() {
			says = text.New("from %v too", text.Entry(w.Manager, w.Operation, w.Subresource))
		}
		r.Message = r.Message.And("; ", says)
	}
	if again(first) {
		r.Severity = report.SeverityError
	}
	return r
}

// Taken says from whom a field is taken, and what that one does next.
func Taken(w report.Writer, kind writers.ManagerKind) text.Text {
	switch {
	case kind.Kind == writers.Person && kind.Scripted:
		return text.New("changed by hand or in a script as %v, overwritten", text.By(w.Manager))
	case kind.Kind == writers.Person:
		return text.New("changed by hand as %v, overwritten", text.By(w.Manager))
	}
	return text.New("taken from %v, which %v", text.Entry(w.Manager, w.Operation, w.Subresource), Next(w, kind))
}

// Next is what a manager that has lost fields does next.
func Next(w report.Writer, kind writers.ManagerKind) text.Text {
	them, their := text.Either("it", "them"), text.Either("its value differs", "its values differ")
	switch kind.Returns {
	case writers.Always:
		return text.New("writes by itself, and may set %v back at once", them)
	case writers.OnSync:
		switch {
		case !kind.Certain:
			return text.New("may set %v back at its next sync", them)
		case kind.Forces:
			return text.New("takes %v back by force at its next sync", them)
		}
		return text.New("applies its own %v again at its next sync", text.Either("value", "values"))
	case writers.OnRun:
		if w.Operation == managedfields.Apply {
			return text.New("conflicts with yours at its next apply where %v", their)
		}
		return text.New("sets %v back when it is run again", them)
	}
	switch {
	case kind.Scripted:
		return text.New("is a name under which scripts may write again")
	case kind.Kind == writers.Creator:
		return text.New("created the object and has not written since")
	}
	return text.New("does not write again by itself")
}

// removedWithOthers are the fields of others that go with what the write removes, and
// those of the entries that a client takes over; what was never stored does not go. One
// speaks of a field with its parents and what is in it.
func (f *finder) removedWithOthers() []report.Finding {
	var out []report.Finding
	for _, t := range f.Transfers {
		if t.Kind != report.TransferRemoved || t.Manager == f.Manager || !f.speaksOf(t) {
			continue
		}
		by, from := text.By(f.Manager), text.By(t.Manager)
		if f.droppedBundle(t) {
			if f.replaced(t.Field) {
				out = append(out, f.risk(RemovedWithOthers, t.Field, t.Manager, text.New(
					"%v set it in what %v drops, and has yet to set it in what takes its place: until then, the API server cannot call that",
					from,
					by,
				)))
			}
			continue
		}
		it, is := text.Either("it", "them"), text.Either("it is", "they are")
		says := text.New("%v owns %v, and the write of %v removes %v", from, it, by, it)
		switch {
		case f.Operation != report.Apply:
		case f.drops(t.Field):
			says = text.New("%v owns %v, and %v removed with what %v drops", from, it, is, by)
		case f.Client != nil:
			says = text.New("%v takes over what %v owns, and removes %v, which the manifest lacks",
				by, from, text.Either("this field", "these fields"))
		}
		out = append(out, f.risk(RemovedWithOthers, t.Field, t.Manager, says))
	}
	return out
}

// droppedBundle reports whether a field goes, with what the manifest drops, that an injector set which the
// object asks for: nobody needs it there any more.
func (f *finder) droppedBundle(t report.Transfer) bool {
	return writers.IsInjected(t.Field) && f.drops(t.Field) && writers.InjectorOf(f.Object).Manager == t.Manager
}

// replaced reports whether the list that a field is in gains an item.
func (f *finder) replaced(field string) bool {
	list, _, in := strings.Cut(field, "[")
	return in && slices.ContainsFunc(f.Changes, func(c report.Change) bool {
		return c.Kind == report.Added && strings.HasPrefix(c.Field, list+"[")
	})
}

// speaksOf reports whether a removed field is the one of its manager that stands for its
// parents and what is in it: the one that changes, or else the outermost.
func (f *finder) speaksOf(t report.Transfer) bool {
	if _, changes := f.change(t.Field); changes {
		return true
	}
	if f.Changes != nil &&
		!slices.ContainsFunc(f.Changes, func(c report.Change) bool { return nested(c.Field, t.Field) }) {
		return false
	}
	return !slices.ContainsFunc(f.Transfers, func(other report.Transfer) bool {
		if other.Kind != report.TransferRemoved || other.Writer() != t.Writer() || other.Field == t.Field ||
			!nested(other.Field, t.Field) {
			return false
		}
		_, changes := f.change(other.Field)
		return changes || managedfields.Within(t.Field, other.Field)
	})
}

// drops reports whether the manager owned a field, or what it is in, and drops it.
func (f *finder) drops(field string) bool {
	return slices.ContainsFunc(f.Transfers, func(t report.Transfer) bool {
		return t.Manager == f.Manager && t.Kind == report.TransferRemoved && managedfields.Within(field, t.Field)
	})
}

// nested reports whether one of two fields is in the other.
func nested(a, b string) bool { return managedfields.Within(a, b) || managedfields.Within(b, a) }

// dropped are the fields that the manager drops, and that stay.
func (f *finder) dropped() []report.Finding {
	if f.Operation != report.Apply {
		return nil
	}
	owners := map[string]string{}
	var out []report.Finding
	for _, t := range f.Transfers {
		if t.Kind != report.Relinquished || t.Manager != f.Manager {
			continue
		}
		if len(owners) == 0 {
			for _, row := range f.ownership() {
				if len(row.Managers) > 0 {
					owners[row.Field] = row.Managers[0].Manager
				}
			}
		}
		other, owned := owners[t.Field]
		if !owned {
			continue
		}
		out = append(
			out,
			f.risk(
				DroppedStays,
				t.Field,
				other,
				text.New("the manifest drops the field, and it stays: %v owns it too", text.By(other)),
			),
		)
	}
	return out
}

// defaulted are the fields that the manager drops, alone, or that its patch removes, and
// whose value becomes the server's default.
func (f *finder) defaulted() []report.Finding {
	var out []report.Finding
	for _, c := range f.Changes {
		if c.Reason != report.ReasonDefaulted || c.Kind != report.Modified {
			continue
		}
		until := text.Text{}
		scaler := ""
		if c.Field == writers.Replicas {
			scaler = f.scaler()
		}
		if scaler != "" {
			until = text.New(", until %v scales again", text.Name(scaler))
		}
		why := text.New("%v drops the field, and no other manager owns it", text.By(f.Manager))
		if f.Operation != report.Apply {
			why = text.New("the write of %v removes the field, whichever manager owns it", text.By(f.Manager))
		}
		r := f.risk(FallsBackToDefault, c.Field, f.Manager, text.New("%v becomes %v, the server's default%v: %v",
			text.ValueOf(c.Field, c.Before), text.ValueOf(c.Field, c.After), until, why))
		if scaler != "" {
			r.Severity, r.Manager = report.SeverityError, scaler
		}
		out = append(out, r)
	}
	return out
}

// normalised are the values that the server stores in another spelling: managers that
// apply the manifest's spelling conflict with the stored one.
func (f *finder) normalised() []report.Finding {
	var out []report.Finding
	for _, c := range f.Changes {
		if c.Reason != report.ReasonNormalised {
			continue
		}
		says := text.New("the server stores another spelling: another manager that applies the manifest's conflicts with it")
		if c.Kind == report.Removed {
			says = text.New("the server drops the empty value; setting it still claims the field")
		}
		out = append(out, f.risk(StoredDifferently, c.Field, "", says))
	}
	return out
}
