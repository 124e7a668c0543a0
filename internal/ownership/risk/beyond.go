package risk

import (
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Kubectl adds to risks what kubectl does beyond the write of a run: it moves
// client-side entries and applies again, which the answer to the write does not show.
// Of an apply that conflicts, that is what it does with force.
func Kubectl(risks []report.Finding, run client.Run) []report.Finding {
	f := finder{Result: run.First()}
	it, this := text.Either("it", "them"), text.Either("this one", "these")
	for _, loss := range run.Losses() {
		if loss.Field == templateGeneration {
			continue
		}
		r := f.risk(
			RemovedByKubectl,
			loss.Field,
			firstOf(loss.Owners),
			text.New("kubectl removes %v: %v, and the manifest lacks %v", it, f.moves(loss.Owners), this),
		)
		switch {
		case loss.Kind == report.Removed && loss.Dropped:
			r.Severity = report.SeverityWarning
			r.Message = text.New("kubectl removes %v: %v, and the manifest no longer has %v", it, f.moves(loss.Owners), this)
		case loss.Kind != report.Removed:
			r.Severity = report.SeverityWarning
			r.Message = text.New("kubectl resets %v: %v, and the manifest lacks %v", it, f.moves(loss.Owners), this)
		}
		r.Before, r.After = loss.Before, loss.After
		risks = append(risks, r)
	}
	if step, refused := run.Refused(); refused && step.Request == client.ApplyAgain {
		moved := run.Moved()
		risks = append(risks, f.risk(
			RemovedByKubectl,
			"",
			firstOf(moved),
			text.New(
				"%v, which the server refuses (%v): kubectl only warns, and every later apply of this manifest is refused",
				f.moves(moved),
				text.Number(step.Result.Code),
			),
		))
	}
	slices.SortStableFunc(risks, compare)
	return risks
}

// Settings adds to risks that a write changes what the client of the run takes its settings
// from: the answers of the run go by what is live, and its next run by what is written.
func Settings(risks []report.Finding, r report.Result, title string) []report.Finding {
	i := slices.IndexFunc(r.Changes, func(c report.Change) bool {
		return client.RulesBy(c.Field)
	})
	field := ""
	switch {
	case r.Outcome.Refused() || r.Outcome == report.Unchanged:
		return risks
	case r.Outcome == report.Configured && !r.Deleted:
		if i < 0 {
			return risks
		}
		field = r.Changes[i].Field
	}
	f := finder{Result: r}
	says := text.New("%v takes its settings from this object: the answers go by what is live, "+
		"and its next run by what this one writes", text.Name(title))
	return settled(append(risks, f.risk(OwnSettings, field, "", says)))
}

// MaybeKubectl adds to risks what kubectl would do beyond a write, where nothing says whether
// kubectl sends it: the live object shows that kubectl applied it before. It moves entries of
// some managers, and loses what it does.
func MaybeKubectl(risks []report.Finding, r report.Result, moved []string, losses []client.Loss) []report.Finding {
	f := finder{Result: r}
	if len(moved) == 0 {
		return risks
	}
	names, by := text.Names(moved), text.By(f.Manager)
	for _, loss := range losses {
		if loss.Field == templateGeneration {
			continue
		}
		does := "removes"
		if loss.Kind != report.Removed {
			does = "resets"
		}
		found := f.risk(RemovedByKubectl, loss.Field, firstOf(loss.Owners), text.New(
			"if kubectl applies, it "+does+" %v: it moves all fields of %v to %v, and the manifest lacks %v",
			text.Either("this field", "these fields"), names, by, text.Either("this one", "these"),
		))
		found.Before, found.After = loss.Before, loss.After
		found.Severity = report.SeverityWarning
		risks = append(risks, found)
	}
	note := f.risk(
		RemovedByKubectl,
		"",
		firstOf(moved),
		text.New("kubectl applied the object before, and would move all fields of %v to %v: "+AskForKubectl, names, by),
	)
	note.Severity = report.SeverityNote
	risks = append(risks, note)
	slices.SortStableFunc(risks, compare)
	return risks
}

// AskForKubectl says how to ask where it is not known whether kubectl applies.
const AskForKubectl = "if it is kubectl that applies, ask with --client kubectl; if not, with --client none"

// moves is what kubectl does after the apply.
func (f *finder) moves(owners []string) text.Text {
	return text.New("kubectl apply moves all fields of %v to %v and applies again", text.Names(owners), text.By(f.Manager))
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// maxForbidden is how many fields of one rule are risks of their own.
const maxForbidden = 5

// Forbidden adds to risks what a policy forbids: ownership that the manager has after
// the write and had not before. Of an apply that conflicts, that is what it would own
// with force. The object says what is known of its kind; the locator may be nil.
func Forbidden(
	risks []report.Finding,
	r report.Result,
	p policy.Policy,
	o policy.Object,
	at report.Locator,
) []report.Finding {
	o.Live = r.Object
	if r.Forced != nil {
		o.Live = r.Forced.Object
	}
	if o.Live == nil || r.Deleted {
		return risks
	}
	f := finder{Result: r}
	role := managedfields.Role{Manager: r.Manager, Operation: f.entryOperation(), Subresource: r.Target.Subresource}
	violations := p.Added(o, role, managedfields.Of(r.Live), managedfields.Of(o.Live))
	if violations == nil {
		return risks
	}
	out := slices.Clone(risks)
	for _, v := range violations {
		out = append(out, f.forbidden(v, at)...)
	}
	return settled(out)
}

// forbidden are the fields of a violation; of many, the rest are one risk.
func (f *finder) forbidden(v policy.Violation, at report.Locator) []report.Finding {
	var out []report.Finding
	for i, path := range v.Paths {
		rest := len(v.Paths) - i
		if i == maxForbidden && rest > 1 {
			return append(out, f.against(v, "", text.New("%v would own %v", text.By(f.Manager), text.Count(rest, "more field"))))
		}
		risk := f.against(v, path.String(), f.wouldOwn(path.String()))
		if at != nil {
			if source, ok := at.Line(path); ok {
				risk.Source = source
			}
		}
		out = append(out, risk)
	}
	return out
}

func (f *finder) against(v policy.Violation, field string, says text.Text) report.Finding {
	place := v.Rule.Source
	found := f.risk(ForbiddenOwner, field, f.Manager, text.New("%v: %v", says, v.Rule.Says()))
	found.Severity, found.Source, found.Policy = v.Rule.Severity, f.Source, &place
	return found
}

// wouldOwn says of one field from whom force takes it.
func (f *finder) wouldOwn(field string) text.Text {
	transfers := f.Transfers
	if f.Forced != nil {
		transfers = f.Forced.Transfers
	}
	for _, t := range transfers {
		if t.Field == field && t.Kind == report.Overridden {
			return text.New("%v would own the field, taken from %v", text.By(f.Manager), text.By(t.Manager))
		}
	}
	return text.New("%v would own the field", text.By(f.Manager))
}
