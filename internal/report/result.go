package report

import (
	"strings"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Outcome is the verdict on one write.
type Outcome string

// The outcomes of a write, from best to worst.
const (
	// Unchanged: accepted, and the stored object stays as it is.
	Unchanged Outcome = "Unchanged"
	// Configured: accepted, and the live object changes.
	Configured Outcome = "Configured"
	// Created: accepted, and there was no live object.
	Created Outcome = "Created"
	// Conflicted: refused with 409 because other field managers own fields.
	Conflicted Outcome = "Conflicted"
	// Invalid: refused with any other 4xx or 5xx of the server.
	Invalid Outcome = "Invalid"
	// Failed: no answer could be given.
	Failed Outcome = "Failed"
)

// Refused reports whether the write is rejected, or has no answer.
func (o Outcome) Refused() bool {
	return o == Conflicted || o == Invalid || o == Failed
}

// Operation is the kind of write that was simulated.
type Operation string

// The operations of a report.
const (
	Apply  Operation = "Apply"
	Create Operation = "Create"
	Update Operation = "Update"
	Patch  Operation = "Patch"
	Delete Operation = "Delete"
)

// Result is everything known about one simulated write, as inert data with sorted slices.
// Every output format is a view of it.
type Result struct {
	Target    Target    `json:"target"`
	Source    Source    `json:"source"`
	Operation Operation `json:"operation"`
	// Manager is the field manager that the server records.
	Manager string  `json:"manager" secret:"public"`
	Force   bool    `json:"force"`
	Outcome Outcome `json:"outcome"`
	// Code is the HTTP status that the API server answers; 0 for Failed, and for Invalid
	// where the client refuses before it sends a request: status has its words.
	Code int `json:"code"`
	// Error says why no answer could be given; only for Failed.
	Error string `json:"error,omitempty"`
	// Status is the metav1.Status of a refusal, word for word.
	Status *Status `json:"status,omitempty"`
	// Live is the live object as given; nil when there was none.
	Live map[string]any `json:"live,omitempty"`
	// LiveSource is where the live object was read; nil when there was none.
	LiveSource *Source `json:"liveSource,omitempty"`
	// Object is the resulting object with its managedFields; nil when refused or deleted. A
	// write that removes the last finalizer still answers with it.
	Object map[string]any `json:"object,omitempty"`
	// Deleted is true when the object is gone after the write.
	Deleted bool `json:"deleted,omitempty"`
	// Warnings are the Warning headers that the server sends, in its order.
	Warnings []string `json:"warnings"`
	// Notices are ssactl's own remarks on the input of this object (a live
	// object without managedFields, for one), in a stable order.
	Notices []string `json:"notices,omitempty" secret:"ours"`
	// Causes are the mistakes in the request by line of the manifest, those without a line
	// last, or the denials of several policies; only for Invalid, nil where no field is
	// named.
	Causes []Cause `json:"causes,omitempty"`
	// Refusals are the causes of a rejected apply in the live object, and fixes after which it
	// is accepted; nil where the manifest itself is wrong, and where nothing was found.
	Refusals []Refusal `json:"refusals,omitempty"`
	// Conflicts are sorted by field, then manager. After a forced apply they
	// are empty: see Transfers for what was taken.
	Conflicts []Conflict `json:"conflicts"`
	// Contested are the findings of what the apply conflicts over, or would without force,
	// with what is recommended; nil where nothing was tried.
	Contested []Finding `json:"-"`
	// Changes are those from live to Object, leaf by leaf, sorted by field. Like Ownership
	// and Transfers, they are nil where the write's Detail leaves them out.
	Changes []Change `json:"changes"`
	// Ownership is that of Object (of Live for a refusal), sorted by field.
	Ownership []FieldOwners `json:"ownership"`
	// Transfers are sorted by field, then manager.
	Transfers []Transfer `json:"transfers"`
	// Risks are hazards of an accepted write, the most important
	// first; empty for none. A refusal has only those that a policy forbids, and else nil.
	Risks []Finding `json:"-"`
	// Findings are all that is said of the write, the worst first, and one of a field:
	// conflicts, refusals, risks, cautions, warnings of the server.
	Findings []Finding `json:"findings"`
	// Forced is what the same apply does with force; only for Conflicted.
	Forced *Forced `json:"forced,omitempty"`
	// InClient are the recommended resolutions as settings of the client that applies, or
	// after a forced apply as settings that leave fields to their former owners. Empty for
	// unknown clients.
	InClient []ClientFix `json:"inClient,omitempty"`
	// Client is the simulated sequence of requests, with the other members about the whole
	// sequence; nil for one bare request.
	Client *Sequence `json:"client,omitempty"`
	// Pruned is true for an object that the client deletes as no manifest has it.
	Pruned bool `json:"-"`
	// Recreated is true where the client deletes the object and creates it again: Changes are
	// those between the two, and no manager loses a field of the new one.
	Recreated bool `json:"recreated,omitempty"`
	// Hook are the events for which the client runs the object as a hook, sorted; empty for
	// others, and for a live object that was none.
	Hook string `json:"hook,omitempty" secret:"public"`
	// NotSent are the fields of the manifest that differ from the live object and that the
	// client leaves out of what it sends, sorted.
	NotSent []NotSent `json:"notSent,omitempty"`
	// Derived are the paths of fields that admission policies, or a kustomization, made from values of Secrets:
	// they are masked in Live, Object and Forced.Object. Changes have masks already.
	Derived []string `json:"-" secret:"derived"`
	// Others are other objects of the cluster as the write leaves them, as JSON.
	Others [][]byte `json:"-"`
	// Former is the outcome of the manifest before the change; empty without --base, and
	// where there was none.
	Former Outcome `json:"former,omitempty"`
	// FormerObject is the object that the manifest before the change leaves; nil where it leaves
	// none, or is refused. Differences are from it.
	FormerObject map[string]any `json:"-"`
	// Undone are the changes that the manifest before the change makes, and this one does not,
	// sorted by field.
	Undone []Change `json:"undone,omitempty"`
	// Removed is true where only the manifests before the change have the object, and nothing
	// is sent: it stays as it is, or, where Confidence is Partial, that is not known.
	Removed bool `json:"removed,omitempty"`
	// Settles says whether what is accepted lasts; nil where that was not simulated.
	Settles *Settles `json:"settles,omitempty"`
	// Confidence says what a real server might do that was not simulated.
	Confidence Confidence `json:"confidence"`
}

// NotSent is a field of the manifest that the client does not send.
type NotSent struct {
	// Field is empty for the whole of an object that is absent, and stays so.
	Field string `json:"field,omitempty" secret:"path"`
	// Live and Manifest are JSON values; the live one is null where there is none.
	Live     any `json:"live"`
	Manifest any `json:"manifest"`
	// Setting is what keeps the client from sending it, and Source where that stands; nil
	// for a flag.
	Setting string  `json:"setting" secret:"public"`
	Source  *Source `json:"source,omitempty"`
	// Line is the line of the manifest.
	Line *Source `json:"line,omitempty"`
}

// Ran reports whether an object is a hook that was accepted: it is not a part of what is
// deployed.
func (r Result) Ran() bool { return r.Hook != "" && !r.Outcome.Refused() }

// Target names the object of a write.
type Target struct {
	APIVersion  string `json:"apiVersion" secret:"public"`
	Kind        string `json:"kind" secret:"public"`
	Namespace   string `json:"namespace,omitempty" secret:"public"`
	Name        string `json:"name" secret:"public"`
	Subresource string `json:"subresource,omitempty" secret:"public"`
	// GenerateName is what the name begins with that the server gives; empty for an object with
	// a name.
	GenerateName string `json:"generateName,omitempty" secret:"public"`
}

// Named is the name; of one that the server gives, what it begins with.
func (t Target) Named() string {
	if t.Name == "" && t.GenerateName != "" {
		return t.GenerateName + "…"
	}
	return t.Name
}

// Group is the API group; empty for the core group.
func (t Target) Group() string {
	group, _, ok := strings.Cut(t.APIVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// Reference names the object as kubectl -o name prints it: deployment.apps/web.
func (t Target) Reference() string {
	kind := strings.ToLower(t.Kind)
	if group := t.Group(); group != "" {
		kind += "." + group
	}
	return kind + "/" + t.Named()
}

// Source is a place in an input file.
type Source struct {
	// File is the path as the user gave it; "-" is standard input.
	File string `json:"file" secret:"public"`
	// Document counts from 1; 0 when it is not known.
	Document int `json:"document,omitempty"`
	// Line counts from 1; 0 when it is not known.
	Line int `json:"line,omitempty"`
}

// Status is a metav1.Status. Raw keeps every key that the server answers.
type Status struct {
	Raw     map[string]any `secret:"text"`
	Message string
	Reason  string
}

// Writer is one field manager in one role: the identity of a managed fields entry.
type Writer struct {
	Manager     string `json:"manager" secret:"public"`
	Operation   string `json:"operation" secret:"public"`
	Subresource string `json:"subresource,omitempty" secret:"public"`
	APIVersion  string `json:"apiVersion" secret:"public"`
	// Time is when the entry was last written; nil when the entry has none.
	Time *time.Time `json:"time,omitempty"`
}

// WriterOf is the identity of a managed fields entry, and when it was last written.
func WriterOf(e managedfields.Entry) Writer {
	return Writer{
		Manager:     e.Manager,
		Operation:   e.Operation,
		Subresource: e.Subresource,
		APIVersion:  e.APIVersion,
		Time:        e.Time,
	}
}

// WritersOf are those of entries, in their order; nil for none.
func WritersOf(entries []managedfields.Entry) []Writer {
	var out []Writer
	for _, e := range entries {
		out = append(out, WriterOf(e))
	}
	return out
}

// Cause is one thing that is wrong with what was asked for.
type Cause struct {
	// Field is written as the API server writes it: spec.containers[0].image in
	// what validation tells, .spec.containers[name="web"].image where a value is
	// not of its type. It is empty where no field is named.
	Field string `json:"field" secret:"about"`
	// Message is the API server's, without the field, and with a value of another
	// type as JSON has it.
	Message string `json:"message"`
	// Nearest are the fields that may be meant by one that does not exist, the
	// likeliest first; nil for other causes.
	Nearest []string `json:"nearest,omitempty"`
	// Mistake is the common one that this is; empty for others.
	Mistake Mistake `json:"mistake,omitempty"`
	// Source is the line of the manifest that asks for the field, or for its
	// nearest parent; nil where the manifest asks for nothing of it.
	Source *Source `json:"source,omitempty"`
}

// Mistake is a common mistake in a manifest.
type Mistake string

// The mistakes.
const (
	// UnquotedBoolean and UnquotedNumber: YAML reads one where a text is meant.
	UnquotedBoolean Mistake = "UnquotedBoolean"
	UnquotedNumber  Mistake = "UnquotedNumber"
	// Quoted: a text is given where a boolean or a number is meant.
	Quoted Mistake = "Quoted"
	// Empty: nothing is given, which is null, where a text is meant.
	Empty Mistake = "Empty"
	// FromLive: the manifest is a live object, with its managed fields.
	FromLive Mistake = "FromLive"
	// OtherObject: the manifest has the resourceVersion or the uid of another state than
	// the live object's, or of an object that does not exist any more.
	OtherObject Mistake = "OtherObject"
)

// With is what is wrong, as a message says it, with what may be meant, or what to do about
// a common mistake.
func (c Cause) With(message string) string {
	if len(c.Nearest) > 0 {
		return message + "; " + c.Cure()
	}
	if cure := c.Cure(); cure != "" {
		return message + ": " + cure
	}
	return message
}

// Cure asks what may be meant, or says what to do about a common mistake; empty where
// neither is known.
func (c Cause) Cure() string {
	if len(c.Nearest) > 0 {
		return "did you mean " + strings.Join(c.Nearest, " or ") + "?"
	}
	return cures[c.Mistake]
}

var cures = map[Mistake]string{
	UnquotedBoolean: "put it in quotes; YAML reads yes, no, on, off, y and n as booleans",
	UnquotedNumber:  "put it in quotes",
	Quoted:          "leave out the quotes",
	Empty:           `nothing after the colon is null; write "" for an empty text`,
	FromLive: "the manifest is a live object; remove what the server writes: metadata.managedFields, resourceVersion, uid, " +
		"creationTimestamp and generation, and status",
	OtherObject: "the manifest was copied from a live object, and asks for that one; remove the line, which an apply does not need",
}

// Conflict is one field that another field manager owns with another value.
type Conflict struct {
	// Field is written as the API server writes it in conflict causes.
	Field string `json:"field" secret:"path"`
	// Writer is who holds the field.
	Writer
	// Live and Applied are JSON values; the Missing flags distinguish an absent value from
	// null.
	Live           any  `json:"live"`
	LiveMissing    bool `json:"liveMissing,omitempty"`
	Applied        any  `json:"applied"`
	AppliedMissing bool `json:"appliedMissing,omitempty"`
	// Source is the line of the manifest that asks for the field.
	Source *Source `json:"source,omitempty"`
}

// Forced is the what-if run with force of an apply that conflicts.
type Forced struct {
	Outcome Outcome `json:"outcome"`
	Code    int     `json:"code"`
	Status  *Status `json:"status,omitempty"`
	// Causes are what is wrong apart from the conflicts, as those of a Result.
	Causes []Cause `json:"causes,omitempty"`
	// Refusals are what of the live object it is rejected for, as those of a Result.
	Refusals  []Refusal      `json:"refusals,omitempty"`
	Object    map[string]any `json:"object,omitempty"`
	Changes   []Change       `json:"changes,omitempty"`
	Transfers []Transfer     `json:"transfers,omitempty"`
}

// Locator finds the fields of a body in the file that it came from.
type Locator interface {
	// Line is where a field stands, the items of lists named by their positions. It
	// is false for what the file does not have, a parent of the path included.
	Line(path fieldpath.Path) (Source, bool)
	// Text is the place of a line of the body, counted from 1.
	Text(line int) Source
}

// Nearest is the line that asks for a path, or for the nearest parent that has
// one; nil without, and without a locator.
func Nearest(l Locator, path fieldpath.Path) *Source {
	if l == nil {
		return nil
	}
	for ; len(path) > 0; path = path[:len(path)-1] {
		if s, ok := l.Line(path); ok {
			return &s
		}
	}
	return nil
}
