package migration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/test/lab"
)

// TestFindings: what is said of entries, versions and annotations, in words.
func TestFindings(t *testing.T) {
	served := lab.Server{Unserved: []string{"lab/v0"}}
	other := lab.Object(`{"apiVersion":"lab/v2","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":2,"size":6}}`)
	older := strings.Replace(manifestText, "lab/v1", "lab/v0", 1)
	tests := []struct {
		name       string
		server     lab.Server
		annotation string
		manifest   string
		entries    []string
		opts       Options
		rule       string
		want       string
	}{
		{
			name: "a stranger with an annotation that cannot be used", annotation: manifestText[:40], manifest: manifestText,
			entries: []string{
				"deployer Update lab/v1 .: metadata/annotations/annotation spec/mode",
			}, opts: Options{Auto: ByEvidence}, rule: thinEvidence.Name,
			want: "cannot tell whether the entry of deployer came from a client-side apply of this manifest: it owns the last-applied annotation, which only a client-side apply writes; it owns 1 of the 2 fields of the manifest (name the entry too: --from=auto --from=deployer)",
		},
		{
			name: "without a manifest it can be given", entries: []string{"kubectl-create Update lab/v1 .: spec/mode"}, opts: Options{Auto: ByEvidence}, rule: thinEvidence.Name,
			want: "cannot tell whether the entry of kubectl-create came from a client-side apply of this manifest: the name is that of kubectl create or one of its relatives (give the manifest with -f, or name the entry too: --from=auto --from=kubectl-create)",
		},
		{
			name: "the entry is at a version that is gone", server: served, manifest: manifestText,
			entries: []string{
				"kubectl-client-side-apply Update lab/v0 .: spec/mode",
			}, opts: Options{Auto: ByEvidence}, rule: unserved.Name,
			want: "the entry of kubectl-client-side-apply is at API version lab/v0, which the server does not serve: its paths are taken for those of lab/v1 where the object has them",
		},
		{
			name: "fields have no counterpart", server: lab.Server{At: map[string]map[string]any{"lab/v2": other}}, manifest: manifestText,
			entries: []string{
				"kubectl-client-side-apply Update lab/v2 .: spec/replicas spec/size",
			}, opts: Options{Auto: ByEvidence}, rule: notConverted.Name,
			want: "the entry of kubectl-client-side-apply is at API version lab/v2, and the object does not show what 1 field of it is at lab/v1: .spec.size (they are left unowned, unless the manifest has them)",
		},
		{
			name: "the annotation is at a version that is gone", server: served, annotation: older, entries: []string{clientSide}, opts: Options{Auto: ByEvidence}, rule: unserved.Name,
			want: "the annotation is at API version lab/v0, which the server does not serve: it is read as one of lab/v1 (give the manifest with -f where fields have changed their names between the two)",
		},
		{
			name: "the manifest is at a version that is gone", server: served, manifest: older, entries: []string{clientSide}, opts: Options{Auto: ByEvidence}, rule: manifestUnusable.Name,
			want: `the manifest is at API version "lab/v0", which the server does not serve: it refuses every apply of it (write it at lab/v1)`,
		},
		{
			name: "an annotation that is kept by another manager than kubectl", annotation: manifestText, entries: []string{clientSide}, opts: Options{Auto: ByEvidence, To: "flux", Annotation: KeepAnnotation}, rule: annotationFrozen.Name,
			want: "the annotation stays as it is: the server keeps it up to date for the manager kubectl only, not for flux (--drop-annotation removes it)",
		},
		{
			name: "a status entry of the manager that is migrated", manifest: manifestText, opts: Options{From: []string{"kubectl"}, To: "x"},
			entries: []string{
				"kubectl Update lab/v1 .: spec/mode",
				"kubectl Update lab/v1 status: status/ready",
			}, rule: statusEntry.Name,
			want: "the entry of kubectl for the status subresource stays: an apply of the object never owns its status (--subresource status migrates it by itself)",
		},
		{
			name: "a field of another with another value in the annotation", annotation: strings.Replace(manifestText, "fast", "slow", 1),
			entries: []string{
				"kubectl-client-side-apply Update lab/v1 .: metadata/annotations/annotation spec/replicas",
				"kubectl-edit Update lab/v1 .: spec/mode",
			}, opts: Options{Auto: ByEvidence}, rule: annotationStale.Name,
			want: "the last-applied annotation differs from the live value, which kubectl-edit (Update) owns",
		},
		{
			name: "a field that no manager owns with another value in the annotation", annotation: strings.Replace(manifestText, "fast", "slow", 1),
			entries: []string{
				"kubectl-client-side-apply Update lab/v1 .: metadata/annotations/annotation spec/replicas",
			}, opts: Options{Auto: ByEvidence}, rule: annotationStale.Name,
			want: "the last-applied annotation differs from the live value, which no manager owns",
		},
		{
			name: "csaupgrade discards an entry at another version", manifest: manifestText, opts: Options{Mode: Compatible, From: []string{"kubectl-client-side-apply"}},
			entries: []string{
				"kubectl-client-side-apply Update lab/v2 .: spec/replicas",
				"kubectl Apply lab/v1 .: spec/mode",
			}, rule: upstreamDiscards.Name,
			want: "csaupgrade discards the entry of kubectl-client-side-apply at lab/v2, as the Apply entry is at lab/v1 (without --compatible, the fields that are the same at both versions are kept)",
		},
		{
			name: "csaupgrade makes an entry at a version that is gone", server: served, opts: Options{Mode: Compatible, From: []string{"kubectl-client-side-apply"}},
			entries: []string{"kubectl-client-side-apply Update lab/v0 .: spec/replicas"}, rule: unserved.Name,
			want: "csaupgrade makes an entry of kubectl at API version lab/v0, which the server does not serve: it drops the entry with the next write, and with it all that it owns (plan without --compatible)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Object{Live: live(t, tt.annotation, tt.entries...)}
			if tt.manifest != "" {
				o.Manifest = lab.Object(tt.manifest)
			}
			m := Run(t.Context(), tt.server, o, tt.opts, time.Time{})
			var got []string
			for _, f := range m.Findings {
				if f.Rule != tt.rule {
					continue
				}
				says := f.Message.String()
				for _, fix := range f.Fixes {
					says += " (" + fix.Does.String() + ")"
				}
				got = append(got, says)
			}
			if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s\nall: %v", m.Verdict, diff, rules(m))
			}
		})
	}
}

// TestEvidence: how sure it is that an entry is the client-side one, by its name, the
// annotation and the desired fields.
func TestEvidence(t *testing.T) {
	half := "Update lab/v1 .: spec/mode"
	tests := []struct {
		name, annotation, manifest string
		entries                    []string
		want                       []string
	}{
		{
			"kubectl's client-side apply is",
			"",
			manifestText,
			[]string{"kubectl-client-side-apply " + half},
			[]string{"kubectl-client-side-apply Likely"},
		},
		{
			"with the annotation it is certain",
			manifestText,
			"",
			[]string{clientSide},
			[]string{"kubectl-client-side-apply Certain"},
		},
		{
			"a tool with half of the manifest is",
			"",
			manifestText,
			[]string{"kubectl-create " + half},
			[]string{"kubectl-create Likely"},
		},
		{
			"a tool with a third is not",
			"",
			strings.Replace(manifestText, `"mode"`, `"size":5,"args":["a"],"mode"`, 1),
			[]string{"kubectl-create " + half},
			[]string{"kubectl-create Unrelated"},
		},
		{
			"an editor never is",
			"",
			manifestText,
			[]string{"kubectl-edit Update lab/v1 .: spec/mode spec/replicas"},
			[]string{"kubectl-edit Unrelated"},
		},
		{
			"nor a controller",
			"",
			manifestText,
			[]string{"istiod Update lab/v1 .: spec/mode spec/replicas"},
			[]string{"istiod Unrelated"},
		},
		{
			"nor an image automation",
			"",
			manifestText,
			[]string{"image-automation-controller Update lab/v1 .: spec/mode spec/replicas"},
			[]string{"image-automation-controller Unrelated"},
		},
		{
			"a stranger may be",
			"",
			manifestText,
			[]string{"acme-controller Update lab/v1 .: spec/mode spec/replicas"},
			[]string{"acme-controller Thin"},
		},
		{
			"what the server synthesized may be",
			"",
			"",
			[]string{"before-first-apply Update lab/v1 .: spec/mode spec/replicas"},
			[]string{"before-first-apply Thin"},
		},
		{
			"it is, with the manifest",
			"",
			manifestText,
			[]string{"before-first-apply Update lab/v1 .: spec/mode spec/replicas"},
			[]string{"before-first-apply Likely"},
		},
		{
			"of several each is judged",
			"",
			manifestText,
			[]string{"helm " + half, "keda Update lab/v1 .: spec/replicas", "ancient-changes Update lab/v1 .: spec/size"},
			[]string{"helm Likely", "keda Unrelated", "ancient-changes Unrelated"},
		},
	}
	for _, tt := range tests {
		o := Object{Live: live(t, tt.annotation, tt.entries...)}
		if tt.manifest != "" {
			o.Manifest = lab.Object(tt.manifest)
		}
		m := Run(t.Context(), lab.Server{}, o, Options{Auto: ByEvidence}, time.Time{})
		var got []string
		for _, e := range m.Evidence {
			got = append(got, e.Manager+" "+string(e.Strength))
			if e.Migrated != (e.Strength == Certain || e.Strength == Likely) || len(e.Reasons) == 0 {
				t.Errorf("%s: %+v", tt.name, e)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

// TestDoubt: where the target applies a small part of the object, what it applies proves
// little about the entries of others.
func TestDoubt(t *testing.T) {
	small := Object{
		Live: lab.Gadget(
			"kubectl Apply lab/v1 .: spec/mode",
			`kubectl-create Update lab/v1 .: spec/mode spec/replicas spec/size spec/ports/k:{"port":80}/name`,
		),
	}
	m := Run(t.Context(), lab.Server{}, small, Options{Auto: ByEvidence, To: "kubectl"}, time.Time{})
	says := fmt.Sprint(m.Findings)
	if m.Verdict != Blocked || m.Basis != ByNothing ||
		!strings.Contains(says, "but kubectl applies a small part of the object only") {
		t.Errorf("%s by %s: %s", m.Verdict, m.Basis, says)
	}
	most := Object{
		Live: lab.Gadget(
			"kubectl Apply lab/v1 .: spec/mode spec/replicas",
			"kubectl-create Update lab/v1 .: spec/mode spec/replicas spec/size",
		),
	}
	if m = Run(t.Context(), lab.Server{}, most, Options{Auto: ByEvidence, To: "kubectl"}, time.Time{}); m.Verdict != Migrates ||
		m.Basis != ByEntry {
		t.Errorf("%s by %s: %v", m.Verdict, m.Basis, m.Findings)
	}
}

// TestAnnotationEffect: what happens to the annotation, by who owns it and what is asked.
func TestAnnotationEffect(t *testing.T) {
	keeper := "flux Apply lab/v1 .: metadata/annotations/annotation spec/size"
	for _, tt := range []struct {
		name    string
		note    string
		entries []string
		opts    Options
		want    Effect
	}{
		{"there is none", "", []string{"kubectl-client-side-apply Update lab/v1 .: spec/mode"}, Options{Auto: ByEvidence}, Absent},
		{"it goes with its entry", manifestText, []string{clientSide}, Options{Auto: ByEvidence}, Dropped},
		{"it is kept on demand", manifestText, []string{clientSide}, Options{Auto: ByEvidence, Annotation: KeepAnnotation}, Kept},
		{"another manager applies it", manifestText, []string{keeper, clientSide}, Options{Auto: ByEvidence, To: "kubectl"}, Kept},
		{"it is dropped from another manager on demand", manifestText, []string{keeper, clientSide}, Options{Auto: ByEvidence, To: "kubectl", Annotation: DropAnnotation}, Dropped},
		{"an entry of a subresource does not own it", manifestText, []string{clientSide, "op Update lab/v1 status: spec/size"}, Options{From: []string{"op"}, Subresource: "status"}, Untouched},
		{"another entry is migrated", manifestText, []string{clientSide, "op Update lab/v1 .: spec/size"}, Options{From: []string{"op"}}, Untouched},
		{"another entry is migrated, and it is dropped on demand", manifestText, []string{clientSide, "op Update lab/v1 .: spec/size"}, Options{From: []string{"op"}, Annotation: DropAnnotation}, Dropped},
		{"its entry is one of two that are migrated", manifestText, []string{clientSide, "op Update lab/v1 .: spec/size"}, Options{From: []string{"op", "kubectl-client-side-apply"}}, Dropped},
		{"its only owner is the target", manifestText, []string{"kubectl Apply lab/v1 .: metadata/annotations/annotation spec/mode", "op Update lab/v1 .: spec/size"}, Options{From: []string{"op"}, To: "kubectl"}, Dropped},
		{"it has no owner", manifestText, []string{"op Update lab/v1 .: spec/size"}, Options{From: []string{"op"}}, Dropped},
	} {
		m := Run(t.Context(), lab.Server{}, Object{Live: live(t, tt.note, tt.entries...)}, tt.opts, time.Time{})
		if m.Verdict != Migrates || m.Annotation.Effect != tt.want {
			t.Errorf("%s: %s, %s, want %s: %v", tt.name, m.Verdict, m.Annotation.Effect, tt.want, m.Findings)
		}
		_, has := annotationsOf(m.Object)[LastApplied]
		if has != (tt.want == Kept || tt.want == Untouched) {
			t.Errorf("%s: the object has the annotation %t", tt.name, has)
		}
		owned := managedfields.Of(m.Object).Set().Has(lastAppliedPath)
		if tt.want == Kept != owned && tt.want != Untouched {
			t.Errorf("%s: the annotation is owned %t", tt.name, owned)
		}
	}
}
