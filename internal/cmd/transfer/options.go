package transfer

import (
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/text"
)

// options are all options that fit who owns what, in the order in which they are
// preferred.
func (p *planner) options() []Option {
	var out []Option
	add := func(kind OptionKind, makers ...maker) { out = append(out, p.run(kind, makers...)) }
	switch {
	case p.owned() && p.has():
		add(DropOnly, p.leaving()...)
	case !p.owned():
		add(DropOnly, p.dropping()...)
	case p.q.Writes == ByUpdate && len(p.applies) == 0:
		add(DisownOnly, append(p.leaving(), p.controls)...)
		add(HandOverManager, slices.Concat([]maker{p.handOver}, p.leaving(), []maker{p.controls})...)
	case p.q.Writes == ByUpdate:
		add(HandOverManager, slices.Concat([]maker{p.handOver}, p.leaving(), []maker{p.controls})...)
		add(WaitForController, append([]maker{p.controls}, p.afterLoss()...)...)
	default:
		own := []maker{}
		if p.differs() {
			own = append(own, p.own)
		}
		add(ShareThenDrop, slices.Concat([]maker{p.share}, p.leaving(), own)...)
		if p.differs() {
			add(ForceThenDrop, append([]maker{p.takeByForce}, p.afterLoss()...)...)
		}
		if len(p.applies) == 0 {
			add(MigrateThenDrop, slices.Concat([]maker{p.share}, p.migrating(), own)...)
		}
	}
	return out
}

// owned reports whether the former owner still owns something of the fields;
// those that it has lost are only in its manifest then.
func (p *planner) owned() bool {
	return slices.ContainsFunc(p.subjects, func(s subject) bool { return len(s.leaves) > 0 })
}

// has reports whether the new owner owns every leaf of the former one already.
func (p *planner) has() bool {
	at := p.Owners.Index()
	for _, s := range p.subjects {
		for _, leaf := range s.leaves {
			if !slices.ContainsFunc(at(leaf), func(e managedfields.Entry) bool { return e.Manager == p.q.To }) {
				return false
			}
		}
	}
	return true
}

// differs reports whether the given manifest of the new owner asks for other
// values.
func (p *planner) differs() bool {
	m := p.q.ToManifest
	if m == nil {
		return false
	}
	shape := managedfields.ShapeOf(p.Server.Types(m.Kind).ParseableType)
	for _, s := range p.subjects {
		for _, leaf := range s.leaves {
			if found := shape.Lookup(m.Decoded, leaf); len(found) == 1 && !reflect.DeepEqual(found[0], conflict.ValueAt(p.Shape, p.Live, leaf).Value) {
				return true
			}
		}
	}
	return false
}

// leaving takes the fields out of every entry of the former owner: Update
// entries first, since they would keep what an apply drops.
func (p *planner) leaving() []maker {
	var out []maker
	for _, e := range p.updates {
		out = append(out, p.disown(e.Role))
	}
	return append(out, p.afterLoss()...)
}

// afterLoss is what is left to do for the former owner once the fields were
// taken from it: its manifest still has them.
func (p *planner) afterLoss() []maker {
	var out []maker
	for _, role := range roles(p.applies) {
		out = append(out, p.drop(role))
	}
	return out
}

// dropping takes fields that the former owner has lost out of its manifest.
func (p *planner) dropping() []maker {
	return []maker{p.drop(managedfields.Role{Manager: p.q.From, Operation: managedfields.Apply})}
}

// migrating makes Apply entries of the Update entries, and drops the fields.
func (p *planner) migrating() []maker {
	var out []maker
	for _, role := range roles(p.updates) {
		out = append(out, p.migrate(role))
	}
	for _, role := range roles(p.updates) {
		role.Operation = managedfields.Apply
		out = append(out, p.drop(role))
	}
	return out
}

func roles(entries []managedfields.Entry) []managedfields.Role {
	var out []managedfields.Role
	for _, e := range entries {
		if !slices.Contains(out, e.Role) {
			out = append(out, e.Role)
		}
	}
	return out
}

// reason is why the option is the one to take.
func (p *planner) reason(o Option) text.Text {
	from, to, between := text.By(p.q.From), text.By(p.q.To), text.By(p.q.Between)
	switch {
	case !o.Safe:
		return text.New("No plan is safe: in the first, %v.", o.Problem)
	case o.Kind == DropOnly && p.owned():
		return text.New("%v owns it already, together with %v: it stays when %v drops it.", to, from, from)
	case o.Kind == DropOnly:
		return text.New("%v has lost it already; it only has to leave its manifest, which conflicts as long as it is there.", from)
	case o.Kind == ShareThenDrop && len(p.applies) == 0:
		return text.New("%v owns it by updates only, and no apply drops what an Update entry owns: once %v shares it, it leaves the entry by a patch. It has an owner all the time.", from, to)
	case o.Kind == ShareThenDrop && p.differs():
		return text.New("%v asks for another value, but shares the live one first: nothing is forced, and the value changes only when %v is the one owner.", to, to)
	case o.Kind == ShareThenDrop:
		return text.New("%v shares the live value before %v drops it: it has an owner all the time, and nothing is forced.", to, from)
	case o.Kind == HandOverManager:
		return text.New("%v writes by updates and owns nothing before it changes the value, so that %v keeps the value in between; its entry is removed automatically with the first change by %v.", to, between, to)
	case o.Kind == WaitForController:
		return text.New("%v takes it with its next change; until %v drops it, its applies conflict.", to, from)
	case o.Kind == DisownOnly:
		return text.New("%v owns it by updates only: once it has left the entry, it is left unowned until %v writes it, and no apply removes a field without an owner.", from, to)
	case o.Kind == ForceThenDrop:
		return text.New("%v takes it with force, as it cannot be shared.", to)
	}
	return text.New("%v becomes an applier, and drops it.", from)
}

// forces reports whether a manager is known to apply with force by itself.
func forces(manager string) bool {
	return conflict.ManagerKindOf(applier(manager), "").Forces
}
