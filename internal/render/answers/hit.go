package answers

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// hit is one object, or one field of one, with a cause.
type hit struct {
	causeKey
	causeRow
	causeFacts
	// refused is the object with what it is rejected for; nil where that is not known, and
	// for all fields but the first.
	refused *refusedOn
	// Options are those to resolve it; nil where they are not shown.
	Options func() []model.Block
}

// hitsOf are what is to be looked at in a result.
func hitsOf(r report.Result) []hit {
	switch r.Outcome {
	case report.Failed:
		h := hit{causeKey: causeKey{severity: report.SeverityError, Rule: unanswered, says: r.Error}}
		h.target, h.source = r.Target, &r.Source
		return []hit{h}
	case report.Invalid:
		return slices.Concat(rejections(r), risks(r), noticed(r))
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
	if len(r.Refusals) > 0 {
		return refusals(r)
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

// refusals are the fields of the live object that a write is rejected for, those of one
// reason together.
func refusals(r report.Result) []hit {
	message := strings.TrimRight(r.Status.Message, "\n")
	if len(r.Causes) > 0 {
		var lines []string
		for _, c := range r.Causes {
			lines = append(lines, strings.TrimPrefix(c.Field+": ", ": ")+faultText(c))
		}
		message = strings.Join(lines, "\n")
	}
	var out []hit
	for i := range r.Refusals {
		one := &r.Refusals[i]
		says := answerOf(r) + "\n" + nameless(message, r.Target)
		key := causeKey{severity: report.SeverityError, Rule: rejected, says: says}
		key.applier, key.kind = r.Manager, page.KindName(r.Target)
		for _, f := range one.Fields {
			pattern, _ := report.Pattern(f.Field)
			key.kind += " " + pattern
		}
		for n, f := range one.Fields {
			h := hit{causeKey: key}
			h.causeRow = causeRow{target: r.Target, Field: f.Field, source: f.Source, note: model.Say(message)}
			h.values = page.RefusedValues(one.Kind, f)
			if h.source == nil {
				h.source = &r.Source
			}
			if len(f.Owners) > 0 && one.Kind == report.Leftover {
				owner := page.Latest(f.Owners)[0]
				h.from, h.since, owner.APIVersion = owner.Manager, owner.Time, ""
				h.values = model.Textf("%v, of %v", h.values, page.WriterOf(owner))
			}
			if n == 0 {
				h.refused = &refusedOn{r.Target, &r.Source, r.LiveSource, r.Manager, r.Live, one}
			}
			out = append(out, h)
		}
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
			owner: owner, ownerKind: writers.Judge(c.Writer, r.Manager, c.Field, r.Live),
			says: recommendation(c.Advice).String() + strings.Join(names[1:], "\n")}
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
	if inside := page.Inside(c.Before, c.After); len(inside) > 0 && c.Kind == report.Modified {
		return inside.InRow(inRow)
	}
	whole, written := words.Both(c.Before, c.After)
	before, after := page.Differing(whole, written, inRow)
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
		h := hit{causeFacts: causeFacts{message: k.Message, live: live, owned: true, todo: risk.FixOf(r, k), onTheWay: r.Operation != report.Delete}}
		h.causeKey = causeKey{severity: k.Severity, Rule: k.Rule, applier: r.Manager, subresource: r.Target.Subresource,
			kind: page.KindName(r.Target), pattern: k.Field, says: k.Message.Format + "\n" + h.todo}
		if k.Rule == risk.DeletesMore {
			// How many objects go is said of each.
			h.says = k.Message.String()
		}
		h.causeRow = causeRow{target: r.Target, Field: k.Field, source: &k.Source}
		for _, c := range r.Changes {
			if c.Field == k.Field {
				h.live, h.values = h.live && c.Kind != report.Added, becomes(c)
			}
		}
		for _, n := range r.NotSent {
			if n.Field == k.Field && k.Rule == risk.NotApplied {
				h.values = becomes(notSentChange(n))
			}
		}
		for _, t := range r.Transfers {
			if t.Field != k.Field {
				continue
			}
			h.owned = h.owned && (t.Manager != r.Manager || t.Kind != report.Acquired && t.Kind != report.Shared)
			if t.Kind == report.Overridden || t.Manager != r.Manager && (t.Kind == report.TransferRemoved || t.Kind == report.Relinquished) {
				h.taken, h.owner, h.from = true, t.Writer(), t.Manager
				h.ownerKind = writers.Judge(h.owner, r.Manager, h.Field, r.Live)
				h.since = wrote[managedfields.Role{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}]
			}
		}
		h.owned = h.owned && h.live
		out = append(out, h.ofOwner(r, k)...)
	}
	return out
}

// notSentChange is what a field that is not sent would change.
func notSentChange(n report.NotSent) report.Change {
	c := report.Change{Field: n.Field, Kind: report.Modified, Before: n.Live, After: n.Manifest}
	if n.Live == nil {
		c.Kind = report.Added
	}
	return c
}

// overwrites names the live owner of a field that is overwritten without a transfer. It is
// in no conflict, so that no command is printed that edits it.
func (h *hit) overwrites(r report.Result, field string) {
	for _, row := range report.OwnersOf(managedfields.Of(r.Live)) {
		if row.Field == field {
			w := row.Managers[0]
			h.taken, h.live, h.from, h.since = true, false, w.Manager, w.Time
			h.owner = report.Writer{Manager: w.Manager, Operation: w.Operation, Subresource: w.Subresource}
			h.ownerKind = writers.Judge(h.owner, r.Manager, h.Field, r.Live)
		}
	}
}

// ofOwner are the fields of a risk by whom they are taken from; elsewhere the risk.
func (h hit) ofOwner(r report.Result, k report.Finding) []hit {
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
				h.ownerKind = writers.Judge(h.owner, r.Manager, h.Field, r.Live)
				out = append(out, h)
			}
		}
		return out
	}
	h.owner, h.ownerKind = report.Writer{}, writers.ManagerKind{}
	if k.Severity == report.SeverityNote {
		h.kind, h.pattern = "", ""
	}
	return []hit{h}
}
