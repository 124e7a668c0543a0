package writeback

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// TestPlacesAgreeWithManifest: what internal/input/manifest calls document N, item
// M, is the same object here.
func TestPlacesAgreeWithManifest(t *testing.T) {
	object := func(name string) string { return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n" }
	asJSON := func(name string) string {
		return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `"}}`
	}
	texts := map[string]string{
		"one":               object("a"),
		"leading separator": "---\n" + object("a") + "---\n" + object("b"),
		"comment first":     "# c\n---\n" + object("a"),
		"directive first":   "%YAML 1.1\n---\n" + object("a"),
		"empty documents":   "---\n# c\n---\n" + object("a") + "---\n---\n\n---\n" + object("b") + "---\n",
		"carriage returns":  "---\r\nkind: ConfigMap\r\nmetadata: {name: a}\r\napiVersion: v1\r\n---\r\n# c\r\n---\r\nkind: ConfigMap\r\nmetadata: {name: b}\r\napiVersion: v1\r\n",
		"end marker":        object("a") + "...\n---\n" + object("b"),
		"byte order mark":   "\uFEFF---\n" + object("a") + "---\n" + object("b"),
		"JSON":              asJSON("a"),
		"JSON lines":        asJSON("a") + "\n\n" + asJSON("b") + asJSON("c") + "\n",
		"JSON, separated":   asJSON("a") + "\n---\n" + asJSON("b") + "\n---\n" + object("c"),
		"JSON in YAML":      object("a") + "---\n" + asJSON("b") + "\n---\n" + asJSON("c"),
		"YAML List": "---\nkind: List\napiVersion: v1\nitems:\n- " + asJSON("a") + "\n-\n  " + asJSON("b") + "\n# c\n- " +
			asJSON("c") + "\n---\n" + object("d"),
		"typed YAML List": "kind: ConfigMapList\napiVersion: v1\nitems:\n  - metadata: {name: a}\n  - metadata: {name: b}\n",
		"JSON List": "{\"items\": [" + asJSON("a") + ", " + asJSON("b") + "], \"kind\": \"List\", \"apiVersion\": \"v1\"}\n" +
			asJSON("c"),
		"no final line break":  object("a") + "---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: b}",
		"separator with words": "--- # first\n" + object("a") + "---   # second\n" + object("b"),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "live")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			documents, problems := manifest.Load([]string{file}, manifest.Options{})
			if len(problems) > 0 || len(documents) == 0 {
				t.Fatalf("documents %d, problems %v", len(documents), problems)
			}
			here, _, err := open([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			want, got := map[Place]string{}, map[Place]string{}
			for _, d := range documents {
				want[Place{File: file, Document: d.Source.Document, Item: d.Item - 1}] = d.Name
			}
			for _, c := range everything(here) {
				got[Place{File: file, Document: c.at.Document, Item: c.at.Item}] = nameOf(c.object)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("places (-manifest +writeback):\n%s", diff)
			}
		})
	}
}

func nameOf(object map[string]any) string { return identityOf(object).name }
