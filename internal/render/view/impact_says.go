package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/plan/impact"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

const (
	oneOwner   = "let one manager own the field, and take it out of the manifests of all others"
	applyAfter = "have every owner apply its unchanged manifest right after the change, before anybody else writes"
)

// mostFields is how many fields a sentence names.
const mostFields = 3

// impactSays are what findings of schema impact say, and what to do; the latter is empty
// where that depends, or nothing is. TEXT stands for the server's words or a name, NAMES
// for other names, FIELD for a field of live objects and FIELDS for other ones, MANAGER
// for an owner, VERSION and AT for API versions, WAS and IS for what has two states,
// BEFORE and AFTER for values, CODE for that of an answer.
var impactSays = map[impact.FactKind]saidAndFix{
	impact.OldOnly:       {"IS is in the old definitions only", "keep the definition until the last object is gone, or leave it out of what is pruned"},
	impact.NotInRelease:  {"IS is not in the new release", ""},
	impact.ServerAnswers: {"the API server would answer CODE: TEXT", ""},
	impact.Faulty:        {"TEXT", ""},
	impact.StoredAt:      {"objects are stored at AT instead of VERSION", "rewrite all objects once (kubectl apply or the storage version migrator) before VERSION is removed"},
	impact.NamesGone:     {"spec.names.TEXT has no NAMES any more", ""},
	impact.Converted:     {"versions are converted by IS instead of WAS", "make sure that the webhook answers before objects are written"},

	impact.SubresourceNew:   {"the TEXT subresource is new", ""},
	impact.SubresourceGone:  {"the TEXT subresource is removed", ""},
	impact.SubresourceMoved: {"the TEXT subresource has other paths", ""},

	impact.VersionNew:      {"VERSION is new", ""},
	impact.VersionGone:     {"VERSION is no longer there", ""},
	impact.VersionUnserved: {"VERSION is no longer served", ""},

	impact.FieldGone:       {"is removed", "take it out of manifests before the change"},
	impact.FieldUnknown:    {"is removed; it is kept as an unknown field", "check who relied on its defaults and validation"},
	impact.FieldsNew:       {"NEW", ""},
	impact.NewRequired:     {"is new and required", "write it in all manifests"},
	impact.BecomesRequired: {"becomes required", "write it in all manifests"},
	impact.OtherType:       {"is IS, and was WAS", "change manifests together with the definition"},
	impact.Merges:          {"IS, and WAS", ""},
	impact.PrunesUnknown:   {"keeps no unknown fields any more", "name all fields that are in use in the schema"},
	impact.KeepsUnknown:    {"keeps unknown fields", ""},
	impact.AcceptsLess:     {"accepts less: PARTS", "check manifests and live objects (--live)"},

	impact.DefaultNew:    {"gets the default AFTER", ""},
	impact.DefaultInside: {"gets the default AFTER, and is part of FIELDS, which is atomic", "write the default in the manifests"},
	impact.DefaultGone:   {"has no default any more; it was BEFORE", "write the value in the manifests that rely on it"},
	impact.DefaultOther:  {"has the default AFTER instead of BEFORE", "write the value that is meant in the manifests"},

	impact.Unserved:    {"the kind is no longer served", "save the objects first, or keep the definition"},
	impact.EntryFails:  {"the entry of MANAGER makes every write fail", "have the manager write at a version that stays, or take its entry out (ssactl clear), before the change"},
	impact.WritesFail:  {"FIELD makes every write fail", "repair the objects before the change"},
	impact.ApplyFails:  {"the next apply of MANAGER is rejected for FIELD", "change the manifest together with the definition"},
	impact.EntryGoes:   {"the entry of MANAGER is dropped", "have the manager apply at a version that stays, before the change"},
	impact.Pruned:      {"FIELD is dropped", "move the data to a field that stays, before the change"},
	impact.Widens:      {"MANAGER comes to own all of FIELD", oneOwner},
	impact.Unprotects:  {"MANAGER no longer protects what it owns in FIELD", "have the manager apply its unchanged manifest right after the change, before anybody else writes"},
	impact.ApplyAlters: {"the next apply of MANAGER changes FIELD", "compare the manifest with what is meant"},
	impact.Invalid:     {"FIELD is invalid", "repair the objects, best before the change"},
	impact.FilledIn:    {"FIELD is filled in", ""},
}

// mergeFixes are what to do about another way to merge, by rule.
var mergeFixes = map[string]string{
	impact.BecomesAtomic:   oneOwner,
	impact.BecomesGranular: applyAfter,
	impact.ListTypeChanged: applyAfter,
	impact.ListKeysChanged: "give every item the new keys before the change, and have every owner apply right after it",
}

var subresourceFixes = map[string]string{
	"status": "update the controller that writes the status together with the definition",
	"scale":  "check the autoscalers that name the kind",
}

var conversions = map[string]string{"None": "writing another apiVersion", "Webhook": "a webhook"}

// merges are how a field merges, and how it did.
var merges = map[impact.FactKind]struct{ is, was string }{
	impact.KeyedBy:      {"is a list keyed by NAMES", "was a list keyed by NAMES"},
	impact.IsSet:        {"is a set", "was a set"},
	impact.IsAtomic:     {"is atomic", "was atomic"},
	impact.IsGranular:   {"is granular", "was granular"},
	impact.IsValue:      {"is one value", "was one value"},
	impact.ItemAtomic:   {"has atomic items", "had atomic items"},
	impact.ItemGranular: {"has granular items", "had granular items"},
}

// keywords are changes of keywords of a schema.
var keywords = map[impact.FactKind]string{
	impact.KeywordNew:     "TEXT AFTER is new",
	impact.KeywordOther:   "TEXT AFTER instead of BEFORE",
	impact.KeywordIs:      "TEXT AFTER",
	impact.KeywordWithout: "TEXT without VALUES",
	impact.KeywordRules:   "TEXT NAMES is new",
}

// impactFinding is a finding with what it says, and what to do.
func impactFinding(f findings.Finding) findings.Finding {
	says := impactSays[f.Fact.Kind]
	meaning := func(word string) string { return impactWord(f, word) }
	what, at := fill(says.says, meaning), strings.Join(f.Versions, ", ")
	switch {
	case f.Objects != nil:
		f.Message = onObjects(f, what)
	case at == "":
		f.Message = what
	case len(f.Fields) == 1:
		f.Message = fmt.Sprintf("%s of %s %s", f.Field, at, what)
	default:
		f.Message = fmt.Sprintf("%s (%s)", what, at)
	}
	return withFix(f, fill(program.In(impactFix(f, says.fix)), meaning))
}

// onObjects is the effect on live objects, with a few names.
func onObjects(f findings.Finding, what string) string {
	if f.Fact.Text != "" {
		what += " (" + f.Fact.Text + ")"
	}
	var some []string
	for _, t := range f.Objects[:min(len(f.Objects), mostFields)] {
		some = append(some, strings.TrimPrefix(t.Namespace+"/"+t.Name, "/"))
	}
	return fmt.Sprintf("%s: %s, such as %s", what, words.Count(f.Fact.Count, "live object"), strings.Join(some, ", "))
}

// impactFix is what to do, which of some cases depends on what is known.
func impactFix(f findings.Finding, fix string) string {
	switch f.Fact.Kind {
	case impact.Merges:
		return mergeFixes[f.Rule]
	case impact.SubresourceNew, impact.SubresourceGone, impact.SubresourceMoved:
		return subresourceFixes[f.Fact.Text]
	case impact.VersionGone, impact.VersionUnserved:
		if f.Fact.At != "" {
			return "write apiVersion: AT in manifests, and let each client and controller use it, before the change"
		}
		return "no version is served after the change: delete the objects before it, or go on serving one"
	case impact.FieldGone:
		if len(f.Fact.Fields) > 0 {
			return fix + "; FIELDS may be meant instead"
		}
	}
	return fix
}

// impactWord is what a word in capitals stands for of a finding of schema impact.
func impactWord(f findings.Finding, word string) string {
	fact := f.Fact
	switch word {
	case "TEXT":
		if fact.Kind == impact.ServerAnswers {
			return glyph.FirstLine(fact.Text)
		}
	case "FIELD":
		return cmp.Or(f.Field, "the object")
	case "IS", "WAS":
		return impactState(fact, word == "IS")
	case "NEW":
		if fact.Count == 1 {
			return "is new"
		}
		return words.Count(fact.Count, "new field")
	case "CODE":
		return strconv.Itoa(fact.Count)
	case "PARTS":
		return tighter(fact.Parts)
	}
	return ofSchema(fact, word)
}

// impactState is what something is, or was.
func impactState(f report.Fact, is bool) string {
	switch {
	case f.Kind == impact.Converted && is:
		return conversions[f.Is]
	case f.Kind == impact.Converted:
		return conversions[f.Want]
	case f.Kind == impact.Merges && is:
		return fill(merges[f.Parts[0].Kind].is, func(word string) string { return ofSchema(f.Parts[0], word) })
	case f.Kind == impact.Merges:
		return fill(merges[f.Parts[1].Kind].was, func(word string) string { return ofSchema(f.Parts[1], word) })
	case is:
		return f.Is
	}
	return f.Want
}

// ofSchema is ofFact of what is said of schemas, which quotes values whole.
func ofSchema(f report.Fact, word string) string {
	switch word {
	case "NAMES":
		return strings.Join(f.Others, ", ")
	case "FIELDS":
		return strings.Join(f.Fields, ", ")
	case "BEFORE":
		return asJSON(f.Before.Value)
	case "AFTER":
		return asJSON(f.After.Value)
	}
	return ofFact(f, word)
}

// tighter says how keywords change.
func tighter(parts []report.Fact) string {
	var out []string
	for _, f := range parts {
		out = append(out, fill(keywords[f.Kind], func(word string) string {
			switch word {
			case "NAMES":
				return strings.Join(f.Others, " and ")
			case "VALUES":
				return valuesText(f.Before)
			}
			return ofSchema(f, word)
		}))
	}
	return strings.Join(out, "; ")
}

// valuesText are the items of a list.
func valuesText(v report.Value) string {
	values, _ := v.Value.([]any)
	var list []string
	for _, item := range values {
		list = append(list, asJSON(item))
	}
	return strings.Join(list, ", ")
}

// unsimulated say of how many objects something was not simulated.
var unsimulated = map[impact.FactKind]string{
	impact.NotSimulated: "could not be simulated: TEXT: NAME",
	impact.ByWebhook:    "of kind TEXT: a webhook converts between VERSION and AT, at which it is stored; that was not simulated",
}

// Unsimulated say which objects were not simulated, sorted.
func Unsimulated(facts []report.Fact) []string {
	var out []string
	for _, f := range facts {
		why := fill(unsimulated[f.Kind], func(word string) string { return ofFact(f, word) })
		out = append(out, words.Count(f.Count, "live object")+" "+why)
	}
	slices.Sort(out)
	return out
}
