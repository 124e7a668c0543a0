package server

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission"
	api "k8s.io/kubernetes/pkg/apis/core"
)

// Preset is a distribution whose servers are run with other flags than a default
// server, as far as that is published.
type Preset struct {
	Name string
	// Flags are those that differ, each as name=value.
	Flags []string
	// Source says where they are published.
	Source string
	// plugins are the distribution's own; confidence says that they do not run.
	plugins []*plugin
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
		Name:    "gke",
		Source:  "nothing is published of the flags of Google Kubernetes Engine",
		plugins: []*plugin{blocksExternalIPs("GKE clusters may be set to block externalIPs: whether this one is was not given.")},
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
		plugins: []*plugin{
			{
				name: "security.openshift.io/SecurityContextConstraint", resources: core("pods"), operations: createOrUpdate,
				absent: "SecurityContextConstraints of OpenShift, which set and refuse security contexts, were not simulated.",
			}, {
				name: "quota.openshift.io/ClusterResourceQuota", resources: core("pods", "persistentvolumeclaims", "services"),
				operations: []admission.Operation{admission.Create},
				absent:     "ClusterResourceQuotas of OpenShift, which may refuse the object, were not simulated.",
			},
			blocksExternalIPs("ExternalIPRanger of OpenShift, which refuses externalIPs by default, was not simulated."),
		},
	},
}

var createOrUpdate = []admission.Operation{admission.Create, admission.Update}

// configured stands for what a server reads of admission from its own files, such as
// policies that are no objects of the cluster (manifest-based admission, since 1.37).
var configured = &plugin{
	name: "admission-control-config-file", operations: []admission.Operation{admission.Create, admission.Update, admission.Delete},
	absent: "The server's admission-control-config-file, which may name policies and webhooks in files of the server, was not read.",
}

// blocksExternalIPs stands for a plug-in that only looks at externalIPs.
func blocksExternalIPs(absent string) *plugin {
	return &plugin{
		name: "external IPs", resources: core("services"), operations: createOrUpdate,
		ready: func(_ *givenObjects, a admission.Attributes) bool {
			service, ok := a.GetObject().(*api.Service)
			return !ok || len(service.Spec.ExternalIPs) == 0 //nolint:staticcheck // the field is served as long as the server has it
		},
		absent:    absent,
		Interface: admission.NewHandler(),
	}
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
