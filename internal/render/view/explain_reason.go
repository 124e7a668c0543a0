package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/words"
)

// reasons say why a resolution is recommended; MANAGER stands for whom it is about.
var reasons = map[explain.ReasonKind]string{
	explain.RefusedAnyway: "Every option is refused for a reason that has nothing to do with ownership: fix that first.",
	explain.RefusedValue:  "The server refuses your value with force too, for the reason shown above.",
	explain.OwnersUnknown: "Who owns the field is not known before the live object is given with its managed fields.",
	explain.OtherVersion:  "The manifest spells the field otherwise than the API version of its owner, and no single field of it is the cause: compare the two versions of the kind.",

	explain.SameValue:     "The two values are the same for the server, which compares spellings: written as it is stored, the field is shared and nothing changes.",
	explain.SameInData:    "stringData is write-only, so that its owner always conflicts with others; written in data, the same value is shared.",
	explain.StoresNothing: "The server stores nothing for your value, so that leaving the field out asks for the same.",
	explain.ThereAlready:  "The value that you want is there already; shared, it would make the other manager's own manifest conflict if that is spelled as yours is.",

	explain.NobodyWrites:      "Nothing writes as MANAGER by itself any more.",
	explain.OwnUpdates:        "The owner is MANAGER too, by its updates: the server counts updates and applies of one name as two owners. Force takes the ownership of this field; ssactl migrate moves all of them at once.",
	explain.NoWriter:          "MANAGER is no writer, only a name that the server records: nothing sets the value back.",
	explain.UsedByHand:        "MANAGER was used by hand, and does not write again by itself. Ask who did it and why, if the live value looks wanted.",
	explain.AppliedClientSide: "The field is owned from an earlier client-side apply. Stop applying the manifest that way, and force (take ownership); ssactl migrate moves all fields of MANAGER at once.",
	explain.WritesWhenRun:     "MANAGER writes only when somebody runs it; agree with them that this manifest decides from now on.",

	explain.Autoscaled:       "This value is decided by MANAGER. In the manifest it would only be reset at every apply.",
	explain.Controlled:       "A controller (MANAGER) keeps this value, and would set it back. Change what it derives the value from, not the value.",
	explain.OtherManifest:    "The manifest of MANAGER has this field too, and two manifests cannot decide one value: change it there, or remove it there and set it here.",
	explain.Takeover:         "MANAGER owns most of the fields of the manifest: this is a takeover of the object, and ssactl migrate hands it over for good.",
	explain.MayNotOwn:        "The policy does not let MANAGER own the field: it belongs to others.",
	explain.WrittenByUpdates: "This value was written by MANAGER with updates or patches, which may happen again without a conflict. Where you know that they will not, force.",
}

var objections = map[explain.Objection]string{
	explain.ForceRefused:   "force is refused",
	explain.ForceReverted:  "after force, MANAGER sets the value back",
	explain.StopImpossible: "the field cannot be removed from the manifest here",
	explain.StopRefused:    "without the field the apply is refused",
	explain.StopChanges:    "without the field the live object changes",
	explain.StopLacks:      "without the field the server would not create the object",
	explain.OwnForbidden:   "the policy does not let MANAGER own the field",
	explain.StopForbidden:  "the policy does not let MANAGER own the field",
}

// reactions says what an owner does after a resolution; MANAGER stands for it.
var reactions = map[explain.ReactionKind]string{
	explain.Stays:         "Nothing writes as MANAGER by itself: the value stays yours.",
	explain.ForcesAgain:   "MANAGER applies again by itself with force: it takes the field back each time.",
	explain.AppliesAgain:  "MANAGER applies again by itself: it is refused then, or takes the field back with force.",
	explain.ConflictsNext: "MANAGER's next apply of its own manifest is refused with the same conflict, until the field is taken out there; with force it takes the field back.",
	explain.MayApply:      "MANAGER's next apply may set its value again.",
	explain.UpdatesAgain:  "MANAGER writes by updates, which never conflict: it sets its value again as soon as it looks, and then your next apply conflicts again.",
	explain.SyncsAgain:    "MANAGER sets its value again at its next sync.",
	explain.RunsAgain:     "MANAGER sets its value again only when somebody runs it again.",

	explain.SpellsAsYours:    "If MANAGER's manifest writes the value as yours does now, its next apply is refused: the stored spelling has to be written in both.",
	explain.AppliesSame:      "MANAGER can go on applying the same value; the first of you to change it gets the conflict.",
	explain.MayChange:        "MANAGER may change the value at any time, and then your next apply conflicts again.",
	explain.MayChangeWhenRun: "MANAGER may change the value when it runs again, and then your next apply conflicts again.",
	explain.StaysOwner:       "Nothing writes as MANAGER by itself; it stays recorded as an owner, so that the field stays when you drop it later.",
}

// obstacles are why a resolution of FIELD cannot be tried.
var obstacles = map[explain.Obstacle]string{
	explain.NotInManifest:    "the manifest has no field FIELD",
	explain.NothingStored:    "nothing is stored for the field, so that there is no value to write",
	explain.NothingOfAll:     "nothing is stored for any of the fields",
	explain.ItemSeveralTimes: "the live list repeats the item, and an apply cannot say an item twice",
}

// ExplainDocument writes the reasons of recommendations, why resolutions cannot be
// tried or shown, what owners do next, which stories are left out, and risks.
func ExplainDocument(d explain.Document) explain.Document {
	d.Objects = slices.Clone(d.Objects)
	for i := range d.Objects {
		e := &d.Objects[i]
		e.Conflicts, e.Together = slices.Clone(e.Conflicts), wordedOptions(e.Together, "")
		if n := e.Conflicting; n > 0 {
			e.Notices = append(slices.Clip(e.Notices), fmt.Sprintf("%d fields conflict: the first %d are shown one by one, and all of them together at the end", n, len(e.Conflicts)))
		}
		e.InClient = written(e.InClient, e.Target, e.Source.File)
		for k := range e.Conflicts {
			s := &e.Conflicts[k]
			s.Reason, s.Resolutions = reason(s.Because), wordedOptions(s.Resolutions, s.Field)
		}
	}
	return d
}

// wordedOptions are the resolutions of a field in words; without its name of all fields.
func wordedOptions(list []explain.Resolution, field string) []explain.Resolution {
	list = slices.Clone(list)
	for i, r := range list {
		list[i] = wordedOption(r, field)
	}
	return list
}

func wordedOption(r explain.Resolution, field string) explain.Resolution {
	r.Impossible = strings.ReplaceAll(obstacles[r.Obstacle], "FIELD", field)
	if r.Hidden {
		r.NotEdited = "the lines of a Secret are not shown"
	}
	r.Reactions = slices.Clone(r.Reactions)
	for i, reaction := range r.Reactions {
		r.Reactions[i].Says = naming(reactions[reaction.Kind], reaction.Manager)
	}
	return r
}

// reason is why something is recommended, in a sentence or two.
func reason(r explain.Reason) string {
	if r.Kind != explain.NoneSafe {
		return naming(program.In(reasons[r.Kind]), r.Managers...)
	}
	var against []string
	for _, o := range r.Against {
		against = append(against, naming(objections[o], r.Managers...))
	}
	if len(against) == 0 {
		return "No option is safe: decide with the owners whose manifest has the field."
	}
	return "No option is safe: " + strings.Join(against, "; ") + ". Decide with the owners whose manifest has the field, and change the other one first."
}

// naming replaces MANAGER in a sentence with the names of managers.
func naming(sentence string, managers ...string) string {
	return strings.ReplaceAll(sentence, "MANAGER", words.And(managers))
}
