package explain

import "github.com/ssactl/ssactl/internal/report"

// Advice is what is recommended about a conflict by who owns the field, and by
// whether force would store anything else. Nothing was simulated for it: Explain
// proves each option.
type Advice struct {
	Kind   ResolutionKind
	Reason Reason
}

// Advise gives the advice on a field that an apply conflicts about with others.
// Same means that the server would store the live value with force too; refused,
// that it refuses the apply with force.
func Advise(applier string, writers []report.Writer, same, refused bool) Advice {
	var owners []Owner
	for _, w := range writers {
		owners = append(owners, Owner{Writer: w, ManagerKind: ManagerKindOf(w, applier)})
	}
	back := comingBack(owners)
	switch {
	case same:
		return Advice{UseLiveValue, Reason{Kind: SameValue}}
	case len(back) > 0:
		return Advice{StopManaging, comesBack(back)}
	case refused:
		return Advice{None, Reason{Kind: RefusedApply}}
	}
	return Advice{Force, nobodyComesBack(owners)}
}
