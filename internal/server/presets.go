package server

import (
	"fmt"
	"slices"
	"strings"
)

// Preset is a distribution whose servers are run with other flags than a default
// server, as far as that is published.
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
