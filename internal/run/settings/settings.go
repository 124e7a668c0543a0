// Package settings has the description of a run, which is the same everywhere, and reads it
// from the file .ssactl.yaml and from variables of the environment that start with SSACTL_.
// A variable wins over the file, and a flag over both: that is the caller's part.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/suggest"
)

// Setting is a value for a flag that nobody typed.
type Setting struct {
	// Flag is the flag's name, without dashes.
	Flag string
	// Values are in the order in which they are written; never empty.
	Values []string
	// Origin is where they are written: FILE:LINE, or a variable.
	Origin string
	// Key is how it is written; File and Line are those of the origin, empty for a
	// variable.
	Key, File string
	Line      int
}

// String is the setting as its flags, with its origin.
func (s Setting) String() string {
	return fmt.Sprintf("--%s %s (%s)", s.Flag, strings.Join(s.Values, " --"+s.Flag+" "), s.Origin)
}

// FromEnvironment gives the settings of variables that are set, each value on a
// line of its own. A variable that is empty sets nothing. As a plug-in of Helm, which takes
// --namespace for itself, the namespace is that of Helm where no variable of ours has one.
func FromEnvironment(getenv func(string) string) []Setting {
	var out []Setting
	for _, k := range table {
		if k.inline {
			continue
		}
		for _, name := range k.names() {
			var values []string
			for line := range strings.Lines(getenv(Variable(name))) {
				if line = strings.TrimSpace(line); line != "" {
					values = append(values, line)
				}
			}
			if len(values) > 0 {
				out = append(out, Setting{Flag: k.flag, Values: values, Origin: Variable(name), Key: name})
				break
			}
		}
	}
	if namespace := getenv("HELM_NAMESPACE"); namespace != "" && getenv("HELM_PLUGIN_NAME") == helmPlugin {
		out = append(out, Setting{Flag: "namespace", Values: []string{namespace}, Origin: "HELM_NAMESPACE", Key: "namespace"})
	}
	return out
}

// helmPlugin is the name under which Helm runs ssactl: hack/plugins/helm.
const helmPlugin = "ssa"

// StateDir is the user's state directory: $XDG_STATE_HOME, or what it is by default;
// empty where there is no home.
func StateDir(getenv func(string) string) string {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return dir
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state")
	}
	return ""
}

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
		// Its own message has the path already.
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			err = p.Err
		}
		return nil, fmt.Errorf("read the settings %s: %w", shown, err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("read the settings %s: %s", shown, bounded.Shape(err))
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

func relative(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}

func read(root *yaml.Node, shown string, locate func(string) string) ([]Setting, error) {
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: settings are a map with the keys %s", shown, root.Line, listed())
	}
	var out []Setting
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i], root.Content[i+1]
		k, known := find(name.Value)
		if !known {
			return nil, fmt.Errorf("%s:%d: %w", shown, name.Line, unknown(name.Value))
		}
		if k.inline {
			out = added(out, Setting{Flag: k.flag, Values: []string{shown}, Origin: fmt.Sprintf("%s:%d", shown, name.Line),
				Key: name.Value, File: shown, Line: name.Line})
			continue
		}
		values, err := k.values(value)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", shown, value.Line, name.Value, err)
		}
		if k.paths {
			for i := range values {
				values[i] = locate(values[i])
			}
		}
		if len(values) > 0 {
			out = added(out, Setting{Flag: k.flag, Values: values, Origin: fmt.Sprintf("%s:%d", shown, name.Line),
				Key: name.Value, File: shown, Line: name.Line})
		}
	}
	return out, nil
}

// unknown is the error of a key that there is none of. The file may be another one than is
// thought: its key is repeated where it is nearly one of the known ones, and nothing else is.
func unknown(name string) error {
	switch best := suggest.Likeliest(name, Names()); {
	case name == ConfigName:
		return fmt.Errorf("%s is for the command line and %s: it says which file this is", name, Variable(name))
	case best != "":
		return fmt.Errorf("there is no setting %s: did you mean %s?", name, best)
	}
	return fmt.Errorf("there is no such setting: known are %s", listed())
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
func (k Key) values(node *yaml.Node) ([]string, error) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag == "!!null":
		return nil, nil
	case node.Kind == yaml.ScalarNode && k.Switch && node.Value != "true" && node.Value != "false":
		return nil, errors.New("this is true or false")
	case node.Kind == yaml.ScalarNode:
		return []string{node.Value}, nil
	case node.Kind == yaml.SequenceNode && k.List:
		return items(node)
	case k.Switch:
		return nil, errors.New("this is true or false")
	case !k.List:
		return nil, errors.New("this is one text")
	}
	return nil, errors.New("this is a text or a list of them")
}

func items(node *yaml.Node) ([]string, error) {
	var out []string
	for _, item := range node.Content {
		if item.Kind != yaml.ScalarNode {
			return nil, errors.New("each item is a text")
		}
		out = append(out, item.Value)
	}
	return out, nil
}
