package view

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// unusable is what the last-applied annotation is with a problem.
const unusable = "the last-applied annotation cannot be used: "

// facts are what plans of migrate say. MANAGER stands for a manager in quotes, NAME
// for its name alone, OWNERS for writers, OTHERS for names, VERSION and AT for API
// versions, OWN and BE for what goes with the writers, FIELDS for field paths, NUMBER for how many they are, IS, THEM and STAYS
// for what goes with the number, and SHARE for how many of all.
var facts = map[migrate.FactKind]string{
	migrate.Named:            "you name it",
	migrate.KubectlDefault:   "it is the default of kubectl apply --server-side",
	migrate.AppliesAlready:   "it applies the object already",
	migrate.ToolsName:        "it is the name under which TEXT applies server-side",
	migrate.DefaultOfSeveral: "several managers apply the object, and it is the default of kubectl apply --server-side",
	migrate.NobodyApplies:    "nobody applies the object yet, and it is the default of kubectl apply --server-side",
	migrate.AppliesPart:      "it is the default of kubectl apply --server-side, and applies a part of the object already",
	migrate.OtherAppliesPart: "it is the default of kubectl apply --server-side, and OTHERS applies a part of the object only",
	migrate.OthersApplyParts: "it is the default of kubectl apply --server-side, and OTHERS apply a part of the object each",
	migrate.NobodyElse:       "it is the default of kubectl apply --server-side, and nobody else applies the object",
	migrate.ClientSideName:   "it is the name of kubectl apply (client-side)",
	migrate.OnlyApplier:      "nobody else applies the object",

	migrate.OwnsAnnotation:    "it owns the last-applied annotation, which only a client-side apply writes",
	migrate.KnownByAnnotation: "it owns the last-applied annotation, by which kubectl knows it",
	migrate.OwnsOfManifest:    "it owns SHARE of the manifest",
	migrate.OwnsOfAnnotation:  "it owns SHARE of the last-applied annotation",
	migrate.OwnsOfApplied:     "it owns SHARE that NAME applies",
	migrate.EntryIs:           "the entry is TEXT",
	migrate.NameIs:            "the name is that of TEXT",
	migrate.OfRelease:         "Helm marked the object as part of a release",
	migrate.NothingKnown:      "nothing is known of it",
	migrate.AppliesLittle:     "but NAME applies a small part of the object only",

	migrate.LeftAlone:     "csaupgrade leaves it alone",
	migrate.LastEntry:     "without it no entry would be left, and the server would track nobody any more",
	migrate.OfSubresource: "the entries of a subresource do not own it",
	migrate.AsAsked:       "as you say",
	migrate.KeptByApplier: "NAME applies it, so that it stays",
	migrate.GoesStale:     "it belongs to client-side apply, and goes stale without it",
	migrate.NeededToDrop:  "client-side apply needs it to see what a manifest drops",

	migrate.NoText:         unusable + "it is no text",
	migrate.CutJSON:        unusable + "it is cut: its JSON ends after COUNT bytes, inside of a value",
	migrate.NotJSON:        unusable + "it is not JSON: what stands at byte COUNT cannot be there",
	migrate.NoObject:       unusable + "it is JSON, but no object",
	migrate.MoreThanObject: unusable + "it is not JSON: something stands behind its object",
	migrate.NullObject:     unusable + "it is null, no object",
	migrate.NoManifest:     unusable + "it is no manifest: it has no apiVersion",
	migrate.OtherGroup:     unusable + "it is of another object: its API group is FOUND, not WANT",
	migrate.OtherKind:      unusable + "it is of another object: its kind is FOUND, not WANT",
	migrate.OtherName:      unusable + "it is of another object: its name is FOUND, not WANT",
	migrate.OtherNamespace: unusable + "it is of another object: its namespace is FOUND, not WANT",
	migrate.UnfitFields:    unusable + "its fields do not fit the kind",

	migrate.AnnotationUnwritable: "the annotation cannot be written: TEXT",
	migrate.AnnotationsTooLarge:  "the annotations would have COUNT bytes, and the server takes ALL: client-side apply cannot manage this object",
	migrate.LoneAnnotation:       "no entry of a client-side apply goes with the annotation: what it says and the object has is claimed",
	migrate.Frozen:               "the annotation stays as it is: the server keeps it up to date for the manager kubectl only, not for MANAGER",
	migrate.Rewritten:            "the server rewrites the annotation at each apply of the manager kubectl, in its own spelling",
	migrate.HoldsSecret:          "the annotation holds the values of the Secret",
	migrate.WritesSecret:         "the annotation holds the values of the Secret, readable by anyone who reads its metadata",
	migrate.StaleField:           "the last-applied annotation has another value than the object, which belongs to OWNERS",
	migrate.StaleFields:          "the last-applied annotation has other values than the object for NUMBER, which belong to OWNERS: FIELDS",

	migrate.LiveUnserved:       "the live object is at API version VERSION, which the server does not serve",
	migrate.ManifestUnserved:   `the manifest is at API version "VERSION", which the server does not serve: it refuses every apply of it`,
	migrate.AnnotationUnserved: "the annotation is at API version VERSION, which the server does not serve: it is read as one of AT",
	migrate.EntryUnserved:      "the entry of MANAGER is at API version VERSION, which the server does not serve: its paths are taken for those of AT where the object has them",
	migrate.EntryNotShown:      "the entry of MANAGER is at API version VERSION, and the object does not show what NUMBER of it IS at AT: FIELDS",
	migrate.NoSchema:           "no schema is known for the kind, so that list items and defaults are not known",
	migrate.NoKind:             "the server has no kind TEXT in VERSION, so that list items and defaults are not known",

	migrate.UpstreamFails:    "csaupgrade fails: TEXT",
	migrate.UpstreamDiscards: "csaupgrade discards the entry of MANAGER at VERSION, as the Apply entry is at AT",
	migrate.UpstreamUnserved: "csaupgrade makes an entry of MANAGER at API version VERSION, which the server does not serve: it drops the entry with the next write, and with it all that it owns",

	migrate.Unreadable:      "TEXT",
	migrate.EntryUnreadable: "the entry of manager MANAGER cannot be read: TEXT",
	migrate.CameWithout:     "the live object came without managedFields, so that nobody is known to own anything",
	migrate.FieldsUnknown:   "the manifest's fields are not known: TEXT",
	migrate.AppliedUnknown:  "what was applied is not known: TEXT",
	migrate.TestsEntries:    "the live object has no resourceVersion, so that a patch cannot test whether the cluster has moved on: it tests managedFields instead",
	migrate.NoEntry:         "no entry of MANAGER is there to migrate",
	migrate.DoesNotApply:    "MANAGER does not apply the object",
	migrate.SeveralApply:    "several managers apply the object: OTHERS",
	migrate.NotSure:         "it is not sure that the entry of MANAGER is a client-side one of this manifest",

	migrate.AlsoOwns:        "OWNERS also OWN FIELDS: when the manifest drops THEM, STAYS",
	migrate.StatusStays:     "the entry of MANAGER for the status subresource stays: an apply of the object never owns its status",
	migrate.NothingSays:     "neither a manifest nor an annotation says which fields are wanted and which are defaults: all of them are claimed",
	migrate.NoDefault:       "NUMBER of the migrated entries IS neither in the manifest nor a default: FIELDS; nobody owns THEM afterwards, and STAYS unless an apply drops all of the map around",
	migrate.DefaultsUnknown: "whether NUMBER IS a default is not known, as the server gives no answer to the next apply: FIELDS; nobody owns THEM afterwards",
	migrate.NextConflicts:   "the next apply by MANAGER conflicts with OWNERS",
	migrate.NextRefused:     "the server refuses the next apply by MANAGER, migrated or not: TEXT",
	migrate.ConflictsLost:   "conflicts are not reported any more: kubectl apply overwrites what others own, and nobody is asked",
	migrate.NotInAnnotation: "NUMBER that MANAGER applied IS not in the annotation, so that kubectl apply never removes THEM: FIELDS",
	migrate.NotProtected:    "OWNERS BE not protected any more where the manifest says another value: FIELDS",
	migrate.ListsReplaced:   "the kind is a custom resource, and kubectl apply replaces its lists as a whole: items of others in them are lost",
}

// factText is what a fact says, in a clause.
func factText(f migrate.Fact) string {
	n := len(f.Fields)
	by := len(f.By)
	return strings.NewReplacer(
		"MANAGER", strconv.Quote(f.Manager), "NAME", f.Manager, "OWNERS", ownersText(f), "OWN", words.Agree(by, "owns", "own"), "BE", words.Agree(by, "is", "are"), "OTHERS", listed(f.Others),
		"VERSION", f.Version, "AT", f.At, "FIELDS", listed(f.Fields), "NUMBER", words.Count(n, "field"), "THEM", words.Them(n), "STAYS", words.Agree(n, "it stays", "they stay"),
		"COUNT", strconv.Itoa(f.Count), "ALL", strconv.Itoa(f.All), "SHARE", shareText(f.Count, f.All), "TEXT", f.Text,
		"FOUND", strconv.Quote(f.Is), "WANT", strconv.Quote(f.Want), "IS", words.Agree(n, "is", "are"),
	).Replace(facts[f.Kind])
}

// findingText is what a finding says; of an entry that is not sure, with the reasons.
func findingText(m migrate.Migration, f migrate.Fact) string {
	text := factText(f)
	for _, b := range m.Evidence {
		if f.Kind == migrate.NotSure && slices.ContainsFunc(f.By, func(w report.Writer) bool { return reflect.DeepEqual(w, b.Writer) }) {
			return text + ": " + strings.Join(b.Reasons, "; ")
		}
	}
	return text
}

func factTexts(list []migrate.Fact) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, factText(f))
	}
	return out
}

// ownersText names writers, with what they are where that is known.
func ownersText(f migrate.Fact) string {
	var names []string
	for _, w := range f.By {
		operation := w.Operation
		if w.Subresource != "" {
			operation += " of " + w.Subresource
		}
		names = append(names, fmt.Sprintf("%q (%s)", w.Manager, operation))
	}
	switch {
	case names == nil:
		return "nobody"
	case f.Kind == migrate.AlsoOwns && f.Text != "":
		return listed(names) + ", " + f.Text + ","
	}
	return listed(names)
}

// shareText is so many of all fields.
func shareText(owned, all int) string {
	switch {
	case owned < all:
		return fmt.Sprintf("%d of the %d fields", owned, all)
	case all == 1:
		return "the only field"
	}
	return fmt.Sprintf("all %d fields", all)
}

// listed is the beginning of a list in a sentence.
func listed(list []string) string {
	const few = 4
	return words.Some(list, few, len(list))
}
