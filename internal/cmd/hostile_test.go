package cmd

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/answer/blame"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// hostileRun is one command line with the files that it names. In the line LIVE,
// MANIFEST, CRDS and PATCH stand for files, KUSTOMIZE for a folder with the manifest
// and a kustomization, and TEXT for a hostile text.
type hostileRun struct {
	line  string
	files map[string][]byte
	text  string
}

// outcome is what somebody sees of a run.
type outcome struct {
	stdout, stderr string
	code           int
}

// run writes the files into a folder and runs the command in this process.
func (h hostileRun) run(t *testing.T, dir string) outcome {
	t.Helper()
	args := strings.Fields(h.line)
	for i, arg := range args {
		content, isFile := h.files[arg]
		switch {
		case arg == "KUSTOMIZE":
			args[i] = h.kustomization(t, dir)
		case isFile:
			args[i] = filepath.Join(dir, strings.ToLower(arg)+".yaml")
			if err := os.WriteFile(args[i], content, 0o600); err != nil {
				t.Fatal(err)
			}
		case strings.Contains(arg, "TEXT"):
			args[i] = strings.ReplaceAll(arg, "TEXT", h.text)
		}
	}
	var stdout, stderr bytes.Buffer
	code := Main(args, iostreams.New(strings.NewReader(""), &stdout, &stderr, nil))
	return outcome{stdout.String(), stderr.String(), code}
}

// kustomization writes the folder that -k builds, with the text as one of its values.
func (h hostileRun) kustomization(t *testing.T, dir string) string {
	t.Helper()
	folder := filepath.Join(dir, "kustomize")
	text, err := json.Marshal(map[string]any{
		"resources": []string{"manifest.yaml"}, "namePrefix": "a-", "commonAnnotations": map[string]string{"note": h.text},
		"configMapGenerator": []any{map[string]any{"name": "made", "literals": []string{"key=" + h.text}}},
	})
	for name, content := range map[string][]byte{"kustomization.yaml": text, "manifest.yaml": h.files["MANIFEST"]} {
		if err == nil {
			err = os.MkdirAll(folder, 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), content, 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// check is the law of every run, whatever it is given.
func (h hostileRun) check(t *testing.T, got outcome) {
	t.Helper()
	if got.code < app.ExitDone || got.code > app.ExitRefused {
		t.Errorf("ssactl %s: exit code %d", h.line, got.code)
	}
	for _, stream := range []string{got.stdout, got.stderr} {
		// A server panics too on some strategic patches, and answers 500.
		if strings.Contains(stream, "internal error: ") ||
			strings.Contains(stream, "code panicked") && !strings.HasPrefix(h.line, "patch") {
			t.Errorf("ssactl %s panics: %s\nlive %s\nmanifest %s", h.line, stream, h.files["LIVE"], h.files["MANIFEST"])
		}
	}
}

// hostileLines ask every command in every format about the files.
func hostileLines() []string {
	var lines []string
	for _, format := range show.Formats() {
		for _, line := range []string{
			"apply -f MANIFEST --live LIVE --crds CRDS --field-manager other",
			"update -f MANIFEST --live LIVE --show-managed-fields",
			"delete -f MANIFEST --live LIVE",
			"diff -f MANIFEST --live LIVE --field-manager other --force-conflicts -v",
		} {
			lines = append(lines, line+" -o "+format.Name)
		}
	}
	for _, format := range []string{"text", "json"} {
		for _, line := range []string{
			"explain -f MANIFEST --live LIVE --field-manager other -v",
			"resolve -f MANIFEST --live LIVE --field-manager other --all-use-live-value",
			"resolve -f MANIFEST --live LIVE --field-manager other --all-stop-managing",
			"why -f LIVE spec.replicas",
			"why -f LIVE metadata --field-manager owner",
			"transfer -f LIVE spec.replicas --from owner --to other --to-manifest MANIFEST",
			"transfer -f LIVE spec.replicas --from owner --to-controller=operator -v",
		} {
			lines = append(lines, line+" -o "+format)
		}
	}
	for _, view := range blame.Layouts() {
		lines = append(lines, "owners -f LIVE --crds CRDS -v --as "+string(view))
	}
	for _, format := range []string{"text", "yaml", "json", "json-patch", "kubectl", "report"} {
		lines = append(
			lines,
			"clear -f LIVE --with MANIFEST -o "+format,
			"migrate -f LIVE -v -o "+format,
			"migrate -f LIVE --reverse -o "+format,
		)
	}
	for _, format := range []string{"text", "json", "markdown", "html", "github", "sarif", "junit"} {
		lines = append(lines, "audit --live LIVE -f MANIFEST -v -o "+format, "audit -f LIVE --crds CRDS -o "+format,
			"lint -f MANIFEST --crds CRDS -v -o "+format, "lint -f LIVE -f MANIFEST -o "+format, "lint -k KUSTOMIZE -o "+format)
	}
	for _, format := range []string{"text", "json", "markdown", "html"} {
		lines = append(
			lines,
			"compare LIVE MANIFEST --crds CRDS -v -o "+format,
			"compare MANIFEST LIVE -f MANIFEST --field-manager other -o "+format,
			"schema widget.spec --crds CRDS -v -o "+format,
			"schema TEXT --crds CRDS -o "+format,
			"schema deployment.TEXT -o "+format,
		)
	}
	for _, format := range []string{"text", "kubectl", "json", "html"} {
		lines = append(lines, "snapshot -f MANIFEST --crds CRDS -v -o "+format, "snapshot -k KUSTOMIZE -A -o "+format)
	}
	for _, format := range []string{"diff", "markdown"} {
		lines = append(lines, "resolve -f MANIFEST --live LIVE --field-manager other --all-stop-managing -o "+format)
	}
	return append(
		lines, "policy init -f LIVE",
		"transfer -f LIVE spec.replicas --from owner --to other --to-manifest MANIFEST -o kubectl --show-secrets",
		"schema impact --old CRDS --new CRDS --live LIVE",
		"schema impact --old CRDS --new MANIFEST -f MANIFEST",
		"apply -k KUSTOMIZE --live LIVE --field-manager other -v", "apply -k KUSTOMIZE -o yaml",
		"diff -k KUSTOMIZE --live LIVE --crds CRDS",
		"explain -k KUSTOMIZE --live LIVE --field-manager other",
		"resolve -k KUSTOMIZE --live LIVE --field-manager other --all-use-live-value",
		"delete -k KUSTOMIZE --live LIVE -v", "apply -k TEXT", "lint -f TEXT", "compare TEXT LIVE",
		"compare LIVE MANIFEST --field TEXT", "apply -f MANIFEST --live LIVE -l TEXT",
		"apply -f MANIFEST --live LIVE --fail-on TEXT",
		"apply -f MANIFEST --live LIVE --require-schema -o github",
		"create -f MANIFEST --subresource eviction", "update -f MANIFEST --live LIVE --subresource scale",
		"diff -f MANIFEST --live LIVE -o structured --owners", "owners -f LIVE -o yaml",
		"create -f MANIFEST -o report", "create -f MANIFEST -v",
		"scale -f LIVE --live LIVE --replicas 2 -v", "apply -f MANIFEST --live LIVE --subresource status",
		"patch --all --live LIVE --type merge --patch-file PATCH -v",
		"patch --all --live LIVE --type strategic --patch-file PATCH -v",
		"patch --all --live LIVE --type merge -v -p TEXT",
		"patch --all --live LIVE --type json -v -p TEXT",
		"patch --all --live LIVE -p {\"spec\":\"TEXT\"}",
		"apply -f MANIFEST --live LIVE --field-manager TEXT -v",
		"explain -f MANIFEST --live LIVE --field-manager TEXT", "apply -f MANIFEST --live LIVE -n TEXT",
		"why -f LIVE TEXT", "why -f LIVE TEXT/web spec", "owners -f LIVE --field TEXT --manager TEXT",
		"apply -f TEXT", "apply -f MANIFEST --live TEXT", "apply -f MANIFEST -o TEXT",
		"apply -f MANIFEST --ignore-field TEXT", "apply -f MANIFEST --now TEXT",
		"apply -f MANIFEST --kubernetes-version TEXT", "apply -f MANIFEST --subresource TEXT",
		"apply -f MANIFEST --color TEXT", "apply --TEXT", "TEXT", "apply TEXT",
		"audit -f LIVE --fail-on TEXT", "clear -f LIVE --manager TEXT",
		"transfer -f LIVE TEXT --from TEXT --to TEXT", "migrate -f LIVE --from TEXT --to TEXT",
		"resolve -f MANIFEST --live LIVE --use-live-value TEXT",
		"scale --all --live LIVE --replicas TEXT", "version -o TEXT",
	)
}

// place is a node of an object, or the key that leads to it.
type hostilePlace struct {
	path []any
	key  bool
}

// hostilePlaces are all places of a value, keys sorted.
func hostilePlaces(v any, path []any) []hostilePlace {
	places := []hostilePlace{{path: path}}
	below := func(step any, v any) {
		inner := append(slices.Clone(path), step)
		if _, ok := step.(string); ok {
			places = append(places, hostilePlace{inner, true})
		}
		places = append(places, hostilePlaces(v, inner)...)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below(key, v[key])
		}
	case []any:
		for i, item := range v {
			below(i, item)
		}
	}
	return places
}

// put is a value with a text at a place; the same value where it has none.
func (p hostilePlace) put(v any, text string) any {
	if len(p.path) == 0 {
		return text
	}
	inner := hostilePlace{p.path[1:], p.key}
	switch step := p.path[0].(type) {
	case string:
		object, ok := v.(map[string]any)
		if _, has := object[step]; !ok || !has {
			return v
		}
		object = maps.Clone(object)
		if p.key && len(p.path) == 1 {
			object[text] = object[step]
			delete(object, step)
			return object
		}
		object[step] = inner.put(object[step], text)
		return object
	case int:
		if list, ok := v.([]any); ok && step < len(list) {
			list = slices.Clone(list)
			list[step] = inner.put(list[step], text)
			return list
		}
	}
	return v
}

// hostileSeed is a pair that conflicts, and a definition.
type hostileSeed struct{ live, manifest, crds any }

func hostileSeeds(t testing.TB) []hostileSeed {
	t.Helper()
	decode := func(text string) (v any) {
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	deployment, widget, secret, crd := decode(
		seedDeployment,
	), decode(
		seedWidget,
	), decode(
		seedSecret,
	), decode(
		seedDefinition,
	)
	return []hostileSeed{
		{deployment, decode(seedDeploymentManifest), crd},
		{widget, decode(seedWidgetManifest), crd},
		{widget, decode(seedWidgetManifest), decode("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")},
		{secret, decode(seedSecretManifest), crd},
	}
}

// run is a line on the seed with a text at a place of one of its files, or of
// the live object and the manifest alike.
func (s hostileSeed) run(line string, file int, place func([]hostilePlace) hostilePlace, text string) hostileRun {
	in := map[string]any{"LIVE": s.live, "MANIFEST": s.manifest, "PATCH": s.manifest, "CRDS": s.crds}
	names := []string{"LIVE", "MANIFEST", "CRDS", "LIVE"}
	switch file {
	case 3:
		p := place(hostilePlaces(s.manifest, nil))
		for _, name := range []string{"LIVE", "MANIFEST", "PATCH"} {
			in[name] = p.put(in[name], text)
		}
	default:
		in[names[file]] = place(hostilePlaces(in[names[file]], nil)).put(in[names[file]], text)
	}
	h := hostileRun{line: line, files: map[string][]byte{}, text: text}
	for name, v := range in {
		h.files[name], _ = json.Marshal(v)
	}
	return h
}

const (
	seedEntries = `
  uid: 3d0c2b1e-6a54-4f0e-9a3c-0d7b7c1f2a10
  resourceVersion: "20417"
  creationTimestamp: "2026-05-11T07:30:00Z"
  managedFields:
  - {manager: owner, operation: Apply, apiVersion: GV, time: "2026-05-11T07:30:00Z", fieldsType: FieldsV1, fieldsV1: FIELDS}
  - {manager: kube-controller-manager, operation: Update, subresource: scale, apiVersion: GV, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}
  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"GV","kind":"K","metadata":{"name":"web"}}'}
`
	seedDeploymentSpec = `
spec:
  replicas: 7
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: nginx
        env: [{name: A, value: b}]
        ports: [{containerPort: 80, protocol: TCP}]
`
	seedWidgetSpec = "\nspec: {replicas: 7, list: [{name: a, value: b}], set: [x, y]}\n"
	seedIdentity   = "\nmetadata:\n  name: web\n  namespace: shop\n  labels: {app: web}"
)

var (
	seedDeployment = "apiVersion: apps/v1\nkind: Deployment" + seedIdentity + seedEntriesOf(
		"apps/v1",
		`{"f:spec": {"f:replicas": {}, "f:template": {"f:spec": {"f:containers": {'k:{"name":"main"}': {".": {}, "f:image": {}, "f:name": {}, "f:ports": {'k:{"containerPort":80,"protocol":"TCP"}': {".": {}}}}}}}}}`,
	) + seedDeploymentSpec
	seedDeploymentManifest = strings.NewReplacer("replicas: 7", "replicas: 3", "image: nginx", "image: other").
				Replace("apiVersion: apps/v1\nkind: Deployment" + seedIdentity + seedDeploymentSpec)
	seedWidget = "apiVersion: example.com/v1\nkind: Widget" + seedIdentity + seedEntriesOf(
		"example.com/v1",
		`{"f:spec": {"f:replicas": {}, "f:list": {'k:{"name":"a"}': {".": {}, "f:value": {}}}, "f:set": {'v:"x"': {}}}}`,
	) + seedWidgetSpec
	seedWidgetManifest = strings.Replace(
		"apiVersion: example.com/v1\nkind: Widget"+seedIdentity+seedWidgetSpec,
		"replicas: 7",
		"replicas: 3",
		1,
	)
	seedSecret = "apiVersion: v1\nkind: Secret" + seedIdentity + seedEntriesOf(
		"v1",
		`{"f:data": {"f:password": {}}}`,
	) + "\ntype: Opaque\ndata: {password: cGFzcw==}\n"
	seedSecretManifest = "apiVersion: v1\nkind: Secret" + seedIdentity + "\ndata: {password: b3RoZXI=}\nstringData: {more: text}\n"
)

const seedDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [w]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Age, type: date, jsonPath: .metadata.creationTimestamp}]
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: self.replicas >= 0, message: not below zero}]
            properties:
              replicas: {type: integer, minimum: 0, default: 1}
              list: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string, pattern: "^[a-z]*$"}, value: {type: string, enum: [b, c]}}}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

func seedEntriesOf(version, fields string) string {
	return strings.NewReplacer("GV", version, "FIELDS", fields).Replace(seedEntries)
}
