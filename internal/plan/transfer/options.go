package transfer

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
)

// options are all options that fit who owns what, in the order in which they are
// preferred.
func (p *planner) ways() []Option {
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
	for _, s := range p.subjects {
		for _, leaf := range s.leaves {
			if !slices.ContainsFunc(p.owners.At(leaf), func(e managedfields.Entry) bool { return e.Manager == p.q.To }) {
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
	shape := managedfields.ShapeOf(p.server.Types(m.Kind).ParseableType)
	for _, s := range p.subjects {
		for _, leaf := range s.leaves {
			if found := shape.Lookup(m.Decoded, leaf); len(found) == 1 && !reflect.DeepEqual(found[0], lookup(p.shape, p.live, leaf).Value) {
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
	for _, role := range roles(p.applies) {
		out = append(out, p.drop(role))
	}
	return out
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

// reason says why the option is the one to take.
func (p *planner) reason(w Option) string {
	if !w.Safe {
		return fmt.Sprintf("No plan is safe: of the first, %s.", w.Problem)
	}
	from, to := p.q.From, p.q.To
	switch w.Kind {
	case DropOnly:
		if p.owned() {
			return fmt.Sprintf("%s owns it already, together with %s: it stays when %s drops it.", to, from, from)
		}
		return fmt.Sprintf("%s has lost it already; it only has to leave its manifest, which conflicts as long as it is there.", from)
	case ShareThenDrop:
		if len(p.applies) == 0 {
			return fmt.Sprintf("%s owns it by updates only, and no apply drops what an Update entry owns: once %s shares it, it leaves the entry by a patch. It has an owner all the time.", from, to)
		}
		if p.differs() {
			return fmt.Sprintf("%s asks for another value, but shares the live one first: nothing is forced, and the value changes only when %s is the one owner.", to, to)
		}
		return fmt.Sprintf("%s shares the live value before %s drops it: it has an owner all the time, and nothing is forced.", to, from)
	case HandOverManager:
		return fmt.Sprintf("%s writes by updates and owns nothing before it changes the value, so that %s keeps the value in between; its entry goes by itself with the first change by %s.", to, p.q.Between, to)
	case WaitForController:
		return fmt.Sprintf("%s takes it with its next change; until %s drops it, its applies conflict.", to, from)
	case DisownOnly:
		return fmt.Sprintf("%s owns it by updates only: once it has left the entry, nobody owns it until %s writes it, and no apply removes what nobody owns.", from, to)
	case ForceThenDrop:
		return fmt.Sprintf("%s takes it with force, as it cannot be shared.", to)
	}
	return fmt.Sprintf("%s becomes an applier, and drops it.", from)
}

// forces reports whether a manager is known to apply with force by itself.
func forces(manager string) bool {
	return explain.ManagerKindOf(applier(manager), "").Forces
}
