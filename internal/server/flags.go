package server

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Flag is a flag of kube-apiserver that changes answers.
type Flag struct {
	// Name is that of kube-apiserver, without dashes.
	Name string
	// Value is what it is set to here; empty where nothing is set.
	Value string
	// Usage says what it does to answers.
	Usage string
}

// flags are the values of the flags that a server runs with.
type flags struct {
	allowPrivileged bool
	// serviceRanges are the networks that cluster IPs come from, the first of
	// the primary IP family; none where they are not known.
	serviceRanges []*net.IPNet
	nodePorts     utilnet.PortRange
	// values are those of all flags as they were set, by name.
	values map[string]string
}

// flagKind is how the values of a flag that is given several times add up.
type flagKind int

const (
	// single: the last one counts.
	single flagKind = iota
	// list: all of them count, as if they were joined by commas.
	list
)

// knownFlag is a Flag with how its value is read. The Value of the Flag is its
// default.
type knownFlag struct {
	Flag
	kind flagKind
	set  func(*flags, string) error
}

// knownFlags are sorted by name. Their defaults are those of kube-apiserver,
// but for allow-privileged: its default is false, and every distribution sets it.
var knownFlags = []knownFlag{
	{
		Flag: Flag{"allow-privileged", "true", "whether containers may be privileged"},
		set: func(f *flags, value string) (err error) {
			f.allowPrivileged, err = strconv.ParseBool(value)
			return err
		},
	},
}

// Flags lists the flags of kube-apiserver that can be set, sorted by name, each
// with its default.
func Flags() []Flag {
	var out []Flag
	for _, known := range knownFlags {
		out = append(out, known.Flag)
	}
	return out
}

// FlagsOf lists the flags as a server with these options has them, sorted by
// name.
func FlagsOf(opts Options) ([]Flag, error) {
	f, err := newFlags(opts.Flags)
	if err != nil {
		return nil, err
	}
	out := Flags()
	for i := range out {
		out[i].Value = f.values[out[i].Name]
	}
	return out, nil
}

// newFlags reads flags as kube-apiserver's command line has them, name=value,
// with or without dashes before the name.
func newFlags(args []string) (flags, error) {
	f := flags{values: map[string]string{}}
	given := map[string][]string{}
	for _, arg := range args {
		known, value, err := splitFlag(arg)
		if err != nil {
			return f, err
		}
		if known.kind == single {
			given[known.Name] = nil
		}
		given[known.Name] = append(given[known.Name], value)
	}
	for _, known := range knownFlags {
		value := known.Value
		if values, ok := given[known.Name]; ok {
			value = strings.Join(values, ",")
		}
		f.values[known.Name] = value
		if err := known.set(&f, value); err != nil {
			return f, fmt.Errorf("flag %s=%s of kube-apiserver: %w", known.Name, value, err)
		}
	}
	return f, nil
}

func splitFlag(arg string) (knownFlag, string, error) {
	name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	i := slices.IndexFunc(knownFlags, func(f knownFlag) bool { return f.Name == name })
	switch {
	case i < 0:
		return knownFlag{}, "", fmt.Errorf("the flag %q of kube-apiserver is not simulated: known are %s", name, strings.Join(flagNames(), ", "))
	case !hasValue:
		return knownFlag{}, "", fmt.Errorf("the flag %s of kube-apiserver has no value: write %s=VALUE", name, name)
	}
	return knownFlags[i], value, nil
}

func flagNames() []string {
	var names []string
	for _, known := range knownFlags {
		names = append(names, known.Name)
	}
	return names
}
