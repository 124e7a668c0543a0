package admission

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	kubeoptions "k8s.io/kubernetes/pkg/kubeapiserver/options"
	"k8s.io/kubernetes/plugin/pkg/admission/alwayspullimages"
	"k8s.io/kubernetes/plugin/pkg/admission/antiaffinity"
	"k8s.io/kubernetes/plugin/pkg/admission/deny"
	"k8s.io/kubernetes/plugin/pkg/admission/eventratelimit"
	"k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/imagepolicy"
	"k8s.io/kubernetes/plugin/pkg/admission/network/denyserviceexternalips"
	"k8s.io/kubernetes/plugin/pkg/admission/podnodeselector"
	"k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction"

	"github.com/ssactl/ssactl/internal/server/given"
)

// optionalPlugins are those that --enable-admission-plugins has a server run. The others of them
// do nothing to what a cluster administrator writes to a namespace that is there:
// AlwaysAdmit, NamespaceAutoProvision, NamespaceExists, NodeRestriction,
// OwnerReferencesPermissionEnforcement.
func optionalPlugins(asked sets.Set[string], init admission.PluginInitializer) ([]*plugin, error) {
	var (
		create = []admission.Operation{admission.Create}
		write  = []admission.Operation{admission.Create, admission.Update}
		all    = []admission.Operation{admission.Create, admission.Update, admission.Delete}
		events = core("events").Insert(schema.GroupResource{Group: "events.k8s.io", Resource: "events"})
	)
	list := []*plugin{
		{name: antiaffinity.PluginName, resources: core("pods"), operations: write},
		{name: alwayspullimages.PluginName, resources: core("pods"), operations: write,
			fields: []string{".spec.containers", ".spec.initContainers", ".spec.ephemeralContainers", ".spec.volumes"}},
		{name: imagepolicy.PluginName, resources: core("pods"), operations: write,
			absent: "ImagePolicyWebhook, which may refuse the Pod's images, was not called."},
		{name: podnodeselector.PluginName, resources: core("pods"), operations: create,
			fields: []string{".spec.nodeSelector"}, ready: (*given.Objects).KnowsNamespace,
			absent: "The Namespace was not given, whose annotations PodNodeSelector follows."},
		{name: podtolerationrestriction.PluginName, resources: core("pods"), operations: write,
			fields: []string{".spec.tolerations"}, ready: (*given.Objects).KnowsNamespace,
			absent: "The Namespace was not given, whose annotations PodTolerationRestriction follows."},
		{name: eventratelimit.PluginName, resources: events, operations: write,
			absent: "EventRateLimit, which may refuse an Event that is one too many, was not simulated."},
		{name: extendedresourcetoleration.PluginName, resources: core("pods"), operations: write,
			fields: []string{".spec.tolerations"}},
		{name: denyserviceexternalips.PluginName, resources: core("services"), operations: write},
		{name: deny.PluginName, operations: all},
	}
	list = slices.DeleteFunc(list, func(p *plugin) bool { return !asked.Has(p.name) })
	registered := admission.NewPlugins()
	kubeoptions.RegisterAllAdmissionPlugins(registered)
	for _, p := range list {
		if p.name == imagepolicy.PluginName || p.name == eventratelimit.PluginName {
			continue
		}
		var err error
		if p.Interface, err = registered.InitPlugin(p.name, nil, init); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// enabled are the plug-ins that run, in the server's order, and then the
// distribution's own.
func (s Settings) enabled(all []*plugin) []*plugin {
	place := func(p *plugin) int { return slices.Index(kubeoptions.AllOrderedPlugins, p.name) }
	all = slices.DeleteFunc(all, func(p *plugin) bool { return !s.Plugins.Has(p.name) })
	slices.SortStableFunc(all, func(a, b *plugin) int { return place(a) - place(b) })
	all = append(all, distributions[s.Distribution]...)
	if s.Configured {
		all = append(all, configured)
	}
	return all
}
