package causes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// phrase is a text that is matched, and where upstream has it.
type phrase struct {
	text string
	// module is upstream's; empty for the standard library. file is in it.
	module, file string
	// source is the text as the file has it, where that is in another form.
	source string
}

const (
	apimachinery = "k8s.io/apimachinery"
	apiserver    = "k8s.io/apiserver"
	merge        = "sigs.k8s.io/structured-merge-diff/v6"
	kjson        = "sigs.k8s.io/json"
	decoder      = "internal/golang/encoding/json/decode.go"
	conflicts    = "pkg/util/managedfields/internal/conflict.go"
)

// phrases are all of them.
var phrases = []phrase{
	{text: typedPatch, module: apimachinery, file: "pkg/util/managedfields/internal/structuredmerge.go"},
	{text: severalFault, module: merge, file: "typed/helpers.go"},
	{text: expectedType, module: merge, file: "typed/validate.go"},
	{text: expectedText, module: merge, file: "typed/validate.go"},
	{text: gotValue, module: merge, file: "typed/validate.go"},
	{text: notDeclared, module: merge, file: "typed/validate.go"},
	{text: repeatedItem, module: merge, file: "typed/validate.go"},
	{text: ofElement, module: merge, file: "typed/validate.go", source: `"element %v: `},
	{text: strictErrors, module: apimachinery, file: "pkg/runtime/error.go"},
	{text: unknownField, module: kjson, file: "internal/golang/encoding/json/kubernetes_patch.go"},
	{text: repeatField, module: kjson, file: "internal/golang/encoding/json/kubernetes_patch.go"},
	{text: repeatedKey, module: "go.yaml.in/yaml/v2", file: "decode.go"},
	{text: cannotDecode, module: kjson, file: decoder},
	{text: intoField, module: kjson, file: decoder},
	{text: ofType, module: kjson, file: decoder},
	{text: conflictWith, module: apimachinery, file: conflicts},
	{text: subresource, module: apimachinery, file: conflicts},
	{text: using, module: apimachinery, file: conflicts},
	{text: at, module: apimachinery, file: conflicts},
	{text: duplicateValue, module: apimachinery, file: "pkg/util/validation/field/errors.go"},
	{text: invalidValue, module: apimachinery, file: "pkg/util/validation/field/errors.go"},
	{text: managedNil, module: apimachinery, file: "pkg/util/managedfields/internal/structuredmerge.go"},
	{text: modified, module: apiserver, file: "pkg/registry/generic/registry/store.go"},
	{text: mismatch, module: apiserver, file: "pkg/endpoints/handlers/patch.go"},
	{text: noField, module: apimachinery, file: "pkg/util/validation/field/path.go"},
	{text: applyFailed, module: apimachinery, file: conflicts},
	{text: conflictsIn, module: apimachinery, file: conflicts},
	{text: isInvalid, module: apimachinery, file: "pkg/api/errors/errors.go", source: `"%s %q is invalid`},
	{text: immutable, module: apimachinery, file: "pkg/api/validation/objectmeta.go"},
	{text: nameOfKind, module: apimachinery, file: "pkg/runtime/schema/group_version.go"},
}

// TestPhrasesAreUpstreams looks each phrase up in the source that says it, in the
// module cache: where Kubernetes is raised, this test says which explanations are
// gone.
func TestPhrasesAreUpstreams(t *testing.T) {
	dirs := map[string]string{}
	for _, p := range phrases {
		if dirs[p.module] == "" {
			out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", p.module).Output()
			if err != nil {
				t.Fatalf("find the source of %s: %v", p.module, err)
			}
			dirs[p.module] = strings.TrimSpace(string(out))
		}
		source, err := os.ReadFile(filepath.Join(dirs[p.module], filepath.FromSlash(p.file)))
		if err != nil {
			t.Errorf("%q: %v", p.text, err)
			continue
		}
		text := p.source
		if text == "" {
			text = p.text
		}
		if !strings.Contains(string(source), text) {
			t.Errorf("%s of %s does not say %q any more", p.file, p.module, text)
		}
	}
}
