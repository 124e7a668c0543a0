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
	"k8s.io/kubernetes/plugin/pkg/admission/certificates/subjectrestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/kubernetes/plugin/pkg/admission/network/defaultingressclass"
	"k8s.io/kubernetes/plugin/pkg/admission/nodedeclaredfeatures"
	"k8s.io/kubernetes/plugin/pkg/admission/nodetaint"
	"k8s.io/kubernetes/plugin/pkg/admission/podresize"
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

// plugins are those that a server runs by default and that can set or refuse
// something in an object, in the order of AllOrderedPlugins
// (pkg/kubeapiserver/options/plugins.go). Those that judge who asks are left
// out: a cluster administrator asks.
func plugins(objects *given.Objects, judges *judges, init admission.PluginInitializer) ([]*plugin, error) {
	made, err := makePlugins(objects, init)
	if err != nil {
		return nil, err
	}
	var (
		create = []admission.Operation{admission.Create}
		update = []admission.Operation{admission.Update}
		write  = []admission.Operation{admission.Create, admission.Update}
		all    = []admission.Operation{admission.Create, admission.Update, admission.Delete}
		whole  = []string{""}

		counted = newQuotas(objects)
	)
	return []*plugin{
		{
			name: lifecycle.PluginName, operations: all,
			ready:     (*given.Objects).JudgesNamespace,
			Interface: made[lifecycle.PluginName],
		}, {
			name: limitranger.PluginName, resources: core("pods", "persistentvolumeclaims"), operations: write, subresources: []string{"", "resize"},
			fields:    []string{".spec.containers", ".spec.initContainers", ".metadata.annotations"},
			ready:     (*given.Objects).HasLimitRanges,
			judges:    limitRangeObjects,
			absent:    "LimitRanges of the namespace, which may set or refuse resources, were not given and not simulated.",
			Interface: made[limitranger.PluginName],
		}, {
			name: serviceaccount.PluginName, resources: core("pods"), operations: create, subresources: whole,
			fields:    []string{".spec.serviceAccountName", ".spec.volumes", ".spec.containers", ".spec.initContainers", ".spec.imagePullSecrets"},
			ready:     (*given.Objects).HasServiceAccount,
			absent:    "ServiceAccount admission, which sets serviceAccountName and adds the token volume, was not simulated: the Pod's ServiceAccount was not given.",
			Interface: made[serviceaccount.PluginName],
		}, {
			name: serviceaccount.PluginName, resources: core("pods"), operations: update, subresources: []string{"ephemeralcontainers"},
			ready:     (*given.Objects).HasServiceAccount,
			absent:    "The Pod's ServiceAccount was not given, which may limit the Secrets that its containers refer to.",
			Interface: made[serviceaccount.PluginName],
		}, {
			name: nodetaint.PluginName, resources: core("nodes"), operations: create, subresources: whole,
			fields:    []string{".spec.taints"},
			Interface: made[nodetaint.PluginName],
		}, {
			name: podsecurity.PluginName, resources: core("namespaces"), operations: write, subresources: whole,
			ready:     (*given.Objects).KnowsPodsOf,
			absent:    "No Pods of the namespace were given. The server warns of them if the enforced PodSecurity level is tightened.",
			Interface: made[podsecurity.PluginName],
		}, {
			name: podsecurity.PluginName, resources: core("pods"), operations: write, subresources: []string{"", "ephemeralcontainers", "resize"},
			ready:     (*given.Objects).KnowsNamespace,
			absent:    "The Namespace was not given, whose labels PodSecurity admission follows.",
			Interface: made[podsecurity.PluginName],
		}, {
			// Of objects that hold a Pod template it only warns.
			name: podsecurity.PluginName, resources: podTemplates(), operations: write, subresources: whole,
			ready:     (*given.Objects).KnowsNamespace,
			Interface: made[podsecurity.PluginName],
		}, {
			name: podpriority.PluginName, operations: write, subresources: whole,
			resources: core("pods").Insert(schema.GroupResource{Group: "scheduling.k8s.io", Resource: "priorityclasses"}),
			fields:    []string{".spec.priority", ".spec.preemptionPolicy", ".spec.priorityClassName"},
			ready:     (*given.Objects).HasPriorityClass,
			absent:    "The Pod's PriorityClass was not given, so that its priority was not set.",
			Interface: made[podpriority.PluginName],
		}, {
			name: defaulttolerationseconds.PluginName, resources: core("pods"), operations: write, subresources: whole,
			fields:    []string{".spec.tolerations"},
			Interface: made[defaulttolerationseconds.PluginName],
		}, {
			name: setdefault.PluginName, resources: core("persistentvolumeclaims"), operations: create, subresources: whole,
			fields:    []string{".spec.storageClassName"},
			ready:     (*given.Objects).KnowsStorageClass,
			absent:    "StorageClasses were not given, so that the default one was not set.",
			Interface: made[setdefault.PluginName],
		}, {
			name: storageobjectinuseprotection.PluginName, operations: create, subresources: whole,
			resources: core("persistentvolumes", "persistentvolumeclaims").Insert(schema.GroupResource{Group: "storage.k8s.io", Resource: "volumeattributesclasses"}),
			fields:    []string{".metadata.finalizers"},
			Interface: made[storageobjectinuseprotection.PluginName],
		}, {
			name: resize.PluginName, resources: core("persistentvolumeclaims"), operations: update, subresources: whole,
			ready:     (*given.Objects).KnowsClaimsClass,
			absent:    "The claim's StorageClass was not given, so that it was not checked whether volumes may grow.",
			Interface: made[resize.PluginName],
		}, {
			name: runtimeclass.PluginName, resources: core("pods"), operations: create, subresources: whole,
			fields:    []string{".spec.overhead", ".spec.nodeSelector", ".spec.tolerations"},
			ready:     (*given.Objects).KnowsRuntimeClass,
			absent:    "The Pod's RuntimeClass was not given, so that its overhead and scheduling were not set.",
			Interface: made[runtimeclass.PluginName],
		}, {
			name: subjectrestriction.PluginName, operations: create, subresources: whole,
			resources: sets.New(schema.GroupResource{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}),
			Interface: made[subjectrestriction.PluginName],
		}, {
			name: defaultingressclass.PluginName, operations: create, subresources: whole,
			resources: sets.New(schema.GroupResource{Group: "networking.k8s.io", Resource: "ingresses"}),
			fields:    []string{".spec.ingressClassName"},
			ready:     (*given.Objects).KnowsIngressClass,
			absent:    "IngressClasses were not given, so that the default one was not set.",
			Interface: made[defaultingressclass.PluginName],
		}, {
			name: podtopologylabels.PluginName, resources: core("pods"), operations: create, subresources: []string{"", "binding"},
			fields:    []string{".metadata.labels"},
			ready:     (*given.Objects).KnowsNode,
			absent:    "The Pod's Node was not given, whose topology labels a Pod that is bound takes over.",
			Interface: made[podtopologylabels.PluginName],
		}, {
			name: nodedeclaredfeatures.PluginName, resources: core("pods"), operations: update, subresources: []string{"", "resize"},
			ready:     (*given.Objects).KnowsNode,
			absent:    "The Pod's Node was not given, so that it was not checked whether it has the features that the update needs.",
			Interface: made[nodedeclaredfeatures.PluginName],
		}, {
			name: podresize.PluginName, resources: core("pods"), operations: update, subresources: []string{"resize"},
			ready:     (*given.Objects).KnowsNode,
			absent:    "The Pod's Node was not given, so that it was not checked whether it allows the resize.",
			Interface: made[podresize.PluginName],
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
	}, nil
}

// makePlugins makes those that run here, initialized. Some have a constructor,
// some only a place in a registry.
func makePlugins(objects *given.Objects, init admission.PluginInitializer) (map[string]admission.Interface, error) {
	namespaces, err := newNamespaceLifecycle(objects)
	if err != nil {
		return nil, err
	}
	limitRanges, err := limitranger.NewLimitRanger(limits{&limitranger.DefaultLimitRangerActions{}})
	if err != nil {
		return nil, err
	}
	resizes, err := podresize.NewPlugin()
	if err != nil {
		return nil, err
	}
	made := map[string]admission.Interface{
		lifecycle.PluginName:                namespaces,
		limitranger.PluginName:              limitRanges,
		nodetaint.PluginName:                nodetaint.NewPlugin(),
		podpriority.PluginName:              priorities{podpriority.NewPlugin(), objects},
		defaulttolerationseconds.PluginName: defaulttolerationseconds.NewDefaultTolerationSeconds(),
		runtimeclass.PluginName:             runtimeclass.NewRuntimeClass(),
		subjectrestriction.PluginName:       subjectrestriction.NewPlugin(),
		podresize.PluginName:                resizes,
		serviceaccount.PluginName:           serviceaccount.NewServiceAccount(),
	}
	for _, p := range made {
		init.Initialize(p)
	}
	registered := admission.NewPlugins()
	setdefault.Register(registered)
	storageobjectinuseprotection.Register(registered)
	resize.Register(registered)
	defaultingressclass.Register(registered)
	podsecurity.Register(registered)
	podtopologylabels.Register(registered)
	nodedeclaredfeatures.Register(registered)
	for _, name := range registered.Registered() {
		p, err := registered.InitPlugin(name, nil, init)
		if err != nil {
			return nil, err
		}
		made[name] = p
	}
	return made, nil
}

func core(resources ...string) sets.Set[schema.GroupResource] {
	s := sets.Set[schema.GroupResource]{}
	for _, r := range resources {
		s.Insert(schema.GroupResource{Resource: r})
	}
	return s
}

func podTemplates() sets.Set[schema.GroupResource] {
	return core("replicationcontrollers", "podtemplates").Insert(
		schema.GroupResource{Group: "apps", Resource: "daemonsets"},
		schema.GroupResource{Group: "apps", Resource: "deployments"},
		schema.GroupResource{Group: "apps", Resource: "replicasets"},
		schema.GroupResource{Group: "apps", Resource: "statefulsets"},
		schema.GroupResource{Group: "batch", Resource: "cronjobs"},
		schema.GroupResource{Group: "batch", Resource: "jobs"},
	)
}
