package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// recommend chooses a way by what was simulated and by who holds the field.
//
//	the difference         the holders                  recommended
//	not real               -                            share, or give up where that is no way
//	real                   nobody comes back            take over
//	real                   something comes back         give up
//	any                    and that way is not safe     none
func recommend(t Story) (WayKind, string) {
	take, give, share := t.Ways[0], t.Ways[1], t.Ways[2]
	if refusedAlike(t.Ways) {
		return None, "Every way is refused for a reason that has nothing to do with ownership: put that right first."
	}
	if !t.Difference.Changes() {
		return recommendSame(t, give, share)
	}
	back := comingBack(t.Holders)
	switch {
	case len(back) == 0 && !take.Outcome.Refused():
		return TakeOver, nobodyComesBack(t.Holders)
	case len(back) == 0 && give.Safe:
		return GiveUp, "The server refuses your value also with force, for the reason told above."
	case len(back) > 0 && give.Safe:
		return GiveUp, comesBack(back)
	}
	return None, noneSafe(t, take, give)
}

// refusedAlike reports whether the server refuses every way with one message.
func refusedAlike(ways []Way) bool {
	for _, w := range ways {
		if w.Impossible == "" && (!w.Outcome.Refused() || w.Outcome == report.Conflicted || w.Message != ways[0].Message) {
			return false
		}
	}
	return ways[0].Impossible == ""
}

// recommendSame is for a difference that changes nothing in the object.
func recommendSame(t Story, give, share Way) (WayKind, string) {
	switch {
	case share.Safe && t.Difference.Kind == WriteOnly:
		return Share, "stringData is write-only, so that its owner always conflicts with others; written in data, the same value is shared."
	case share.Safe:
		return Share, "The two values are the same for the server, which compares spellings: written as it is stored, the field is shared and nothing changes."
	case give.Safe && share.Impossible != "":
		return GiveUp, "The server stores nothing for your value, so that leaving the field out asks for the same."
	case give.Safe:
		return GiveUp, "The value that you want is there already; shared, it would make the other manager's own manifest conflict if that is spelled as yours is."
	}
	return None, noneSafe(t, t.Ways[0], give)
}

// comingBack are the holders that write again by themselves.
func comingBack(holders []Holder) []Holder {
	return slices.DeleteFunc(slices.Clone(holders), func(h Holder) bool {
		return h.Character.Returns == Never || h.Character.Kind == ClientSide ||
			h.Manager == "kubectl" && h.Operation == managedfields.Apply
	})
}

func nobodyComesBack(holders []Holder) string {
	names := managers(holders)
	h := holders[0]
	switch {
	case len(holders) > 1 && h.Character.Kind != Self:
		return fmt.Sprintf("Nothing writes as %s by itself any more.", names)
	case h.Character.Kind == Self:
		return fmt.Sprintf("The holder is %s as well, with its updates: the server counts updates and applies of one name as two owners. Take the field over; ssactl migrate hands over all of them at once.", h.Manager)
	case h.Character.Kind == Bookkeeping:
		return fmt.Sprintf("%s is no writer, only a name in the server's books: nobody is there to fight back.", names)
	case h.Character.Kind == Person:
		return fmt.Sprintf("%s was used by hand, and does not write again by itself. Ask who did it and why, if the live value looks wanted.", names)
	case h.Character.Kind == ClientSide:
		return fmt.Sprintf("This is the former life of the object: its manifest was applied client-side. Stop applying it so, and take the field over; ssactl migrate hands over all fields of %s at once.", names)
	}
	return fmt.Sprintf("%s writes only when somebody runs it; agree with them that this manifest decides from now on.", names)
}

func comesBack(back []Holder) string {
	h, names := back[0], managers(back)
	switch h.Character.Kind {
	case Autoscaler:
		return fmt.Sprintf("This value is decided by %s. In the manifest it would only be reset at every apply.", names)
	case Controller:
		return fmt.Sprintf("A controller (%s) keeps this value, and would set it back. Change what it derives the value from, not the value.", names)
	case GitOps, Deployer, OtherApplier:
		return fmt.Sprintf("The manifest of %s has this field too, and two manifests cannot decide one value: change it there, or take it out there first and then take it over here.", names)
	}
	return fmt.Sprintf("This value was written by %s with updates or patches, which may happen again without a conflict. Where you know that it will not, take over.", names)
}

func noneSafe(t Story, take, give Way) string {
	var why []string
	switch {
	case take.Outcome.Refused():
		why = append(why, "taking over is refused")
	case len(comingBack(t.Holders)) > 0:
		why = append(why, "taking over starts a fight with "+managers(comingBack(t.Holders)))
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

func managers(holders []Holder) string {
	var names []string
	for _, h := range holders {
		if !slices.Contains(names, h.Manager) {
			names = append(names, h.Manager)
		}
	}
	return strings.Join(names, " and ")
}
