package clear

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Kind is that of the document of a run.
const Kind = "Clearing"

// Document is one run of clear: a Clearing for each object, in their order.
type Document = report.Document[Summary, Clearing]

// Summary counts objects, and what they lose.
type Summary struct {
	Total int `json:"total"`
	// Cleared objects lose entries or paths; Unchanged have nothing to clear.
	Cleared   int `json:"cleared"`
	Unchanged int `json:"unchanged"`
	Refused   int `json:"refused"`
	Failed    int `json:"failed"`
	// Entries and Ownerless count over all objects that are cleared.
	Entries   int `json:"entries"`
	Ownerless int `json:"ownerless"`
	// WithRefused counts the applies of real manifests that would be refused
	// after clearing.
	WithRefused int `json:"withRefused,omitempty"`
}

// NewDocument counts objects, which it keeps in their order.
func NewDocument(run report.Run, objects []Clearing) Document {
	return report.NewDocument(Kind, run, objects, (*Summary).count)
}

func (s *Summary) count(c Clearing) {
	s.Total++
	if c.With != nil && c.With.After.Outcome.Refused() {
		s.WithRefused++
	}
	switch {
	case c.Outcome == report.Failed:
		s.Failed++
	case c.Outcome.Refused():
		s.Refused++
	case c.Patch == nil:
		s.Unchanged++
	default:
		s.Cleared++
		s.Entries += len(c.Cleared)
		s.Ownerless += len(c.Ownerless)
	}
}

// Clearing is everything told about clearing entries of one object. It is
// inert data, sorted; every format is a view of it.
type Clearing struct {
	Target report.Target `json:"target"`
	Source report.Source `json:"source"`
	// Attempt is the write that clears: Unchanged, without a code, where there is
	// nothing to clear.
	report.Attempt
	// Whole is true where all entries are cleared.
	Whole bool `json:"whole,omitempty"`
	// Entries counts those of the live object.
	Entries int `json:"entries"`
	// Cleared, Pruned and Spared are in the order of managedFields.
	Cleared []Entry `json:"cleared"`
	// Pruned entries only lose the paths that the object does not have.
	Pruned []Entry `json:"pruned,omitempty"`
	// Spared entries are of the asked kind, but are better left; Why of each says why.
	Spared []Entry `json:"spared,omitempty"`
	// Patch does it; nil where there is nothing to do.
	Patch []Operation `json:"patch,omitempty"`
	// Command is the kubectl command line that sends the patch; absent without one.
	Command shell.Line `json:"command,omitzero" secret:"ours"`
	// Object is what kubectl is to patch.
	Object kubectl.Object `json:"-" secret:"public"`
	// Ownerless are the leaves of the live object that are left unowned, sorted.
	Ownerless []string `json:"ownerless" secret:"path"`
	// Remaining are the leaves of cleared entries that others own still,
	// sorted.
	Remaining []report.FieldOwners `json:"remaining"`
	// Next are the next applies, in the order of managedFields.
	Next []Next `json:"next,omitempty"`
	// With is the next apply of a real manifest; nil where none was given.
	With *With `json:"with,omitempty"`
	// Findings are remarks on the input and on the server's answer, in a stable
	// order.
	Findings []report.Finding `json:"findings,omitempty"`
	// Managers and Subresources are those of the live object's entries, in their
	// order.
	Managers     []string `json:"-" secret:"public"`
	Subresources []string `json:"-" secret:"public"`
	// Result is the server's answer to the patch; Object in it is what would
	// be stored, or the live object where there is nothing to do. Nil where no
	// answer could be given.
	Result *report.Result `json:"-"`
}

// Entry is a managed fields entry that was looked at.
type Entry struct {
	report.Writer
	// Index counts from 0 in managedFields.
	Index int `json:"index"`
	// Fields counts the leaves that it owns, or, of a pruned entry, those that
	// it loses.
	Fields int `json:"fields"`
	// Who is what kind of writer that is, as far as its name tells.
	Who string `json:"who,omitempty"`
	// Why says what is special about the entry.
	Why text.Text `json:"why,omitzero"`
}

// Operation is one operation of the JSON patch.
type Operation = report.PatchOperation

// Next is the next apply of an Apply manager: of what it applied last, as far
// as the live object tells.
type Next struct {
	report.Writer
	// New is true for an example manager of an object that has no Apply manager:
	// it applies live values for the first time.
	New bool `json:"new,omitempty"`
	// Cleared is true where its entry is among the cleared ones.
	Cleared bool `json:"cleared"`
	// Unknown says why nothing can be reported; the rest is empty then.
	Unknown string `json:"unknown,omitempty"`
	// Attempt is the apply without any change.
	report.Attempt
	// With are the managers that it conflicts with, sorted.
	With []string `json:"with,omitempty"`
	// Shares are the managers that the server makes it share fields with, who
	// had no part in them before: before-first-apply.
	Shares []string `json:"shares,omitempty"`
	// Probes are what happens to one field, by way of example.
	Probes []Probe `json:"probes,omitempty"`
}

// ProbeKind is what is done to a field by way of example.
type ProbeKind string

// The probes of a next apply.
const (
	// DropNext: the very next apply leaves the field out.
	DropNext ProbeKind = "DropNext"
	// DropLater: an apply with the field comes first.
	DropLater ProbeKind = "DropLater"
	// ChangeLater: an apply with the field comes first, then one with another
	// value.
	ChangeLater ProbeKind = "ChangeLater"
)

// Probe is what happens to a field, without clearing and after it.
type Probe struct {
	Kind   ProbeKind `json:"kind"`
	Field  string    `json:"field" secret:"path"`
	Before Effect    `json:"before"`
	After  Effect    `json:"after"`
	// With are the managers that the apply after clearing conflicts with.
	With []string `json:"with,omitempty"`
}

// Effect is what an apply does to a field.
type Effect string

// The effects of a field.
const (
	Removed Effect = "Removed"
	// Changed: it has another value then; for a dropped field the server's
	// default.
	Changed Effect = "Changed"
	Kept    Effect = "Kept"
	// Conflicted: the apply is refused because of other owners.
	Conflicted Effect = "Conflicted"
	// Refused: for another reason.
	Refused Effect = "Refused"
)

// With is the apply of a real manifest, without clearing and after it.
type With struct {
	Source  report.Source `json:"source"`
	Manager string        `json:"manager" secret:"public"`
	Before  Answer        `json:"before"`
	After   Answer        `json:"after"`
}

// Answer is the server's to an apply, with what it is about.
type Answer struct {
	report.Answer
	// Conflicts are sorted by field, then manager.
	Conflicts []Conflict `json:"conflicts,omitempty"`
	// Changes are those to the object, sorted by field.
	Changes []Change `json:"changes,omitempty"`
}

// Change is a field that another value would be stored for, or none.
type Change struct {
	Field string            `json:"field" secret:"path"`
	Kind  report.ChangeKind `json:"kind"`
}

// Conflict is a field that another manager holds.
type Conflict struct {
	Field   string `json:"field" secret:"path"`
	Manager string `json:"manager" secret:"public"`
}

// The rules of remarks on the live object, and on the server's answer.
var (
	unstorable = finding.Rule{
		Name:     "unstorable-managed-fields",
		Severity: report.SeverityWarning,
		Title:    "managedFields is not a list of entries.",
		Why:      "No server stores it: the answer is what a server does with entries that it can store and not read.",
	}
	noManagedFields = finding.Rule{
		Name:     "no-managed-fields",
		Severity: report.SeverityNote,
		Title:    "The live object has no managedFields.",
		Why:      "There is nothing to clear, unless it was fetched without them.",
	}
	noResourceVersion = finding.Rule{
		Name:     "no-resource-version",
		Severity: report.SeverityWarning,
		Title:    "The live object has no resourceVersion.",
		Why:      "The patch cannot test whether the object is still the same: it tests the managers.",
	}
	noCommand = finding.Rule{
		Name:     "no-command",
		Severity: report.SeverityWarning,
		Title:    "No command line can name the object.",
		Why:      "The patch has to be sent in another way.",
	}
	withheld = finding.Rule{Name: "patch-withheld", Severity: report.SeverityNote, Title: "The patch is left out.",
		Why: "It would write masks in place of values."}
	allForgotten = finding.Rule{
		Name:     "unreadable-entry",
		Severity: report.SeverityWarning,
		Title:    "An entry that stays cannot be read.",
		Why:      "The server forgets all entries for it.",
	}
	entryDropped = finding.Rule{
		Name:     "entry-dropped",
		Severity: report.SeverityWarning,
		Title:    "The server drops another entry too.",
		Why:      "It does not serve the API version of the entry.",
	}
	entryShortened = finding.Rule{
		Name:     "entry-shortened",
		Severity: report.SeverityWarning,
		Title:    "The server stores less of another entry too.",
		Why:      "Its manager loses fields that were not to be cleared.",
	}
	otherChanges = finding.Rule{
		Name:     "other-changes",
		Severity: report.SeverityNote,
		Title:    "The server changes other things of the object too.",
		Why:      "Every write is defaulted, converted and admitted.",
	}
)

// Rules are all rules.
func Rules() finding.Rules {
	return finding.Rules{
		unstorable, noManagedFields, noResourceVersion, noCommand, withheld, allForgotten, entryDropped, entryShortened,
		otherChanges,
	}
}
