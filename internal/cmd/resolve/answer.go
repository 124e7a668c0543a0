package resolve

import "github.com/ssactl/ssactl/internal/report"

// ResolutionKind is the kind of the document that Run fills.
const ResolutionKind = "Resolution"

// Document is one run: a Resolution for each manifest, in their order.
type Document struct {
	report.Head
	Objects []Resolution `json:"objects"`
	report.Ending
	// Files are those that get another text, sorted by name; never nil.
	Files []FileChange `json:"files"`
	// Notices are remarks on the FIELDs that were asked for. They are of the run, and of
	// no object: they are searched for values of Secrets as texts are.
	Notices []string `json:"notices,omitempty"`
}

// FileChange is one file that gets another text.
type FileChange struct {
	File string `json:"file" secret:"public"`
	// Diff is unified, with the values of Secrets masked unless they are
	// shown.
	Diff string `json:"diff" secret:"ours"`
}

// Resolution is what was done about one manifest.
type Resolution struct {
	Target  report.Target `json:"target"`
	Source  report.Source `json:"source"`
	Manager string        `json:"manager" secret:"public"`
	// Before is the outcome of applying the manifest as it was, After as it
	// is edited; they are the same where nothing was edited.
	Before report.Outcome `json:"before"`
	After  report.Outcome `json:"after"`
	// Code is the server's where After is refused.
	Code int `json:"code,omitempty"`
	// Message is the server's where After is refused, or says why no answer
	// could be given.
	Message string `json:"message,omitempty"`
	// Notices are remarks on the input of that answer, such as a kind at a version
	// that the server does not have, and what kubectl removes besides.
	Notices []string `json:"notices,omitempty" secret:"ours"`
	// Steps are sorted by field; never nil.
	Steps []Step `json:"steps"`
	// Confidence is that of the answer to the manifest as it was.
	Confidence report.Confidence `json:"confidence"`
}

// Resolved counts the conflicts that are gone.
func (r Resolution) Resolved() int {
	n := 0
	for _, s := range r.Steps {
		if s.Outcome == Done {
			n++
		}
	}
	return n
}

// Action is what to do about a conflict.
type Action string

// The actions. Leave does nothing.
const (
	Leave        Action = "Leave"
	StopManaging Action = "StopManaging"
	UseLiveValue Action = "UseLiveValue"
)

// StepOutcome reports what became of a conflict.
type StepOutcome string

// The outcomes of a step.
const (
	// Done: the manifest was edited, and the conflict is gone.
	Done StepOutcome = "Done"
	// Refused: the edit is not possible or does not help; Reason says why.
	Refused StepOutcome = "Refused"
	// NotAsked: the conflict stays, as nothing was asked for.
	NotAsked StepOutcome = "NotAsked"
)

// Step is one conflicting field and what was done about it.
type Step struct {
	// Field is written as the API server writes it in conflict causes.
	Field string `json:"field" secret:"path"`
	// At is the manifest's own field where that is another: of another API
	// version, or data for stringData.
	At string `json:"at,omitempty" secret:"path"`
	// Owners are who owns the field, sorted by manager.
	Owners []report.Writer `json:"owners"`
	// Source is the line of the manifest, as it was, that asks for the field.
	Source  *report.Source `json:"source,omitempty"`
	Action  Action         `json:"action"`
	Outcome StepOutcome    `json:"outcome"`
	// Removed is the list item that was removed as a whole, because only its key
	// was left and the result is the same.
	Removed string `json:"removed,omitempty"`
	// Written is the value that the manifest has now; only after UseLiveValue.
	Written any `json:"written,omitempty"`
	// Reason says why the step was refused, and Line where in the file that
	// stands; 0 where it is not known.
	Reason string `json:"reason,omitempty"`
	Line   int    `json:"line,omitempty"`
	// Consequences are what the owners of a shared field may do, in the
	// order of Owners.
	Consequences []Consequence `json:"consequences,omitempty"`
}

// ConsequenceKind is what an owner of a shared field may do.
type ConsequenceKind string

// The consequences of sharing.
const (
	// Overwrites: the owner writes by updates, which never conflict. Once it
	// changes the value, the apply conflicts again.
	Overwrites ConsequenceKind = "Overwrites"
	// Agrees: the owner goes on applying the same value; the manager that changes it
	// first gets the conflict.
	Agrees ConsequenceKind = "Agrees"
	// Conflicts: the owner's own manifest conflicts from now on if it spells
	// the value as this one did (1000m for 1, or without defaults).
	Conflicts ConsequenceKind = "Conflicts"
	// KubectlRemoves: kubectl apply moves the owner's entry to its own, applies again,
	// and so removes the field or resets it to its default.
	KubectlRemoves ConsequenceKind = "KubectlRemoves"
)

// Consequence is what one owner of a shared field may do.
type Consequence struct {
	Manager string          `json:"manager" secret:"public"`
	Kind    ConsequenceKind `json:"kind"`
	// Spelling is the value that conflicts; only for Conflicts.
	Spelling any `json:"spelling,omitempty"`
}
