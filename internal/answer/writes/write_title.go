package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// writeTitle leaves out of many titles what is said once of all of them: the manager,
// and what is taken.
func writeTitle(o page.Options, r report.Result) model.Text {
	if !o.Brief || !o.Several {
		return WriteTitle(o, r)
	}
	gist := writeGist(r)
	if !r.Outcome.Refused() {
		gist = changeGist(r)
	}
	return OutcomeTitle(r.Target, nil, OutcomeWord(r), gist)
}

// WriteTitle is the answer for one object in a line.
func WriteTitle(o page.Options, r report.Result) model.Text {
	manager := r.Manager
	if r.Operation == report.Delete {
		manager = ""
	}
	return OutcomeTitle(r.Target, InTitle(o, manager, r.Force), OutcomeWord(r), writeGist(r))
}

// OutcomeWord says what the write does to the object, in kubectl's words where it has some.
func OutcomeWord(r report.Result) model.Span {
	switch {
	case r.Outcome.Refused():
	case r.Removed:
		return model.Changed.Of("no longer applied")
	case r.Hook != "":
		return model.Changed.Of("runs as a hook")
	case r.Recreated:
		return model.Changed.Of("deleted and created again")
	case r.Deleted:
		return model.Changed.Of("deleted")
	case r.Operation == report.Delete && r.Outcome == report.Configured:
		return model.Changed.Of("deleting")
	}
	return OutcomeSpan(r.Outcome)
}

// writeGist is what an answer comes down to.
func writeGist(r report.Result) string {
	switch r.Outcome {
	case report.Conflicted:
		var fields, managers []string
		for _, c := range r.Conflicts {
			fields, managers = append(fields, c.Field), append(managers, c.Manager)
		}
		return ConflictGist(fields, managers)
	case report.Invalid:
		return answerOf(r)
	case report.Failed:
		return text.FirstLine(r.Error)
	}
	switch {
	case r.Removed && r.Live == nil:
		return "its manifest is removed, and no live object is of it"
	case r.Removed && r.Confidence.Level != report.Exact:
		return "its manifest is removed, and whether it is deleted is not known"
	case r.Removed:
		return "its manifest is removed, and it stays as it is"
	}
	var out []string
	if gist := changeGist(r); gist != "" {
		out = append(out, gist)
	}
	var managers []string
	for _, t := range r.Transfers {
		if t.Kind == report.Overridden {
			managers = append(managers, t.Manager)
		}
	}
	if len(managers) > 0 {
		out = append(out, fmt.Sprintf("%d taken from %s", len(managers), FewNames(managers)))
	}
	if n := len(r.NotSent); n > 0 {
		out = append(out, words.Count(n, "field")+" of the manifest not sent")
	}
	return strings.Join(out, ", ")
}

// hookGist is how a hook runs, and whether it stays.
func hookGist(r report.Result) string {
	switch {
	case r.Deleted:
		return r.Hook + ", and is removed again"
	case r.Live != nil:
		return r.Hook + ", replacing the former one"
	}
	return r.Hook + ", and stays"
}

// changeGist is how many fields an accepted write changes; empty where that is no
// question.
func changeGist(r report.Result) string {
	switch {
	case r.Ran():
		return hookGist(r)
	case r.Outcome != report.Configured || r.Operation == report.Delete || r.Deleted || r.Changes == nil:
		return ""
	}
	switch n := len(withoutNoise(r.Changes)); {
	case n == 1:
		return "1 field changes"
	case n > 1:
		return fmt.Sprintf("%d fields change", n)
	}
	return "only ownership changes"
}

// ConflictGist counts the fields of conflicts, and names whose they are.
func ConflictGist(fields, managers []string) string {
	return fmt.Sprintf("%s, with %s", words.Count(len(unique(fields)), "conflict"), FewNames(managers))
}

// inTitle is how many managers a title names.
const inTitle = 2

// FewNames are different names in a title, or how many there are.
func FewNames(names []string) string {
	if names = unique(names); len(names) > inTitle {
		return words.Count(len(names), "manager")
	}
	for i, name := range names {
		names[i] = glyph.Cut(glyph.Visible(name), inHeadline)
	}
	return words.And(names)
}

func unique(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// outcomeRoles stress the outcomes.
var outcomeRoles = map[report.Outcome]model.Role{
	report.Created: model.Good, report.Configured: model.Changed, report.Unchanged: model.Plain,
	report.Conflicted: model.Bad, report.Invalid: model.Bad, report.Failed: model.Bad,
}

// OutcomeSpan is an outcome in kubectl's words.
func OutcomeSpan(outcome report.Outcome) model.Span {
	return outcomeRoles[outcome].Of(strings.ToLower(string(outcome)))
}

// OutcomeTitle is the answer for one object and a field manager in one line, in
// kubectl's words.
func OutcomeTitle(t report.Target, manager model.Text, outcome model.Span, gist string) model.Text {
	title := model.Textf("%v %v%v", model.Strong.Of(words.Object(t)), outcome, words.Where(t))
	if manager != nil {
		title = model.Textf("%v as %v", title, manager)
	}
	if gist == "" {
		return title
	}
	return model.Textf("%v: %v", title, gist)
}

// Applier is the field manager of writes, how it is known where no flag names it, and
// whether it forces; nil for none.
func Applier(o page.Options, name string, force bool, role model.Role) model.Text {
	var known []string
	if o.Inferred {
		known = append(known, "which applies all live objects")
	}
	if o.Client != "" {
		known = append(known, o.Client)
	}
	switch {
	case name == "":
		return nil
	case known != nil:
		return model.Textf("%v (%v)", role.Of(name), strings.Join(known, "; "))
	case force:
		return model.Textf("%v, which forces", role.Of(name))
	}
	return model.Text{role.Of(name)}
}

// InTitle is the field manager in the title of one object; of several, the first line has
// the rest.
func InTitle(o page.Options, name string, force bool) model.Text {
	if o.Several {
		o.Client, o.Inferred, force = "", false, false
	}
	return Applier(o, name, force, model.Plain)
}
