package migration

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/text"
)

var named = text.New("you name it")

// parties are who gets the fields, and whose they are.
type parties struct{ *subject }

// chooseTarget reports who gets the fields: who the user names, or the only
// manager that applies the object already, or the name under which the
// client-side tool applies server-side, or kubectl.
func (s parties) chooseTarget() Choice {
	if s.opts.To != "" {
		return Choice{Manager: s.opts.To, Reason: named}
	}
	plausible, others := s.appliers()
	switch len(plausible) {
	case 1:
		return Choice{Manager: plausible[0], Reason: text.New("it applies the object already")}
	case 0:
		if name := s.toolsName(); name != "" && name != ServerSideKubectl {
			_, program := known(name, managedfields.Apply)
			return Choice{
				Manager: name,
				Reason:  text.New("it is the name under which %v applies server-side", text.Name(program.Who)),
			}
		}
		return Choice{
			ServerSideKubectl,
			text.New("it is the default of kubectl apply --server-side, and %v", s.becauseOf(others)),
		}
	}
	s.find(targetUnclear, "", severalApply(plausible))
	return Choice{
		Manager: ServerSideKubectl,
		Reason:  text.New("several managers apply the object, and it is the default of kubectl apply --server-side"),
	}
}

func severalApply(managers []string) text.Text {
	return text.New("several managers apply the object: %v", text.List(managers, few, text.By))
}

// appliers returns the managers that apply the object, sorted, without those that the user
// takes it from. An Apply entry is plausible that has most of the wished fields or, where no
// wish is known, shares most of its fields with client-side entries. The others apply a
// field or two beside it.
func (s parties) appliers() (plausible, others []string) {
	for _, e := range s.entries(managedfields.Apply) {
		switch {
		case e.Manager == AnnotationKeeper || slices.Contains(s.opts.From, e.Manager):
		case len(s.wishes) > 0 && overlapOf(s.wishes[0].set, e).most(),
			len(s.wishes) == 0 && overlapOf(e.Set, s.clientSide()).most():
			plausible = append(plausible, e.Manager)
		default:
			others = append(others, e.Manager)
		}
	}
	slices.Sort(plausible)
	slices.Sort(others)
	return slices.Compact(plausible), slices.Compact(others)
}

// becauseOf says why the default is chosen, where these managers apply a part of the
// object.
func (s parties) becauseOf(others []string) text.Text {
	taken := slices.ContainsFunc(
		s.entries(managedfields.Apply),
		func(e managedfields.Entry) bool { return slices.Contains(s.opts.From, e.Manager) },
	)
	switch {
	case slices.Equal(others, []string{ServerSideKubectl}):
		return text.New("it applies a part of the object already")
	case len(others) == 1:
		return text.New("%v applies a part of the object only", text.By(others[0]))
	case len(others) > 1:
		return text.New("%v apply a part of the object each", text.List(others, few, text.By))
	case taken:
		return text.New("no other manager applies the object")
	}
	return text.New("no manager applies the object yet")
}

// clientSide is what the client-side entries own together.
func (s parties) clientSide() managedfields.Entry {
	var sets []*fieldpath.Set
	for _, e := range s.Owners().Readable() {
		if e.Operation == managedfields.Update && s.mayBeClientSide(e) {
			sets = append(sets, e.Set)
		}
	}
	return managedfields.Entry{Set: managedfields.Union(sets...)}
}

func (s parties) mayBeClientSide(e managedfields.Entry) bool {
	role, _ := known(e.Manager, e.Operation)
	return role == applier || role == writer || role == collector || slices.Contains(s.opts.From, e.Manager) ||
		ownsAnnotation(e)
}

// toolsName is the name under which the tool behind the client-side entries
// applies server-side; empty where they are of several, or of none.
func (s parties) toolsName() string {
	name := ""
	for _, e := range s.entries(managedfields.Update) {
		role, program := known(e.Manager, e.Operation)
		if !s.mayBeClientSide(e) || role == collector {
			continue
		}
		if program.Applies == "" || name != "" && name != program.Applies {
			return ""
		}
		name = program.Applies
	}
	return name
}
