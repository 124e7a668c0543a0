package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// page is what the template shows.
type page struct {
	Summary  report.Summary
	Server   string
	Made     string
	Problems []string
	Groups   []outcomeGroup
	Kinds    []string
	Managers []*managerView
	// Conflicts are grouped where there are several objects with some.
	Conflicts []groupView
	// Notes are remarks on the run as a whole.
	Notes []string
	// objects counts those of the page.
	objects int
}

// groupView is a field that one manager holds in several objects.
type groupView struct {
	look
	Role, Field, In string
}

// outcomeGroup holds the objects of one outcome, in the report's order.
type outcomeGroup struct {
	Outcome report.Outcome
	Sign    string
	Gist    string
	Objects []*objectRow
}

// Class is that of the style sheet.
func (g outcomeGroup) Class() string { return strings.ToLower(string(g.Outcome)) }

// outcomeGroups puts what needs a decision first.
var outcomeGroups = []outcomeGroup{
	{Outcome: report.Failed, Sign: "?", Gist: "No answer could be given."},
	{Outcome: report.Invalid, Sign: "×", Gist: "The API server would refuse these."},
	{Outcome: report.Conflicted, Sign: "!", Gist: "Other field managers own fields that these applies would change."},
	{Outcome: report.Configured, Sign: "~", Gist: "Accepted, and the live object changes."},
	{Outcome: report.Created, Sign: "+", Gist: "Accepted, and there was no live object."},
	{Outcome: report.Unchanged, Sign: "=", Gist: "Accepted, and nothing changes."},
}

// end fills in what is known after the last object.
func (p *page) end(doc report.Report, o Options, people *people, groups map[report.Outcome][]*objectRow) {
	p.Summary, p.Server, p.Managers = doc.Summary, visible(doc.Server.Version), people.list
	if !o.Now.IsZero() {
		p.Made = date(&o.Now)
	}
	for _, problem := range doc.Problems {
		p.Problems = append(p.Problems, problemText(problem))
	}
	p.Notes = runNotes(doc)
	if overview := doc.Overview; overview != nil && groupsTell(doc.Summary) {
		for _, g := range overview.Conflicts[:min(len(overview.Conflicts), shownOnPage)] {
			holder := holderOf(g)
			p.Conflicts = append(p.Conflicts, groupView{people.of(holder.Manager).look, roleOf(holder.Operation, holder.Subresource), visible(g.Field), groupObjects(g)})
		}
	}
	for _, g := range outcomeGroups {
		if g.Objects = groups[g.Outcome]; g.Objects != nil {
			p.Groups = append(p.Groups, g)
		}
	}
}

// shownOnPage is how many groups of conflicts a page lists.
const shownOnPage = 200

// runNotes tell what concerns no single object.
func runNotes(doc report.Report) []string {
	var notes []string
	if doc.Interrupted != nil {
		notes = append(notes, interruptedSentence(*doc.Interrupted))
	}
	if n := doc.Summary.Unmatched; n != nil && *n > 0 {
		notes = append(notes, count(*n, "live object")+" that no manifest names.")
	}
	return notes
}

// signOf is the sign of an outcome's group.
func signOf(outcome report.Outcome) string {
	for _, g := range outcomeGroups {
		if g.Outcome == outcome {
			return g.Sign
		}
	}
	return ""
}

// unfolded is up to how many refusals they are shown in full at first; more
// would bury the list.
const unfolded = 20

func refusals(s report.Summary) int { return s.Conflicted + s.Invalid + s.Failed }

// Title is the answer, short enough for a browser's tab.
func (p *page) Title() string { return p.Verdict() + " · ssactl" }

// Verdict is the answer of the whole run in one sentence.
func (p *page) Verdict() string {
	refused := refusals(p.Summary)
	switch {
	case p.Summary.Total == 0 && len(p.Problems) > 0:
		return "No object could be read"
	case p.Summary.Total == 0:
		return "No objects"
	case refused > 0:
		return fmt.Sprintf("%d of %s refused", refused, count(p.Summary.Total, "object"))
	case len(p.Problems) > 0:
		return count(len(p.Problems), "input") + " could not be read"
	case p.Summary.Unchanged == p.Summary.Total:
		return "Nothing changes"
	case p.Summary.Risky > 0:
		return "Accepted, with risky changes to " + count(p.Summary.Risky, "object")
	}
	return "Nothing stands in the way"
}

// Refused tells whether the verdict is a no.
func (p *page) Refused() bool { return p.Summary.Refused() || len(p.Problems) > 0 }

// problemText is an input that gave no object, with its place.
func problemText(problem report.Problem) string {
	message := visibleLines(problem.Message)
	if at := place(&problem.Source); at != "" {
		return at + ": " + message
	}
	return message
}

// kindName is the kind with its group, as kubectl api-resources would tell two
// of one name apart.
func kindName(t report.Target) string {
	if group, _ := groupVersion(t.APIVersion); group != "" {
		return visible(t.Kind + "." + group)
	}
	return visible(t.Kind)
}
