package admission

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	mutatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	validatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	mutatingwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	validatingwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/plugin/pkg/admission/alwayspullimages"
	"k8s.io/kubernetes/plugin/pkg/admission/antiaffinity"
	"k8s.io/kubernetes/plugin/pkg/admission/certificates/subjectrestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/deny"
	"k8s.io/kubernetes/plugin/pkg/admission/eventratelimit"
	"k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/imagepolicy"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/kubernetes/plugin/pkg/admission/network/defaultingressclass"
	"k8s.io/kubernetes/plugin/pkg/admission/network/denyserviceexternalips"
	"k8s.io/kubernetes/plugin/pkg/admission/nodedeclaredfeatures"
	"k8s.io/kubernetes/plugin/pkg/admission/nodetaint"
	"k8s.io/kubernetes/plugin/pkg/admission/podnodeselector"
	"k8s.io/kubernetes/plugin/pkg/admission/podresize"
	"k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/podtopologylabels"
	podpriority "k8s.io/kubernetes/plugin/pkg/admission/priority"
	"k8s.io/kubernetes/plugin/pkg/admission/runtimeclass"
	"k8s.io/kubernetes/plugin/pkg/admission/security/podsecurity"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"
	"k8s.io/kubernetes/plugin/pkg/admission/storage/persistentvolume/resize"
	"k8s.io/kubernetes/plugin/pkg/admission/storage/storageclass/setdefault"
	"k8s.io/kubernetes/plugin/pkg/admission/storage/storageobjectinuseprotection"

	"github.com/ssactl/ssactl/internal/server/given"
)

// plugins are those that a server can run and that can set or refuse something in an
// object. Those that judge who asks are left out: a cluster administrator asks.
func plugins(objects *given.Objects, judges *judges) ([]*plugin, error) {
	namespaces, err := lifecycle.NewLifecycle(given.ImmortalNamespaces)
	if err != nil {
		return nil, err
	}
	limitRanges, err := limitranger.NewLimitRanger(limits{&limitranger.DefaultLimitRangerActions{}})
	if err != nil {
		return nil, err
	}
	var (
		create = []admission.Operation{admission.Create}
		update = []admission.Operation{admission.Update}
		write  = []admission.Operation{admission.Create, admission.Update}
		all    = []admission.Operation{admission.Create, admission.Update, admission.Delete}
		whole  = []string{""}

		// templates are what holds a Pod template. PodSecurity only warns of it.
		templates = core("replicationcontrollers", "podtemplates").Insert(
			schema.GroupResource{Group: "apps", Resource: "daemonsets"},
			schema.GroupResource{Group: "apps", Resource: "deployments"},
			schema.GroupResource{Group: "apps", Resource: "replicasets"},
			schema.GroupResource{Group: "apps", Resource: "statefulsets"},
			schema.GroupResource{Group: "batch", Resource: "cronjobs"},
			schema.GroupResource{Group: "batch", Resource: "jobs"},
		)
		events  = core("events").Insert(schema.GroupResource{Group: "events.k8s.io", Resource: "events"})
		counted = newQuotas(objects)
	)
	return []*plugin{
		{
			name: lifecycle.PluginName, operations: all,
			ready:     (*given.Objects).JudgesNamespace,
			Interface: &namespaceLifecycle{namespaces, objects},
		}, {
			name: limitranger.PluginName, resources: core("pods", "persistentvolumeclaims"), operations: write,
			subresources: []string{"", "resize"},
			fields:       []string{".spec.containers", ".spec.initContainers", ".metadata.annotations"},
			ready:        (*given.Objects).HasLimitRanges,
			judges:       limitRangeObjects,
			absent:       "LimitRanges of the namespace, which may set or refuse resources, were not given and not simulated.",
			Interface:    limitRanges,
		}, {
			name: serviceaccount.PluginName, resources: core("pods"), operations: create, subresources: whole,
			fields: []string{
				".spec.serviceAccountName", ".spec.volumes", ".spec.containers", ".spec.initContainers",
				".spec.imagePullSecrets",
			},
			ready:  (*given.Objects).HasServiceAccount,
			absent: "ServiceAccount admission, which sets serviceAccountName and adds the token volume, was not simulated: the Pod's ServiceAccount was not given.",
		}, {
			name: serviceaccount.PluginName, resources: core("pods"), operations: update,
			subresources: []string{"ephemeralcontainers"},
			ready:        (*given.Objects).HasServiceAccount,
			absent:       "The Pod's ServiceAccount may limit the Secrets that its containers refer to, and was not given.",
		}, {
			name: nodetaint.PluginName, resources: core("nodes"), operations: create, subresources: whole,
			fields: []string{".spec.taints"},
		}, {
			name: podsecurity.PluginName, resources: core("namespaces"), operations: write, subresources: whole,
			ready:  (*given.Objects).KnowsPodsOf,
			absent: "No Pods of the namespace were given. The server warns of them if the enforced PodSecurity level is tightened.",
		}, {
			name: podsecurity.PluginName, resources: core("pods"), operations: write,
			subresources: []string{"", "ephemeralcontainers", "resize"},
			ready:        (*given.Objects).KnowsNamespace,
			absent:       "PodSecurity admission needs the Namespace's labels, and the Namespace was not given.",
		}, {
			name: podsecurity.PluginName, resources: templates, operations: write, subresources: whole,
			ready: (*given.Objects).KnowsNamespace,
		}, {
			name: podpriority.PluginName, operations: write, subresources: whole,
			resources: core("pods").Insert(schema.GroupResource{Group: "scheduling.k8s.io", Resource: "priorityclasses"}),
			fields:    []string{".spec.priority", ".spec.preemptionPolicy", ".spec.priorityClassName"},
			ready:     (*given.Objects).HasPriorityClass,
			absent:    "The Pod's priority was not set: its PriorityClass was not given.",
			Interface: priorities{podpriority.NewPlugin(), objects},
		}, {
			name: defaulttolerationseconds.PluginName, resources: core("pods"), operations: write, subresources: whole,
			fields: []string{".spec.tolerations"},
		}, {
			name: setdefault.PluginName, resources: core("persistentvolumeclaims"), operations: create, subresources: whole,
			fields: []string{".spec.storageClassName"},
			ready:  (*given.Objects).KnowsStorageClass,
			absent: "StorageClasses were not given, so that the default one was not set.",
		}, {
			name: storageobjectinuseprotection.PluginName, operations: create, subresources: whole,
			resources: core(
				"persistentvolumes",
				"persistentvolumeclaims",
			).Insert(schema.GroupResource{Group: "storage.k8s.io", Resource: "volumeattributesclasses"}),
			fields: []string{".metadata.finalizers"},
		}, {
			name: resize.PluginName, resources: core("persistentvolumeclaims"), operations: update, subresources: whole,
			ready:  (*given.Objects).KnowsClaimsClass,
			absent: "Whether the claim may grow was not checked: its StorageClass was not given.",
		}, {
			name: runtimeclass.PluginName, resources: core("pods"), operations: create, subresources: whole,
			fields: []string{".spec.overhead", ".spec.nodeSelector", ".spec.tolerations"},
			ready:  (*given.Objects).KnowsRuntimeClass,
			absent: "The Pod's overhead and scheduling were not set: its RuntimeClass was not given.",
		}, {
			name: subjectrestriction.PluginName, operations: create, subresources: whole,
			resources: sets.New(schema.GroupResource{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}),
		}, {
			name: defaultingressclass.PluginName, operations: create, subresources: whole,
			resources: sets.New(schema.GroupResource{Group: "networking.k8s.io", Resource: "ingresses"}),
			fields:    []string{".spec.ingressClassName"},
			ready:     (*given.Objects).KnowsIngressClass,
			absent:    "IngressClasses were not given, so that the default one was not set.",
		}, {
			name: podtopologylabels.PluginName, resources: core("pods"), operations: create,
			subresources: []string{"", "binding"},
			fields:       []string{".metadata.labels"},
			ready:        (*given.Objects).KnowsNode,
			absent:       "A bound Pod takes topology labels from its Node, and the Node was not given.",
		}, {
			name: nodedeclaredfeatures.PluginName, resources: core("pods"), operations: update,
			subresources: []string{"", "resize"},
			ready:        (*given.Objects).KnowsNode,
			absent:       "Whether the Pod's Node has the features that the update needs was not checked: the Node was not given.",
		}, {
			name: podresize.PluginName, resources: core("pods"), operations: update, subresources: []string{"resize"},
			ready:  (*given.Objects).KnowsNode,
			absent: "Whether the Pod's Node allows the resize was not checked: the Node was not given.",
		}, {
			name: mutatingpolicy.PluginName, operations: write,
			judges:    mutatingPolicyObjects,
			decides:   judgedByPolicies,
			Interface: judges.mutating,
		}, {
			name: mutatingwebhook.PluginName, operations: all,
			judges:    mutatingWebhookObjects,
			decides:   judgedByWebhooks,
			Interface: judges.mutatingWebhooks,
		}, {
			name: validatingpolicy.PluginName, operations: all,
			judges:    validatingPolicyObjects,
			decides:   judgedByPolicies,
			Interface: judges.validating,
		}, {
			name: validatingwebhook.PluginName, operations: all,
			judges:    validatingWebhookObjects,
			decides:   judgedByWebhooks,
			Interface: judges.validatingWebhooks,
		}, {
			name: resourcequota.PluginName, operations: write,
			ready:     (*given.Objects).HasQuotas,
			judges:    quotaObjects,
			decides:   counted.counts,
			absent:    "ResourceQuotas of the namespace, which may refuse the object, were not given and not simulated.",
			missed:    mostlyCounted,
			Interface: counted,
		},
		// Those that run only where --enable-admission-plugins says so. The others of them do nothing
		// to what a cluster administrator writes to a namespace that is there.
		{name: antiaffinity.PluginName, resources: core("pods"), operations: write},
		{name: alwayspullimages.PluginName, resources: core("pods"), operations: write,
			fields: []string{".spec.containers", ".spec.initContainers", ".spec.ephemeralContainers", ".spec.volumes"}},
		{name: imagepolicy.PluginName, resources: core("pods"), operations: write, remote: true,
			absent: "ImagePolicyWebhook, which may refuse the Pod's images, was not called."},
		{name: podnodeselector.PluginName, resources: core("pods"), operations: create,
			fields: []string{".spec.nodeSelector"}, ready: (*given.Objects).KnowsNamespace,
			absent: "PodNodeSelector needs the Namespace's annotations, and the Namespace was not given."},
		{name: podtolerationrestriction.PluginName, resources: core("pods"), operations: write,
			fields: []string{".spec.tolerations"}, ready: (*given.Objects).KnowsNamespace,
			absent: "PodTolerationRestriction needs the Namespace's annotations, and the Namespace was not given."},
		{name: eventratelimit.PluginName, resources: events, operations: write, remote: true,
			absent: "EventRateLimit, which may refuse an Event that is one too many, was not simulated."},
		{name: extendedresourcetoleration.PluginName, resources: core("pods"), operations: write,
			fields: []string{".spec.tolerations"}},
		{name: denyserviceexternalips.PluginName, resources: core("services"), operations: write},
		{name: deny.PluginName, operations: all},
	}, nil
}

func core(resources ...string) sets.Set[schema.GroupResource] {
	s := sets.Set[schema.GroupResource]{}
	for _, r := range resources {
		s.Insert(schema.GroupResource{Resource: r})
	}
	return s
}

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

// configured is the placeholder for what a server reads of admission from files, such as
// policies (manifest-based admission, since 1.37).
var configured = &plugin{
	name:       "admission-control-config-file",
	operations: []admission.Operation{admission.Create, admission.Update, admission.Delete},
	absent:     "The server's admission-control-config-file, which may name policies and webhooks in files of the server, was not read.",
}

// blocksExternalIPs is a placeholder for a plug-in that only looks at externalIPs.
func blocksExternalIPs(absent string) *plugin {
	return &plugin{
		name: "external IPs", resources: core("services"), operations: createOrUpdate,
		ready: func(_ *given.Objects, a admission.Attributes) bool {
			service, ok := a.GetObject().(*api.Service)
			return !ok ||
				len(service.Spec.ExternalIPs) == 0 //nolint:staticcheck // the field is served as long as the server has it
		},
		absent:    absent,
		Interface: admission.NewHandler(),
	}
}
