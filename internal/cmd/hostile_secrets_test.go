package cmd

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/figures"
)

// marks gives a new value for each place of a Secret, and remembers it: what is
// printed must have none of them. Each needs the care of some encoder.
type marks struct{ given []string }

func (m *marks) plain(place string) string {
	value := fmt.Sprintf("Zq%03d<%s>&'7+/\"é", len(m.given), place)
	m.given = append(m.given, value)
	return value
}

// word is a value that no encoder changes, as a label has to be.
func (m *marks) word(place string) string {
	value := fmt.Sprintf("Zq%03d-%s-x7", len(m.given), place)
	m.given = append(m.given, value)
	return value
}

func (m *marks) encoded(place string) string {
	return base64.StdEncoding.EncodeToString([]byte(m.plain(place)))
}

// leak finds a value in what is printed, however it is written.
func (m *marks) leak(printed string) (value, line string) {
	for _, value := range m.given {
		for _, spelling := range writtenAs(value) {
			if at := strings.Index(printed, spelling); at >= 0 {
				start, end := strings.LastIndexByte(printed[:at], '\n')+1, at+strings.IndexByte(printed[at:]+"\n", '\n')
				return value, printed[start:end]
			}
		}
	}
	return "", ""
}

// writtenAs are the ways in which encoders write a value: all that do not make
// text of other bytes leave the beginning as it is.
func writtenAs(value string) []string {
	inStandard, inURL := base64.StdEncoding.EncodeToString([]byte(value)), base64.URLEncoding.EncodeToString([]byte(value))
	return []string{value[:5], strings.TrimRight(inStandard, "="), strings.TrimRight(inURL, "=")}
}

type object = map[string]any

// copyOf is an annotation that repeats a Secret.
func (m *marks) copyOf() string {
	b, err := json.Marshal(object{
		"apiVersion": "v1", "kind": "Secret", "type": "Opaque",
		"metadata": object{
			"name": "s", "namespace": "shop", "labels": object{"copied": m.word("label")},
			"annotations": object{"copied": m.plain("note")},
		},
		"data": object{"password": m.encoded("data"), "short": "YQ=="}, "stringData": object{"text": m.plain("text")},
		"token": m.plain("field"),
	})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// secret has a mark in each place where a Secret can have a value.
func (m *marks) secret() object {
	text := m.plain("text")
	return object{
		"apiVersion": "v1", "kind": "Secret", "type": "Opaque",
		"metadata": object{
			"name": "s", "namespace": "shop",
			"labels": object{"tier": "shown"},
			"annotations": object{
				"kubectl.kubernetes.io/last-applied-configuration": m.copyOf() + "\n",
				"kapp.k14s.io/original":                            m.copyOf(),
				"example.com/copy":                                 "it is " + text + ".",
				"example.com/parts":                                asJSON(object{"spec": object{"token": text}}),
				"example.com/data":                                 asJSON(object{"data": object{"old": m.encoded("old")}}),
			},
		},
		"data": object{
			"password": m.encoded("data"),
			"lines":    base64.StdEncoding.EncodeToString([]byte(m.plain("one") + "\n  " + m.plain("two") + "\n")),
		},
		"stringData": object{"text": text, "lines": m.plain("three") + "\n" + m.plain("four")},
	}
}

// live is a Secret from a server, with values in its managed fields entries
// that no server would write.
func (m *marks) live() object {
	s := m.secret()
	metadata := s["metadata"].(object)
	metadata["uid"], metadata["resourceVersion"] = "00000000-0000-4000-8000-000000000001", "7"
	metadata["finalizers"] = []any{"example.com/guard"}
	entry := func(manager, operation string, fields object) object {
		return object{
			"manager":    manager,
			"operation":  operation,
			"apiVersion": "v1",
			"time":       "2026-01-01T00:00:00Z",
			"fieldsType": "FieldsV1",
			"fieldsV1":   fields,
		}
	}
	none := object{}
	metadata["managedFields"] = []any{
		entry(
			"vault",
			"Apply",
			object{
				"f:data":       object{"f:password": none},
				"f:stringData": object{"f:text": none},
				"f:metadata":   object{"f:labels": object{"f:tier": none}},
			},
		),
		entry("kubectl-client-side-apply", "Update", object{
			"f:data": object{"f:password": none, "f:lines": none},
			"f:metadata": object{
				"f:annotations": object{"f:kubectl.kubernetes.io/last-applied-configuration": none},
				"f:finalizers":  object{"v:" + quoted(m.word("final")): none},
			},
		}),
		entry(
			"odd",
			"Update",
			object{
				"f:token": object{
					"v:" + quoted(m.plain("set")):               none,
					`k:{"name":` + quoted(m.plain("key")) + `}`: object{".": none},
				},
			},
		),
	}
	return s
}

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

// places are live objects and manifests with Secrets in them, right and wrong.
func (m *marks) places() map[string]func() [2]object {
	wrong := func(change func(object)) func() [2]object {
		return func() [2]object {
			live, manifest := m.live(), m.secret()
			change(live)
			change(manifest)
			return [2]object{live, manifest}
		}
	}
	out := map[string]func() [2]object{
		"a Secret":  func() [2]object { return [2]object{m.live(), m.secret()} },
		"a new one": func() [2]object { return [2]object{m.live(), renamed(m.secret(), "other")} },
		"a template": m.holder(
			"template.openshift.io/v1",
			"Template",
			func(s object) object { return object{"objects": []any{s}} },
		),
		"a cluster template": m.holder("example.com/v1", "ClusterTemplate", func(s object) object {
			return object{"spec": object{"items": []any{object{"template": s}}}}
		}),
		"a text": m.holder(
			"v1",
			"ConfigMap",
			func(s object) object { return object{"data": object{"secret.json": asJSON(s)}} },
		),
		"data that is a list": wrong(func(o object) { o["data"] = []any{m.plain("item")} }),
		"data that is a text": wrong(func(o object) { o["data"] = m.plain("whole") }),
		"values of no text":   wrong(func(o object) { o["data"] = object{"password": object{"in": m.plain("deep")}} }),
		"what is no base64": wrong(
			func(o object) { o["data"] = object{"password": m.plain("bare"), "word": m.word("four")} },
		),
		"fields of no Secret": wrong(
			func(o object) { o["token"], o["spec"] = m.plain("token"), object{"a": []any{m.plain("spec")}} },
		),
		"labels of a list": wrong(func(o object) { o["metadata"].(object)["labels"] = []any{m.word("label")} }),
		"a label that is long": wrong(
			func(o object) { o["metadata"].(object)["labels"] = object{"a": strings.Repeat("shown", 13)} },
		),
		"an odd finalizer": wrong(func(o object) { o["metadata"].(object)["finalizers"] = []any{m.word("final")} }),
		"immutable":        wrong(func(o object) { o["immutable"] = true }),
	}
	for _, spelling := range [][2]string{{"/v1", "Secret"}, {"core/v1", "Secret"}, {"v1", "secret"}, {"v1", "Secrets"}, {"v2", "Secret"}} {
		out["a "+spelling[1]+" of "+spelling[0]] = wrong(
			func(o object) { o["apiVersion"], o["kind"] = spelling[0], spelling[1] },
		)
	}
	return out
}

func renamed(o object, name string) object { o["metadata"].(object)["name"] = name; return o }

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// holder is an object with a Secret in it, live and to be applied.
func (m *marks) holder(apiVersion, kind string, body func(object) object) func() [2]object {
	make := func(s object, live bool) object {
		o := body(s)
		o["apiVersion"], o["kind"] = apiVersion, kind
		metadata := object{"name": "h", "namespace": "shop"}
		if live {
			metadata["uid"], metadata["resourceVersion"] = "00000000-0000-4000-8000-000000000002", "8"
			metadata["managedFields"] = []any{object{
				"manager": "vault", "operation": "Apply", "apiVersion": apiVersion, "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1",
				"fieldsV1": object{
					"f:data":    object{"f:secret.json": object{}},
					"f:objects": object{},
					"f:spec":    object{"f:items": object{}},
				},
			}}
		}
		o["metadata"] = metadata
		return o
	}
	return func() [2]object { return [2]object{make(m.live(), true), make(m.secret(), false)} }
}

// TestHostileSecrets asks every command in every format about Secrets that have
// a value of its own in each place, and finds none of them on standard output,
// on standard error, or in a file that an output goes to. What is written back
// into files has no masks.
func TestHostileSecrets(t *testing.T) {
	m := &marks{}
	places := m.places()
	names := sortedNames(places)
	random := rand.New(rand.NewPCG(14, 17))
	runs, dir := figures.Runs(240), t.TempDir()
	for i := range runs {
		m.given = nil
		name := names[i%len(names)]
		pair := places[name]()
		lines := markLines(m)
		if kind, _ := pair[0]["kind"].(string); strings.HasPrefix(strings.ToLower(kind), "secret") {
			lines = append(lines, patchLines(m)...)
		}
		askOfSecrets(t, m, name, lines[random.IntN(len(lines))], dir, pair)
	}
	figures.Record(
		t,
		"Secrets",
		"puts a value of its own into each place of live Secrets, manifests and patches, right and wrong, and asks every command in every format: none is printed, encoded or not, and no mask is written",
		fmt.Sprintf("%d runs", runs),
	)
}

// askOfSecrets runs one line.
func askOfSecrets(t *testing.T, m *marks, name string, line []string, dir string, pair [2]object) {
	t.Helper()
	files := map[string]string{}
	for arg, text := range map[string]string{
		"LIVE": asJSON(pair[0]), "MANIFEST": asJSON(pair[1]),
		"LIST": asJSON(object{"apiVersion": "v1", "kind": "List", "items": []any{pair[1]}}),
	} {
		files[arg] = filepath.Join(dir, strings.ToLower(arg)+".yaml")
		if err := os.WriteFile(files[arg], []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Clone(line)
	for i, arg := range args {
		if path, ok := files[arg]; ok {
			args[i] = path
		}
	}
	var out bytes.Buffer
	Main(args, iostreams.New(strings.NewReader(""), &out, &out, nil))
	if value, printed := m.leak(out.String()); printed != "" {
		t.Errorf("%s: ssactl %s\nprints %q in %s", name, strings.Join(line, " "), value, printed)
	}
	for _, path := range files {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "***") {
			t.Errorf("%s: ssactl %s\nwrites masks into %s:\n%s", name, strings.Join(line, " "), filepath.Base(path), text)
		}
	}
}

// TestSecretsAreAskedOfAllCommands checks that each command that can show Secrets
// adds lines of it.
func TestSecretsAreAskedOfAllCommands(t *testing.T) {
	asked := map[string]bool{}
	m := &marks{}
	for _, line := range append(markLines(m), patchLines(m)...) {
		asked[line[0]] = true
	}
	for _, cmd := range newRootCmd(&app.App{Streams: iostreams.New(nil, nil, nil, nil)}).Commands() {
		// What serve shows is what a program writes to its server: its script does.
		if cmd.Flags().Lookup("show-secrets") != nil && !asked[cmd.Name()] && cmd.Name() != "serve" {
			t.Errorf("no line asks ssactl %s about Secrets", cmd.Name())
		}
	}
}

func sortedNames[T any](m map[string]T) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// markLines are command lines of all commands in all formats.
func markLines(m *marks) [][]string {
	var lines [][]string
	add := func(line string) { lines = append(lines, strings.Fields(line)) }
	for _, format := range []string{"text", "yaml", "json", "name", "diff", "report", "markdown", "html", "github", "sarif", "junit", "json-patch"} {
		add("apply -f MANIFEST --live LIVE --field-manager x -v --show-managed-fields -o " + format)
		add("apply -f LIST --live LIVE --field-manager x --force-conflicts --show-managed-fields -o " + format)
		add("update -f MANIFEST --live LIVE --show-managed-fields -v -o " + format)
		add("delete --all --live LIVE --show-managed-fields -o " + format)
		add("audit -f LIVE -f MANIFEST --field-manager x -v -o " + format)
	}
	add("create -f MANIFEST -v -o report")
	add("apply -f MANIFEST --live LIVE --validate warn -v")
	add("diff -f MANIFEST --live LIVE --owners --show-managed-fields")
	add("scale --all --live LIVE --replicas 3 -v")
	for _, format := range []string{"text", "json"} {
		add("explain -f MANIFEST --live LIVE --field-manager x -v -o " + format)
		add("resolve -f MANIFEST --live LIVE --field-manager x --all-use-live-value --share-secrets -v -o " + format)
		add("resolve -f MANIFEST --live LIVE --field-manager x --all-stop-managing -o " + format)
		for _, field := range []string{"data.password", "data", "metadata.annotations", "metadata.labels", "metadata", "stringData", "objects", "spec"} {
			add("why -f LIVE " + field + " -v -o " + format)
		}
		lines = append(
			lines,
			[]string{
				"owners", "-f", "LIVE", "data.password", "--field-manager", "x", "--value",
				quoted(m.plain("asked")),
				"-o",
				format,
			},
		)
	}
	for _, format := range []string{"text", "markdown", "html", "json"} {
		add("compare LIVE MANIFEST -f MANIFEST --field-manager x -v -o " + format)
		add("compare MANIFEST LIVE --status -v -o " + format)
	}
	for _, format := range []string{"text", "markdown", "html", "json", "github", "sarif", "junit"} {
		add("lint -f MANIFEST -f LIST -v -o " + format)
		add("test --twice -f MANIFEST --live LIVE -v -o " + format)
		add("test --upgrade LIST MANIFEST -v -o " + format)
		add("lint -f LIVE -v -o " + format)
	}
	for _, view := range []string{"table", "blame", "tree", "managers"} {
		add("owners -f LIVE -v --as " + view)
	}
	add("owners -f LIVE -o json")
	add("snapshot -f MANIFEST -f LIVE -v -o json")
	add("schema secret.data")
	for _, line := range []string{
		"apply -f MANIFEST --live LIVE --force-conflicts --write", "update -f MANIFEST --live LIVE --write", "scale --all --live LIVE --replicas 1 --write",
		"migrate -f LIVE --write", "migrate -f LIVE --reverse --write", "clear -f LIVE --write", "resolve -f MANIFEST --live LIVE --all-use-live-value --share-secrets --write",
	} {
		add(line)
	}
	for _, format := range []string{"text", "yaml", "json", "json-patch", "kubectl", "report"} {
		add("clear -f LIVE --with MANIFEST --field-manager x -v -o " + format)
		add("migrate -f LIVE -v -o " + format)
		add("migrate -f LIVE --reverse -o " + format)
		add("migrate --live LIVE -f MANIFEST --to argo --keep-annotation -v -o " + format)
	}
	for _, format := range []string{"text", "json", "yaml", "kubectl"} {
		add("transfer -f LIVE data.password --from vault --to argo --to-manifest MANIFEST -v -o " + format)
		add("transfer -f LIVE metadata.labels.tier --from vault --to-controller=op --from-manifest MANIFEST -o " + format)
	}
	return lines
}

// patchLines are patches, right and wrong, of each type.
func patchLines(m *marks) [][]string {
	operation := func(op, path string) string {
		return asJSON([]any{object{"op": op, "path": path, "value": m.plain("operation")}})
	}
	patches := map[string][]string{
		"json": {
			operation("replace", "/data/password"), operation("test", "/data/password"), operation("add", "/token"),
			operation("add", "/metadata/finalizers/-"), operation("bad", "/data"), operation("replace", "/data/none/deep"),
			asJSON([]any{m.plain("bare")}), asJSON(object{"op": m.plain("object")}),
		},
	}
	for _, kind := range []string{"merge", "strategic"} {
		patches[kind] = []string{
			asJSON(object{"data": object{"password": m.plain("patched")}}), asJSON(object{"data": m.plain("wrong")}),
			asJSON(
				object{"stringData": object{"a": object{"b": m.plain("deep")}}},
			), asJSON(object{"stringData": object{"text": m.plain("merged")}}),
			asJSON(object{"tokens": m.plain("unknown"), "Data": object{"x": m.plain("Data")}}), asJSON([]any{m.plain("list")}),
			asJSON(
				object{"metadata": object{"labels": []any{m.plain("label")}, "annotations": object{"x": []any{m.plain("note")}}}},
			),
			"data: {password: " + m.word("yaml") + "}", "data: {password: *" + m.word("alias") + "}",
			asJSON(object{"$patch": m.plain("directive")}), asJSON(object{"data": object{"$patch": m.plain("directive")}}),
		}
	}
	var lines [][]string
	for _, kind := range sortedNames(patches) {
		for i, patch := range patches[kind] {
			for _, validate := range []string{"strict", "warn"} {
				format := []string{"text", "report", "html", "diff"}[i%4]
				lines = append(
					lines,
					[]string{
						"patch", "--all", "--live", "LIVE", "--type", kind, "-p", patch, "--validate", validate, "-v",
						"-o", format,
					},
				)
			}
		}
	}
	return lines
}
