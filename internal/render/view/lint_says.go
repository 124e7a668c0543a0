package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

const takeOut = "take it out of the manifest"

// lintSays are what findings of lint say, and what to do; the latter is empty where that
// is not known. FIELD stands for what is found, FIELDS for the fields of the fact, KIND
// and APIVERSION for the object's, NAMES, ANY, BY, ONE and OTHER for other names, TEXT
// for the server's words or a name, VERSION and AT for API versions, CODE for that of an
// answer, FIRST and SECOND for lines, BEFORE and AFTER for values, SPELLING for the
// latter as it is to be written.
var lintSays = map[lint.FactKind]saidAndFix{
	lint.LacksKeys:       {"FIELD has no NAMES, by which the items of the list are known", "write NAMES"},
	lint.ItemTwice:       {"FIELD is written twice: on FIRST and on SECOND", "keep one of the two, or give one of them another key"},
	lint.ProtocolsDiffer: {"FIELD: TEXT is on FIRST with ONE and on SECOND with OTHER", "apply the manifest server-side only"},

	lint.ServerAnswers: {"the API server would answer CODE: TEXT", ""},
	lint.NotServed:     {"KIND of APIVERSION is not served", ""},
	lint.NoSuchField:   {"TEXT does not exist", "take the field out of the manifest"},
	lint.Mistyped:      {"TEXT", "write a value of the type that is expected"},
	lint.KeyTwice:      {"TEXT", "keep one of the two"},
	lint.SameItem:      {"TEXT", "keep one of the items"},
	lint.Keyless:       {"TEXT", "write all keys of the item"},
	lint.Faulty:        {"TEXT", ""},

	lint.HasManagedFields: {"FIELD has to be left out of what is applied", takeOut},
	lint.ServerSets:       {"FIELD is the API server's to set", takeOut},
	lint.StatusNull:       {"FIELD is null, and an apply to the object ignores it", takeOut},
	lint.StatusEmpty:      {"FIELD is empty, and an apply to the object ignores it", takeOut},
	lint.StatusGiven:      {"FIELD is set, and an apply to the object ignores it", takeOut},
	lint.HasLastApplied:   {"the annotation of a client-side apply is in the manifest", takeOut},
	lint.HasStringData:    {"the Secret has FIELD", "write the values into .data, in base64"},

	lint.NothingStored: {"FIELDS: BEFORE is not stored", takeOut},
	lint.StoredAs:      {"FIELDS: BEFORE is stored as AFTER", "write SPELLING"},
	lint.WrittenAs:     {"FIELDS: a typed client writes AFTER for BEFORE", "write SPELLING"},
	lint.AddsInside:    {"FIELD is atomic, and the API server adds FIELDS", "write the defaults into the manifest"},

	lint.AlsoGiven:       {"the object is given twice: at FIRST and at SECOND", "keep one of the two, or merge them"},
	lint.Generates:       {"BY generates the object", "take the object out of the manifests, or let the other one write another name"},
	lint.ScalesReplicas:  {"BY writes FIELD", "take .spec.replicas out of the manifest; where it was applied before, ssactl transfer plans the hand-over"},
	lint.WritesSelector:  {"BY writes FIELD", "leave the selector to the controller: apply without it after the first time"},
	lint.WritesWeights:   {"BY writes FIELD", "leave the weights to the controller: apply without them after the first time"},
	lint.WritesResources: {"BY writes FIELD", "set the updateMode Off for recommendations only, or keep requests low and let the autoscaler raise them"},
	lint.Injects:         {"an annotation has BY write FIELD", takeOut},

	lint.NoListType:  {"FIELD of VERSION is a list of objects without x-kubernetes-list-type", "set x-kubernetes-list-type: map with x-kubernetes-list-map-keys, or atomic where the list belongs to one owner"},
	lint.ObjectsSet:  {"FIELD of VERSION is a set of objects", "make it a keyed list (x-kubernetes-list-type: map)"},
	lint.KeyLeftOut:  {"FIELD of VERSION is keyed by TEXT, which is neither required nor has a default", "make TEXT required, or give it a default"},
	lint.NoMapType:   {"FIELD of VERSION has no x-kubernetes-map-type, and ANY has", "set x-kubernetes-map-type: granular or atomic"},
	lint.WithoutEnds: {"FIELDS of VERSION may have any number of objects, each with owners of its own", "set maxItems (maxProperties of a map), or make atomic what belongs to one owner"},
}

// lintFinding is a finding with what it says, and what to do.
func lintFinding(f findings.Finding) findings.Finding {
	says := lintSays[f.Fact.Kind]
	meaning := func(word string) string { return lintWord(f, word) }
	f.Message = fill(says.says, meaning) + lintMore(f.Fact)
	return withFix(f, fill(program.In(lintFix(f.Fact, says.fix)), meaning))
}

// lintMore is what some cases add to what they say.
func lintMore(f report.Fact) string {
	switch {
	case f.Kind == lint.NoSuchField && len(f.Others) > 0:
		return "; " + f.Others[0] + " does"
	case f.Kind == lint.ItemTwice && len(f.Others) > 0:
		return ", where " + strings.Join(f.Others, " and ") + " is left out and the default counts"
	}
	return ""
}

// lintFix is what to do, which of some cases depends on what is known.
func lintFix(f report.Fact, fix string) string {
	switch {
	case f.Kind == lint.NotServed && f.At != "":
		return "write apiVersion: AT"
	case f.Kind == lint.NoSuchField && len(f.Others) > 0:
		return "write NEAREST, or " + fix
	case f.Kind == lint.NoListType && f.Text != "":
		return fix + "; TEXT may be the key"
	}
	return fix
}

// mostFields is how many fields a sentence names.
const mostFields = 3

// lintWord is what a word in capitals stands for of a finding of lint.
func lintWord(f findings.Finding, word string) string {
	fact := f.Fact
	switch word {
	case "FIELD":
		return f.Field
	case "FIELDS":
		return words.Some(fact.Fields, mostFields, len(fact.Fields))
	case "KIND":
		return f.Target.Kind
	case "APIVERSION":
		return f.Target.APIVersion
	case "NAMES":
		return strings.Join(fact.Others, " and ")
	case "ANY":
		return strings.Join(fact.Others, ", ")
	case "BY", "ONE", "NEAREST":
		return fact.Others[0]
	case "OTHER":
		return fact.Others[len(fact.Others)-1]
	case "TEXT":
		if fact.Kind == lint.ServerAnswers {
			return glyph.FirstLine(fact.Text)
		}
	case "CODE":
		return strconv.Itoa(fact.Count)
	case "FIRST", "SECOND":
		return lintPlace(f, word == "FIRST")
	case "BEFORE":
		return jsonText(fact.Before, "the value")
	case "AFTER":
		return jsonText(fact.After, "the value")
	case "SPELLING":
		if f.Target.APIVersion == "v1" && f.Target.Kind == "Secret" {
			return "it as the API server stores it"
		}
		return jsonText(fact.After, "the value")
	}
	return ofFact(fact, word)
}

// lintPlace is the first or the second of two places.
func lintPlace(f findings.Finding, first bool) string {
	switch {
	case f.Fact.Kind == lint.AlsoGiven && first:
		return fileLine(f.Fact.Text, f.Fact.Count)
	case f.Fact.Kind == lint.AlsoGiven:
		return fileLine(f.Source.File, f.Source.Line)
	case first:
		return lineText(f.Fact.Count)
	}
	return lineText(f.Fact.All)
}

// lineText is a line of the file that a finding is in.
func lineText(line int) string {
	if line == 0 {
		return "a line that is not known"
	}
	return fmt.Sprintf("line %d", line)
}

func fileLine(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
