package view

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// auditSays are what findings of an audit say. MANAGER, WRITER and OTHERS stand for
// managers; FIELD for the first field, FIELDS for all, NUMBER for how many they are, THEM,
// STAYS and SUCH for what goes with the number; LIST and PARTS for what a fact lists;
// VERSION and AT for API versions, BEFORE and AFTER for values, COUNT, ALL and KEYS for
// numbers, DATE for a day; KIND, TEXT and NAME for an object, NAMESPACE for its
// namespace; POLICY for what a policy allows, and ANSWER for what the server answers.
// What may be missing brings its own punctuation: SAID is what somebody else said, OWNED
// who owns the first of how many fields, OFSUBRESOURCE where that is.
var auditSays = map[audit.FactKind]string{
	audit.ConflictsOver:  "MANAGER conflicts with WRITER over FIELDS: the manifest has AFTER, live is BEFORE",
	audit.ConflictsWith:  "MANAGER conflicts with WRITER over FIELDS",
	audit.RefusedApply:   "applying the manifest as MANAGER is refused",
	audit.RefusedWith:    "applying the manifest as MANAGER is refused with ANSWER",
	audit.ApplyUnknown:   "what applying the manifest as MANAGER would do is not knownSAID",
	audit.RemovesUnowned: "the next apply by MANAGER removes FIELDS",
	audit.KeepsDropped:   "the manifest of MANAGER no longer has FIELDS, but WRITER keeps THEM",

	audit.OwnsForbidden:    "WRITER owns FIELDS: POLICY",
	audit.OwnsApplied:      "MANAGER applies FIELDS, and WRITER owns THEM too: dropped from the manifest, STAYS",
	audit.OwnsBeside:       "WRITER alone owns FIELDS, beside what MANAGER applies: no apply removes THEM",
	audit.OwnsByHand:       "WRITER alone owns FIELDS of what MANAGER manages",
	audit.OwnsTwice:        "MANAGER owns FIELDS both by Apply and by UpdateOFSUBRESOURCE",
	audit.UpdatesBeside:    "MANAGER has an Update entry beside its Apply entry: an apply that sets FIELDS otherwise conflicts with itself",
	audit.OwnsForNobody:    "before-first-apply holds NUMBER for nobody",
	audit.OwnsOfMany:       "ancient-changes owns NUMBER of managers whose names are lost",
	audit.OwnsAsWhole:      "WRITER owns FIELDS as a whole, but nobody owns what is in THEM",
	audit.OwnsMissing:      "WRITER owns FIELDS, but the object has no such SUCH",
	audit.OwnsStringData:   "WRITER owns FIELDS, which the API server keeps in .data",
	audit.SilentFor:        "WRITER wrote last on DATE, COUNT days ago, here and everywhere in these files, and still owns NUMBER",
	audit.AppliesReplicas:  "MANAGER applies FIELDS, which the OTHERS sets",
	audit.AppliedAsOne:     "FIELDS is one field, applied by OTHERS",
	audit.AppliedAsOneEach: "FIELDS are one field each, applied by OTHERS",

	audit.EntriesBroken:   "managedFields cannot be read: PARTS",
	audit.EntryDropped:    "the entry of WRITER is at VERSION, which is not served: the API server drops it with its NUMBER",
	audit.EntryRefuses:    "the entry of WRITER is at VERSION, which is not served: the API server refuses every apply to the object because of it",
	audit.UpdatesMany:     "COUNT of at most ALL Update entries are taken",
	audit.UpdatesFull:     "COUNT of at most ALL Update entries are taken: with the next new manager that updates the object, the two oldest are folded into one",
	audit.ObjectUntracked: "the object has no managedFields, though others of the file have: its first apply gives all fields to before-first-apply",
	audit.FileUntracked:   "none of the COUNT objects of this file has managedFields: they were fetched without --show-managed-fields",
	audit.LoneUntracked:   "the object of this file has no managedFields: it was probably fetched without --show-managed-fields",

	audit.ServedElsewhere:  "KIND is not served as VERSION, but as AT",
	audit.ItemsOfOneKey:    "LIST has several items with one key: FIELDS",
	audit.PortsOfOneNumber: "LIST has ports that differ by their protocol only",
	audit.PortsMergedAsOne: "LIST has ports that differ by their protocol only, and WRITER writes the object client-side",

	audit.AnnotationUnreadable:  "the last-applied annotation cannot be readSAID",
	audit.AnnotationOfKind:      "the last-applied annotation is of a TEXT named NAME",
	audit.AnnotationOfName:      "the last-applied annotation is of the TEXT NAME",
	audit.AnnotationOfNamespace: "the last-applied annotation is of the TEXT NAME in the namespace NAMESPACE",
	audit.AnnotationUnserved:    "the last-applied annotation is at TEXT, which is not served",
	audit.AnnotationLeaks:       "the last-applied annotation holds the values of KEYS of this Secret",
	audit.AnnotationValue:       "FIELD is AFTER in the last-applied annotation, and BEFORE liveOWNED",
	audit.AnnotationOnly:        "FIELD is AFTER in the last-applied annotation, and not there liveOWNED",
	audit.AnnotationDiffers:     "the last-applied annotation has another FIELD than is liveOWNED",
}

// auditMessage is what a finding says, in a clause.
func auditMessage(f audit.Finding) string {
	return fill(auditSays[f.Fact.Kind], func(word string) string {
		if text, ok := ofFinding(f, word); ok {
			return text
		}
		return ofFact(f.Fact, word)
	})
}

// ofFinding is what a word in capitals stands for of a finding.
func ofFinding(f audit.Finding, word string) (text string, ok bool) {
	switch word {
	case "FIELD":
		return f.Field, true
	case "FIELDS":
		return fieldsText(f), true
	case "NUMBER":
		return words.Count(f.Count, "field"), true
	case "THEM":
		return words.Them(f.Count), true
	case "STAYS":
		return words.Agree(f.Count, "it stays", "they stay"), true
	case "SUCH":
		return words.Agree(f.Count, "field", "fields"), true
	case "KIND":
		return f.Target.Kind, true
	case "PARTS":
		return brokenText(f.Fact), true
	case "OWNED":
		return annotationOwners(f), true
	case "POLICY":
		return policyText(f.Policy, f.Fact), true
	}
	return "", false
}

// annotationOwners is who owns the first of the fields, and how many more there are.
func annotationOwners(f audit.Finding) string {
	text := ""
	if f.Fact.By != nil {
		text = " (owned by " + writersText(f.Fact.By) + ")"
	}
	if f.Count > 1 {
		text += ", and so on with " + words.Count(f.Count-1, "more field")
	}
	return text
}

// brokenText is what is wrong with managed fields, entry by entry.
func brokenText(f report.Fact) string {
	var out []string
	for _, p := range f.Parts {
		if p.Kind == audit.AllBroken {
			out = append(out, p.Text)
			continue
		}
		manager := ""
		if p.Manager != "" {
			manager = " (" + p.Manager + ")"
		}
		out = append(out, fmt.Sprintf("entry %d%s%s", p.Count, manager, tail(": ", p.Text)))
	}
	if rest := f.Count - len(f.Parts); rest > 0 {
		out = append(out, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(out, "; ")
}

// fieldsText names the first fields of a finding, and counts the others.
func fieldsText(f audit.Finding) string {
	switch f.Count {
	case 0:
		return "nothing"
	case 1, 2:
		return words.And(f.Fields)
	}
	return fmt.Sprintf("%s and %d more fields", f.Fields[0], f.Count-1)
}
