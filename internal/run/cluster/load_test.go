package cluster

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/server/api"
)

// quietly gives an app with a home folder of its own.
func quietly(t *testing.T) *app.App {
	t.Helper()
	home := t.TempDir()
	streams := iostreams.New(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, func(name string) string {
		return map[string]string{"HOME": home}[name]
	})
	return &app.App{Streams: streams, Secrets: redact.New()}
}

// files makes a folder with files, and goes to it.
func files(t *testing.T, texts map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range texts {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	web    = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"
	widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"
)

// definition is that of Widgets, whose spec has the one field.
func definition(field string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {` + field + `: {type: string}}}}}}
`
}

// TestLoad: what a run reads, what it says of that, and what is an error of all of it.
func TestLoad(t *testing.T) {
	manifests := func(names ...string) input.Flags { return input.Flags{Filenames: names} }
	with := func(f input.Flags, change func(*input.Flags)) input.Flags { change(&f); return f }
	for name, c := range map[string]struct {
		files map[string]string
		flags input.Flags
		// err is that of the run; notice and problem are parts of what it says. Of pair, the
		// error of the first manifest, "-" is none.
		err, notice, problem, pair string
		// live reports whether the first manifest has a live object.
		live bool
	}{
		"a manifest alone": {flags: manifests("m.yaml"), files: map[string]string{"m.yaml": web}, pair: "-"},
		"its object": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
			files: map[string]string{"m.yaml": web, "l.yaml": web}, pair: "-", live: true},
		"no file": {flags: manifests("none.yaml"), problem: "none.yaml: no such file"},
		"standard input twice": {flags: input.Flags{Filenames: []string{"-"}, Live: []string{"-"}},
			err: "standard input (-) is named 2 times"},
		"-f and -k":       {flags: input.Flags{Filenames: []string{"m.yaml"}, Kustomize: "app"}, err: "only one of -f or -k"},
		"another dry run": {flags: input.Flags{DryRun: "client"}, err: `--dry-run "client"`},
		"a policy that is none": {flags: input.Flags{Policies: []string{"p.yaml"}}, files: map[string]string{"p.yaml": "a: b\n"},
			err: "--policy: "},
		"a policy that is missing": {flags: input.Flags{Policies: []string{"p.yaml"}}, err: "--policy: open p.yaml"},
		"folders that are not read": {flags: manifests("m"), files: map[string]string{"m/a.yaml": web, "m/b/c.yaml": web, "m/d/e.yaml": web},
			notice: "2 folders in m not read; -R reads them", pair: "-"},
		"a name that no manifest has": {flags: with(manifests("m.yaml"),
			func(f *input.Flags) { f.Wanted = []input.ObjectName{{Kind: "cm", Name: "other"}} }),
			files: map[string]string{"m.yaml": web}, err: "the manifests have no cm/other"},
		"a name, of another namespace": {flags: with(manifests("m.yaml"), func(f *input.Flags) {
			f.Namespace, f.Wanted = "a", []input.ObjectName{{Kind: "cm", Name: "web"}}
		}), files: map[string]string{"m.yaml": object("ConfigMap", "b", "web")}, err: `the manifests have no cm/web in the namespace "a"`},
		"namespaces of their own": {flags: with(manifests("m.yaml"), func(f *input.Flags) { f.Namespace = "a" }), pair: "-",
			files: map[string]string{"m.yaml": object("ConfigMap", "c", "web") + "---\n" + object("ConfigMap", "b", "web") + "---\n" +
				object("ConfigMap", "b", "x")},
			notice: "3 manifests name namespaces of their own (b, c): each is answered in its own, and -n a is for those without one"},
		"a namespace of its own": {flags: with(manifests("m.yaml"), func(f *input.Flags) { f.Namespace = "a" }), pair: "-",
			files: map[string]string{"m.yaml": object("ConfigMap", "b", "web")}, notice: "1 manifest names a namespace of its own (b)"},
		"all are live": {flags: with(manifests("m.yaml"), func(f *input.Flags) { f.Mixed = true }), files: map[string]string{"m.yaml": web},
			notice: "no object has managedFields, a uid or a resourceVersion; all are taken as live objects"},
		"one is live, so all of its file are": {flags: with(manifests("a.yaml", "b.yaml"), func(f *input.Flags) { f.Mixed = true }), pair: "-",
			live:  true,
			files: map[string]string{"a.yaml": web, "b.yaml": web + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, uid: x}\n"}},
		"a kind by a live definition": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}}, pair: "-", live: true,
			files: map[string]string{"m.yaml": widget, "l.yaml": definition("a") +
				"---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: default}\n"}},
		"a definition that differs": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}, Crds: []string{"c.yaml"}},
			pair: "-", live: true,
			files:  map[string]string{"m.yaml": widget, "c.yaml": definition("a"), "l.yaml": definition("b") + "---\n" + widget},
			notice: "c.yaml:1 defines widgets.example.com with other schemas than the live files do (l.yaml:1): the answers go by the live ones"},
		"a definition that is the same": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}, Crds: []string{"c.yaml"}},
			pair: "-", live: true,
			files: map[string]string{"m.yaml": widget, "c.yaml": definition("a"), "l.yaml": definition("a") + "---\n" + widget}},
		"a definition that is none": {flags: input.Flags{Filenames: []string{"m.yaml"}, Crds: []string{"c.yaml"}}, pair: "-",
			files:   map[string]string{"m.yaml": widget, "c.yaml": strings.Replace(definition("a"), "served: true", "served: odd", 1)},
			problem: "served"},
		"a live definition that is none": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}}, pair: "-", live: true,
			files: map[string]string{"m.yaml": widget, "l.yaml": strings.Replace(definition("a"), "served: true", "served: odd", 1) + "---\n" +
				widget}, problem: "served"},
		"a masked Secret": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
			files: map[string]string{"m.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: x}\n",
				"l.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {p: '***'}\n"},
			problem: ".data.p of the Secret is masked, and its value is not known",
			pair:    "the live object Secret default/s is masked: its values are not known"},
		"a live file that is broken": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
			files:   map[string]string{"m.yaml": web, "l.yaml": "a: [\n"},
			problem: "l.yaml", pair: "whether it is live is not known, as l.yaml, document 1"},
		"a kind in another case": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
			files:   map[string]string{"m.yaml": web, "l.yaml": strings.Replace(web, "ConfigMap", "Configmap", 1)},
			problem: `kind "Configmap", which the API server does not have: did you mean apiVersion v1 and kind ConfigMap?`,
			pair:    "whether it is live is not known"},
		"too large": {flags: with(manifests("m.yaml"), func(f *input.Flags) { f.MaxBytes = 10 }), files: map[string]string{"m.yaml": web},
			problem: "(--max-document-bytes raises it)"},
		"no snapshot of ours": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}}, pair: "-", live: true,
			files:   map[string]string{"m.yaml": web, "l.yaml": "apiVersion: ssactl.dev/v1alpha1\nkind: Snapshot\n---\n" + web},
			problem: "it is no Snapshot that this version of ssactl reads"},
		"a snapshot": {flags: input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
			files: map[string]string{"m.yaml": web, "l.yaml": snapshot + object("ConfigMap", "default", "other")},
			pair:  "not in the snapshot l.yaml; take it again, with -R (or --assume-absent)"},
		"a snapshot, to be written": {flags: with(input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
			func(f *input.Flags) { f.Writes = true }),
			files: map[string]string{"m.yaml": web, "l.yaml": snapshot},
			err:   "l.yaml is a snapshot, which says what was in the cluster: --write does not change it"},
	} {
		t.Run(name, func(t *testing.T) {
			files(t, c.files)
			if c.flags.MaxBytes == 0 {
				c.flags.MaxBytes = manifest.DefaultMaxDocumentBytes
			}
			c.flags.MaxDepth, c.flags.MaxInputBytes, c.flags.MaxObjects = manifest.DefaultMaxDepth, manifest.DefaultMaxInputBytes,
				manifest.DefaultMaxObjects
			k, err := Load(context.Background(), quietly(t), Loading{Flags: &c.flags, ServerFlags: &input.ServerFlags{Jobs: 1}})
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Fatalf("%v, want %q", err, c.err)
			}
			if err != nil {
				return
			}
			said := strings.Join(k.Notices, "\n")
			if (said == "") != (c.notice == "") || !strings.Contains(said, c.notice) {
				t.Errorf("it says %q, want %q", said, c.notice)
			}
			var problems []string
			for _, p := range k.Problems {
				problems = append(problems, p.Source.File+": "+p.Message)
			}
			if found := strings.Join(problems, "\n"); (found == "") != (c.problem == "") || !strings.Contains(found, c.problem) {
				t.Errorf("problems are %q, want %q", found, c.problem)
			}
			checkFirst(t, k, c.pair, c.live)
		})
	}
}

const snapshot = `apiVersion: ssactl.dev/v1alpha1
kind: Snapshot
taken: 2026-01-01T00:00:00Z
fetched: [{kind: ConfigMap, namespace: other}]
---
`

// checkFirst compares the pair of the first manifest; there is none where want is empty.
func checkFirst(t *testing.T, c *Cluster, want string, live bool) {
	t.Helper()
	pairs := c.Pairs()
	switch {
	case len(pairs) == 0 || want == "":
		if len(pairs) > 0 || want != "" {
			t.Errorf("%d pairs, want %q", len(pairs), want)
		}
	case (pairs[0].Err == nil) != (want == "-") || pairs[0].Err != nil && !strings.Contains(pairs[0].Err.Error(), want):
		t.Errorf("the first has the error %v, want %q", pairs[0].Err, want)
	case (pairs[0].Live != nil) != live:
		t.Errorf("the first has a live object: %v", !live)
	}
}

// loadedBy is a cluster of files, which the flags name.
func loadedBy(t *testing.T, flags input.Flags, texts map[string]string) *Cluster {
	t.Helper()
	files(t, texts)
	c, err := Load(context.Background(), quietly(t), Loading{Flags: &flags, ServerFlags: &input.ServerFlags{Jobs: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Problems) > 0 {
		t.Fatal(c.Problems)
	}
	return c
}

// TestInterrupted: a run that is interrupted while it reads answers nothing.
func TestInterrupted(t *testing.T) {
	files(t, map[string]string{"m.yaml": web})
	ctx, stop := context.WithCancel(context.Background())
	stop()
	c, err := Load(
		ctx,
		quietly(t),
		Loading{Flags: &input.Flags{Filenames: []string{"m.yaml"}}, ServerFlags: &input.ServerFlags{Jobs: 1}},
	)
	if stopped := (*Interrupted)(nil); !errors.As(err, &stopped) || c == nil {
		t.Errorf("interrupted: %v, %v; want what was read", c, err)
	}
	if err == nil ||
		!strings.Contains(err.Error(), "interrupted while the manifests were read, 0 so far; nothing was answered") {
		t.Errorf("interrupted: %v", err)
	}
	for _, flags := range []input.ServerFlags{{Jobs: 0}, {Jobs: 1, KubernetesVersion: "1.2"}} {
		if _, err := Load(context.Background(), quietly(t), Loading{Flags: &input.Flags{}, ServerFlags: &flags}); err == nil {
			t.Errorf("%+v make a server", flags)
		}
	}
}

// TestParameters: what live policies take as parameters is read again and given to the
// server, though no manifest names it.
func TestParameters(t *testing.T) {
	const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]}
  validations: [{expression: "object.metadata.name == params.data.only", message: "another name"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny], paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: default}
data: {only: web}
`
	c := loadedBy(t, input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
		map[string]string{"m.yaml": web + "---\n" + strings.Replace(web, "web", "other", 1), "l.yaml": policy})
	for i, want := range []int{201, 422} {
		p := c.Pairs()[i]
		w := c.Apply(p)
		w.Manager = "me"
		if r := c.Answer(context.Background(), p, w); r.Code != want {
			t.Errorf("%s: code %d, %+v, want %d", p.Key, r.Code, r.Status, want)
		}
	}
}

// TestCourse: a write counts for those after it: a definition that it changes, and an object
// that is looked up. In a dry run it does not, and what comes in the same run is missed.
func TestCourse(t *testing.T) {
	flags := input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}, Purpose: input.Purpose{InOrder: true}}
	texts := map[string]string{
		"m.yaml": definition(
			"b",
		) + "---\n" + widget + "spec: {b: x}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n---\n" +
			object(
				"ConfigMap",
				"new",
				"web",
			),
		"l.yaml": definition("a") + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n",
	}
	for dryRun, want := range map[string][]int{"": {200, 201, 201, 201}, input.DryRunServer: {200, 500, 201, 404}} {
		flags.DryRun = dryRun
		c := loadedBy(t, flags, texts)
		var codes []int
		pairs := c.Pairs()
		for len(pairs) > 0 {
			n := c.Stretch(pairs)
			for i, p := range pairs[:n] {
				w := c.Apply(p)
				w.Manager, w.Force = "me", true
				r := c.Answer(context.Background(), p, w)
				if codes = append(codes, r.Code); i == n-1 {
					c.Learn(p, r)
				}
				if p.Key.Kind == "Widget" && dryRun == "" && !strings.Contains(strings.Join(r.Notices, "\n"),
					"its CustomResourceDefinition is changed by this run") {
					t.Errorf("of the Widget it is said: %q", r.Notices)
				}
			}
			pairs = pairs[n:]
		}
		if len(codes) != len(want) {
			t.Fatalf("dry run %q: codes %v", dryRun, codes)
		}
		for i := range want {
			if codes[i] != want[i] {
				t.Errorf("dry run %q: codes %v, want %v", dryRun, codes, want)
				break
			}
		}
	}
}

// TestPlanned: commands that ask of each manifest as if the others were applied have the
// namespaces that these bring.
func TestPlanned(t *testing.T) {
	c := loadedBy(t, input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}}, map[string]string{
		"m.yaml": object("ConfigMap", "new", "web") + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n",
		"l.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n",
	})
	p := c.Pairs()[0]
	w := c.Apply(p)
	w.Manager = "me"
	if r := c.Answer(context.Background(), p, w); r.Code != 201 {
		t.Errorf("code %d, %+v", r.Code, r.Status)
	}
}

// TestScales: a Scale is for the one live object of its name that scales.
func TestScales(t *testing.T) {
	const scale = "apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: web}\nspec: {replicas: 2}\n"
	deployment, set := object("Deployment", "default", "web"),
		"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: default}\n"
	for name, c := range map[string]struct{ live, kind, err string }{
		"one":  {deployment + "---\n" + object("ConfigMap", "default", "web"), "Deployment", ""},
		"none": {object("ConfigMap", "default", "web"), "Scale", "no live object default/web has a scale subresource"},
		"two": {deployment + "---\n" + set, "StatefulSet",
			"the live files have Deployment.apps default/web and StatefulSet.apps default/web: give only one of them"},
		"another namespace":  {object("Deployment", "other", "web"), "Scale", "no live object default/web"},
		"written twice over": {deployment + "---\n" + deployment + "spec: {replicas: 2}\n", "Deployment", "two live objects are Deployment"},
	} {
		t.Run(name, func(t *testing.T) {
			k := loadedBy(
				t,
				input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}, Purpose: input.Purpose{Scaling: true}},
				map[string]string{"m.yaml": scale, "l.yaml": c.live},
			)
			p := k.Pairs()[0]
			if p.Key.Kind != c.kind || (p.Err == nil) != (c.err == "") ||
				p.Err != nil && !strings.Contains(p.Err.Error(), c.err) {
				t.Errorf("it is for %s, %v, want %s, %q", p.Key, p.Err, c.kind, c.err)
			}
			if w := k.Apply(p); c.err == "" && (w.Kind.Kind != c.kind || w.Verb != api.Apply || w.Live == nil) {
				t.Errorf("the write is of %v", w.Kind)
			}
		})
	}
}
