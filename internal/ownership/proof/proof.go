// Package proof follows fixes before they are printed: the edit that a fix makes is made to
// the inputs in memory, the same client asks again, and the fix is kept only if it holds.
//
//	a finding with its fixes
//	  -> the inputs as each fix leaves them   follow.go
//	     -> the answer, asked again
//	        -> does the fix hold?              holds.go
//	  -> fixes that hold first; else other ones, in the order of what they lose
//	     -> those that no command makes in the file   by_hand.go
package proof

import (
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Asker answers a write as the run does, with the findings on the answer. Their fixes are
// not looked at.
type Asker func(engine.Write) report.Result

// Prover proves the fixes of the findings on one write.
type Prover struct {
	// Write is the write as the run makes it, before a client adds anything to it.
	Write engine.Write
	Shape managedfields.Shape
	// Ask answers it again.
	Ask Asker
	// Creates reports what an API server without the object has against a write; nil for
	// nothing.
	Creates func(engine.Write) []string
	// Causes are what other writes of the run have proven; nil for nothing.
	Causes *Causes
	// List is the text of the List whose item, counted from 1, the manifest is, where that is edited as a
	// whole; nil else.
	List []byte
	Item int
	// Forces is true for a client that forces by itself: force is no fix there.
	Forces bool

	answer report.Result
	body   map[string]any
	base   *report.Result
	// migrates is from whom the object is migrated before other fixes are followed; empty for nobody.
	migrates string
}

// mostProven is how many findings of an answer are followed: each is simulated on the whole
// object a few times.
const mostProven = 20

// Prove gives the findings of an answer with fixes that hold when they are followed, marked
// as proven. One that does not is left out, and the next candidate is tried in its place. Of
// a fix without an edit, nothing is known: it stays as it is.
func (p *Prover) Prove(r report.Result, list []report.Finding) []report.Finding {
	if r.Live == nil || !slices.ContainsFunc(list, edits) {
		return list
	}
	if p.answer, p.body = r, p.Write.Object(); p.body == nil {
		return list
	}
	p.answer.Findings = list
	out := slices.Clone(list)
	proven := 0
	for i, f := range out {
		if !edits(f) {
			continue
		}
		if proven++; proven <= mostProven {
			out[i] = p.prove(f)
		}
	}
	p.behindMigration(list, out)
	for i, f := range out {
		if edits(list[i]) {
			out[i].Fixes = p.byHand(f)
		}
	}
	return out
}

// behindMigration follows again, as what comes behind it, the fixes by which the manifest loses fields
// where another finding is mended by a migration: what the manager owns after that, it removes.
func (p *Prover) behindMigration(list, out []report.Finding) {
	held := func(f report.Finding) report.Fix {
		if len(f.Fixes) == 0 || !f.Fixes[0].Proven {
			return report.Fix{}
		}
		return f.Fixes[0]
	}
	first := slices.IndexFunc(out, func(f report.Finding) bool { return held(f).Edit == report.EditMigrate })
	if first < 0 {
		return
	}
	behind := *p
	behind.migrates = held(out[first]).Manager
	for i, f := range out {
		if edit := held(f).Edit; edit == report.EditStop || edit == report.EditLeave {
			out[i] = behind.prove(list[i])
		}
	}
}

// Unfollowed gives findings without the fixes that change the inputs, where nothing can be asked
// again.
func Unfollowed(list []report.Finding) []report.Finding {
	out := slices.Clone(list)
	for i, f := range out {
		out[i].Fixes = slices.DeleteFunc(slices.Clone(f.Fixes), func(fix report.Fix) bool { return followable(fix.Edit) })
	}
	return out
}

// edits reports whether a finding has a fix that changes the inputs, or wants one.
func edits(f report.Finding) bool {
	return f.Because == string(conflict.NoneSafe) ||
		slices.ContainsFunc(f.Fixes, func(fix report.Fix) bool { return followable(fix.Edit) })
}

// prove gives a finding with the fix that holds first, or with none that edits anything.
func (p *Prover) prove(f report.Finding) report.Finding {
	key := p.causeOf(f)
	v, known := p.Causes.of(key)
	if !known {
		v = p.verdict(f)
		p.Causes.add(key, v)
	}
	if v.edit == "" && f.Because == string(conflict.NoneSafe) {
		return f
	}
	var rest []report.Fix
	var held *report.Fix
	for _, fix := range append(slices.Clone(f.Fixes), p.others(f)...) {
		switch {
		case fix.InClient != nil && fix.InClient.Kind == string(report.EditForce) && v.forceFails:
		case !followable(fix.Edit):
			rest = append(rest, fix)
		case held == nil && fix.Edit == v.edit:
			fix.Proven = true
			held = &fix
		}
	}
	if f.Fixes = rest; held != nil {
		f.Fixes = asSettings(*held, rest)
	}
	if !v.why.IsZero() {
		f.Why = v.why
	}
	if held == nil {
		f.Because = report.NoneHolds
	}
	return f
}

// verdict follows the fixes of a finding, and then others, until one holds.
func (p *Prover) verdict(f report.Finding) (v verdict) {
	var against objections
	tried := map[report.Edit]bool{}
	for _, fix := range append(slices.Clone(f.Fixes), p.others(f)...) {
		if !followable(fix.Edit) || tried[fix.Edit] {
			continue
		}
		tried[fix.Edit] = true
		why := p.objection(f, fix)
		if why.IsZero() {
			if v.edit, v.why = fix.Edit, p.removes(fix); against != nil {
				v.why = text.New("Other fixes do not hold: %v.", against.text()).And(" ", v.why)
			}
			return v
		}
		v.forceFails = v.forceFails || fix.Edit == report.EditForce
		against = against.add(fix.Edit, why)
	}
	if f.Does() == report.EditAdd {
		v.why = text.New("Added to the manifest, it does not hold: %v. Ask %v whether it may go.",
			against[0].why, text.By(f.Manager))
		return v
	}
	v.why = text.New(
		"No fix holds: %v. Decide with the owners which of them sets the field.", against.text(),
	)
	return v
}

// removes says of a migration that the apply after it removes values; zero of others.
func (p *Prover) removes(fix report.Fix) text.Text {
	if fix.Edit != report.EditMigrate || p.dropped(fix.Manager).Empty() {
		return text.Text{}
	}
	return text.New("%v owns what the manifest sets from an earlier client-side apply. The next apply then removes what "+
		"that apply had set and the manifest lacks; the migration lists it.", text.By(fix.Manager))
}

// asSettings are fixes, the first of them one that holds. A setting of the client that does the same
// holds too, and is all there is of force where the client applies.
func asSettings(held report.Fix, rest []report.Fix) []report.Fix {
	out := []report.Fix{held}
	for _, fix := range rest {
		if fix.InClient != nil && fix.InClient.Kind == string(held.Edit) {
			if fix.Proven = true; held.Edit == report.EditForce {
				out = out[:0]
			}
			out = append(out, fix)
		}
	}
	for _, fix := range rest {
		if fix.InClient == nil || fix.InClient.Kind != string(held.Edit) {
			out = append(out, fix)
		}
	}
	return out
}

// others are the fixes to try where those of a finding fail, in the order of what they lose.
func (p *Prover) others(f report.Finding) []report.Fix {
	var out []report.Fix
	add := func(is bool, edit report.Edit, manager string) {
		if is {
			out = append(out, report.Fix{Edit: edit, Manager: manager, Does: text.New(does[edit])})
		}
	}
	if f.Does() == report.EditAdd {
		// The manifest has no such field.
		return nil
	}
	add(respelled(f), report.EditShare, f.Manager)
	add(f.Field == replicas && p.owns(f.Field) && p.scaled(f), report.EditHandOver, p.Write.Manager)
	add(true, report.EditStop, f.Manager)
	add(true, report.EditShare, f.Manager)
	add(!p.Forces && p.answer.Outcome == report.Conflicted, report.EditForce, f.Manager)
	return out
}

const replicas = ".spec.replicas"

// scaled is false of a field that only tools which apply manifests write: an autoscaler would
// have to be one of the others.
func (p *Prover) scaled(f report.Finding) bool {
	return !slices.ContainsFunc(p.kinds(f), func(kind writers.WriterKind) bool {
		return kind == writers.Deployer || kind == writers.GitOps || kind == writers.OtherApplier
	})
}

// objections are why fixes do not hold, in the order in which they were tried.
type objections []objection

// objection is one reason, of all edits that it speaks against.
type objection struct {
	edits []report.Edit
	why   text.Text
}

func (list objections) add(edit report.Edit, why text.Text) objections {
	for i, o := range list {
		if o.why.String() == why.String() {
			list[i].edits = append(o.edits, edit)
			return list
		}
	}
	return append(list, objection{[]report.Edit{edit}, why})
}

// text is a clause of each.
func (list objections) text() text.Text {
	var out text.Text
	for _, o := range list {
		var edits text.Text
		for _, e := range o.edits {
			edits = edits.And(" or ", text.New(short[e]))
		}
		out = out.And("; ", text.New("%v: %v", edits, o.why))
	}
	return out
}

// short are the edits in few words, as what is done.
var short = map[report.Edit]string{
	report.EditStop:     "stop managing the field",
	report.EditShare:    "use the live value",
	report.EditAdd:      "add it to the manifest",
	report.EditForce:    "force",
	report.EditMigrate:  "migrate",
	report.EditApplier:  "apply as another field manager",
	report.EditLeave:    "leave the owner's fields out",
	report.EditHandOver: "hand over to the autoscaler",
}

// does are the edits in words.
var does = map[report.Edit]string{
	report.EditStop:     "stop managing the field (remove it from the manifest)",
	report.EditShare:    "use the live value (share ownership)",
	report.EditForce:    "force (take ownership)",
	report.EditMigrate:  "migrate (hand the object over)",
	report.EditLeave:    "leave the owner's fields out of the manifest",
	report.EditHandOver: "hand the field over to the autoscaler first, then remove it from the manifest",
}

// owns reports whether the manager that applies owns a live field.
func (p *Prover) owns(field string) bool {
	for _, row := range report.OwnersOf(managedfields.Of(p.answer.Live)) {
		if row.Field == field {
			return slices.ContainsFunc(row.Managers, func(w report.Writer) bool { return w.Manager == p.Write.Manager })
		}
	}
	return false
}
