package kustomize

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

const (
	conf     = `{apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {url: none, own: "hunter2", plain: x}}`
	workload = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},
  spec: {containers: [{name: side, image: s}, {name: web, image: w, env: [{name: MODE, value: m}, {name: TOKEN, value: none}]}]}}}}`
	secret = `{apiVersion: v1, kind: Secret, metadata: {name: db}, data: {password: aHVudGVyMg==}, stringData: {dsn: "user:hunter2@host", port: "5432"}}`
)

// hashed is the end of a name that a generator makes.
var hashed = regexp.MustCompile("-[a-z0-9]{10}$")

// copying is a replacement of a field of the Secret db in a field of another object.
func copying(field, options, kind, path string) string {
	return `{source: {kind: Secret, name: db, fieldPath: ` + field + options + `}, targets: [{select: {kind: ` + kind + `}, fieldPaths: [` + path + `]}]}`
}

// TestDerived: what replacements, vars and their like make of values of Secrets is found, whole or in part, in
// whatever way the Secret comes; what has the same value for its own reasons is not, and neither are names with
// hashes.
func TestDerived(t *testing.T) {
	const url, token = ".data.url", `.spec.template.spec.containers[name="web"].env[name="TOKEN"].value`
	whole := copying("data.password", "", "ConfigMap", "data.url")
	part := copying("stringData.dsn", `, options: {delimiter: ":", index: 1}`, "ConfigMap", "data.url")
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"nothing is copied": {map[string]string{"kustomization.yaml": "resources: [all.yaml]"}, nil},
		"a value":           {map[string]string{"kustomization.yaml": "resources: [all.yaml]\nreplacements: [" + whole + "]"}, []string{"conf " + url}},
		"a part":            {map[string]string{"kustomization.yaml": "resources: [all.yaml]\nreplacements: [" + part + "]"}, []string{"conf " + url}},
		"into an item of a list": {map[string]string{"kustomization.yaml": "resources: [all.yaml]\nreplacements: [" +
			copying("stringData.dsn", "", "Deployment", `"spec.template.spec.containers.[name=web].env.[name=TOKEN].value"`) + "]"}, []string{"web " + token}},
		"from a file of replacements": {map[string]string{"kustomization.yaml": "resources: [all.yaml]\nreplacements: [{path: r.yaml}]", "r.yaml": whole}, []string{"conf " + url}},
		"in a base": {map[string]string{"kustomization.yaml": "resources: [base]\nnamePrefix: my-",
			"base/kustomization.yaml": "resources: [all.yaml]\nreplacements: [" + whole + "]"}, []string{"my-conf " + url}},
		"a transformer": {map[string]string{"kustomization.yaml": "resources: [all.yaml]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: ReplacementTransformer\n  metadata: {name: r}\n  replacements: [" + whole + "]"}, []string{"conf " + url}},
		"of a generator, by literals, with a hash": {map[string]string{"kustomization.yaml": "resources: [conf.yaml]\nsecretGenerator: [{name: db, literals: [password=hunter2]}]\nreplacements: [" + whole + "]"}, []string{"conf " + url}},
		"of a generator, by a file":                {map[string]string{"kustomization.yaml": "resources: [conf.yaml]\nsecretGenerator: [{name: db, files: [password=p.txt]}]\nreplacements: [" + whole + "]", "p.txt": "hunter2"}, []string{"conf " + url}},
		"of a generator, by an environment":        {map[string]string{"kustomization.yaml": "resources: [conf.yaml]\nsecretGenerator: [{name: db, envs: [e.env]}]\nreplacements: [" + whole + "]", "e.env": "# c\npassword=hunter2\n"}, []string{"conf " + url}},
		"of a patched Secret":                      {map[string]string{"kustomization.yaml": "resources: [bare.yaml, conf.yaml]\npatches: [{target: {kind: Secret}, patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {\"password\": \"aHVudGVyMg==\"}}]'}]\nreplacements: [" + whole + "]"}, []string{"conf " + url}},
		"of a Secret patched by a file":            {map[string]string{"kustomization.yaml": "resources: [bare.yaml, conf.yaml]\npatches: [{path: p.yaml}]\nreplacements: [" + whole + "]", "p.yaml": secret}, []string{"conf " + url}},
		"one file for both generators": {map[string]string{"kustomization.yaml": "resources: [base]\nconfigMapGenerator: [{name: leak, files: [k=base/p.txt]}]",
			"base/kustomization.yaml": "secretGenerator: [{name: db, files: [password=p.txt]}]", "base/p.txt": "hunter2"}, []string{"leak-HASH .data.k"}},
		"the name of a Secret with a hash": {map[string]string{"kustomization.yaml": "resources: [conf.yaml]\nsecretGenerator: [{name: db, literals: [password=hunter2]}]\nreplacements: [" + copying("metadata.name", "", "ConfigMap", "data.url") + "]"}, nil},
		"of a ConfigMap":                   {map[string]string{"kustomization.yaml": "resources: [all.yaml]\nreplacements: [{source: {kind: ConfigMap, name: conf, fieldPath: data.plain}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.url]}]}]"}, nil},
		"vars":                             {map[string]string{"kustomization.yaml": "resources: [var.yaml]\nvars: [{name: P, objref: {apiVersion: v1, kind: Secret, name: db}, fieldref: {fieldpath: data.password}}]"}, []string{`pod .spec.containers[name="c"].args`}},
	} {
		files := map[string]string{
			"all.yaml": secret + "\n---\n" + conf + "\n---\n" + workload, "conf.yaml": conf, "base/all.yaml": secret + "\n---\n" + conf,
			"bare.yaml": `{apiVersion: v1, kind: Secret, metadata: {name: db}}`,
			"var.yaml":  secret + "\n---\n" + `{apiVersion: v1, kind: Pod, metadata: {name: pod}, spec: {containers: [{name: c, image: i, args: [$(P)]}]}}`,
		}
		for file, text := range test.files {
			files[file] = text
		}
		var learned []string
		built := Build(context.Background(), folderOf(t, files), manifest.Options{Conceal: true, OnDocument: func(d manifest.Document) {
			if d.Kind == "Secret" && d.Name == "" {
				learned = append(learned, string(d.JSON()))
			}
		}})
		if built.Problems != nil {
			t.Errorf("%s: %v", name, built.Problems[0].Err)
			continue
		}
		var got []string
		for _, d := range built.Documents {
			for _, path := range d.Derived {
				got = append(got, hashed.ReplaceAllString(d.Name, "-HASH")+" "+path.String())
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if test.want != nil && !strings.Contains(strings.Join(learned, ""), "hunter2") && !strings.Contains(strings.Join(learned, ""), "aHVudGVyMg==") {
			t.Errorf("%s: the value is not learned: %q", name, learned)
		}
		if built := Build(context.Background(), folderOf(t, files), manifest.Options{}); slices.ContainsFunc(built.Documents, func(d manifest.Document) bool { return d.Derived != nil }) {
			t.Errorf("%s: it is found out though nothing is to be concealed", name)
		}
	}
}

// TestDerivedUnknown: where the build with other values fails, all that an object has may be made from them.
func TestDerivedUnknown(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"all.yaml": strings.Replace(secret, "user:hunter2@host", "a:1:b", 1) + "\n---\n" + conf,
		// An index that only the delimiter of the value itself has.
		"kustomization.yaml": "resources: [all.yaml]\nreplacements: [" + copying("stringData.dsn", `, options: {delimiter: "1", index: 1}`, "ConfigMap", "data.url") + "]",
	})
	built := Build(context.Background(), dir, manifest.Options{Conceal: true})
	if built.Problems != nil {
		t.Fatal(built.Problems[0].Err)
	}
	for _, d := range built.Documents {
		var got []string
		for _, path := range d.Derived {
			got = append(got, path.String())
		}
		slices.Sort(got)
		want := []string{".data", ".metadata.annotations", ".metadata.labels"}
		if d.Kind == "Secret" {
			want = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", d.Name, diff)
		}
	}
}
