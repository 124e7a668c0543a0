package answers

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// cause is what a run says once of all the objects that have it: why they are refused,
// or a risk.
type cause struct {
	causeKey
	// common is the pattern of all fields; empty where they have several. at are the texts
	// in its brackets, * where they differ.
	common          string
	at              []string
	objects, fields int
	last            int
	// rows are the first fields.
	rows []causeRow
	// The facts are those of the first, but that the message has the arguments of all, and
	// that owned and taken hold of each.
	causeFacts
	edits page.Edits
	kinds kinds
	// options are those to resolve the first conflict, simulated; nil where they are not
	// shown.
	options []model.Block
}

// causeFacts are what is known of one that has a cause.
type causeFacts struct {
	message text.Text
	advice  *report.Advice
	// todo is what to do about a risk, in a clause; empty where that depends.
	todo string
	// owners are all of a conflicting field, the first of whom is owner.
	owners []string
	// live is true where the live object has the field, owned where the manager owned it
	// before, taken where it takes it from others.
	live, owned, taken bool
}

// causeKey is what the objects of a cause have in common.
type causeKey struct {
	severity report.Severity
	// Rule is that of a risk, or one of those below.
	Rule                 string
	applier, subresource string
	// owner is whose fields they are; empty where that is not what they share.
	owner report.Writer
	// kind and pattern are of fields that are the same in many objects, and says is what
	// else they share.
	kind, pattern, says string
}

// What is no risk, and has no rule to be named by.
const (
	Conflicting = "conflict"
	rejected    = "refused"
	unanswered  = "no-answer"
	inputNotice = "input-notice"
)

// hit is one object, or one field of one, with a cause.
type hit struct {
	causeKey
	causeRow
	causeFacts
	// Options are those to resolve it; nil where they are not shown.
	Options func() []model.Block
}

// causeRow is a field of an object with its values, what else is known, and its line.
type causeRow struct {
	target report.Target
	Field  string
	values model.Text
	note   model.Text
	source *report.Source
	// from is whose field it was, and since when; empty and nil where that is not known.
	from  string
	since *time.Time
}

// causes are those of a run, by their keys.
type causes struct{ keyed[causeKey, cause] }

// keptRows is how many rows of a cause are kept.
const keptRows = 10

// add counts an object, which has a number in the run.
func (k *causes) add(object int, h hit) {
	pattern, keys := report.Pattern(h.Field)
	if h.pattern != "" {
		h.pattern = pattern
	}
	one := k.of(h.causeKey, func() *cause {
		var options []model.Block
		if h.Options != nil {
			options = h.Options()
		}
		return &cause{causeKey: h.causeKey, causeFacts: h.causeFacts, options: options, common: pattern, at: keys}
	})
	if one == nil {
		return
	}
	one.message = merged(one.message, h.message)
	one.owned, one.taken = one.owned && h.owned, one.taken && h.taken
	if one.common == pattern {
		starred(one.at, keys)
	} else {
		one.common = ""
	}
	if one.fields++; one.last != object {
		one.last = object
		one.objects++
		one.kinds.add(h.target)
	}
	if len(one.rows) < keptRows {
		one.rows = append(one.rows, h.causeRow)
	}
	one.edits.Add(h.target, h.Field)
}

// mergedNames is how many names the message of a cause lists.
const mergedNames = 3

// merged is a message whose names are those of another one too, and in which a value that
// the other does not have is left out.
func merged(a, b text.Text) text.Text {
	if a.Format != b.Format || len(a.Args) != len(b.Args) {
		return a
	}
	a.Args = slices.Clone(a.Args)
	for i, arg := range b.Args {
		if arg.HasValue && text.New("%v", arg).String() != text.New("%v", a.Args[i]).String() {
			// The rows have the values.
			a.Args[i] = text.Name("…")
		}
		names := strings.Split(a.Args[i].Name, ", ")
		if arg.Name == "" || slices.Contains(names, arg.Name) || len(names) > mergedNames {
			continue
		}
		if len(names) == mergedNames {
			arg.Name = "…"
		}
		a.Args[i].Name += ", " + arg.Name
	}
	return a
}

// starred puts * for the keys of a path that differ from those of another one.
func starred(keys, others []string) {
	for i, k := range others {
		if keys[i] != k {
			keys[i] = "*"
		}
	}
}

// under are the causes of a rule.
func (k *causes) under(rule string) []*cause {
	return slices.DeleteFunc(slices.Clone(k.Sorted()), func(c *cause) bool { return c.Rule != rule })
}

// Sorted are the causes, the worst first, and of one severity those of most objects.
func (k *causes) Sorted() []*cause {
	slices.SortStableFunc(k.list, func(a, b *cause) int {
		return cmp.Or(
			cmp.Compare(a.severity.Rank(), b.severity.Rank()),
			cmp.Compare(turn(a), turn(b)),
			cmp.Compare(b.objects, a.objects), cmp.Compare(b.fields, a.fields),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.pattern, b.pattern), strings.Compare(a.kind, b.kind),
		)
	})
	return k.list
}

// turn puts a migration before the other conflicts, as they are resolved on what it
// leaves, and those that are to be forced behind them.
func turn(c *cause) int {
	switch kind := recommendedIn(c.advice); {
	case c.Rule != Conflicting:
	case kind == conflict.Migrate:
		return -1
	case kind == conflict.Force:
		return 1
	}
	return 0
}

// hitsOf are what is to be looked at in a result.
func hitsOf(r report.Result) []hit {
	switch r.Outcome {
	case report.Failed:
		h := hit{causeKey: causeKey{severity: report.SeverityError, Rule: unanswered, says: r.Error}}
		h.target, h.source = r.Target, &r.Source
		return []hit{h}
	case report.Invalid:
		return append(rejections(r), noticed(r)...)
	case report.Conflicted:
		return slices.Concat(conflicts(r), risks(r), noticed(r))
	}
	return append(risks(r), noticed(r)...)
}

// noticed are what is odd about the input.
func noticed(r report.Result) []hit {
	var out []hit
	for _, n := range r.Notices {
		if unserved(r) {
			break
		}
		h := hit{causeKey: causeKey{severity: report.SeverityNote, Rule: inputNotice, says: n}}
		h.message, h.target, h.source = text.New("%v", text.Said(n)), r.Target, &r.Source
		out = append(out, h)
	}
	return out
}

// unserved reports whether the notices say why the API server has no such resource:
// they come before its bare 404.
func unserved(r report.Result) bool {
	return r.Outcome == report.Invalid && r.Code == http.StatusNotFound && len(r.Notices) > 0
}

// rejections are what the API server has against a write.
func rejections(r report.Result) []hit {
	rejection := func(field, message string, at *report.Source) hit {
		if at == nil {
			at = &r.Source
		}
		says := answerOf(r) + "\n" + nameless(message, r.Target)
		h := hit{causeKey: causeKey{severity: report.SeverityError, Rule: rejected, says: says, pattern: field}}
		h.causeRow = causeRow{target: r.Target, Field: field, source: at, note: model.Say(message)}
		return h
	}
	if len(r.Causes) == 0 || len(r.Causes) == 1 && r.Causes[0].Source == nil {
		message := ""
		if r.Status != nil {
			message = strings.TrimRight(r.Status.Message, "\n")
		}
		if unserved(r) {
			message = strings.Join(append(slices.Clone(r.Notices), message), "\n")
		}
		return []hit{rejection("", message, nil)}
	}
	var out []hit
	for _, c := range r.Causes {
		out = append(out, rejection(c.Field, faultText(c), c.Source))
	}
	return out
}

// nameless is a message without the object that it names, so that those of several objects
// are one. One that names a namespace alone is about that.
func nameless(message string, t report.Target) string {
	if !strings.Contains(message, `"`+t.Name+`"`) {
		return message
	}
	message = strings.NewReplacer(t.Kind+` "`+t.Name+`"`, `"*"`, `"`+t.Name+`"`, `"*"`).Replace(message)
	if t.Namespace == "" {
		return message
	}
	return strings.ReplaceAll(message, `"`+t.Namespace+`"`, `"*"`)
}

// conflictSeverity is that of a conflict: where the apply forces, of the risk to take the field.
func conflictSeverity(r report.Result, field string) report.Severity {
	if !r.Force {
		return report.SeverityError
	}
	for _, k := range r.Risks {
		if k.Field == field {
			return k.Severity
		}
	}
	return report.SeverityWarning
}

// conflicts are the fields of others, by who owns them and what is recommended.
func conflicts(r report.Result) []hit {
	var out []hit
	for i := 0; i < len(r.Conflicts); {
		c := r.Conflicts[i]
		// A field with several owners is in several conflicts, one behind the other.
		var names []string
		for ; i < len(r.Conflicts) && r.Conflicts[i].Field == c.Field; i++ {
			owner := r.Conflicts[i].Writer
			owner.APIVersion = ""
			names = append(names, page.WriterOf(owner).String())
		}
		change := report.Change{Kind: report.Modified, Before: c.Live, After: c.Applied}
		switch {
		case c.LiveMissing:
			change.Kind = report.Added
		case c.AppliedMissing:
			change.Kind = report.Removed
		}
		owner := c.Writer
		owner.APIVersion, owner.Time = "", nil
		h := hit{causeFacts: causeFacts{advice: c.Advice, owners: names}}
		h.causeKey = causeKey{severity: conflictSeverity(r, c.Field), Rule: Conflicting, applier: r.Manager, subresource: r.Target.Subresource,
			owner: owner, says: recommendation(c.Advice).String() + strings.Join(names[1:], "\n")}
		h.causeRow = causeRow{target: r.Target, Field: c.Field, values: becomes(change), source: c.Source, from: owner.Manager, since: c.Time}
		out = append(out, h)
	}
	if out == nil && r.Status != nil {
		h := hit{causeKey: causeKey{severity: report.SeverityError, Rule: rejected, says: answerOf(r) + "\n" + r.Status.Message}}
		h.causeRow = causeRow{target: r.Target, note: model.Say(r.Status.Message), source: &r.Source}
		out = append(out, h)
	}
	return out
}

// inRow is how much of a value a row shows.
const inRow = 48

// becomes are the values of a change in a row: what of long ones differs.
func becomes(c report.Change) model.Text {
	if inside := page.Inside(c.Before, c.After); len(inside) == 1 && c.Kind == report.Modified {
		return inside.Gist()
	} else if len(inside) > 0 && c.Kind == report.Modified {
		return model.Say(words.Count(len(inside), "difference") + " inside")
	}
	before, after := page.Differing(words.Scalar(c.Before), words.Scalar(c.After), inRow)
	switch c.Kind {
	case report.Added:
		return model.Textf("(not set) -> %v", model.Value.Of(glyph.Cut(after, inRow)))
	case report.Removed:
		return model.Textf("%v -> (removed)", model.Value.Of(glyph.Cut(before, inRow)))
	}
	return model.Textf("%v -> %v", model.Value.Of(before), model.Value.Of(after))
}

// risks are those of a result. What is taken from a manager is one cause, whatever the
// field; of other rules it is one for each field of a kind.
func risks(r report.Result) []hit {
	var out []hit
	wrote := map[managedfields.Role]*time.Time{}
	if len(r.Risks) > 0 {
		for _, e := range managedfields.Of(r.Live).Entries {
			wrote[e.Role] = e.Time
		}
	}
	for _, k := range r.Risks {
		if r.Force && len(r.Conflicts) > 0 && (k.Field == "" || slices.ContainsFunc(r.Conflicts, func(c report.Conflict) bool { return c.Field == k.Field })) {
			// The conflict says it.
			continue
		}
		live := k.Field != "" && r.Operation == report.Apply && r.Outcome != report.Created
		h := hit{causeFacts: causeFacts{message: k.Message, live: live, owned: true, todo: risk.FixOf(r, k)}}
		h.causeKey = causeKey{severity: k.Severity, Rule: k.Rule, applier: r.Manager, subresource: r.Target.Subresource,
			kind: page.KindName(r.Target), pattern: k.Field, says: k.Message.Format + "\n" + h.todo}
		if k.Rule == risk.DeletesMore {
			// How many objects go is said of each.
			h.says = k.Message.String()
		}
		h.causeRow = causeRow{target: r.Target, Field: k.Field, source: k.Source}
		if h.source == nil {
			h.source = &r.Source
		}
		for _, c := range r.Changes {
			if c.Field == k.Field {
				h.live, h.values = h.live && c.Kind != report.Added, becomes(c)
			}
		}
		for _, t := range r.Transfers {
			if t.Field != k.Field {
				continue
			}
			h.owned = h.owned && (t.Manager != r.Manager || t.Kind != report.Acquired && t.Kind != report.Shared)
			if t.Kind == report.Overridden || t.Manager != r.Manager && (t.Kind == report.TransferRemoved || t.Kind == report.Relinquished) {
				h.taken, h.owner, h.from = true, t.Writer(), t.Manager
				h.since = wrote[managedfields.Role{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}]
			}
		}
		h.owned = h.owned && h.live
		out = append(out, h.ofOwner(r, k)...)
	}
	return out
}

// overwrites names the live owner of a field that is overwritten without a transfer. It is
// in no conflict, so that no command is printed that edits it.
func (h *hit) overwrites(r report.Result, field string) {
	for _, row := range report.OwnersOf(managedfields.Of(r.Live)) {
		if row.Field == field {
			w := row.Managers[0]
			h.taken, h.live, h.from, h.since = true, false, w.Manager, w.Time
			h.owner = report.Writer{Manager: w.Manager, Operation: w.Operation, Subresource: w.Subresource}
		}
	}
}

// unsafe reports whether it is known that no resolution of a field is safe.
func (f causeFacts) unsafe() bool {
	return f.advice != nil && f.advice.Because == string(conflict.NoneSafe)
}

// ofOwner are the fields of a risk by whom they are taken from; elsewhere the risk.
func (h hit) ofOwner(r report.Result, k report.Risk) []hit {
	switch k.Rule {
	case risk.TakenByForce, risk.AtomicReplaced:
		h.kind, h.pattern = "", ""
		if !h.taken {
			h.overwrites(r, k.Field)
		}
		if i := slices.IndexFunc(r.Taken, func(c report.Conflict) bool { return c.Field == k.Field }); i >= 0 {
			h.advice = r.Taken[i].Advice
		}
		if h.unsafe() {
			h.says += "\n" + recommendation(h.advice).String()
		}
		return []hit{h}
	case risk.Takeover:
		h.kind, h.pattern, h.says = "", "", ""
		var out []hit
		for _, t := range r.Transfers {
			if t.Kind == report.Overridden && t.Manager == k.Manager {
				h.owner, h.Field = t.Writer(), t.Field
				out = append(out, h)
			}
		}
		return out
	}
	h.owner = report.Writer{}
	if k.Severity == report.SeverityNote {
		h.kind, h.pattern = "", ""
	}
	return []hit{h}
}
