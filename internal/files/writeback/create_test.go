package writeback

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/files/atomic"
)

const (
	yamlX     = "apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\nmetadata:\n  name: x\n"
	yamlXItem = "- apiVersion: v1\n  data:\n    k: v\n  kind: ConfigMap\n  metadata:\n    name: x\n"
	jsonX     = `{"apiVersion":"v1","data":{"k":"v"},"kind":"ConfigMap","metadata":{"name":"x"}}`
)

func TestCreateOfWhatIsThere(t *testing.T) {
	const list = "apiVersion: v1\nkind: List\nitems:\n" + yamlXItem
	for name, text := range map[string]string{"document": yamlB + "---\n" + yamlX, "item": list, "JSON": jsonX} {
		file := filepath.Join(t.TempDir(), "new.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		plan := Plan{NewFile: file}
		plan.Create(configMap("x", "other"))
		if _, err := plan.Commit(context.Background(), atomic.OS{}); !errors.Is(err, ErrExists) {
			t.Errorf("%s: error %v, want ErrExists", name, err)
		}
		if diff := cmp.Diff(text, read(t, file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestCreate(t *testing.T) {
	const absent = "\x00"
	tests := []struct{ name, file, text, want string }{
		{"absent YAML", "new.yaml", absent, yamlX},
		{
			"absent JSON", "new.json", absent,
			"{\n    \"apiVersion\": \"v1\",\n    \"data\": {\n        \"k\": \"v\"\n    },\n    \"kind\": \"ConfigMap\",\n    \"metadata\": {\n        \"name\": \"x\"\n    }\n}\n",
		},
		{"absent JSON lines", "new.ndjson", absent, jsonX + "\n"},
		{"empty file", "new.yaml", "", yamlX},
		{"only comments", "new.yaml", "# live", "# live\n" + yamlX},
		{"another document", "new.yaml", yamlB, yamlB + "---\n" + yamlX},
		{"no final line break", "new.yaml", "kind: X", "kind: X\n---\n" + yamlX},
		{"final separator", "new.yaml", yamlB + "---\n", yamlB + "---\n" + yamlX},
		{
			"CRLF", "new.yaml", "kind: X\r\n",
			"kind: X\r\n---\r\napiVersion: v1\r\ndata:\r\n  k: v\r\nkind: ConfigMap\r\nmetadata:\r\n  name: x\r\n",
		},
		{"JSON lines", "new.json", `{"kind":"X"}` + "\n", `{"kind":"X"}` + "\n" + jsonX + "\n"},
		{
			"YAML List",
			"new.yaml",
			"apiVersion: v1\nitems:\n- kind: X\n# end\nkind: List\n",
			"apiVersion: v1\nitems:\n- kind: X\n" + yamlXItem + "# end\nkind: List\n",
		},
		{
			"empty YAML List",
			"new.yaml",
			"apiVersion: v1\nitems: []\nkind: List\n",
			"apiVersion: v1\nitems:\n" + yamlXItem + "kind: List\n",
		},
		{
			"typed List",
			"new.yaml",
			"apiVersion: v1\nkind: ConfigMapList\nitems: []\n",
			"apiVersion: v1\nkind: ConfigMapList\nitems:\n" + yamlXItem,
		},
		{
			"another typed List",
			"new.yaml",
			"apiVersion: v1\nkind: PodList\nitems: []\n",
			"apiVersion: v1\nkind: PodList\nitems: []\n---\n" + yamlX,
		},
		{
			"JSON List",
			"new.json",
			`{"apiVersion":"v1","kind":"List","items":[{"kind":"X"}]}`,
			`{"apiVersion":"v1","kind":"List","items":[{"kind":"X"},` + jsonX + `]}`,
		},
		{
			"empty JSON List",
			"new.json",
			`{"apiVersion":"v1","kind":"List","items":[ ]}`,
			`{"apiVersion":"v1","kind":"List","items":[` + jsonX + `]}`,
		},
		{"empty JSON List of lines", "new.json", "{\n \"apiVersion\": \"v1\", \"kind\": \"List\",\n \"items\": []\n}\n",
			"{\n \"apiVersion\": \"v1\", \"kind\": \"List\",\n \"items\": [\n  {\n   \"apiVersion\": \"v1\",\n   \"data\": {\n    \"k\": \"v\"\n   },\n   \"kind\": \"ConfigMap\",\n   \"metadata\": {\n    \"name\": \"x\"\n   }\n  }\n ]\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), tt.file)
			if tt.text != absent {
				if err := os.WriteFile(file, []byte(tt.text), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			plan := Plan{NewFile: file}
			plan.Create(configMap("x", "v"))
			written, err := plan.Commit(context.Background(), atomic.OS{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{file}, written); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, read(t, file)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCreateSeveral(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new.json")
	plan := Plan{NewFile: file}
	plan.Create(configMap("x", "v"))
	plan.Create(configMap("a", "v"))
	if _, err := plan.Commit(context.Background(), atomic.OS{}); err != nil {
		t.Fatal(err)
	}
	value, err := document.Value([]byte(read(t, file)), true)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"resourceVersion": ""},
		"items": []any{configMap("x", "v"), configMap("a", "v")},
	}
	if diff := cmp.Diff(want, value); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestCreateAndReplaceInOneFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "live.yaml")
	if err := os.WriteFile(file, []byte(yamlB), 0o600); err != nil {
		t.Fatal(err)
	}
	plan := Plan{NewFile: file}
	plan.Delete(Place{File: file, Document: 1, Item: NotInList}, configMap("b", ""))
	plan.Create(configMap("x", "v"))
	if _, err := plan.Commit(context.Background(), atomic.OS{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(yamlX, read(t, file)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestCreateRefuses(t *testing.T) {
	tests := []struct {
		name, file string
		want       error
		message    string
	}{
		{"no file", "", ErrNoNewFile, "create v1 ConfigMap x: no file is named for new objects"},
		{"standard output", "-", ErrStandardInput, "write -: standard input cannot be written back"},
		{"no folder", filepath.Join(t.TempDir(), "absent", "f.yaml"), os.ErrNotExist, ""},
		{"a folder", t.TempDir(), atomic.ErrNotRegular, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan := Plan{NewFile: tt.file}
			plan.Create(configMap("x", "v"))
			_, err := plan.Commit(context.Background(), atomic.OS{})
			if !errors.Is(err, tt.want) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			if tt.message != "" && err.Error() != tt.message {
				t.Errorf("message %q, want %q", err, tt.message)
			}
		})
	}
}
