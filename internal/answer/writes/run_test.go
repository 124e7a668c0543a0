package writes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	words "github.com/ssactl/ssactl/internal/text"
)

var now = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

func object(kind, name string) report.Target {
	version := "apps/v1"
	if kind == "ConfigMap" || kind == "Secret" {
		version = "v1"
	}
	return report.Target{APIVersion: version, Kind: kind, Namespace: "shop", Name: name}
}

func at(line int) *report.Source { return &report.Source{File: "a.yaml", Line: line} }

// applied is an accepted apply with changes.
func applied(kind, name string, changes ...report.Change) report.Result {
	return report.Result{
		Target:    object(kind, name),
		Source:    report.Source{File: "a.yaml", Line: 1},
		Operation: report.Apply,
		Manager:   "ci",
		Outcome:   report.Configured,
		Code:      200,
		Changes:   changes,
	}
}

// refused is an apply with conflicts.
func refused(name string, conflicts ...conflict.Conflict) report.Result {
	r := applied("Deployment", name)
	r.Outcome, r.Code = report.Conflicted, 409
	r.Status = &report.Status{Reason: "Conflict", Message: "Apply failed"}
	var fields []conflict.Conflict
	for _, c := range conflicts {
		if last := len(fields) - 1; last >= 0 && fields[last].Field == c.Field {
			fields[last].Owners = append(fields[last].Owners, c.Owners...)
			continue
		}
		fields = append(fields, c)
	}
	return conflict.Conflicting(r, fields)
}

func taken(field, manager string, live, applied any, advice conflict.Conflict) conflict.Conflict {
	c := advice
	c.Field, c.Source = field, at(9)
	c.Owners = []conflict.Owner{{Writer: report.Writer{Manager: manager, Operation: "Update", APIVersion: "apps/v1"}}}
	c.Live, c.Yours = conflict.Value{Value: live}, conflict.Value{Value: applied}
	return c
}

var (
	stop  = conflict.Conflict{Recommended: conflict.StopManaging, Because: conflict.Reason{Kind: conflict.Autoscaled, Managers: []string{"hpa"}}}
	share = conflict.Conflict{Recommended: conflict.UseLiveValue, Because: conflict.Reason{Kind: conflict.SameValue, Managers: []string{"hpa"}}}
	force = conflict.Conflict{Recommended: conflict.Force, Because: conflict.Reason{Kind: conflict.UsedByHand, Managers: []string{"kubectl-edit"}}}
)

// options are those of a command on a file and its live objects.
func options() page.Options {
	return page.Options{
		Brief:   true,
		Several: true,
		Now:     now,
		Call: fixes.Call{Inputs: []shell.Flag{shell.File("-f", "a.yaml"),
			shell.File("--live", "live.yaml")}},
	}
}

func runOf(o page.Options, results ...report.Result) *Run {
	w := NewRun(o)
	w.Head(stream.Start{Total: len(results)})
	for _, r := range results {
		w.Add(FactsOf(r))
	}
	return w
}

// looked is what is to be looked at, as the text format has it.
func looked(w *Run) string {
	return text.Blocks(w.Look(w.Groups.Sorted()), text.Options{Width: 160})
}

// TestLook: a cause is said once for all objects that have it, the worst first, with the
// commands that do what is recommended and nothing else.
func TestLook(t *testing.T) {
	const recommended = "       Recommended: stop managing the field (remove it from the manifest). This value is decided by hpa. If the " +
		"manifest sets it, every apply resets it.\n"
	const on = "       ssactl resolve -f a.yaml --live=live.yaml --field-manager=ci "
	const explain = "\nWhat each option would do, field by field:\n  ssactl explain -f a.yaml --live=live.yaml --field-manager=ci\n"
	autoscaled := taken(".spec.replicas", "hpa", int64(5), int64(3), stop)
	risky := func(name string, severity report.Severity) report.Result {
		r := applied(
			"Deployment",
			name,
			report.Change{Field: ".spec.paused", Kind: report.Modified, Before: false, After: true},
		)
		r.Risks = []report.Finding{
			{Rule: "a-rule", Severity: severity, Field: ".spec.paused", Message: words.New("%v is odd", words.By(name)),
				Source: *at(4)},
		}
		return r
	}
	invalid := func(name, message string) report.Result {
		r := refused(name)
		r.Outcome, r.Code, r.Status = report.Invalid, 422, &report.Status{Reason: "Invalid", Message: message}
		r.Causes = []report.Cause{{Field: "spec.replicas", Message: message, Source: at(2)}}
		return r
	}
	unanswered := applied("Secret", "s")
	unanswered.Outcome, unanswered.Error = report.Failed, "it needs a webhook\nwhich cannot run"
	for name, tt := range map[string]struct {
		results []report.Result
		want    string
	}{
		"nothing": {[]report.Result{applied("Deployment", "web")}, ""},
		"one conflict": {[]report.Result{refused("web", autoscaled)},
			"error  deployment/web  .spec.replicas  5 -> 3  a.yaml:9\n       Owned by hpa (Update): the horizontal pod autoscaler\n" +
				recommended + on + "--all-stop-managing --write\n" + explain},
		"of several objects": {[]report.Result{refused("web", autoscaled), refused("api", autoscaled)},
			"error  .spec.replicas of 2 Deployments, owned by hpa (Update): the horizontal pod autoscaler\n" +
				"       deployment/web  5 -> 3  a.yaml:9\n       deployment/api  5 -> 3  a.yaml:9\n" +
				recommended + on + "--all-stop-managing --write\n" + explain},
		"rejected": {[]report.Result{invalid("web", `"web" is wrong`), invalid("api", `"api" is wrong`)},
			"error  rejected by the API server (422 Invalid): 2 Deployments\n       spec.replicas: \"web\" is wrong (the same of 1 other object)\n" +
				"       deployment/web (a.yaml:2), deployment/api (a.yaml:2)\n"},
		"no answer": {[]report.Result{unanswered},
			"error  no answer: 1 Secret\n       it needs a webhook\n       which cannot run\n       secret/s (a.yaml:1)\n"},
		"risks, the worst first": {[]report.Result{risky("note", report.SeverityNote), risky("web", report.SeverityWarning), risky("api",
			report.SeverityWarning)},
			"warning  .spec.paused of 2 Deployments: web, api is odd (a-rule)\n         deployment/web  false -> true  a.yaml:4\n" +
				"         deployment/api  false -> true  a.yaml:4\n" +
				"note     deployment/note  .spec.paused  false -> true  a.yaml:4\n         note is odd (a-rule)\n"},
		"many": {[]report.Result{risky("a", report.SeverityNote), risky("b", report.SeverityNote), risky("c", report.SeverityNote), risky("d",
			report.SeverityNote), risky("e", report.SeverityNote)},
			"note  .spec.paused of 5 Deployments: a, b, c, … is odd (a-rule)\n      deployment/a  false -> true  a.yaml:4\n" +
				"      deployment/b  false -> true  a.yaml:4\n      … 3 more\n"},
	} {
		got := looked(runOf(options(), tt.results...))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestHeadline counts outcomes and causes, and says what is not known.
func TestHeadline(t *testing.T) {
	withSummary := func(results ...report.Result) report.Report { return report.New(report.Run{}, results) }
	warned := applied("Deployment", "web")
	warned.Risks = []report.Finding{{Rule: "a-rule", Severity: report.SeverityWarning, Message: words.New("odd")}}
	doubtful := applied("Deployment", "web")
	doubtful.Confidence.Reasons = []report.Caveat{{Rule: report.RuleNoManagedFields, Message: "no managed fields"}}
	deleted := applied("Deployment", "web")
	deleted.Operation, deleted.Deleted, deleted.Manager = report.Delete, true, "kubectl"
	helm := applied("Deployment", "api")
	helm.Manager = "helm"
	for name, tt := range map[string]struct {
		results []report.Result
		start   stream.Start
		change  func(*report.Report)
		want    string
	}{
		"nothing": {nil, stream.Start{}, func(d *report.Report) { d.Problems = make([]report.Problem, 2) },
			"No object could be answered. 2 inputs could not be read."},
		"accepted": {[]report.Result{applied("Deployment", "web"), applied("Deployment", "api")}, stream.Start{}, nil,
			"2 objects as ci: 2 change. No conflicts."},
		"one":        {[]report.Result{applied("Deployment", "web")}, stream.Start{}, nil, "1 object: 1 changed. No conflicts."},
		"by several": {[]report.Result{applied("Deployment", "web"), helm}, stream.Start{}, nil, "2 objects: 2 change. No conflicts."},
		"refused": {[]report.Result{refused("a", taken(".a", "hpa", 1, 2, stop)), applied("Deployment", "b")}, stream.Start{}, nil,
			"2 objects as ci: 1 conflicted, 1 changed. 1 error."},
		"to look at": {[]report.Result{warned, doubtful}, stream.Start{}, nil, "2 objects as ci: 2 change. 1 warning, 1 caution."},
		"no live": {[]report.Result{applied("Deployment", "a"), applied("Deployment", "b")}, stream.Start{NoLive: true}, nil,
			"2 objects as ci: 2 change. No live objects are given (--live): each is taken as absent from the cluster."},
		"deleted": {[]report.Result{deleted, deleted}, stream.Start{Command: "delete"}, nil, "2 objects: 2 deleted."},
		"unread": {[]report.Result{applied("Deployment", "web")}, stream.Start{},
			func(d *report.Report) { d.Problems = make([]report.Problem, 1) }, "1 object: 1 changed. No conflicts. 1 input could not be read."},
		"interrupted": {[]report.Result{applied("Deployment", "web")}, stream.Start{},
			func(d *report.Report) { d.Interrupted = &report.Interruption{Answered: 1, Total: 9} },
			"1 object: 1 changed. No conflicts.|interrupted after 1 of 9 objects"},
	} {
		w := NewRun(options())
		w.Head(tt.start)
		for _, r := range tt.results {
			w.Add(FactsOf(r))
		}
		doc := withSummary(tt.results...)
		if tt.change != nil {
			tt.change(&doc)
		}
		var lines []string
		for _, l := range w.Headline(doc) {
			lines = append(lines, l.String())
		}
		if got := strings.Join(lines, "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestTail: what is known at the end only.
func TestTail(t *testing.T) {
	results := []report.Result{
		refused("a", taken(".a", "hpa", 1, 2, stop)),
		applied("Deployment", "b", report.Change{Field: ".spec.x",
			Kind: report.Added, After: "y", Source: at(3)}),
	}
	failed := applied("Deployment", "c")
	failed.Outcome, failed.Error = report.Failed, "it cannot\nbe known"
	unmatched := 1
	for name, tt := range map[string]struct {
		results []report.Result
		change  func(*report.Report)
		check   func(model.Tail) bool
	}{
		"refused": {results, nil, func(t model.Tail) bool {
			return t.State == model.Refused && t.Severity == "error" && t.Unanswered == ""
		}},
		"no answer": {append(results, failed), nil, func(t model.Tail) bool {
			return t.State == model.Failed && t.Unanswered == "No answer for 1 of 3 objects: it cannot"
		}},
		"accepted": {results[1:], nil, func(t model.Tail) bool {
			return t.State == model.Accepted && t.Severity == "" && t.Headline == nil && t.First == nil
		}},
		"unread": {results[1:], func(d *report.Report) { d.Problems = make([]report.Problem, 1) },
			func(t model.Tail) bool { return t.State == model.Failed && t.Headline != nil }},
		"changes, to see": {results, nil, func(t model.Tail) bool {
			return strings.Contains(text.Blocks(t.First, text.Options{}),
				"Changes: 1 field of 1 object\n  deployment/b  .spec.x  (not set) -> \"y\"  a.yaml:3\n")
		}},
		"live objects of no manifest": {results, func(d *report.Report) { d.Summary.Unmatched = &unmatched }, func(t model.Tail) bool {
			return strings.Contains(text.Blocks(t.Blocks, text.Options{}), "1 live object is in no manifest; --unmatched lists it.")
		}},
		"that were asked for": {results, func(d *report.Report) { d.Unmatched = []report.Target{object("Secret", "s")} },
			func(t model.Tail) bool {
				return text.Blocks(t.Listed, text.Options{}) == "\nLive objects that no manifest names\n  secret/s (namespace shop)\n"
			}},
	} {
		doc := report.New(report.Run{}, tt.results)
		if tt.change != nil {
			tt.change(&doc)
		}
		if tail := runOf(options(), tt.results...).Tail(stream.Ending{Report: doc}); !tt.check(tail) {
			t.Errorf(
				"%s: %+v\n%s\n%s",
				name,
				tail,
				text.Blocks(tail.First, text.Options{}),
				text.Blocks(tail.Blocks, text.Options{}),
			)
		}
	}
}

// TestExit counts causes, as the headline does, and not every object that has one.
func TestExit(t *testing.T) {
	warned := func(name string) report.Result {
		r := applied("Deployment", name)
		r.Risks = []report.Finding{{Rule: "a-rule", Severity: report.SeverityWarning, Field: ".a", Message: words.New("odd")}}
		return r
	}
	w := runOf(options(), warned("a"), warned("b"), warned("c"))
	failOn := report.FailOn{Values: []string{"warning"}}
	for range 3 {
		failOn.Count("a-rule", report.SeverityWarning)
	}
	got := w.Exit(report.Report{Ending: report.Ending{FailOn: &failOn}})
	if want := "exit 1: --fail-on warning (1 warning)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := w.Exit(report.Report{}); got != "" {
		t.Errorf("without --fail-on: %q", got)
	}
}

// TestCautious: cautions on objects that are to be fetched are one, with one command.
func TestCautious(t *testing.T) {
	doubtful := func(kind, name, namespace, rule string) report.Result {
		r := applied(kind, name)
		r.Target.Namespace = namespace
		r.Confidence.Reasons = []report.Caveat{{Rule: rule, Message: "Of " + name + "."}}
		return r
	}
	for name, tt := range map[string]struct {
		results []report.Result
		want    string
	}{
		"one of one": {[]report.Result{doubtful("Deployment", "a", "shop", report.RuleNoManagedFields)},
			"\nCaution: Of a. Fetch it with its managed fields:\n" +
				"  kubectl get --namespace=shop --output=yaml --show-managed-fields -- deployment.apps a > live.yaml\n"},
		"some of one namespace": {[]report.Result{doubtful("Deployment", "a", "shop", report.RuleNoManagedFields), doubtful("Secret", "b",
			"shop", report.RuleNoManagedFields), applied("Deployment", "c")},
			"\nCaution: Of a. (2 of 3 objects) Fetch them with their managed fields:\n" +
				"  kubectl get --namespace=shop --output=yaml --show-managed-fields -- deployment.apps,secret > live.yaml\n"},
		"of several namespaces": {[]report.Result{doubtful("Deployment", "a", "shop", report.RuleNoManagedFields), doubtful("Deployment", "b",
			"pay", report.RuleNoManagedFields)},
			"\nCaution: Of a. Fetch them with their managed fields:\n" +
				"  kubectl get --all-namespaces --output=yaml --show-managed-fields -- deployment.apps > live.yaml\n"},
		"kinds without live objects": {[]report.Result{doubtful("Deployment", "a", "shop", report.RuleNoLiveKind), doubtful("Secret", "b",
			"shop", report.RuleNoLiveKind)},
			"\nCaution: The live files have no objects of 2 kinds (Deployment, Secret): each object is taken as absent from the cluster. Fetch " +
				"all of them:\n" +
				"  kubectl get --all-namespaces --output=yaml --show-managed-fields -- deployment.apps,secret > more.yaml\n"},
		"kinds without a schema": {[]report.Result{doubtful("Deployment", "a", "shop", report.RuleAssumedSchema), doubtful("Secret", "b",
			"shop", report.RuleAssumedSchema)},
			"\nCaution: No schema is known for 2 kinds (Deployment, Secret): it is assumed that every key is a field of its own and every list " +
				"atomic, and nothing is defaulted or validated. Give their CustomResourceDefinitions with --crds:\n" +
				"  kubectl get --output=yaml --show-managed-fields -- crd deployments.apps secrets. > crds.yaml\n"},
		"others by what they say": {[]report.Result{doubtful("Deployment", "a", "shop", report.RuleDigests), doubtful("Deployment", "b", "shop",
			report.RuleDigests)},
			"\nCaution: Of a. (1 of 2 objects) --snapshot-key FILE compares them.\n\n" +
				"Caution: Of b. (1 of 2 objects) --snapshot-key FILE compares them.\n"},
	} {
		got := text.Blocks(runOf(options(), tt.results...).Cautious(len(tt.results)), text.Options{Width: 1000})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestChanged: changes that no cause says, those of many objects together; versions in
// labels are counted.
func TestChanged(t *testing.T) {
	image := func(after string) report.Change {
		return report.Change{
			Field:  `.spec.containers[name="a"].image`,
			Kind:   report.Modified,
			Before: "a:1",
			After:  after,
			Source: at(7),
		}
	}
	annotated := report.Change{
		Field:  ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration",
		Kind:   report.Modified,
		Before: "{}",
		After:  `{"a":1}`,
	}
	version := report.Change{
		Field:  ".metadata.labels.version",
		Kind:   report.Modified,
		Before: "v1.4.0",
		After:  "v1.5.0-rc.1",
	}
	generation := report.Change{Field: ".metadata.generation", Kind: report.Modified, Before: int64(1), After: int64(2)}
	defaulted := report.Change{Field: ".spec.x", Kind: report.Added, After: int64(1), Reason: report.ReasonDefaulted}
	created := applied("Secret", "s")
	created.Outcome = report.Created
	owned := applied("ConfigMap", "c", generation)
	risky := applied("Deployment", "r", image("a:2"))
	risky.Risks = []report.Finding{
		{Rule: "a-rule", Severity: report.SeverityWarning, Field: image("").Field, Message: words.New("odd")},
	}
	for name, tt := range map[string]struct {
		results []report.Result
		want    string
	}{
		"one": {[]report.Result{applied("Deployment", "web", image("a:2"), generation)},
			"\nChanges: 1 field of 1 object\n  deployment/web  .spec.containers[name=\"a\"].image  a:1 -> a:2  a.yaml:7\n"},
		"alike, and versions": {[]report.Result{applied("Deployment", "web", defaulted, image("a:2"), version), applied("Deployment", "api",
			image("a:2"), version)},
			"\nChanges: 3 fields of 2 objects and 2 versions and checksums in labels\n" +
				"  deployment/web, deployment/api  .spec.containers[name=\"a\"].image  a:1 -> a:2      a.yaml:7\n" +
				"  deployment/web                  .spec.x                           (not set) -> 1\n"},
		"not alike": {[]report.Result{applied("Deployment", "web", image("a:2")), applied("Deployment", "api", image("a:3"))},
			"\nChanges: 2 fields of 2 objects\n  deployment/web  .spec.containers[name=\"a\"].image  a:1 -> a:2  a.yaml:7\n" +
				"  deployment/api  .spec.containers[name=\"a\"].image  a:1 -> a:3  a.yaml:7\n"},
		"last-applied": {[]report.Result{applied("Deployment", "web", annotated), applied("Service", "web", annotated, image("a:2"))},
			"\nChanges: 1 field of 1 object and the last-applied annotation rewritten on 2 objects\n" +
				"  service/web  .spec.containers[name=\"a\"].image  a:1 -> a:2  a.yaml:7\n"},
		"a version alone": {[]report.Result{applied("Deployment", "web", version)}, "\nChanges: 1 version or checksum in a label\n"},
		"said by a cause": {[]report.Result{risky}, ""},
		"as a whole":      {[]report.Result{created, owned}, "\nCreated: secret/s\n\nOnly ownership changes: configmap/c\n"},
	} {
		got := text.Blocks(runOf(options(), tt.results...).changed(), text.Options{Width: 160})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestNamed: few objects are named, many counted by their kinds.
func TestNamed(t *testing.T) {
	few, many := &finding.Objects{}, &finding.Objects{}
	for _, kind := range []string{"A", "B"} {
		few.Add(object(kind, "o"))
	}
	for i := range 9 {
		many.Add(object("A", fmt.Sprint("o", i)))
	}
	w := NewRun(options())
	if got, want := w.named(few), "a/o (namespace shop), b/o (namespace shop)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := w.named(many), "9 As"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestKeyedIsBounded: what has no room any more is left out, and what is known still counts.
func TestKeyedIsBounded(t *testing.T) {
	var k keyed[int, int]
	for i := range 2 * maxGroups {
		if one := k.of(i, func() *int { return new(int) }); (one != nil) != (i < maxGroups) {
			t.Fatalf("the group of %d: %v", i, one)
		}
	}
	if one := k.of(0, nil); one == nil || len(k.list) != maxGroups {
		t.Errorf("%d groups, the first is %v", len(k.list), one)
	}
}

// TestBecomes: the values of a change in a row.
func TestBecomes(t *testing.T) {
	long := strings.Repeat("x", 60)
	for name, tt := range map[string]struct {
		c    report.Change
		want string
	}{
		"added": {report.Change{Kind: report.Added, After: int64(3)}, "(not set) -> 3"},
		"removed": {report.Change{Kind: report.Removed, Before: long}, strings.Repeat("x", 24) + "…" + strings.Repeat("x", 23) +
			" -> (removed)"},
		"modified": {report.Change{Kind: report.Modified, Before: long + "a", After: long + "b"}, "…" + strings.Repeat("x", 16) + "a -> …" +
			strings.Repeat("x", 16) + "b"},
		"one inside": {report.Change{Kind: report.Modified, Before: map[string]any{"a": long, "b": long}, After: map[string]any{"a": long,
			"b": int64(1)}},
			"inside .b  " + long + " -> 1"},
		"several inside": {report.Change{Kind: report.Modified, Before: map[string]any{"a": long, "b": long}, After: map[string]any{"a": "y",
			"b": int64(1)}}, ".a  " + long + ` -> "y", … 1 more`},
	} {
		if diff := cmp.Diff(tt.want, becomes(tt.c).String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestQuote: the refusal of several objects that only name themselves is that of the first, by its real
// names, and says of how many others it is.
func TestQuote(t *testing.T) {
	refused := func(name string) report.Finding {
		message := fmt.Sprintf("Service %q in namespace \"shop\" exists", name)
		return report.Finding{
			Rule: report.RuleRefused, Severity: report.SeverityError, By: report.BySaying, Target: object("Service", name),
			Message: words.New("%v", words.Said(message)), Quote: message,
		}
	}
	for want, names := range map[string][]string{
		`Service "api" in namespace "shop" exists`:                               {"api"},
		`Service "api" in namespace "shop" exists (the same of 1 other object)`:  {"api", "web"},
		`Service "api" in namespace "shop" exists (the same of 2 other objects)`: {"api", "web", "db"},
	} {
		var groups finding.Groups
		for i, name := range names {
			groups.Add(i+1, refused(name))
		}
		if groups.Len() != 1 {
			t.Fatalf("%d groups of %v", groups.Len(), names)
		}
		if got := quote(groups.Sorted()[0]).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNameless: refusals that only name their objects are one cause, and others are not.
func TestNameless(t *testing.T) {
	service, route := object("Service", "api"), object("Route", "web")
	route.Namespace = "mesh"
	says := func(t report.Target, why string) string {
		return finding.Nameless(
			fmt.Sprintf("unable to continue: %s %q in namespace %q exists: %s", t.Kind, t.Name, t.Namespace, why),
			t,
		)
	}
	if a, b := says(service, "no owner"), says(route, "no owner"); a != b {
		t.Errorf("%s\n%s", a, b)
	}
	if a, b := says(service, "no owner"), says(route, "another release"); a == b {
		t.Errorf("both are %s", a)
	}
	const missing = `namespaces "shop" not found`
	if got := finding.Nameless(missing, service); got != missing {
		t.Errorf("what is missing is not said: %s", got)
	}
	const empty = `Node "n" is invalid: spec.x: Invalid value: "": required`
	if got, want := finding.Nameless(empty, report.Target{Kind: "Node", Name: "n"}), `"*" is invalid: spec.x: Invalid value: "": required`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
