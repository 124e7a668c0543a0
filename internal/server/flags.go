package server

import (
	"fmt"
	"slices"
	"strings"
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

// knownFlag is a Flag with how its value is read. The Value of the Flag is its default.
type knownFlag struct {
	Flag
	// list has all values count, as if they were joined by commas; else the last one counts.
	list bool
	set  func(*flags, string) error
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

// FlagsOf lists the flags as a server with these options has them, sorted by name.
func FlagsOf(opts Options) ([]Flag, error) {
	f, err := newFlags(opts.Preset, opts.Flags)
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
// with or without dashes before the name. Those of a preset come before them.
func newFlags(preset string, args []string) (flags, error) {
	f := flags{values: map[string]string{}}
	distribution, err := presetOf(preset)
	if err != nil {
		return f, err
	}
	f.distribution = distribution
	given := map[string][]string{}
	for _, arg := range slices.Concat(distribution.Flags, args) {
		known, value, err := splitFlag(arg)
		if err != nil {
			return f, err
		}
		if !known.list {
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
		var names []string
		for _, known := range knownFlags {
			names = append(names, known.Name)
		}
		return knownFlag{}, "", fmt.Errorf(
			"the flag %q of kube-apiserver is not simulated: known are %s",
			name,
			strings.Join(names, ", "),
		)
	case !hasValue:
		return knownFlag{}, "", fmt.Errorf("the flag %s of kube-apiserver has no value: write %s=VALUE", name, name)
	}
	return knownFlags[i], value, nil
}

// Preset is a distribution that sets flags of its servers, as far as that is published.
type Preset struct {
	Name string
	// Flags are those that differ, each as name=value.
	Flags []string
	// Source says where they are published.
	Source string
}

// presets are sorted by name. No preset sets service-cluster-ip-range: what a
// cluster's network is gets decided when it is made.
var presets = []Preset{
	{
		Name:   "aks",
		Flags:  []string{"enable-admission-plugins=PodNodeSelector,PodTolerationRestriction,ExtendedResourceToleration"},
		Source: "the list of admission controllers in the FAQ of Azure Kubernetes Service",
	}, {
		Name:   "eks",
		Flags:  []string{"enable-admission-plugins=NodeRestriction,ExtendedResourceToleration"},
		Source: "the platform versions of the Amazon EKS user guide",
	}, {
		Name:   "gke",
		Source: "nothing is published of the flags of Google Kubernetes Engine",
	}, {
		Name:   "kubeadm",
		Flags:  []string{"enable-admission-plugins=NodeRestriction"},
		Source: "the arguments in kubeadm's own code",
	}, {
		Name: "openshift",
		Flags: []string{
			"enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement,PodNodeSelector,PodTolerationRestriction",
		},
		Source: "the default configuration in openshift/cluster-kube-apiserver-operator",
	},
}

// Presets lists the presets, sorted by name.
func Presets() []Preset { return slices.Clone(presets) }

// presetOf finds a preset by its name; empty means none.
func presetOf(name string) (Preset, error) {
	if name == "" {
		return Preset{}, nil
	}
	var known []string
	for _, p := range presets {
		if p.Name == name {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return Preset{}, fmt.Errorf("no preset %q of flags of kube-apiserver: there are %s", name, strings.Join(known, ", "))
}
