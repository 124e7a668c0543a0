package cmd

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// run runs a command line in this process, on files of a folder of its own.
func run(t *testing.T, files map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	code = Main(args, iostreams.New(strings.NewReader(""), &out, &errs, nil))
	return code, out.String(), errs.String()
}

// listed is a List of ConfigMaps, its items written by item.
func listed(n int, open, between, end string, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return open + strings.Join(items, between) + end
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	dumped = 10_000
	broken = 5000
)

func yamlItem(i int) string {
	if i == broken {
		return "- metadata: {name: [}\n"
	}
	return fmt.Sprintf(
		"- metadata:\n    name: cm-%d\n    namespace: default\n    uid: u\n    resourceVersion: \"1\"\n  data:\n    k: live text of some length, so that it is large\n",
		i,
	)
}

func jsonItem(kind string) func(int) string {
	return func(i int) string {
		if i == broken {
			return `{"metadata":{"name":},` + kind + `"data":{}}`
		}
		return fmt.Sprintf(
			`{%s"metadata":{"name":"cm-%d","namespace":"default","uid":"u","resourceVersion":"1"},"data":{"k":"live text of some length, so that it is large"}}`,
			kind,
			i,
		)
	}
}

// dumps are 10,000 live objects, one of them malformed, in each form in which
// people have them.
func dumps(t *testing.T) map[string]string {
	typed := `"apiVersion":"v1","kind":"ConfigMap",`
	yamlText := listed(
		dumped, "apiVersion: v1\nitems:\n", "",
		"kind: ConfigMapList\nmetadata:\n  resourceVersion: \"\"\n", yamlItem,
	)
	jsonText := listed(
		dumped, "{\"apiVersion\":\"v1\",\"items\":[\n", ",\n", "\n],\"kind\":\"List\",\"metadata\":{}}\n",
		jsonItem(typed),
	)
	return map[string]string{
		"typed.yaml": yamlText,
		"list.json":  jsonText,
		"typed.json": listed(
			dumped, "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[\n", ",\n", "\n]}\n",
			jsonItem(""),
		),
		"objects.ndjson":   listed(dumped, "", "\n", "\n", jsonItem(typed)),
		"typed.yaml.gz":    compressed(t, yamlText),
		"dir/list.json.gz": compressed(t, jsonText),
	}
}

const three = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-1}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-9999}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: none}\n"

// One malformed object among 10,000 costs that object, told with its place, and in a
// JSON List what is behind it; a typed List may tell its kind last.
func TestMalformedAmongMany(t *testing.T) {
	for name, text := range dumps(t) {
		t.Run(name, func(t *testing.T) {
			live := name
			if strings.HasPrefix(name, "dir/") {
				live = "dir"
			}
			code, stdout, stderr := run(
				t,
				map[string]string{name: text, "cm.yaml": three},
				"apply", "-f", "cm.yaml", "--live", live, "-q",
			)
			if code != app.ExitTrouble {
				t.Errorf("exit code %d", code)
			}
			want := []string{
				"3 objects as kubectl: 1 unanswered, 2 change. 1 error, 1 caution. 1 input could not be read.",
				"configmap/none failed (namespace default): whether it is live is not known",
				"configmap/cm-1 configured (namespace default): only ownership changes",
				"configmap/cm-9999 configured (namespace default): only ownership changes",
			}
			if strings.Contains(name, ".json") {
				want = []string{
					"3 objects as kubectl: 2 unanswered, 1 changed. 1 error, 1 caution. 1 input could not be read.",
					"configmap/cm-9999 failed (namespace default): whether it is live is not known",
					want[1], want[2],
				}
			}
			if diff := cmp.Diff(want, verdictLines(stdout)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "error: "+name+":") {
				t.Errorf("standard error: %s", stderr)
			}
		})
	}
}

// The same among the manifests: all others are answered, in their order.
func TestMalformedManifest(t *testing.T) {
	text := strings.Replace(configMaps(1000), "{name: cm-500}", "{name: [}", 1)
	code, stdout, stderr := run(t, map[string]string{"cm.yaml": text}, "apply", "-f", "cm.yaml", "-o", "name")
	var want strings.Builder
	for i := range 1000 {
		if i != 500 {
			fmt.Fprintf(&want, "configmap/cm-%d\n", i)
		}
	}
	if diff := cmp.Diff(want.String(), stdout); diff != "" || code != app.ExitTrouble {
		t.Errorf("exit code %d, (-want +got)\n%s", code, diff)
	}
	if !strings.HasPrefix(stderr, "note: "+cluster.WithoutLive+"\nerror: cm.yaml:2504 (document 501): ") ||
		strings.Count(stderr, "\n") != 2 {
		t.Errorf("standard error: %s", stderr)
	}
}

// Whatever the number of jobs, all is reported in the same words.
func TestJobsTellTheSame(t *testing.T) {
	files := map[string]string{"cm.yaml": configMaps(100) + "---\n" + three}
	for _, format := range []string{"text", "report", "yaml", "junit", "diff"} {
		var first string
		for _, jobs := range []string{"1", "2", "7"} {
			_, stdout, _ := run(
				t, files, "apply", "-f", "cm.yaml", "--now", "2026-01-01T00:00:00Z", "--jobs", jobs, "-o",
				format,
			)
			if first == "" {
				first = stdout
			}
			if diff := cmp.Diff(first, stdout); diff != "" {
				t.Errorf("%s with %s jobs: (-1 +%s)\n%s", format, jobs, jobs, diff)
			}
		}
	}
}

// Hostile sizes are errors that name the flag which raises the limit, and with
// it they are read.
func TestLimitsCanBeRaised(t *testing.T) {
	const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},`
	cases := []struct{ name, text, flag, raised string }{
		{"depth", object + `"data":` + strings.Repeat("[", 1100) + strings.Repeat("]", 1100) + "}", "--max-depth", "2000"},
		{"values", object + `"data":[` + strings.Repeat("0,", 3000) + `0]}`, "--max-values", "5000"},
		{"size", object + `"data":{"k":"` + strings.Repeat("x", 2000) + `"}}`, "--max-document-bytes", "4000"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"cm.json": c.text}
			args := []string{"apply", "-f", "cm.json", "-o", "name", "--max-document-bytes", "16777216", "--max-values", "1500"}
			if c.flag == "--max-document-bytes" {
				args = append(args, "--max-document-bytes", "1500")
			}
			code, _, stderr := run(t, files, args...)
			if code != app.ExitTrouble || !strings.Contains(stderr, c.flag+" raises it") {
				t.Errorf("exit code %d, standard error %.300q", code, stderr)
			}
			_, _, stderr = run(t, files, append(args, c.flag, c.raised)...)
			if strings.Contains(stderr, "raises it") {
				t.Errorf("raised: %.300q", stderr)
			}
		})
	}
}

// verdictLines are the lines of the text that are not indented, as far as they do
// not depend on where something stands in a file.
func verdictLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), ", as ")
		if line != "" && line[0] != ' ' {
			out = append(out, line)
		}
	}
	return out
}
