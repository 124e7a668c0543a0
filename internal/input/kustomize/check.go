package kustomize

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/ssactl/ssactl/internal/program"
)

// kustomization is the text of one, with the lines of what it has.
type kustomization struct {
	root  *yaml.Node
	types types.Kustomization
	// err is why it cannot be read; it is empty then.
	err error
}

func parse(text []byte) kustomization {
	var k kustomization
	var document yaml.Node
	if yaml.Unmarshal(text, &document) == nil && len(document.Content) > 0 {
		k.root = document.Content[0]
	}
	if k.err = k.types.Unmarshal(text); k.err != nil {
		k.types = types.Kustomization{}
	}
	return k
}

// referring are the fields that name files or folders, with the fields of their
// items that do where not the items themselves.
var referring = []struct {
	field  string
	within []string
}{
	{"resources", nil},
	{"components", nil},
	{"bases", nil},
	{"crds", nil},
	{"configurations", nil},
	{"generators", nil},
	{"transformers", nil},
	{"validators", nil},
	{"patchesStrategicMerge", nil},
	{"patches", []string{"path"}},
	{"patchesJson6902", []string{"path"}},
	{"replacements", []string{"path"}},
	{"configMapGenerator", []string{"files", "envs", "env"}},
	{"secretGenerator", []string{"files", "envs", "env"}},
	{"openapi", []string{"path"}},
}

var charts = []string{"helmCharts", "helmChartInflationGenerator"}

var errCharts = errors.New(
	program.In(
		"names Helm charts, and ssactl runs no program: render them first (helm template CHART | ssactl … -f -), or build with kustomize build --enable-helm DIRECTORY | ssactl … -f -",
	),
)

// check is the line of the first thing that cannot be built here, and why.
func (k kustomization) check(dir string) (int, error) {
	if k.err != nil {
		return k.unread()
	}
	for _, field := range charts {
		if value := k.field(field); value != nil && len(value.Content) > 0 {
			return value.Line, errCharts
		}
	}
	for _, r := range referring {
		for _, node := range texts(k.field(r.field), r.within) {
			if err := checkReference(dir, r.field, node.Value); err != nil {
				return node.Line, err
			}
		}
	}
	return 0, nil
}

var (
	yamlLine     = regexp.MustCompile(`yaml: line (\d+): `)
	unknownField = regexp.MustCompile(`unknown field "(.*)"`)
)

// unread is why the kustomization cannot be read, and the line of it.
func (k kustomization) unread() (int, error) {
	text := strings.TrimPrefix(k.err.Error(), "invalid Kustomization: ")
	line := 0
	if found := yamlLine.FindStringSubmatch(text); found != nil {
		line, _ = strconv.Atoi(found[1])
		text = strings.Replace(text, found[0], "", 1)
	}
	if found := unknownField.FindStringSubmatch(text); found != nil {
		if value := k.field(found[1]); value != nil {
			line = value.Line
		}
	}
	return line, errors.New(text)
}

func checkReference(dir, field, text string) error {
	// The text of a patch, of a plug-in's configuration, or what names a key.
	if strings.Contains(text, "\n") {
		return nil
	}
	if _, path, named := strings.Cut(text, "="); named && strings.HasSuffix(field, "Generator") {
		text = path
	}
	switch _, err := os.Stat(filepath.Join(dir, text)); {
	case filepath.IsAbs(text):
		return nil
	case err == nil && !strings.Contains(text, "://"):
		return nil
	case isRemote(text):
		return fmt.Errorf(
			program.In("%s has %s, which is fetched, and %w: build it first (kubectl kustomize DIRECTORY | ssactl … -f -)"),
			field,
			text,
			errOffline,
		)
	case errors.Is(err, fs.ErrNotExist) && text != "" && !strings.ContainsAny(text, "{}:*"):
		// It can only be the name of a file.
		return fmt.Errorf("%s has %s: there is no such file or folder", field, text)
	}
	return nil
}

// isRemote reports whether kustomize would fetch what has no file of that name.
func isRemote(text string) bool {
	host, _, deep := strings.Cut(text, "/")
	switch {
	case strings.Contains(text, "://"), strings.Contains(text, "?ref="), strings.HasPrefix(text, "git::"):
		return true
	case strings.Contains(host, "@"), strings.Contains(host, ":"):
		return !strings.ContainsAny(host, " {\"")
	}
	return deep && strings.Contains(strings.Trim(host, "."), ".") && !strings.HasPrefix(host, ".")
}

// field is the value of a field, whose name kustomize reads in any case.
func (k kustomization) field(name string) *yaml.Node { return fieldOf(k.root, name) }

func fieldOf(node *yaml.Node, name string) *yaml.Node {
	node = anchored(node)
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if strings.EqualFold(node.Content[i].Value, name) {
			return anchored(node.Content[i+1])
		}
	}
	return nil
}

// anchored is what an alias stands for, or the node itself.
func anchored(node *yaml.Node) *yaml.Node {
	for node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}

// texts are the texts of a value, and of the fields of it or of its items.
func texts(node *yaml.Node, within []string) []*yaml.Node {
	node = anchored(node)
	var out []*yaml.Node
	switch {
	case node == nil:
	case node.Kind == yaml.ScalarNode:
		return []*yaml.Node{node}
	case node.Kind == yaml.SequenceNode:
		for _, item := range node.Content {
			out = append(out, texts(item, within)...)
		}
	default:
		for _, name := range within {
			out = append(out, texts(fieldOf(node, name), nil)...)
		}
	}
	return out
}
