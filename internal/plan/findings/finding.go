package findings

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Finding is one thing that is wrong with one object, or with one file where
// Target is empty.
type Finding struct {
	Rule     string        `json:"rule" secret:"public"`
	Severity Severity      `json:"severity"`
	Target   report.Target `json:"target"`
	// Source is where the object starts; of what is wrong with a manifest,
	// the line of the manifest.
	Source report.Source `json:"source"`
	// Field is the field path that it is about, the first of Fields; empty
	// where it is about the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Fields are all field paths that it is about, sorted. They may be cut:
	// Message counts them.
	Fields []string `json:"fields,omitempty" secret:"path"`
	// Count is how many fields there are.
	Count int `json:"-"`
	// Versions are the versions of the kind that it is about; nil where it is about all.
	Versions []string `json:"-" secret:"public"`
	// Manager is the field manager that it is about; may be empty.
	Manager string `json:"manager,omitempty" secret:"public"`
	// Policy is the rule of a policy that forbids it; nil for other findings.
	Policy *report.Source `json:"policy,omitempty"`
	// Objects are the live objects that it is about, where that is not Target; they may
	// be cut: Message counts them.
	Objects []report.Target `json:"objects,omitempty"`
	// Says is Message, where the plan says it.
	Says text.Text `json:"-"`
	// Fact is who and what: Message is written of it where the document is.
	Fact report.Fact `json:"-"`
	// Message says in one sentence who and what.
	Message string `json:"message" secret:"ours"`
	// Why says why it matters.
	Why string `json:"why" secret:"ours"`
	// Fixes are ways to fix it, the best one first.
	Fixes []Fix `json:"mend"`
	// InClient are settings of the client that applies, which fix it; empty for a client
	// whose settings are not known.
	InClient []report.ClientFix `json:"inClient,omitempty"`
}

// Fix is a way to fix a finding.
type Fix struct {
	Kind FixKind `json:"-"`
	// Line is the command.
	Line shell.Line `json:"-" secret:"ours"`
	// Manager, Version and File are what it is about; empty where it is not.
	Manager string `json:"-" secret:"public"`
	Version string `json:"-" secret:"public"`
	File    string `json:"-" secret:"public"`
	// Command is Line for a POSIX shell, and Does says what it is for; of a fix
	// without Kind, Does says what to edit. They are written where the document is.
	Command string `json:"command,omitempty" secret:"ours"`
	// Says is Does, where the plan says it.
	Says text.Text `json:"-"`
	Does string    `json:"does" secret:"ours"`
}

// FixKind is what a fix does: each command has its own; empty for an edit.
type FixKind string

// MaxFields is how many field paths a finding lists.
const MaxFields = 50

// About gives the finding with the field paths that it is about.
func (f Finding) About(fields ...string) Finding {
	f.Fields, f.Count = slices.Clone(fields[:min(len(fields), MaxFields)]), len(fields)
	if len(fields) > 0 {
		f.Field = fields[0]
	}
	return f
}

// Compare orders findings by severity, rule, object and place.
func (r Rules) Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Severity.rank(), b.Severity.rank()),
		cmp.Compare(r.Index(a.Rule), r.Index(b.Rule)),
		compareTargets(a.Target, b.Target),
		cmp.Compare(a.Source.File, b.Source.File),
		cmp.Compare(a.Source.Document, b.Source.Document),
		cmp.Compare(a.Source.Line, b.Source.Line),
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Manager, b.Manager),
		compareFacts(a.Fact, b.Fact),
		cmp.Compare(a.Says.String(), b.Says.String()),
	)
}

// compareFacts orders what is said of one field and manager by who and what.
func compareFacts(a, b report.Fact) int {
	return cmp.Or(
		cmp.Compare(a.Manager, b.Manager),
		slices.CompareFunc(a.By, b.By, compareWriters),
		cmp.Compare(a.Version, b.Version),
		cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.Count, b.Count),
	)
}

// compareWriters has writes to a subresource first.
func compareWriters(a, b report.Writer) int {
	return cmp.Or(cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Operation, b.Operation), -cmp.Compare(a.Subresource, b.Subresource))
}

func compareTargets(a, b report.Target) int {
	return cmp.Or(
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion),
	)
}

func (r Rules) sort(list []Finding) { slices.SortStableFunc(list, r.Compare) }
