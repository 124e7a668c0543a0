package migration

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/lab"
	"github.com/ssactl/ssactl/test/merging"
)

// live is a gadget with an annotation, and entries as lab.Gadget takes them.
func live(_ testing.TB, annotation string, entries ...string) map[string]any {
	o := lab.Gadget(entries...)
	if annotation != "" {
		o = with(o, lastAppliedPath, annotation)
	}
	return o
}

const (
	manifestText = `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":2,"mode":"fast"}}`
	clientSide   = "kubectl-client-side-apply Update lab/v1 .: metadata/annotations/annotation spec/replicas spec/mode spec/size"
)

func TestPlan(t *testing.T) {
	tests := []struct {
		name       string
		annotation string
		manifest   string
		entries    []string
		opts       Options
		verdict    Verdict
		to         string
		want       []string
		rules      []string
	}{
		{
			name: "an annotation tells what is claimed", annotation: manifestText, entries: []string{clientSide},
			verdict: Migrates, to: "kubectl",
			want:  []string{"kubectl Apply lab/v1 .: spec/mode spec/replicas"},
			rules: []string{"warning defaults-unknown"},
		},
		{
			name: "all is claimed on demand", annotation: manifestText, entries: []string{clientSide}, opts: Options{Claim: ClaimAll},
			verdict: Migrates, to: "kubectl",
			want: []string{"kubectl Apply lab/v1 .: spec/mode spec/replicas spec/size"},
		},
		{
			name: "what the annotation has and the manifest dropped is claimed", annotation: manifestText,
			manifest: strings.Replace(manifestText, `,"mode":"fast"`, "", 1), entries: []string{clientSide},
			verdict: Migrates, to: "kubectl",
			want:  []string{"kubectl Apply lab/v1 .: spec/mode spec/replicas"},
			rules: []string{"warning defaults-unknown"},
		},
		{
			name: "the annotation is kept by the manager that kubectl keeps it with", annotation: manifestText, entries: []string{clientSide}, opts: Options{Annotation: KeepAnnotation, Claim: ClaimAll},
			verdict: Migrates, to: "kubectl",
			want: []string{
				"kubectl-last-applied Apply lab/v1 .: metadata/annotations/annotation",
				"kubectl Apply lab/v1 .: spec/mode spec/replicas spec/size",
			},
			rules: []string{"note annotation-frozen"},
		},
		{
			name: "who applies already gets it", annotation: manifestText,
			entries: []string{
				"argocd-controller Apply lab/v1 .: spec/mode spec/replicas",
				clientSide,
			}, opts: Options{Claim: ClaimAll},
			verdict: Migrates, to: "argocd-controller",
			want: []string{"argocd-controller Apply lab/v1 .: spec/mode spec/replicas spec/size"},
		},
		{
			name: "who applies a field beside it does not", annotation: manifestText,
			entries: []string{"injector Apply lab/v1 .: spec/size", clientSide}, opts: Options{Claim: ClaimAll},
			verdict: Migrates, to: "kubectl",
			want: []string{
				"injector Apply lab/v1 .: spec/size",
				"kubectl Apply lab/v1 .: spec/mode spec/replicas spec/size",
			},
			rules: []string{"warning co-owner"},
		},
		{
			name: "an annotation without an entry", annotation: manifestText,
			entries: []string{"manager Update lab/v1 .: spec/size"},
			verdict: Migrates, to: "kubectl",
			want: []string{
				"kubectl Apply lab/v1 .: spec/mode spec/replicas",
				"manager Update lab/v1 .: spec/size",
			},
			rules: []string{"note annotation-without-entry"},
		},
		{
			name: "an entry without an annotation", entries: []string{"kubectl-client-side-apply Update lab/v1 .: spec/mode"},
			verdict: Migrates, to: "kubectl",
			want:  []string{"kubectl Apply lab/v1 .: spec/mode"},
			rules: []string{"note no-manifest"},
		},
		{
			name: "kubectl create alone is thin", entries: []string{"kubectl-create Update lab/v1 .: spec/mode spec/replicas"},
			verdict: Blocked, to: "kubectl", rules: []string{"error thin-evidence"},
		},
		{
			name: "kubectl create of the manifest is not", manifest: manifestText, entries: []string{"kubectl-create Update lab/v1 .: spec/mode spec/replicas"},
			verdict: Migrates, to: "kubectl",
			want: []string{"kubectl Apply lab/v1 .: spec/mode spec/replicas"},
		},
		{
			name: "a stranger with the manifest's fields is thin", manifest: manifestText, entries: []string{"deployer Update lab/v1 .: spec/mode spec/replicas"},
			verdict: Blocked, to: "kubectl", rules: []string{"error thin-evidence"},
		},
		{
			name: "a stranger who is named", manifest: manifestText, entries: []string{"deployer Update lab/v1 .: spec/mode spec/replicas"}, opts: Options{From: []string{"deployer"}},
			verdict: Migrates, to: "kubectl",
			want: []string{"kubectl Apply lab/v1 .: spec/mode spec/replicas"},
		},
		{
			name: "an editor is told as a co-owner", annotation: manifestText,
			entries: []string{clientSide, "kubectl-edit Update lab/v1 .: spec/mode"}, opts: Options{Claim: ClaimAll},
			verdict: Migrates, to: "kubectl",
			want: []string{
				"kubectl Apply lab/v1 .: spec/mode spec/replicas spec/size",
				"kubectl-edit Update lab/v1 .: spec/mode",
			},
			rules: []string{"warning co-owner"},
		},
		{
			name: "controllers are left alone", entries: []string{"kube-controller-manager Update lab/v1 .: spec/mode spec/replicas spec/size"},
			verdict: NothingToDo, to: "kubectl",
		},
		{
			name: "the scale entry of a named manager comes along", manifest: manifestText, opts: Options{From: []string{"kubectl"}, To: "x"},
			entries: []string{
				"kubectl Update lab/v1 scale: spec/replicas",
				"kubectl Update lab/v1 status: status/ready",
				"kubectl Update lab/v1 .: spec/mode",
			},
			verdict: Migrates, to: "x",
			want: []string{
				"x Apply lab/v1 .: spec/mode spec/replicas",
				"kubectl Update lab/v1 status: status/ready",
			},
			rules: []string{"note status-entry"},
		},
		{
			name: "another manager's Apply entry, when it is named", manifest: manifestText, opts: Options{From: []string{"argocd-controller"}, To: "flux"},
			entries: []string{"argocd-controller Apply lab/v1 .: spec/mode spec/replicas"},
			verdict: Migrates, to: "flux",
			want: []string{"flux Apply lab/v1 .: spec/mode spec/replicas"},
		},
		{
			name: "the status by itself", opts: Options{From: []string{"op"}, To: "op", Subresource: "status"},
			entries: []string{"op Update lab/v1 .: spec/mode", "op Update lab/v1 status: status/ready"},
			verdict: Migrates, to: "op",
			want: []string{
				"op Apply lab/v1 status: status/ready",
				"op Update lab/v1 .: spec/mode",
			},
			rules: []string{"note no-manifest"},
		},
		{
			name: "a cut annotation", annotation: manifestText[:40], entries: []string{clientSide},
			verdict: Blocked, to: "kubectl", rules: []string{"error annotation-broken"},
		},
		{
			name: "a cut annotation beside a manifest", annotation: manifestText[:40], manifest: manifestText, entries: []string{clientSide}, opts: Options{Claim: ClaimAll},
			verdict: Migrates, to: "kubectl",
			want:  []string{"kubectl Apply lab/v1 .: spec/mode spec/replicas spec/size"},
			rules: []string{"warning annotation-broken"},
		},
		{
			name: "an annotation of another object", annotation: strings.Replace(manifestText, `"g"`, `"h"`, 1), entries: []string{clientSide},
			verdict: Blocked, to: "kubectl", rules: []string{"error annotation-foreign"},
		},
		{
			name: "an annotation of another object that a controller copied", annotation: strings.Replace(manifestText, `"Gadget"`, `"Other"`, 1),
			entries: []string{"kube-controller-manager Update lab/v1 .: metadata/annotations/annotation spec/mode"},
			verdict: NothingToDo, to: "kubectl",
		},
		{
			name: "nobody of that name", entries: []string{"x Apply lab/v1 .: spec/mode"}, opts: Options{From: []string{"helm"}},
			verdict: NothingToDo, to: "kubectl", rules: []string{"note manager-missing"},
		},
		{
			name: "no entries", verdict: Blocked, rules: []string{"error no-managed-fields"},
		},
		{
			name: "an entry that cannot be read", entries: []string{"x Delete lab/v1 .: spec/mode"},
			verdict: Blocked, rules: []string{"error unreadable-managed-fields"},
		},
		{
			name: "Helm goes on under its own name", annotation: "", manifest: manifestText, entries: []string{"helm Update lab/v1 .: spec/mode spec/replicas"},
			verdict: Migrates, to: "helm",
			want: []string{"helm Apply lab/v1 .: spec/mode spec/replicas"},
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
			m := Run(context.Background(), lab.Server{Mute: true}, o, tt.opts, time.Time{})
			if m.Verdict != tt.verdict || m.To.Manager != tt.to {
				t.Errorf("%s to %q, want %s to %q", m.Verdict, m.To.Manager, tt.verdict, tt.to)
			}
			if diff := cmp.Diff(tt.rules, answered(rules(m))); diff != "" {
				t.Errorf("findings (-want +got)\n%s\n%v", diff, m.Findings)
			}
			if tt.verdict == Migrates {
				if diff := cmp.Diff(tt.want, lab.Entries(m.Object)); diff != "" {
					t.Errorf("entries (-want +got)\n%s", diff)
				}
			} else if !reflect.DeepEqual(o.Live, m.Object) {
				t.Error("the object changes though nothing is migrated")
			}
		})
	}
}

// answered leaves out that the lab answers no apply.
func answered(rules []string) []string {
	var out []string
	for _, r := range rules {
		if r != "warning "+nextRefused.Name {
			out = append(out, r)
		}
	}
	return out
}

// TestStale: each field in which the annotation differs is named, together with those of
// the same owners.
func TestStale(t *testing.T) {
	stale := strings.NewReplacer(`"replicas":2`, `"replicas":3`, `"fast"`, `"slow"`).Replace(manifestText)
	var got []string
	for _, f := range plan(live(t, stale, clientSide), Options{Auto: ByEvidence}).Findings {
		if f.Rule == annotationStale.Name {
			got = append(got, f.Message.String())
		}
	}
	want := []string{
		"the last-applied annotation differs from the live values of 2 fields, which kubectl-client-side-apply (Update) owns: .spec.mode and .spec.replicas",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestNothing: where nothing is migrated, the next apply of the manifest may conflict all
// the same, and whatever it removes goes.
func TestNothing(t *testing.T) {
	server := merging.New()
	live := server.Object(
		t,
		merging.Writing{
			Verb:     api.Apply,
			Manager:  "flux",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {paused: true}}`,
		},
		merging.Writing{
			Verb:     api.MergePatch,
			Manager:  "kube-controller-manager",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 5}}`,
		},
	)
	for manifest, want := range map[string]string{
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":3}}`: "Conflicted",
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"}}`:                       "Configured",
	} {
		m := Run(
			t.Context(),
			server,
			Object{Live: lab.Object(string(live)), Manifest: lab.Object(manifest)},
			Options{Auto: ByEvidence, To: "flux"},
			time.Time{},
		)
		if m.Verdict != NothingToDo || m.Next == nil || string(m.Next.Before.Outcome) != want {
			t.Errorf("%s: %s, %+v", manifest, m.Verdict, m.Next)
		}
	}
}

func TestConvert(t *testing.T) {
	v1 := lab.Object(`{"apiVersion":"lab/v1","kind":"Gadget","spec":{"replicas":2,"size":5,"mode":"fast"}}`)
	v2 := lab.Object(`{"apiVersion":"lab/v2","kind":"Gadget","spec":{"replicas":2,"size":6,"args":["a"]}}`)
	server := lab.Server{At: map[string]map[string]any{"lab/v2": v2}, Unserved: []string{"lab/v0"}}
	w, err := ownership.Of(
		context.Background(),
		server,
		engine.Write{Kind: schema.GroupVersionKind{Group: "lab", Version: "v1", Kind: "Gadget"}, LiveObject: v1},
	)
	if err != nil {
		t.Fatal(err)
	}
	entry := func(s string) managedfields.Entry {
		return managedfields.Of(lab.Gadget(s)).Entries[0]
	}
	tests := []struct {
		name, entry string
		set, lost   []string
		unproven    bool
	}{
		{"the same version", "x Update lab/v1 .: spec/mode", []string{".spec.mode"}, nil, false},
		{"the same value", "x Update lab/v2 .: spec/replicas", []string{".spec.replicas"}, nil, false},
		{"another value", "x Update lab/v2 .: spec/size", nil, []string{".spec.size"}, false},
		{"only in one", "x Update lab/v2 .: spec/args", nil, []string{".spec.args"}, false},
		{"stale in both", "x Update lab/v2 .: spec/gone", nil, nil, false},
		{
			"not served any more",
			"x Update lab/v0 .: spec/mode spec/gone",
			[]string{".spec.mode"},
			[]string{".spec.gone"},
			true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := entry(tt.entry)
			c := convert(w, e.Set, e.APIVersion, "lab/v1")
			if diff := cmp.Diff(tt.set, fields(c.set)); diff != "" {
				t.Errorf("set (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.lost, fields(c.lost)); diff != "" {
				t.Errorf("lost (-want +got)\n%s", diff)
			}
			if c.unproven != tt.unproven {
				t.Errorf("unproven is %t", c.unproven)
			}
		})
	}
}

func TestReadAnnotation(t *testing.T) {
	tests := []struct {
		name, text string
		state      annotationState
		problem    string
	}{
		{"none", "", noAnnotation, ""},
		{"sound", manifestText, soundAnnotation, ""},
		{"another version", strings.Replace(manifestText, "lab/v1", "lab/v2", 1), soundAnnotation, ""},
		{"cut", manifestText[:40], brokenAnnotation, "it is cut: its JSON ends after 40 bytes, inside of a value"},
		{"no JSON", "password: x", brokenAnnotation, "it is not JSON: what stands at byte 1 cannot be there"},
		{"no object", "[1]", brokenAnnotation, "it is JSON, but no object"},
		{"null", "null", brokenAnnotation, "it is null, no object"},
		{"two values", manifestText + manifestText, brokenAnnotation, "it is not JSON: something stands behind its object"},
		{"no manifest", "{}", brokenAnnotation, "it is no manifest: it has no apiVersion"},
		{
			"another group",
			strings.Replace(manifestText, "lab/v1", "v1", 1),
			foreignAnnotation,
			`it is of another object: its API group is "", not "lab"`,
		},
		{
			"another kind", strings.Replace(manifestText, "Gadget", "Other", 1), foreignAnnotation,
			`it is of another object: its kind is "Other", not "Gadget"`,
		},
		{
			"another name",
			strings.Replace(manifestText, `"g"`, `"h"`, 1),
			foreignAnnotation,
			`it is of another object: its name is "h", not "g"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := readAnnotation(live(t, tt.text))
			if a.state != tt.state {
				t.Errorf("state %d, want %d", a.state, tt.state)
			}
			if diff := cmp.Diff(tt.problem, strings.TrimPrefix(a.problem.String(), "the last-applied annotation cannot be used: ")); diff != "" {
				t.Errorf("problem (-want +got)\n%s", diff)
			}
			if (a.object != nil) != (tt.state == soundAnnotation) {
				t.Errorf("the object is %v", a.object)
			}
		})
	}
}

// FuzzPlan: whatever the object holds, a plan is made, and what is planned is
// not planned again.
func FuzzPlan(f *testing.F) {
	f.Add(encoded(f, live(f, manifestText, clientSide)), "", "")
	f.Add(encoded(f, live(f, manifestText[:30], clientSide)), "kubectl-client-side-apply", "x")
	f.Add(encoded(f, live(f, "", "a Update lab/v1 .: spec/mode", "a Apply lab/v1 .: spec/mode")), "a", "a")
	f.Fuzz(func(t *testing.T, text, from, to string) {
		var o map[string]any
		if kjson.Unmarshal([]byte(text), &o) != nil || o == nil {
			return
		}
		for _, opts := range []Options{{Auto: ByEvidence, To: to}, {From: []string{from}, To: to}, {Mode: Reverse}, {Auto: ByEvidence, Claim: ClaimAll, Annotation: KeepAnnotation}} {
			first := plan(o, opts)
			if first.Verdict == "" {
				t.Fatalf("no verdict on %s", text)
			}
			if first.Verdict != Migrates || opts.Mode == Reverse {
				continue
			}
			if second := plan(first.Object, opts); second.Verdict == Migrates {
				t.Errorf("%s is migrated twice:\n%s", text, cmp.Diff(first.Object, second.Object))
			}
		}
	})
}

// plan plans a live gadget with a server that answers no apply.
func plan(live map[string]any, opts Options) Migration {
	return Run(context.Background(), lab.Server{Mute: true}, Object{Live: live}, opts, time.Time{})
}

// rules are the rules of the findings, in their order.
func rules(m Migration) []string {
	var out []string
	for _, f := range m.Findings {
		out = append(out, string(f.Severity)+" "+f.Rule)
	}
	return out
}
