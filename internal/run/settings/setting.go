package settings

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Setting is a value for a flag that nobody typed.
type Setting struct {
	// Flag is the flag's name, without dashes.
	Flag string
	// Values are in the order in which they are written; never empty.
	Values []string
	// Origin is where they are written: FILE:LINE, or a variable.
	Origin string
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

func keyOf(name string) (key, bool) {
	for _, k := range keys {
		if k.name == name {
			return k, true
		}
	}
	return key{}, false
}

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
			out = append(out, Setting{Flag: k.flag, Values: values, Origin: k.variable()})
		}
	}
	return out
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
