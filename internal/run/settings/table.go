package settings

import (
	"slices"
	"strings"
)

// Key is one word of the description of a run. It has one name everywhere: that of the flag,
// of the key in .ssactl.yaml and in the configuration of 'ssactl fn', of the input of the
// action, and, in capitals, of the variable SSACTL_….
type Key struct {
	Name string
	// List: there may be several values. Switch: the value is true or false.
	List, Switch bool
	// Client: it describes the client whose requests are simulated.
	Client bool
	// former is a name that is understood too; empty for none.
	former string
	// flag is the flag that it sets.
	flag string
	// paths: the values are files, relative to the folder of the settings.
	paths bool
	// inline: the value is for a reader of the file itself, which the flag names.
	inline bool
}

// ConfigName is the name of the one word that no file of settings has: which file it is.
const ConfigName = "config"

// table is the description of a run, in the order of the documentation.
var table = flags([]Key{
	{Name: "client", Client: true},
	{Name: "field-manager", former: "manager", Client: true},
	{Name: "force-conflicts", Switch: true, Client: true},
	{Name: "server-side", Client: true},
	{Name: "release", Client: true},
	{Name: "release-manifest", paths: true, Client: true},
	{Name: "take-ownership", Switch: true, Client: true},
	{Name: "force-replace", Switch: true, Client: true},
	{Name: "create-namespace", Switch: true, Client: true},
	{Name: "rollback-on-failure", Switch: true, Client: true},
	{Name: "prune", Switch: true, Client: true},
	{Name: "applyset", Client: true},
	{Name: "force", Switch: true, Client: true},
	{Name: "override-manager", List: true, Client: true},
	{Name: "ignore-path", List: true, Client: true},
	{Name: "live", List: true, paths: true},
	{Name: "snapshot-key", paths: true},
	{Name: "assume-absent", Switch: true},
	{Name: "crds", List: true, paths: true},
	{Name: "policy", List: true, paths: true},
	{Name: "namespace"},
	{Name: "namespace-strict", Switch: true},
	{Name: "selector"},
	{Name: "recursive", Switch: true},
	{Name: "base", List: true, paths: true},
	{Name: "base-ref"},
	{Name: "fail-on-existing", Switch: true},
	{Name: "ignore-field", former: "ignore", List: true},
	{Name: "fail-on", List: true},
	{Name: "kubernetes-version"},
	{Name: "server-version"},
	{Name: "server-preset"},
	{Name: "server-flag", List: true},
	{Name: "require-schema", Switch: true},
	{Name: "validate"},
	{Name: "ownership", flag: "policy", inline: true},
})

// flags gives the keys their flags.
func flags(keys []Key) []Key {
	for i := range keys {
		if keys[i].flag == "" {
			keys[i].flag = keys[i].Name
		}
	}
	return keys
}

// Run is the description of a run, in the order of the documentation; each key is a flag.
func Run() []Key { return slices.DeleteFunc(slices.Clone(table), func(k Key) bool { return k.inline }) }

// InRun is a key of the description of a run by its name, or by its former one; false for
// none.
func InRun(name string) (Key, bool) {
	k, known := find(name)
	return k, known && !k.inline
}

// Names are the keys of the file, in the order of the documentation, with former names.
func Names() []string {
	var list []string
	for _, k := range table {
		list = append(list, k.names()...)
	}
	return list
}

// Flags are those that settings may set.
func Flags() []string {
	var list []string
	for _, k := range table {
		list = append(list, k.flag)
	}
	return list
}

// Variable is the variable of the environment for a key: SSACTL_FAIL_ON.
func Variable(name string) string {
	return "SSACTL_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// names are the name and the former one.
func (k Key) names() []string {
	if k.former != "" {
		return []string{k.Name, k.former}
	}
	return []string{k.Name}
}

func find(name string) (Key, bool) {
	at := slices.IndexFunc(table, func(k Key) bool { return slices.Contains(k.names(), name) })
	if at < 0 {
		return Key{}, false
	}
	return table[at], true
}

// listed lists the keys for a message.
func listed() string {
	var list []string
	for _, k := range table {
		list = append(list, k.Name)
	}
	return strings.Join(list, ", ")
}
