package risk

import (
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Findings are the risks of a result as findings, with what to do about each.
func Findings(r report.Result) []report.Finding {
	var out []report.Finding
	wrote := map[managedfields.Role]*time.Time{}
	if len(r.Risks) > 0 {
		for _, e := range managedfields.Of(r.Live).Entries {
			wrote[e.Role] = e.Time
		}
	}
	for _, k := range r.Risks {
		if rules.Index(k.Rule) < 0 && !k.Why.IsZero() {
			// What a changed definition does comes with its reason and its fixes.
			out = append(out, k)
			continue
		}
		s := concern{Result: r, risk: k}
		s.look(wrote)
		out = append(out, s.finding())
	}
	return out
}

// concern is a risk with whom it concerns.
type concern struct {
	report.Result
	risk report.Finding
	// change is that of the field; its kind is empty for none.
	change report.Change
	// owner is from whom the field is taken; without a name where it is from no other. others are those
	// that it is taken from too.
	owner  report.Writer
	others []report.Writer
	// live is true where an apply finds the field live, owned where the manager owned it
	// before, taken where it takes it from others.
	live, owned, taken bool
}

// look finds what the result says of the field: its change, and from whom it is taken. The
// times are those at which managers wrote last.
func (s *concern) look(wrote map[managedfields.Role]*time.Time) {
	s.findChange()
	s.findOwner(wrote)
	if !s.taken && (s.risk.Rule == TakenByForce || s.risk.Rule == AtomicReplaced) {
		s.overwrites()
	}
}

// findChange finds the change of the field, and whether it is live.
func (s *concern) findChange() {
	s.live = s.risk.Field != "" && s.Operation == report.Apply && s.Outcome != report.Created
	for _, c := range s.Changes {
		if c.Field == s.risk.Field {
			s.live, s.change = s.live && c.Kind != report.Added, c
		}
	}
	for _, n := range s.NotSent {
		if n.Field == s.risk.Field && s.risk.Rule == NotApplied {
			s.change = report.Change{Before: n.Live, After: n.Manifest}
		}
	}
}

// findOwner finds from whom the field is taken, and whether the manager owned it before.
func (s *concern) findOwner(wrote map[managedfields.Role]*time.Time) {
	s.owned = s.live
	for _, t := range s.Transfers {
		if s.risk.Rule == Takeover && t.Kind == report.Overridden && t.Manager == s.risk.Manager {
			s.owner = t.Writer()
		}
		if t.Field != s.risk.Field {
			continue
		}
		mine := t.Manager == s.Result.Manager
		if mine && (t.Kind == report.Acquired || t.Kind == report.Shared) {
			s.owned = false
		}
		if t.Kind == report.Overridden || !mine && (t.Kind == report.TransferRemoved || t.Kind == report.Relinquished) {
			owner := t.Writer()
			owner.Time = wrote[managedfields.Role{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}]
			s.takes(owner)
		}
	}
}

// takes notes one of those from whom the field is taken: the first is the one that the risk is about.
func (s *concern) takes(owner report.Writer) {
	switch {
	case !s.taken:
		s.owner = owner
	case owner.Manager == s.risk.Manager && s.owner.Manager != owner.Manager:
		s.owner, s.others = owner, append(s.others, s.owner)
	default:
		s.others = append(s.others, owner)
	}
	s.taken = true
}

// overwrites names the live owner of a field that is overwritten without a transfer. It is
// in no conflict, so that no command edits it.
func (s *concern) overwrites() {
	for _, row := range report.OwnersOf(managedfields.Of(s.Live)) {
		if row.Field == s.risk.Field {
			s.taken, s.live, s.owner = true, false, row.Managers[0]
			s.owner.APIVersion = ""
		}
	}
}

func (s *concern) finding() report.Finding {
	f, rule := s.risk, rules.Of(s.risk.Rule)
	if s.risk.Rule == NeverSettles && len(f.Also) > 0 {
		// What another rule knows to do about the field ends the cycle.
		s.risk.Rule = f.Also[0]
	}
	f.By, f.Why = rule.By, text.Text{Format: rule.Why}
	if f.Before == nil && f.After == nil {
		f.Before, f.After = s.change.Before, s.change.After
	}
	if s.owner.Manager != "" {
		f.Owners = append([]report.Writer{s.owner}, s.others...)
	}
	for _, owner := range slices.Backward(f.Owners) {
		f.Evidence = report.Wrote(owner).And("; ", f.Evidence)
	}
	f.Fixes = []report.Fix{}
	fix, why := s.fix()
	setting, has := s.setting()
	if fix.Does.IsZero() && f.Rule == NeverSettles && !has {
		fix.Does = text.Text{Format: s.settling()}
	}
	if !fix.Does.IsZero() {
		f.Fixes = append(f.Fixes, fix)
	}
	if !why.IsZero() {
		f.Why = why
	}
	if s.undecided() {
		f.Because = string(conflict.NoneSafe)
	}
	if has {
		f.Fixes = append(f.Fixes, report.Fix{InClient: &setting})
	}
	return f
}

// settling is what ends a cycle for which no other rule knows anything to do.
func (s *concern) settling() string {
	k := s.risk
	if k.Rule = NeverSettles; k.Field == writers.Replicas && s.Client != nil {
		k.Rule = ReplicasAutoscaled
	}
	return FixOf(s.Result, k)
}

// setting is that of the client which leaves the field to whom it is taken from.
func (s *concern) setting() (report.ClientFix, bool) {
	if s.owner.Manager == "" || s.risk.Rule == Takeover || s.Outcome.Refused() {
		return report.ClientFix{}, false
	}
	for _, fix := range s.InClient {
		if one, ok := fix.On(s.risk.Field, s.owner.Manager); ok {
			return one, true
		}
	}
	return report.ClientFix{}, false
}

// fix is what to do about the risk, and why, where that is more than the rule says; its
// Does is empty where nothing is known.
func (s *concern) fix() (report.Fix, text.Text) {
	switch s.risk.Rule {
	case Takeover:
		return report.Fix{
			Edit:    report.EditMigrate,
			Manager: s.risk.Manager,
			Does:    text.New("hand them over for good"),
		}, text.Text{}
	case StoredDifferently:
		return s.spelled(), text.Text{}
	case TakenByForce, AtomicReplaced:
		if fix, why := s.leave(); !fix.Does.IsZero() || !why.IsZero() {
			return fix, why
		}
	case RemovedWithOthers:
		if writers.IsInjected(s.risk.Field) && writers.InjectorOf(s.Object).Manager == s.risk.Manager {
			// The injector sets it.
			return report.Fix{}, text.Text{}
		}
	case DeletesMore:
		if fix, said := s.deleting(); said {
			return fix, text.Text{}
		}
	}
	fix := report.Fix{Edit: s.edit(), Manager: s.Result.Manager, Does: text.Text{Format: FixOf(s.Result, s.risk)}}
	switch {
	case fix.Edit == report.EditHandOver && s.risk.Rule == FallsBackToDefault:
		fix.Does = text.New("hand the field over to the autoscaler first: then the live value stays.")
	case fix.Edit == report.EditHandOver:
		fix.Does = text.New("hand the field over to the autoscaler first, then remove it from the manifest.")
	}
	return fix, text.Text{}
}

// deleting is what to do about an object that goes, with all that goes with it; false where that is
// what the rule says.
func (s *concern) deleting() (report.Fix, bool) {
	annotation := keeping[conflict.ClientOf(s.Result.Manager)]
	switch {
	case s.Operation == report.Delete && !s.Pruned:
		// Who asks for a deletion means it.
		return report.Fix{}, true
	case annotation != "" && s.Pruned:
		return report.Fix{Does: text.New("keep the object in the manifests, or give the live one the annotation %v, "+
			"unless all of it is to go.", text.Name(annotation))}, true
	}
	return report.Fix{}, false
}

// spelled is to write a value as the server stores it.
func (s *concern) spelled() report.Fix {
	if s.change.Kind == report.Removed || s.change.Kind == "" {
		return report.Fix{Does: text.New("take it out of the manifest")}
	}
	return report.Fix{Does: text.New("write it as it is stored")}
}

// keeping are the annotations of live objects that clients do not delete.
var keeping = map[report.Client]string{
	report.Helm:   "helm.sh/resource-policy: keep",
	report.ArgoCD: "argocd.argoproj.io/sync-options: Prune=false",
	report.Flux:   "kustomize.toolkit.fluxcd.io/prune: disabled",
}

// leave is how what is taken is left to its owner, who writes again by itself. It is empty
// where there is no more to say than the rule does.
func (s *concern) leave() (report.Fix, text.Text) {
	owner := writers.Judge(s.owner, s.Result.Manager, s.risk.Field, s.Live)
	again := owner.Returns == writers.Always || owner.Returns == writers.OnSync
	left := s.Operation == report.Apply && s.live && s.owner.Manager != "" && again
	contested := s.contested()
	switch {
	case s.undecided() || contested.Because == string(conflict.LeftByClient):
		return report.Fix{}, contested.Why
	case s.risk.Rule == AtomicReplaced:
		return s.leaveWhole(owner, left, contested)
	case left:
		return report.Fix{Edit: report.EditLeave, Manager: s.owner.Manager,
			Does: text.New("leave what %v owns to it", text.By(s.owner.Manager))}, text.Text{}
	}
	return report.Fix{}, text.Text{}
}

// leaveWhole is leave of a list or a map that is one field.
func (s *concern) leaveWhole(
	owner writers.ManagerKind, left bool, contested report.Finding,
) (report.Fix, text.Text) {
	stopping := report.Fix{Does: text.New(conflict.StopManaging.Does())}
	switch {
	case left && contested.Does() == report.EditStop:
		stopping.Edit, stopping.Manager = report.EditLeave, s.owner.Manager
		return stopping, contested.Why
	case owner.Kind == writers.Controller && owner.Certain:
		because := conflict.Reason{Kind: conflict.Controlled, Managers: []string{s.owner.Manager}}
		return stopping, because.Says()
	case owner.Kind == writers.Person:
		return report.Fix{Does: text.New("add to the manifest what is to stay.")}, text.Text{}
	}
	return report.Fix{}, text.Text{}
}

// undecided reports whether nothing is recommended about a field that is taken, before other fixes are tried.
func (s *concern) undecided() bool {
	return (s.risk.Rule == TakenByForce || s.risk.Rule == AtomicReplaced) &&
		s.contested().Because == string(conflict.NoneSafe)
}

// contested is the finding of the conflict that there would be over the field without force;
// zero for none.
func (s *concern) contested() report.Finding {
	i := slices.IndexFunc(s.Contested, func(f report.Finding) bool { return f.Field == s.risk.Field })
	if i < 0 {
		return report.Finding{}
	}
	return s.Contested[i]
}

// edit is what helps with a risk: replicas are left to the autoscaler, of what is owned
// already by a transfer, as dropping it sets the default; a line that removes what an
// injector put there is deleted; what is removed with others is added. None helps with
// others, where the live object has no such field, or a note asks for no decision.
func (s *concern) edit() report.Edit {
	switch {
	case s.Operation != report.Apply || s.risk.Severity == report.SeverityNote || !s.live:
	case s.risk.Rule == RemovedWithOthers:
		return report.EditAdd
	case (s.risk.Rule == ReplicasAutoscaled || s.risk.Rule == InjectedField || s.risk.Rule == NeverSettles) && s.taken:
		return report.EditStop
	case s.owned && (s.risk.Rule == ReplicasAutoscaled ||
		s.risk.Rule == FallsBackToDefault && s.risk.Field == writers.Replicas && s.risk.Severity == report.SeverityError):
		return report.EditHandOver
	}
	return ""
}
