package report

import (
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Finding is one thing that a command says of one object, or of one file where Target is
// empty: a conflict, a refusal, a risk, a caution, a fault of an ownership or a manifest.
type Finding struct {
	// Rule is the name of the rule that found it, such as conflict or taken-by-force.
	Rule     string   `json:"rule" secret:"public"`
	Severity Severity `json:"severity"`
	Target   Target   `json:"target"`
	// Source is where the object starts; of what is wrong with a manifest,
	// the line of the manifest.
	Source Source `json:"source"`
	// Field is the field path that it is about, the first of Fields; empty
	// where it is about the object.
	Field string `json:"field,omitempty" secret:"path"`
	// Fields are all field paths that it is about, sorted. They may be cut:
	// Message counts them.
	Fields []string `json:"fields,omitempty" secret:"path"`
	// AskedAs is the field of the manifest, where the owner's API version spells it otherwise;
	// empty for the same.
	AskedAs string `json:"-" secret:"path"`
	// Shared is the live value as the manifest would have it; nil where nothing but the live
	// object says it.
	Shared *Value `json:"-"`
	// Manager is the field manager, or the controller, that it is about; may be empty.
	Manager string `json:"manager,omitempty" secret:"public"`
	// Before and After are the values of Field that the write finds and asks for, as JSON;
	// nil where there is none, and where Field changes nothing; equal where that it stays is
	// what the finding is about.
	Before any `json:"before,omitempty"`
	After  any `json:"after,omitempty"`
	// Joint is the same for findings on one manager that are reported as one; empty for
	// others.
	Joint string `json:"-" secret:"public"`
	// Counted is how many fields it is about, where Fields are fewer.
	Counted int `json:"-"`
	// Applier is the field manager of the write that it is about; empty for other findings.
	Applier string `json:"-" secret:"public"`
	// Owners are the managed fields entries whose field it is, that of Manager first; nil
	// where that is not what it is about.
	Owners []Writer `json:"-"`
	// By says what it has in common with findings on other objects that are reported as one.
	By Grouping `json:"-"`
	// Lead is what Message says before Quote, which are words of others: of the API server,
	// or why there is no answer. Both are empty for other findings.
	Lead  text.Text `json:"-"`
	Quote string    `json:"-"`
	// Caveat is the rule of the caveat that it says; empty for other findings.
	Caveat string `json:"-" secret:"public"`
	// Policy is the rule of a policy that forbids it; nil for other findings.
	Policy *Source `json:"policy,omitempty"`
	// Objects are the live objects that it is about, where that is not Target; they may
	// be cut: Message counts them.
	Objects []Target `json:"objects,omitempty"`
	// Message says who and what, in a clause.
	Message text.Text `json:"message"`
	// Also are the rules that find something on the same field.
	Also []string `json:"also,omitempty" secret:"public"`
	// Others is what these rules find, in their order.
	Others []Aside `json:"-"`
	// Why says why it matters; of a conflict, why the first fix is recommended, or none.
	Why text.Text `json:"why"`
	// Because is the kind of reason that Why is; empty where it is that of the rule.
	Because string `json:"-" secret:"public"`
	// Evidence is what shows it, where that is more than the object's state: who wrote the
	// field when, and what other rules find on it.
	Evidence text.Text `json:"evidence,omitzero"`
	// Fixes are ways to fix it, the best one first.
	Fixes []Fix `json:"fixes"`
	// InClient are settings of the client that applies, which fix it; empty for a client
	// whose settings are not known.
	InClient []ClientFix `json:"inClient,omitempty"`
	// Cause says whether the change of the manifests causes it; empty without --base.
	Cause Attribution `json:"cause,omitempty"`
}

// Grouping is what findings of one rule have in common that are reported as one.
type Grouping string

// The groupings.
const (
	// ByField: they are about one field of a kind, and say the same of it.
	ByField Grouping = ""
	// ByOwner: they are about fields of one managed fields entry, whatever the kind.
	ByOwner Grouping = "Owner"
	// ByCause: they have one cause, said with the same names, whatever the fields and kinds.
	ByCause Grouping = "Cause"
	// BySaying: they say the same in the same words, but for the name of the object.
	BySaying Grouping = "Saying"
)

// Aside is what another rule finds on the field of a finding.
type Aside struct {
	Rule     string `secret:"public"`
	Severity Severity
	Message  text.Text
}

// And is the finding with another on the same field in addition.
func (f Finding) And(other Finding) Finding {
	others := append([]Aside{{other.Rule, other.Severity, other.Message}}, other.Others...)
	f.Others, f.Also = append(slices.Clone(f.Others), others...), slices.Clone(f.Also)
	for _, a := range others {
		f.Also = append(f.Also, a.Rule)
		f.Evidence = f.Evidence.And("; ", a.Message)
	}
	for _, fix := range other.Fixes {
		same := func(own Fix) bool { return own.Does.String() == fix.Does.String() }
		if !slices.ContainsFunc(f.Fixes, same) {
			f.Fixes = append(slices.Clone(f.Fixes), fix)
		}
	}
	return f
}

// Recommended is the first fix that does something about it; false where there is none.
func (f Finding) Recommended() (Fix, bool) {
	if len(f.Fixes) == 0 || f.Fixes[0].Edit == EditExplain || f.Fixes[0].InClient != nil {
		return Fix{}, false
	}
	return f.Fixes[0], true
}

// Does is what the first fix does, also as a setting of the client; empty where there is none.
func (f Finding) Does() Edit {
	switch {
	case len(f.Fixes) == 0 || f.Fixes[0].Edit == EditExplain:
		return ""
	case f.Fixes[0].InClient != nil:
		return Edit(f.Fixes[0].InClient.Kind)
	}
	return f.Fixes[0].Edit
}

// IsRisk reports whether it is about what an accepted write does: what --fail-on is about.
func (f Finding) IsRisk() bool {
	return !slices.Contains([]string{
		RuleConflict, RuleRefused, RuleNoAnswer, RuleCaveat, RuleServerWarning, RuleInputNotice, RuleWrittenBetween,
		RuleRejectedBefore,
	}, f.Rule)
}

// The rules of what is said of a write next to its risks.
const (
	RuleConflict      = "conflict"
	RuleRefused       = "refused"
	RuleNoAnswer      = "no-answer"
	RuleCaveat        = "caveat"
	RuleServerWarning = "server-warning"
	RuleInputNotice   = "input-notice"
	// RuleWrittenBetween is the rule of another writer between two requests of a program.
	RuleWrittenBetween = "written-between"
	// RuleRejectedBefore is the rule of a request that was rejected before the last one.
	RuleRejectedBefore = "rejected-before"
	// RuleDeletesMore is the rule of a deletion that takes other objects or data with it.
	RuleDeletesMore = "deletes-more"
	// RuleDataPruned is the rule of a changed definition by which live objects lose data.
	RuleDataPruned = "data-pruned"
)

// NoneHolds is the kind of reason that no fix of a finding holds: all were followed.
const NoneHolds = "NoneHolds"

// MaxFields is how many field paths a finding lists.
const MaxFields = 50

// About gives the finding with the field paths that it is about.
func (f Finding) About(fields ...string) Finding {
	f.Fields = slices.Clone(fields[:min(len(fields), MaxFields)])
	if len(fields) > 0 {
		f.Field = fields[0]
	}
	return f
}

// Fix is a way to fix a finding.
type Fix struct {
	// Does says what the command or the setting does, or what to edit.
	Does text.Text `json:"does"`
	// Command is the command line for a POSIX shell; absent where something is to be edited.
	Command shell.Line `json:"command,omitzero" secret:"ours"`
	// Setting is what to add to the settings of the client that applies, in its language;
	// empty for other fixes.
	Setting string `json:"setting,omitempty" secret:"ours"`
	// Edit is what it does to the inputs; empty where it is none of those below.
	Edit Edit `json:"-"`
	// Manager is the field manager that the edit concerns; empty for none.
	Manager string `json:"-" secret:"public"`
	// ByHand is how to make the edit where no command does, as a sentence; zero for others. Does has it too.
	ByHand text.Text `json:"-"`
	// From are the field managers of EditMigrateLeft.
	From []string `json:"-" secret:"public"`
	// InClient is the setting of the client that it is; nil for other fixes.
	InClient *ClientFix `json:"-"`
	// Proven is true for a fix that was followed in a simulation: the finding is gone, and
	// no other one came.
	Proven bool `json:"proven"`
}

// Edit is what a fix does to the inputs of a write, or to who asks.
type Edit string

// The edits of fixes. Those that resolve conflicts are named as their resolutions.
const (
	// EditStop removes Field of the finding from the manifest.
	EditStop Edit = "StopManaging"
	// EditShare writes the live value into the manifest.
	EditShare Edit = "UseLiveValue"
	// EditAdd adds what the write removes at Field, or around it, to the manifest.
	EditAdd Edit = "Add"
	// EditForce applies with force.
	EditForce Edit = "Force"
	// EditMigrate hands the object over from Manager.
	EditMigrate Edit = "Migrate"
	// EditLeave removes all that Manager owns from the manifest.
	EditLeave Edit = "Leave"
	// EditHandOver moves the ownership of Field to the controller that writes it, so that
	// the field can be removed from the manifest later.
	EditHandOver Edit = "HandOver"
	// EditApplier asks as Manager, which most likely applies.
	EditApplier Edit = "Applier"
	// EditMigrateLeft migrates what From left in the live object, so that the apply removes
	// it.
	EditMigrateLeft Edit = "MigrateLeftover"
	// EditExplain shows what each resolution would do.
	EditExplain Edit = "Explain"
	// EditImpact shows all that a changed definition does to live objects.
	EditImpact Edit = "Impact"
)

// FindingCount counts findings by their severity.
type FindingCount struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

// Add counts the findings that count.
func (n *FindingCount) Add(list ...Finding) {
	for _, f := range list {
		if f.Counts() {
			n.Count(f.Severity)
		}
	}
}

// Count counts one of a severity.
func (n *FindingCount) Count(s Severity) {
	switch s {
	case SeverityError:
		n.Error++
	case SeverityWarning:
		n.Warning++
	case SeverityNote:
		n.Note++
	}
}

// Wrote says when a managed fields entry was last written; empty where it has no time.
func Wrote(w Writer) text.Text {
	if w.Time == nil {
		return text.Text{}
	}
	return text.New("%v wrote last at %v", text.Entry(w.Manager, w.Operation, w.Subresource),
		text.Name(w.Time.UTC().Format(time.RFC3339)))
}
