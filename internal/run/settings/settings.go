// Package settings reads what a repository sets once for all commands: the file
// .ssactl.yaml, and variables of the environment that start with SSACTL_.
// A variable wins over the file, and a flag over both: that is the caller's part.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	// Key is what the file calls it; File and Line are those of the origin, empty for a
	// variable.
	Key, File string
	Line      int
}

// String is the setting as its flags, with its origin.
func (s Setting) String() string {
	return fmt.Sprintf("--%s %s (%s)", s.Flag, strings.Join(s.Values, " --"+s.Flag+" "), s.Origin)
}

// key is something that can be set.
type key struct {
	// name is that in the file, and in lower case that of the variable.
	name, flag string
	// paths: the values are files, relative to the folder of the settings.
	paths bool
	// single: there is one value at most.
	single bool
	// inline: the value is for a reader of the file itself, which the flag names.
	inline bool
}

// keys are what can be set, in the order of the documentation.
var keys = []key{
	{name: "manager", flag: "field-manager", single: true},
	{name: "live", flag: "live", paths: true},
	{name: "crds", flag: "crds", paths: true},
	{name: "namespace", flag: "namespace", single: true},
	{name: "ignore", flag: "ignore-field"},
	{name: "fail-on", flag: "fail-on", single: true},
	{name: "policy", flag: "policy", paths: true},
	{name: "snapshot-key", flag: "snapshot-key", paths: true, single: true},
	{name: "ownership", flag: "policy", inline: true},
}

// Names are the keys of the file, in the order of the documentation.
func Names() []string {
	var list []string
	for _, k := range keys {
		list = append(list, k.name)
	}
	return list
}

// names lists the keys for a message.
func names() string { return strings.Join(Names(), ", ") }

// variable is the variable of the environment for a key: SSACTL_FAIL_ON.
func (k key) variable() string {
	return "SSACTL_" + strings.ToUpper(strings.ReplaceAll(k.name, "-", "_"))
}

// FromEnvironment gives the settings of variables that are set, each value on a
// line of its own. A variable that is empty sets nothing.
func FromEnvironment(getenv func(string) string) []Setting {
	var out []Setting
	for _, k := range keys {
		if k.inline {
			continue
		}
		var values []string
		for line := range strings.Lines(getenv(k.variable())) {
			if line = strings.TrimSpace(line); line != "" {
				values = append(values, line)
			}
		}
		if len(values) > 0 {
			out = append(out, Setting{Flag: k.flag, Values: values, Origin: k.variable(), Key: k.name})
		}
	}
	return out
}

// Flags are those that settings may set.
func Flags() []string {
	var list []string
	for _, k := range keys {
		list = append(list, k.flag)
	}
	return list
}

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
		return nil, fmt.Errorf("%s:%d: settings are a map with the keys %s", shown, root.Line, names())
	}
	var out []Setting
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i], root.Content[i+1]
		at := slices.IndexFunc(keys, func(k key) bool { return k.name == name.Value })
		if at < 0 {
			// The file may be another one than is thought: nothing of it is repeated.
			return nil, fmt.Errorf("%s:%d: there is no such setting%s: known are %s",
				shown, name.Line, meant(name.Value), names())
		}
		k := keys[at]
		if k.inline {
			out = added(out, Setting{Flag: k.flag, Values: []string{shown}, Origin: fmt.Sprintf("%s:%d", shown, name.Line),
				Key: k.name, File: shown, Line: name.Line})
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
			out = added(out, Setting{Flag: k.flag, Values: values, Origin: fmt.Sprintf("%s:%d", shown, name.Line),
				Key: k.name, File: shown, Line: name.Line})
		}
	}
	return out, nil
}

// meant is the key that a mistyped one may be; empty for none.
func meant(name string) string {
	if best := suggest.Likeliest(name, Names()); best != "" {
		return " (did you mean " + best + "?)"
	}
	return ""
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
