package writes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	words "github.com/ssactl/ssactl/internal/text"
)

// fixesIn are the commands for each cause of a run, the worst first, with what is said before
// them where a test looks for it.
func fixesIn(w *Run) (lines []string, said string) {
	for _, g := range w.Groups.Sorted() {
		text, commands := w.fix(g)
		lines, said = append(lines, commands...), said+text.String()+"\n"
	}
	return lines, said
}

// TestResolving: the commands follow the advice on the fields of a cause, of all its objects
// and of nothing else.
func TestResolving(t *testing.T) {
	const flags = " -f a.yaml --live=live.yaml"
	const resolve = "ssactl resolve" + flags + " --field-manager=ci "
	const forced = "kubectl apply --server-side --force-conflicts --field-manager=ci -f a.yaml"
	other := conflict.Conflict{Recommended: conflict.StopManaging, Because: conflict.Reason{Kind: conflict.Autoscaled, Managers: []string{"vpa"}}}
	wrong := conflict.Conflict{Recommended: conflict.None, Because: conflict.Reason{Kind: conflict.WrongManager, Managers: []string{"helm"}}}
	migrate := conflict.Conflict{Recommended: conflict.Migrate, Because: conflict.Reason{Kind: conflict.UsedByHand, Managers: []string{"helm"}}}
	none := conflict.Conflict{Recommended: conflict.None}
	for name, tt := range map[string]struct {
		results []report.Result
		want    []string
	}{
		"the only cause": {[]report.Result{refused("a", taken(".a", "hpa", 1, 2, stop), taken(".b", "hpa", 1, 2, stop))}, []string{resolve +
			"--all-stop-managing --write"}},
		"by their owners, where each has one option": {[]report.Result{refused("a", taken(".a", "hpa", 1, 2, stop), taken(".b", "vpa", 1, 2,
			other))},
			[]string{resolve + "--owned-by=hpa --all-stop-managing --write", resolve + "--owned-by=vpa --all-stop-managing --write"}},
		"by their fields, where an owner has two": {[]report.Result{refused("a", taken(".a", "hpa", 1, 2, stop), taken(".b", "hpa", 1, 1,
			share)), refused("b", taken(".a", "hpa", 1, 2, stop))},
			[]string{"ssactl resolve" + flags + " -n shop --field-manager=ci --stop-managing=.a --write -- deployment.apps/a deployment.apps/b",
				"ssactl resolve" + flags + " -n shop --field-manager=ci --use-live-value=.b --write -- deployment.apps/a"}},
		"force takes all": {[]report.Result{refused("a", taken(".a", "kubectl-edit", 1, 2, force))}, []string{forced}},
		"as another manager": {[]report.Result{refused("a", taken(".a", "helm", 1, 2, wrong))}, []string{"ssactl apply" + flags +
			" --field-manager=helm"}},
		"a takeover is migrated": {[]report.Result{refused("a", taken(".a", "helm", 1, 2, migrate))}, []string{"ssactl migrate" + flags +
			" --from=helm --to=ci"}},
		"nothing is recommended": {[]report.Result{refused("a", taken(".a", "hpa", 1, 2, none))}, []string{"ssactl explain" + flags +
			" --field-manager=ci"}},
		"with several owners": {[]report.Result{refused("a", taken(".a", "hpa", 1, 2, stop), taken(".a", "vpa", 1, 2, stop), taken(".b", "hpa",
			1, 2, share))},
			[]string{"ssactl resolve" + flags + " -n shop --field-manager=ci --stop-managing=.a --write -- deployment.apps/a",
				"ssactl resolve" + flags + " -n shop --field-manager=ci --use-live-value=.b --write -- deployment.apps/a"}},
	} {
		got, _ := fixesIn(runOf(options(), tt.results...))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestResolvingTenObjects: one command edits the fields that are alike in all of them.
func TestResolvingTenObjects(t *testing.T) {
	var results []report.Result
	var names []string
	for i := range 10 {
		results = append(results, refused(fmt.Sprint("o", i), taken(".a", "hpa", 1, 2, stop), taken(".b", "hpa", 1, 1, share)))
		names = append(names, fmt.Sprint("deployment.apps/o", i))
	}
	const resolve = "ssactl resolve -f a.yaml --live=live.yaml -n shop --field-manager=ci "
	on := " --write -- " + strings.Join(names, " ")
	got, _ := fixesIn(runOf(options(), results...))
	if diff := cmp.Diff([]string{resolve + "--stop-managing=.a" + on, resolve + "--use-live-value=.b" + on}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestResolvingManyObjects: what is in more objects than a command names is explained.
func TestResolvingManyObjects(t *testing.T) {
	var results []report.Result
	for i := range 41 {
		results = append(
			results,
			refused(fmt.Sprint("o", i), taken(".a", "hpa", 1, 2, stop), taken(".b", "hpa", 1, 1, share)),
		)
	}
	w := runOf(options(), results...)
	const explain = "ssactl explain -f a.yaml --live=live.yaml --field-manager=ci"
	if got, _ := fixesIn(w); strings.Join(got, "|") != explain+"|"+explain {
		t.Errorf("commands %q", got)
	}
	w.Explains = true
	if got, _ := fixesIn(w); got != nil {
		t.Errorf("explain itself prints %q", got)
	}
}

// TestResolvingOne: the command on one object names its fields, its manifest, and every live
// file of the run: an autoscaler may stand in another one than the object.
func TestResolvingOne(t *testing.T) {
	o := options()
	o.Several = false
	r := refused("a", taken(".a", "hpa", 1, 2, stop), taken(".b", "vpa", 1, 1, share))
	r.LiveSource = &report.Source{File: "live.json"}
	w := alone(o, r)
	w.Add(FactsOf(r))
	const resolve = "ssactl resolve -f a.yaml --live=live.yaml --field-manager=ci "
	got, _ := fixesIn(w)
	if diff := cmp.Diff([]string{resolve + "--stop-managing=.a --write", resolve + "--use-live-value=.b --write"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAdvice: force is not recommended without a word about the others, and a migration
// comes first.
func TestAdvice(t *testing.T) {
	migrate := conflict.Conflict{Recommended: conflict.Migrate, Because: conflict.Reason{Kind: conflict.UsedByHand, Managers: []string{"helm"}}}
	for name, tt := range map[string]struct {
		conflicts            []conflict.Conflict
		forceAll, migrateNow bool
	}{
		"force alone":       {[]conflict.Conflict{taken(".a", "kubectl-edit", 1, 2, force)}, false, false},
		"force and another": {[]conflict.Conflict{taken(".a", "kubectl-edit", 1, 2, force), taken(".b", "hpa", 1, 2, stop)}, true, false},
		"a migration too":   {[]conflict.Conflict{taken(".a", "helm", 1, 2, migrate), taken(".b", "hpa", 1, 2, stop)}, false, true},
		"a migration alone": {[]conflict.Conflict{taken(".a", "helm", 1, 2, migrate)}, false, false},
	} {
		_, said := fixesIn(runOf(options(), refused("a", tt.conflicts...)))
		if got := strings.Contains(said, conflict.ForceTakesAll); got != tt.forceAll {
			t.Errorf("%s: force takes all is said: %v\n%s", name, got, said)
		}
		if got := strings.Contains(said, conflict.MigrateFirst); got != tt.migrateNow {
			t.Errorf("%s: migrate first is said: %v\n%s", name, got, said)
		}
	}
}

// takenBy is a result in which a field is taken from a manager, with a risk of a rule.
func takenBy(rule string, from report.Writer, change report.Change) report.Result {
	r := applied("Deployment", "web", change)
	r.Risks = []report.Finding{{Rule: rule, Severity: report.SeverityWarning, Field: change.Field, Manager: from.Manager,
		Message: words.New("odd")}}
	r.Transfers = []report.Transfer{
		{Field: change.Field, Manager: from.Manager, Operation: from.Operation, Subresource: from.Subresource,
			Kind: report.Overridden},
	}
	return r
}

// TestHelping: a risk has a command only where one line does what helps.
func TestHelping(t *testing.T) {
	hpa := report.Writer{Manager: "kube-controller-manager", Operation: "Update", Subresource: "scale"}
	helm := report.Writer{Manager: "helm", Operation: "Update"}
	change := report.Change{Field: ".spec.replicas", Kind: report.Modified, Before: int64(5), After: int64(3)}
	added := report.Change{Field: ".spec.replicas", Kind: report.Added, After: int64(3)}
	owned := takenBy(risk.ReplicasAutoscaled, hpa, change)
	owned.Transfers = nil
	takeover := takenBy(risk.Takeover, helm, change)
	takeover.Risks[0].Field = ""
	acquired := takenBy(risk.ReplicasAutoscaled, hpa, change)
	acquired.Transfers = []report.Transfer{{Field: change.Field, Manager: "ci", Operation: "Apply", Kind: report.Acquired}}
	if got, _ := fixesIn(runOf(options(), acquired)); got != nil {
		t.Errorf("what was not owned before is transferred: %q", got)
	}
	noLive := options()
	noLive.Inputs = noLive.Inputs[:1]
	for name, tt := range map[string]struct {
		o    page.Options
		r    report.Result
		want []string
	}{
		"replicas of an autoscaler": {options(), takenBy(risk.ReplicasAutoscaled, hpa, change),
			[]string{"ssactl resolve -f a.yaml --live=live.yaml -n shop --field-manager=ci --stop-managing=.spec.replicas --write -- " +
				"deployment.apps/web"}},
		"what was owned before is transferred": {options(), owned,
			[]string{"ssactl transfer -f live.yaml -n shop --from=ci --to-controller -- deployment.apps/web .spec.replicas"}},
		"an injected field": {options(), takenBy(risk.InjectedField, hpa, change),
			[]string{"ssactl resolve -f a.yaml --live=live.yaml -n shop --field-manager=ci --stop-managing=.spec.replicas --write -- " +
				"deployment.apps/web"}},
		"without live objects":   {noLive, takenBy(risk.ReplicasAutoscaled, hpa, change), nil},
		"that are not there yet": {options(), takenBy(risk.ReplicasAutoscaled, hpa, added), nil},
		"another rule":           {options(), takenBy("another-rule", hpa, change), nil},
		"a takeover":             {options(), takeover, []string{"ssactl migrate -f a.yaml --live=live.yaml --from=helm --to=ci"}},
		"taken from who is run":  {options(), takenBy(risk.TakenByForce, helm, change), nil},
		"taken from who writes on": {options(), takenBy(risk.TakenByForce, hpa, change),
			[]string{"ssactl resolve -f a.yaml --live=live.yaml --field-manager=ci --owned-by=kube-controller-manager --all-stop-managing --write"}},
	} {
		got, _ := fixesIn(runOf(tt.o, tt.r))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestInClient: the setting of a client is named once for each cause that it is for.
func TestInClient(t *testing.T) {
	hpa := report.Writer{Manager: "kube-controller-manager", Operation: "Update", Subresource: "scale"}
	r := takenBy(
		risk.TakenByForce,
		hpa,
		report.Change{Field: ".spec.replicas", Kind: report.Modified, Before: int64(5), After: int64(3)},
	)
	r.Manager = "argocd-controller"
	r.InClient = []report.ClientFix{
		{Client: report.ArgoCD, Kind: string(conflict.UseLiveValue), Managers: []string{hpa.Manager},
			Fields: []string{".spec.replicas"}, Places: []report.Place{{}}},
	}
	if got := looked(runOf(options(), r, r)); strings.Count(
		got,
		"In Argo CD: ignoreDifferences; ssactl explain prints the setting.",
	) != 1 {
		t.Errorf("got\n%s", got)
	}
}

// TestLeave: what a forced apply takes is left to its owner only where that is safe, and what
// a controller derives from other fields is in no manifest.
func TestLeave(t *testing.T) {
	vpa := report.Writer{Manager: "vpa", Operation: "Update"}
	aggregation := report.Writer{Manager: "clusterrole-aggregation-controller", Operation: "Update"}
	scalar := report.Change{Field: ".a", Kind: report.Modified, Before: "b", After: "c"}
	whole := report.Change{Field: ".rules", Kind: report.Modified, Before: []any{"b"}, After: []any{"c"}}
	lacks := &conflict.Conflict{Recommended: conflict.None, Because: conflict.Reason{Kind: conflict.NoneSafe, Managers: []string{"vpa"}, Against: []conflict.Objection{conflict.ForceReverted, conflict.StopLacks}}}
	controlled := &conflict.Conflict{Recommended: conflict.StopManaging, Because: conflict.Reason{Kind: conflict.Controlled, Managers: []string{aggregation.Manager}}}
	unowned := takenBy(risk.TakenByForce, vpa, scalar)
	unowned.Transfers = nil
	const resolve = "ssactl resolve -f a.yaml --live=live.yaml --field-manager=ci --owned-by="
	for name, test := range map[string]struct {
		r      report.Result
		advice *conflict.Conflict
		lines  []string
		said   string
	}{
		"a field that the object needs": {takenBy(risk.TakenByForce, vpa, scalar), lacks, nil, "without the field the server would not create the object"},
		"another one":                   {takenBy(risk.TakenByForce, vpa, scalar), &conflict.Conflict{Recommended: conflict.StopManaging}, []string{resolve + "vpa --all-stop-managing --write"}, "To leave it to vpa:"},
		"without an owner":              {unowned, nil, nil, ""},
		"what a controller derives":     {takenBy(risk.AtomicReplaced, aggregation, whole), controlled, []string{resolve + aggregation.Manager + " --all-stop-managing --write"}, "Change what it derives the value from"},
		"so of a client that patches":   {takenBy(risk.AtomicReplaced, aggregation, whole), nil, nil, "Change what it derives the value from"},
		"another list":                  {takenBy(risk.AtomicReplaced, vpa, whole), nil, nil, "agree with its owner on one manifest"},
	} {
		if test.advice != nil {
			c := *test.advice
			c.Field, c.Owners = test.r.Risks[0].Field, []conflict.Owner{{}}
			test.r.Contested = conflict.Conflicting(report.Result{}, []conflict.Conflict{c}).Contested
		}
		lines, said := fixesIn(runOf(options(), test.r))
		if diff := cmp.Diff(test.lines, lines); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if !strings.Contains(said, test.said) {
			t.Errorf("%s: said %q, want %q", name, said, test.said)
		}
		if got := looked(runOf(options(), test.r)); strings.Contains(got, "from (") || strings.Contains(got, "--owned-by= ") {
			t.Errorf("%s: an owner without a name:\n%s", name, got)
		}
	}
}
