package admission

import (
	"k8s.io/apiserver/pkg/admission"
	api "k8s.io/kubernetes/pkg/apis/core"

	"github.com/ssactl/ssactl/internal/server/given"
)

// distributions are the plug-ins of a distribution's own, by its name; confidence says
// that they do not run.
var distributions = map[string][]*plugin{
	"gke": {blocksExternalIPs("GKE clusters may be set to block externalIPs: whether this one is was not given.")},
	"openshift": {
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
		ready: func(_ *given.Objects, a admission.Attributes) bool {
			service, ok := a.GetObject().(*api.Service)
			return !ok || len(service.Spec.ExternalIPs) == 0 //nolint:staticcheck // the field is served as long as the server has it
		},
		absent:    absent,
		Interface: admission.NewHandler(),
	}
}
