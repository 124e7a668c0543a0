package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/run/bounded"
)

// FileName is that of the settings of a repository.
const FileName = ".ssactl.yaml"

// maxBytes is more than settings need: what is larger is something else.
const maxBytes = 1 << 20

// Find gives the path of the settings for a folder: those in it, or in the nearest
// folder above it up to the root of the repository (the folder with .git). Outside
// of a repository only those in the folder itself count. It is empty for none.
func Find(dir string) string {
	if file := filepath.Join(dir, FileName); exists(file) {
		return file
	}
	found := ""
	for at := dir; ; at = filepath.Dir(at) {
		if file := filepath.Join(at, FileName); found == "" && exists(file) {
			found = file
		}
		if exists(filepath.Join(at, ".git")) {
			return found
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// FromFile reads settings. Paths in them are relative to their folder, and come
// back as seen from dir. An error names the line, and what there is.
func FromFile(file, dir string) ([]Setting, error) {
	shown := relative(file, dir)
	text, err := bounded.File(file, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("read the settings %s: %w", shown, bare(err))
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("read the settings %s: %w", shown, err)
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	return read(document.Content[0], shown, func(path string) string {
		if path == "-" || filepath.IsAbs(path) {
			return path
		}
		return relative(filepath.Join(filepath.Dir(file), path), dir)
	})
}

// bare is an error without the path, which its message has already.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func relative(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}

func read(root *yaml.Node, shown string, locate func(string) string) ([]Setting, error) {
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: settings are a map with the keys %s", shown, root.Line, names())
	}
	var out []Setting
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i], root.Content[i+1]
		k, ok := keyOf(name.Value)
		if !ok {
			return nil, fmt.Errorf("%s:%d: there is no setting %q: known are %s", shown, name.Line, name.Value, names())
		}
		if k.inline {
			out = added(out, Setting{Flag: k.flag, Values: []string{shown}, Origin: fmt.Sprintf("%s:%d", shown, name.Line)})
			continue
		}
		values, err := k.values(value)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", shown, value.Line, k.name, err)
		}
		if k.paths {
			for i := range values {
				values[i] = locate(values[i])
			}
		}
		if len(values) > 0 {
			out = added(out, Setting{Flag: k.flag, Values: values, Origin: fmt.Sprintf("%s:%d", shown, name.Line)})
		}
	}
	return out, nil
}

// added gives the settings with one more: two keys of one flag are one setting.
func added(list []Setting, s Setting) []Setting {
	for i := range list {
		if list[i].Flag == s.Flag {
			list[i].Values = append(list[i].Values, s.Values...)
			return list
		}
	}
	return append(list, s)
}

// values reads one value or a list of them.
func (k key) values(node *yaml.Node) ([]string, error) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag == "!!null":
		return nil, nil
	case node.Kind == yaml.ScalarNode:
		return []string{node.Value}, nil
	case node.Kind == yaml.SequenceNode && !k.single:
		var out []string
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, errors.New("each item is a text")
			}
			out = append(out, item.Value)
		}
		return out, nil
	case k.single:
		return nil, errors.New("this is one text")
	}
	return nil, errors.New("this is a text or a list of them")
}
