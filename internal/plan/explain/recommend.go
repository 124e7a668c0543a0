package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// recommend chooses a resolution by what was simulated and by who owns the field.
//
//	the difference         the owners                   recommended
//	not real               -                            use the live value, or else stop managing
//	real                   nobody comes back            force
//	real                   something comes back         stop managing
//	any                    and that is not safe         none
func recommend(t Story) (ResolutionKind, string) {
	take, give, useLiveValue := t.Resolutions[0], t.Resolutions[1], t.Resolutions[2]
	if refusedAlike(t.Resolutions) {
		return None, "Every way is refused for a reason that has nothing to do with ownership: put that right first."
	}
	if !t.Difference.Changes() {
		return recommendSame(t, give, useLiveValue)
	}
	back := comingBack(t.Owners)
	switch {
	case len(back) == 0 && !take.Outcome.Refused():
		return Force, nobodyComesBack(t.Owners)
	case len(back) == 0 && give.Safe:
		return StopManaging, "The server refuses your value also with force, for the reason told above."
	case len(back) > 0 && give.Safe:
		return StopManaging, comesBack(back)
	}
	return None, noneSafe(t, take, give)
}

// refusedAlike reports whether the server refuses every resolution with one message.
func refusedAlike(ways []Resolution) bool {
	for _, w := range ways {
		if w.Impossible == "" && (!w.Outcome.Refused() || w.Outcome == report.Conflicted || w.Message != ways[0].Message) {
			return false
		}
	}
	return ways[0].Impossible == ""
}

// recommendSame is for a difference that changes nothing in the object.
func recommendSame(t Story, give, useLiveValue Resolution) (ResolutionKind, string) {
	switch {
	case useLiveValue.Safe && t.Difference.Kind == WriteOnly:
		return UseLiveValue, "stringData is write-only, so that its owner always conflicts with others; written in data, the same value is shared."
	case useLiveValue.Safe:
		return UseLiveValue, "The two values are the same for the server, which compares spellings: written as it is stored, the field is shared and nothing changes."
	case give.Safe && useLiveValue.Impossible != "":
		return StopManaging, "The server stores nothing for your value, so that leaving the field out asks for the same."
	case give.Safe:
		return StopManaging, "The value that you want is there already; shared, it would make the other manager's own manifest conflict if that is spelled as yours is."
	}
	return None, noneSafe(t, t.Resolutions[0], give)
}

// comingBack are the owners that write again by themselves.
func comingBack(owners []Owner) []Owner {
	return slices.DeleteFunc(slices.Clone(owners), func(h Owner) bool {
		return h.ManagerKind.Returns == Never || h.ManagerKind.Kind == ClientSide ||
			h.Manager == "kubectl" && h.Operation == managedfields.Apply
	})
}

func nobodyComesBack(owners []Owner) string {
	names := managers(owners)
	h := owners[0]
	switch {
	case len(owners) > 1 && h.ManagerKind.Kind != Self:
		return fmt.Sprintf("Nothing writes as %s by itself any more.", names)
	case h.ManagerKind.Kind == Self:
		return fmt.Sprintf("The holder is %s as well, with its updates: the server counts updates and applies of one name as two owners. Take the field over; ssactl migrate hands over all of them at once.", h.Manager)
	case h.ManagerKind.Kind == Bookkeeping:
		return fmt.Sprintf("%s is no writer, only a name in the server's books: nobody is there to fight back.", names)
	case h.ManagerKind.Kind == Person:
		return fmt.Sprintf("%s was used by hand, and does not write again by itself. Ask who did it and why, if the live value looks wanted.", names)
	case h.ManagerKind.Kind == ClientSide:
		return fmt.Sprintf("This is the former life of the object: its manifest was applied client-side. Stop applying it so, and take the field over; ssactl migrate hands over all fields of %s at once.", names)
	}
	return fmt.Sprintf("%s writes only when somebody runs it; agree with them that this manifest decides from now on.", names)
}

func comesBack(back []Owner) string {
	h, names := back[0], managers(back)
	switch h.ManagerKind.Kind {
	case Autoscaler:
		return fmt.Sprintf("This value is decided by %s. In the manifest it would only be reset at every apply.", names)
	case Controller:
		return fmt.Sprintf("A controller (%s) keeps this value, and would set it back. Change what it derives the value from, not the value.", names)
	case GitOps, Deployer, OtherApplier:
		return fmt.Sprintf("The manifest of %s has this field too, and two manifests cannot decide one value: change it there, or take it out there first and then take it over here.", names)
	}
	return fmt.Sprintf("This value was written by %s with updates or patches, which may happen again without a conflict. Where you know that it will not, take over.", names)
}

func noneSafe(t Story, take, give Resolution) string {
	var why []string
	switch {
	case take.Outcome.Refused():
		why = append(why, "taking over is refused")
	case len(comingBack(t.Owners)) > 0:
		why = append(why, "taking over starts a fight with "+managers(comingBack(t.Owners)))
	}
	switch {
	case give.Impossible != "":
		why = append(why, "the field cannot be given up here")
	case give.Outcome.Refused():
		why = append(why, "without the field the apply is refused")
	case len(give.Changes) > 0:
		why = append(why, "giving up changes the live object")
	}
	if len(why) == 0 {
		return "No way is safe: decide with the holders whose manifest has the field."
	}
	return "No way is safe: " + strings.Join(why, "; ") + ". Decide with the holders whose manifest has the field, and change the other one first."
}

func managers(owners []Owner) string {
	var names []string
	for _, h := range owners {
		if !slices.Contains(names, h.Manager) {
			names = append(names, h.Manager)
		}
	}
	return strings.Join(names, " and ")
}
