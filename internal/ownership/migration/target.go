package migration

import (
	"slices"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/text"
)

// chooseTarget reports who gets the fields: who the user names, or the only
// manager that applies the object already, or the name under which the
// client-side tool applies server-side, or kubectl.
func (s *subject) chooseTarget() Choice {
	if s.opts.To != "" {
		return Choice{Manager: s.opts.To, Reason: named}
	}
	plausible, others := s.appliers()
	switch len(plausible) {
	case 1:
		return Choice{Manager: plausible[0], Reason: text.New("it applies the object already")}
	case 0:
		if name := s.toolsName(); name != "" && name != ServerSideKubectl {
			return Choice{Manager: name, Reason: text.New("it is the name under which %v applies server-side", text.Name(lookUp(name).about))}
		}
		return s.byDefault(others)
	}
	s.find(targetUnclear, "", severalApply(plausible))
	return Choice{Manager: ServerSideKubectl, Reason: text.New("several managers apply the object, and it is the default of kubectl apply --server-side")}
}

// appliers are the managers that apply the object, but those that the user
// takes it from, sorted. Plausible are those whose Apply entry is about the
// whole of what is wished; the others apply a field or two beside it.
func (s *subject) appliers() (plausible, others []string) {
	clients := sync.OnceValue(s.clientSide)
	for _, e := range s.Owners.Readable() {
		if e.Operation != managedfields.Apply || e.Subresource != s.opts.Subresource || e.Manager == AnnotationKeeper || slices.Contains(s.opts.From, e.Manager) {
			continue
		}
		if s.isAbout(e, clients) {
			plausible = append(plausible, e.Manager)
		} else {
			others = append(others, e.Manager)
		}
	}
	slices.Sort(plausible)
	slices.Sort(others)
	return slices.Compact(plausible), slices.Compact(others)
}

// byDefault chooses kubectl, where these managers apply a part of the object
// beside it.
func (s *subject) byDefault(others []string) Choice {
	taken := slices.ContainsFunc(s.Owners.Readable(), func(e managedfields.Entry) bool {
		return e.Operation == managedfields.Apply && e.Subresource == s.opts.Subresource && slices.Contains(s.opts.From, e.Manager)
	})
	because := text.New("no manager applies the object yet")
	switch {
	case slices.Equal(others, []string{ServerSideKubectl}):
		because = text.New("it applies a part of the object already")
	case len(others) == 1:
		because = text.New("%v applies a part of the object only", text.By(others[0]))
	case len(others) > 1:
		because = text.New("%v apply a part of the object each", text.List(others, few, text.By))
	case taken:
		because = text.New("no other manager applies the object")
	}
	return Choice{ServerSideKubectl, text.New("it is the default of kubectl apply --server-side, and %v", because)}
}

// isAbout reports whether an Apply entry has most of what is wished; where no
// wish is known, whether most of it is owned by client-side entries too.
func (s *subject) isAbout(e managedfields.Entry, clients func() managedfields.Entry) bool {
	if len(s.wishes) > 0 {
		return overlapOf(s.wishes[0].set, e).most()
	}
	return overlapOf(e.Set, clients()).most()
}

// clientSide is what the client-side entries own together.
func (s *subject) clientSide() managedfields.Entry {
	var sets []*fieldpath.Set
	for _, e := range s.Owners.Readable() {
		if e.Operation == managedfields.Update && s.mayBeClientSide(e) {
			sets = append(sets, e.Set)
		}
	}
	return managedfields.Entry{Set: managedfields.Union(sets...)}
}

func (s *subject) mayBeClientSide(e managedfields.Entry) bool {
	switch lookUp(e.Manager).role {
	case applier, writer, collector:
		return true
	}
	return slices.Contains(s.opts.From, e.Manager) || ownsAnnotation(e)
}

// toolsName is the name under which the tool behind the client-side entries
// applies server-side; empty where they are of several, or of none.
func (s *subject) toolsName() string {
	name := ""
	for _, e := range s.Owners.Readable() {
		if e.Operation != managedfields.Update || e.Subresource != s.opts.Subresource || !s.mayBeClientSide(e) {
			continue
		}
		k := lookUp(e.Manager)
		if k.role == collector {
			continue
		}
		if k.applies == "" || name != "" && name != k.applies {
			return ""
		}
		name = k.applies
	}
	return name
}
