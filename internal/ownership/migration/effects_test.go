package migration

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/lab"
)

// defaulting is a server that fills in the size.
var defaulting = lab.Server{Default: func(o map[string]any) {
	if spec, ok := o["spec"].(map[string]any); ok && spec["size"] == nil {
		spec["size"] = int64(5)
	}
}}

// effects are what a plan says of fields and of the next apply, a line each.
func effects(m Migration) []string {
	var out []string
	for _, g := range m.Gained {
		out = append(out, fmt.Sprintf("gained %s from %s", g.Field, managersOf(g.From)))
	}
	for _, l := range m.Lost {
		out = append(out, fmt.Sprintf("lost %s by %s: %s", l.Field, l.By.Manager, l.Kind))
	}
	for _, c := range m.CoOwners {
		out = append(out, fmt.Sprintf("shared %s with %s, added %t", strings.Join(c.Fields, " "), c.Manager, c.Add))
	}
	if m.Next != nil {
		out = append(out, "before "+nextSays(m.Next.Before), "after "+nextSays(m.Next.After))
	}
	return out
}

func managersOf(list []report.Writer) string {
	var names []string
	for _, w := range list {
		names = append(names, w.Manager)
	}
	return strings.Join(names, "+")
}

func nextSays(n NextApply) string {
	parts := []string{string(n.Outcome)}
	for _, c := range n.Conflicts {
		parts = append(parts, "! "+c.Field+" "+c.Manager)
	}
	for _, c := range n.Changes {
		parts = append(parts, string(c.Kind)+" "+c.Field)
	}
	for _, k := range n.Kept {
		parts = append(parts, "= "+k.Field+" "+managersOf(k.By))
	}
	return strings.Join(parts, ", ")
}

// TestEffects: what is gained, lost and shared, and what the next apply does before and
// after, with a server that answers and has a default.
func TestEffects(t *testing.T) {
	const (
		manifest = `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":3}}`
		applied  = "kubectl-client-side-apply Update lab/v1 .: metadata/annotations/annotation spec/replicas spec/mode spec/size"
		scaled   = "kube-controller-manager Update lab/v1 scale: spec/replicas"
		edited   = "kubectl-edit Update lab/v1 .: spec/mode"
	)
	tests := []struct {
		name       string
		annotation string
		manifest   string
		entries    []string
		opts       Options
		want       []string
		rules      []string
	}{
		{
			name: "what the manifest dropped goes with the next apply", annotation: manifestText, manifest: manifest, entries: []string{applied},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply",
				"gained .spec.replicas from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: ToTarget",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: Default",
				"before Configured, Modified .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration, Modified .spec.replicas, = .spec.mode kubectl-client-side-apply",
				"after Configured, Removed .spec.mode, Modified .spec.replicas",
			},
		},
		{
			name: "a left-over field stays", manifest: manifest, entries: []string{applied},
			want: []string{
				"gained .spec.replicas from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: LeftOver",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: Default",
				"before Conflicted, ! .spec.replicas kubectl-client-side-apply",
				"after Configured, Modified .spec.replicas",
			},
			rules: []string{"warning left-over"},
		},
		{
			name: "a left-over field goes where it is claimed", manifest: manifest, entries: []string{applied}, opts: Options{Claim: ClaimLeftover},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply",
				"gained .spec.replicas from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: ToTarget",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: Default",
				"before Conflicted, ! .spec.replicas kubectl-client-side-apply",
				"after Configured, Removed .spec.mode, Modified .spec.replicas",
			},
		},
		{
			name: "defaults are claimed on demand", manifest: manifest, entries: []string{applied}, opts: Options{Claim: ClaimAll},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply",
				"gained .spec.replicas from kubectl-client-side-apply",
				"gained .spec.size from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: ToTarget",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: ToTarget",
				"before Conflicted, ! .spec.replicas kubectl-client-side-apply",
				"after Configured, Removed .spec.mode, Modified .spec.replicas, = .spec.size ",
			},
		},
		{
			name: "an autoscaler conflicts, migrated or not", manifest: manifest, entries: []string{"kubectl-client-side-apply Update lab/v1 .: spec/mode", scaled},
			want: []string{
				"lost .spec.mode by kubectl-client-side-apply: LeftOver",
				"before Conflicted, ! .spec.replicas kube-controller-manager",
				"after Conflicted, ! .spec.replicas kube-controller-manager",
			},
			rules: []string{"warning left-over", "warning next-apply-conflicts"},
		},
		{
			name: "a co-owner keeps what the manifest drops", annotation: manifestText, manifest: manifest, entries: []string{applied, edited},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply+kubectl-edit",
				"gained .spec.replicas from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: ToTarget",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: Default",
				"shared .spec.mode with kubectl-edit, added true",
				"before Configured, Modified .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration, Modified .spec.replicas, = .spec.mode kubectl-client-side-apply+kubectl-edit",
				"after Configured, Modified .spec.replicas, = .spec.mode kubectl-edit",
			},
			rules: []string{"warning co-owner"},
		},
		{
			name: "a co-owner that is named lets go", annotation: manifestText, manifest: manifest, entries: []string{applied, edited}, opts: Options{From: []string{"kubectl-client-side-apply", "kubectl-edit"}},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply+kubectl-edit",
				"gained .spec.replicas from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: ToTarget",
				"lost .spec.mode by kubectl-edit: ToTarget",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: Default",
				"before Configured, Modified .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration, Modified .spec.replicas, = .spec.mode kubectl-client-side-apply+kubectl-edit",
				"after Configured, Removed .spec.mode, Modified .spec.replicas",
			},
		},
		{
			name: "the annotation stays with the client-side apply that goes on", annotation: manifestText, manifest: manifest, entries: []string{applied, edited}, opts: Options{From: []string{"kubectl-edit"}, To: "flux"},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply+kubectl-edit",
				"lost .spec.mode by kubectl-edit: ToTarget",
				"shared .spec.mode with kubectl-client-side-apply, added true",
				"before Conflicted, ! .spec.replicas kubectl-client-side-apply",
				"after Conflicted, ! .spec.replicas kubectl-client-side-apply",
			},
			rules: []string{"warning co-owner", "warning next-apply-conflicts"},
		},
		{
			name: "the target keeps what it applies", annotation: manifestText, manifest: manifest, entries: []string{"kubectl Apply lab/v1 .: spec/replicas", applied},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: ToTarget",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: Default",
				"before Configured, Modified .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration, Modified .spec.replicas, = .spec.mode kubectl-client-side-apply",
				"after Configured, Removed .spec.mode, Modified .spec.replicas",
			},
		},
		{
			name: "without a manifest the annotation is applied", annotation: manifestText, entries: []string{applied},
			want: []string{
				"gained .spec.mode from kubectl-client-side-apply",
				"gained .spec.replicas from kubectl-client-side-apply",
				"lost .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration by kubectl-client-side-apply: Gone",
				"lost .spec.mode by kubectl-client-side-apply: ToTarget",
				"lost .spec.replicas by kubectl-client-side-apply: ToTarget",
				"lost .spec.size by kubectl-client-side-apply: Default",
				"before Configured, Modified .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration",
				"after Unchanged",
			},
		},
		{
			name: "a manifest that does not fit the kind", manifest: strings.Replace(manifest, "3", `"x"`, 1), entries: []string{applied},
			rules: []string{"error manifest-unusable"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Object{Live: live(t, tt.annotation, tt.entries...)}
			if tt.manifest != "" {
				o.Manifest = lab.Object(tt.manifest)
			}
			if tt.opts.From == nil {
				tt.opts.Auto = ByEvidence
			}
			m := Run(t.Context(), defaulting, o, tt.opts, time.Time{})
			if diff := cmp.Diff(tt.want, effects(m)); diff != "" {
				t.Errorf("effects (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.rules, rules(m)); diff != "" {
				t.Errorf("findings (-want +got)\n%s\n%v", diff, m.Findings)
			}
		})
	}
}

// TestPlansNameWhatTheyLose: over all combinations of entries, options and manifests, no
// value changes by the plan, its patch makes the object of it, and each field that has no
// owner any more is named.
func TestPlansNameWhatTheyLose(t *testing.T) {
	entries := []string{
		clientSide, "kubectl-client-side-apply Update lab/v1 .: spec/mode spec/replicas",
		"kubectl Apply lab/v1 .: spec/mode", "argocd-controller Apply lab/v1 .: spec/replicas spec/size",
		"kubectl-edit Update lab/v1 .: spec/mode spec/gone", `helm Update lab/v1 .: spec/replicas spec/ports/k:{"port":80}/name`,
		"hpa Update lab/v1 scale: spec/replicas",
	}
	verdicts := map[Verdict]int{}
	for i, first := range entries {
		for _, second := range entries[i:] {
			for _, opts := range []Options{
				{Auto: ByEvidence}, {Auto: ByEvidence, Claim: ClaimLeftover}, {Auto: ByEvidence, Claim: ClaimAll, Annotation: KeepAnnotation},
				{From: []string{"helm", "kubectl-edit"}, To: "flux"}, {Mode: Compatible, Auto: ByEvidence}, {Mode: Reverse},
			} {
				note := ""
				if strings.Contains(first+second, "annotation") {
					note = manifestText
				}
				both := slices.Compact([]string{first, second})
				m := Run(
					t.Context(),
					defaulting,
					Object{Live: live(t, note, both...), Manifest: lab.Object(manifestText)},
					opts,
					time.Time{},
				)
				verdicts[m.Verdict]++
				if m.Verdict == Migrates {
					t.Run(fmt.Sprintf("%s %+v", strings.Join(both, " and "), opts), func(t *testing.T) { namesLosses(t, m, opts) })
				}
			}
		}
	}
	if verdicts[Migrates] < 50 || verdicts[Failed] > 0 {
		t.Errorf("the verdicts are %v", verdicts)
	}
}

func namesLosses(t *testing.T, m Migration, opts Options) {
	t.Helper()
	if diff := cmp.Diff(m.Live["spec"], m.Object["spec"]); diff != "" {
		t.Errorf("values change (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(m.Object, patched(t, m)); diff != "" {
		t.Errorf("the patch makes another object (-planned +patched)\n%s", diff)
	}
	owned, named := managedfields.Of(m.Object).Set(), map[string]bool{}
	for _, l := range m.Lost {
		named[l.Field] = true
	}
	for p := range managedfields.Of(m.Live).Set().Leaves().All() {
		if !managedfields.Covers(owned, p) && !named[p.String()] && opts.Mode == Complete {
			t.Errorf("%s has no owner any more, and the plan does not name it: %v", p, m.Lost)
		}
	}
}

// patched is the live object with the plan's patch.
func patched(t *testing.T, m Migration) map[string]any {
	t.Helper()
	text, err := json.Marshal(m.Patch)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		t.Fatal(err)
	}
	object, err := json.Marshal(m.Live)
	if err != nil {
		t.Fatal(err)
	}
	out, err := patch.Apply(object)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	after := lab.Object(string(out))
	if len(annotationsOf(after)) == 0 {
		// The server stores no empty map.
		after = without(after, annotationsPath)
	}
	return after
}

// TestReverse: the way back writes the annotation that client-side apply needs, and says
// what is lost.
func TestReverse(t *testing.T) {
	const applied = "flux Apply lab/v1 .: spec/mode spec/replicas"
	long := strings.Repeat("x", maxAnnotations)
	tests := []struct {
		name     string
		live     map[string]any
		manifest string
		opts     Options
		server   lab.Server
		verdict  Verdict
		want     []string
		note     string
		rules    []string
	}{
		{
			name: "what was applied becomes the annotation", live: lab.Gadget(applied), verdict: Migrates,
			want: []string{
				"kubectl-client-side-apply Update lab/v1 .: metadata/annotations metadata/annotations/annotation spec/mode spec/replicas",
			},
			note:  `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"annotations":{},"name":"g"},"spec":{"mode":"fast","replicas":2}}`,
			rules: []string{"warning way-back-loses"},
		},
		{
			name: "the manifest is the annotation", live: lab.Gadget(applied), verdict: Migrates,
			manifest: `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"slow"}}`,
			want: []string{
				"kubectl-client-side-apply Update lab/v1 .: metadata/annotations metadata/annotations/annotation spec/mode spec/replicas",
			},
			note:  `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"annotations":{},"name":"g"},"spec":{"mode":"slow"}}`,
			rules: []string{"warning way-back-loses", "warning way-back-loses"},
		},
		{
			name: "fields of others are not protected any more", live: lab.Gadget(applied, "kubectl-edit Update lab/v1 .: spec/mode", "op Update lab/v1 status: spec/mode"), verdict: Migrates,
			opts: Options{To: "me"},
			want: []string{
				"kubectl-edit Update lab/v1 .: spec/mode",
				"me Update lab/v1 .: metadata/annotations metadata/annotations/annotation spec/mode spec/replicas",
				"op Update lab/v1 status: spec/mode",
			},
			note:  `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"annotations":{},"name":"g"},"spec":{"mode":"fast","replicas":2}}`,
			rules: []string{"warning way-back-loses", "warning way-back-loses"},
		},
		{
			name: "several apply", live: lab.Gadget(applied, "helm Apply lab/v1 .: spec/size"), verdict: Blocked,
			rules: []string{"error target-unclear"},
		},
		{
			name: "one of several is named", live: lab.Gadget(applied, "helm Apply lab/v1 .: spec/size"), opts: Options{From: []string{"helm"}}, verdict: Migrates,
			want: []string{
				"flux Apply lab/v1 .: spec/mode spec/replicas",
				"kubectl-client-side-apply Update lab/v1 .: metadata/annotations metadata/annotations/annotation spec/size",
			},
			note:  `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"annotations":{},"name":"g"},"spec":{"size":5}}`,
			rules: []string{"warning way-back-loses"},
		},
		{
			name: "no such manager", live: lab.Gadget(applied), opts: Options{From: []string{"helm"}}, verdict: NothingToDo,
			rules: []string{"note manager-missing"},
		},
		{
			name: "the annotations are too large", live: with(lab.Gadget(applied), annotationsPath, map[string]any{"long": long}), verdict: Blocked,
			rules: []string{"error annotation-too-large", "warning way-back-loses"},
		},
		{
			name: "the entry is at a version that is gone", live: lab.Gadget("flux Apply lab/v0 .: spec/mode"), server: lab.Server{Unserved: []string{"lab/v0"}}, verdict: Migrates,
			want: []string{
				"kubectl-client-side-apply Update lab/v1 .: metadata/annotations metadata/annotations/annotation spec/mode",
			},
			note:  `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"annotations":{},"name":"g"},"spec":{"mode":"fast"}}`,
			rules: []string{"warning unserved-version", "warning way-back-loses"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Object{Live: tt.live}
			if tt.manifest != "" {
				o.Manifest = lab.Object(tt.manifest)
			}
			tt.opts.Mode = Reverse
			m := Run(t.Context(), tt.server, o, tt.opts, time.Time{})
			if m.Verdict != tt.verdict {
				t.Errorf("%s, want %s: %s", m.Verdict, tt.verdict, m.Error)
			}
			var entries []string
			if m.Verdict == Migrates {
				entries = lab.Entries(m.Object)
				if diff := cmp.Diff(m.Object, patched(t, m)); diff != "" {
					t.Errorf("the patch makes another object (-planned +patched)\n%s", diff)
				}
			}
			if diff := cmp.Diff(tt.want, entries); diff != "" {
				t.Errorf("entries (-want +got)\n%s", diff)
			}
			note, _ := fieldtree.Value(m.Object, "metadata", "annotations", LastApplied).(string)
			if diff := cmp.Diff(tt.note, strings.TrimSuffix(note, "\n")); diff != "" {
				t.Errorf("annotation (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.rules, rules(m)); diff != "" {
				t.Errorf("findings (-want +got)\n%s\n%v", diff, m.Findings)
			}
		})
	}
}

// TestPatchTests: a patch tests that the object is still the one that was planned for.
func TestPatchTests(t *testing.T) {
	fresh, stripped := live(t, manifestText, clientSide), live(t, manifestText, clientSide)
	delete(stripped["metadata"].(map[string]any), "resourceVersion")
	for name, o := range map[string]map[string]any{"/metadata/resourceVersion": fresh, "/metadata/managedFields": stripped} {
		m := plan(o, Options{Auto: ByEvidence, Claim: ClaimAll})
		if len(m.Patch) != 3 || m.Patch[0].Op != "test" || m.Patch[0].Path != name {
			t.Errorf("the patch is %+v, want it to test %s", m.Patch, name)
		}
		if found := slices.Contains(rules(m), "warning "+noResourceVersion.Name); found != (name == "/metadata/managedFields") {
			t.Errorf("%s: findings %v", name, rules(m))
		}
	}
}

// TestFailures: where no answer can be given, the plan says why.
func TestFailures(t *testing.T) {
	for want, o := range map[string]Object{
		"parse the live object's apiVersion: unexpected GroupVersion string: a/b/c": {Live: map[string]any{"apiVersion": "a/b/c", "kind": "Gadget"}},
		"internal error: ": {Live: lab.Gadget(clientSide)},
	} {
		m := Run(t.Context(), panicking{}, o, Options{}, time.Time{})
		if m.Verdict != Failed || !strings.Contains(m.Error, want) {
			t.Errorf("%s: %s, want %s", m.Verdict, m.Error, want)
		}
	}
}

// panicking is a server whose code panics.
type panicking struct{ api.Server }

// TestSummary: a document counts objects by verdict, manager, target and rule.
func TestSummary(t *testing.T) {
	ok := plan(live(t, manifestText, clientSide), Options{Auto: ByEvidence, To: "flux"})
	ok.Next = &Next{Before: NextApply{Answer: report.Answer{Outcome: report.Conflicted}}}
	thin := plan(lab.Gadget("kubectl-create Update lab/v1 .: spec/mode"), Options{Auto: ByEvidence})
	idle := plan(lab.Gadget("a Apply lab/v1 .: spec/mode"), Options{From: []string{"helm"}})
	got := NewDocument(report.Run{}, []Migration{ok, ok, thin, idle, Failure(Object{}, fmt.Errorf("unread"))}).Summary
	want := Summary{
		Total: 5, Migrates: 2, NothingToDo: 1, Blocked: 1, Failed: 1, ConflictingBefore: 2,
		Managers: []ManagerCount{{"kubectl-client-side-apply", 2}}, Targets: []ManagerCount{{"flux", 2}},
		Rules: []RuleCount{
			{thinEvidence.Name, report.SeverityError, 1}, {defaultsUnknown.Name, report.SeverityWarning, 2},
			{nextRefused.Name, report.SeverityWarning, 2}, {managerMissing.Name, report.SeverityNote, 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, tt := range []struct {
		objects []Migration
		want    []string
	}{{[]Migration{ok, idle}, []string{"x"}}, {nil, nil}, {[]Migration{idle, {Verdict: Failed}}, nil}} {
		if diff := cmp.Diff(tt.want, Missing(tt.objects, []string{"kubectl-client-side-apply", "x", "a"})); diff != "" {
			t.Errorf("missing (-want +got)\n%s", diff)
		}
	}
}
