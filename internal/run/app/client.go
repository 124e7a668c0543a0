package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/run/settings"
)

// ofClient leaves out the settings that describe another client than the one that is named
// nearer: by a flag before the environment, and there before the file. So --client helm is
// Helm in a repository whose settings say how Argo CD applies.
func ofClient(flags *pflag.FlagSet, list []settings.Setting) []settings.Setting {
	near := named{typed(flags, "client"), typed(flags, "field-manager")}
	var out []settings.Setting
	file := slices.IndexFunc(list, func(s settings.Setting) bool { return s.File != "" })
	if file < 0 {
		file = len(list)
	}
	for _, layer := range [][]settings.Setting{list[:file], list[file:]} {
		here := named{valueOf(layer, "client"), valueOf(layer, "field-manager")}
		for _, s := range layer {
			if near.takes(here, s) {
				out = append(out, s)
			}
		}
		if near.name() == "" {
			near = here
		}
	}
	return out
}

// checkClients finds clients of a file that there are none of. The value is not repeated: the
// file may be another one than is thought.
func checkClients(list []settings.Setting) error {
	for _, s := range list {
		if s.Flag != "client" {
			continue
		}
		if _, _, err := about.Parse(s.Values[0]); err != nil {
			return fmt.Errorf("%s: %s: %w", s.Origin, s.Key, err)
		}
	}
	return nil
}

// named is the client, and the field manager, that one place names; empty for none.
type named struct{ client, manager string }

// name is the client's name without its version; empty where nothing names one.
func (n named) name() string {
	if name, _, _ := strings.Cut(n.client, "@"); name != "" && name != about.Auto {
		return name
	}
	program, _ := about.Managing(n.manager)
	return program.Name
}

// takes reports whether a setting from a place that names a client describes this one.
func (n named) takes(from named, s settings.Setting) bool {
	key, _ := settings.InRun(s.Key)
	here, there := n.name(), from.name()
	if !key.Client || here == "" {
		return true
	}
	switch s.Flag {
	case "field-manager", "force-conflicts":
		// The bare request has any of them.
		return here == about.None || there == "" || here == there
	case "client":
		return here == there
	}
	return slices.Contains(about.With(s.Flag), here) && (there == "" || here == there)
}

// typed is the value of a flag on the command line; empty for none.
func typed(flags *pflag.FlagSet, name string) string {
	if flag := flags.Lookup(name); flag != nil && flag.Changed {
		return flag.Value.String()
	}
	return ""
}

// valueOf is the one value of a setting; empty for none.
func valueOf(list []settings.Setting, flag string) string {
	for _, s := range list {
		if s.Flag == flag {
			return s.Values[0]
		}
	}
	return ""
}
