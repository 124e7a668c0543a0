package admission

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	basecompatibility "k8s.io/component-base/compatibility"
	kubeoptions "k8s.io/kubernetes/pkg/kubeapiserver/options"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/given"
)

type plugin struct {
	name string
	// resources and operations are those that it looks at; for all others it
	// is not called. No resources means all.
	resources  sets.Set[schema.GroupResource]
	operations []admission.Operation
	// subresources are those that it looks at, with "" for the main resource.
	// None means all.
	subresources []string
	// fields are those that it may set.
	fields []string
	// ready reports whether the given objects suffice for a request; nil means
	// that the plug-in looks up none.
	ready func(*given.Objects, admission.Attributes) bool
	// absent says, in a sentence, what is left out where it is not ready, of the
	// requests that missed is true of; nil means of all.
	absent string
	missed func(admission.Attributes) bool
	// judges are the objects that it judges by. Where nothing shows that the cluster has
	// none, the answer assumes it for requests that decides reports; nil means all.
	judges  *assumable
	decides func(admission.Attributes) bool
	assumes bool

	// remote is a plug-in that cannot run without a cluster.
	remote bool
	// Interface is nil for upstream's own until it is made, and for one that cannot run.
	admission.Interface
}

func (p *plugin) concerns(a admission.Attributes) bool {
	return (p.resources == nil || p.resources.Has(a.GetResource().GroupResource())) &&
		slices.Contains(p.operations, a.GetOperation()) &&
		(p.subresources == nil || slices.Contains(p.subresources, a.GetSubresource()))
}

// runs reports whether a plug-in is run for a request that concerns it: the given objects
// suffice.
func (p *plugin) runs(objects *given.Objects, a admission.Attributes) bool {
	return p.Interface != nil && (p.ready == nil || p.ready(objects, a))
}

// Chain runs the plug-ins in the server's order.
type Chain struct {
	plugins []*plugin
	Given   *given.Objects
	Judges  *judges
	// assumption says which objects are assumed to be absent; empty for none.
	assumption string
}

// Settings are what the flags of a server say of admission.
type Settings struct {
	// Plugins are the names of the plug-ins that run.
	Plugins sets.Set[string]
	// Distribution is the name of the preset; empty for none.
	Distribution string
	// Configured says that the server reads files of its own.
	Configured bool
}

// New makes the chain of a server over the given objects.
func New(given *given.Objects, served servedKinds, s Settings, allow authorizer.Authorizer) (*Chain, error) {
	judges := &judges{
		mutating: newMutatingPolicies(given, served), validating: newValidatingPolicies(given, served),
		mutatingWebhooks: newMutatingWebhooks(given), validatingWebhooks: newValidatingWebhooks(given),
	}
	all, err := plugins(given, judges)
	if err != nil {
		return nil, err
	}
	enabled := s.enabled(all)
	init := initializer.New(presumingClients(given, nil), nil, given.Informers, allow, utilfeature.DefaultFeatureGate,
		compatibility.DefaultComponentGlobalsRegistry.EffectiveVersionFor(basecompatibility.DefaultKubeComponent), nil, nil)
	if err := initialize(enabled, init); err != nil {
		return nil, err
	}
	enabled = append(enabled, distributions[s.Distribution]...)
	if s.Configured {
		enabled = append(enabled, configured)
	}
	return &Chain{plugins: enabled, Given: given, Judges: judges, assumption: assume(enabled, given)}, nil
}

// enabled are the plug-ins that run, in the server's order
// (pkg/kubeapiserver/options/plugins.go).
func (s Settings) enabled(all []*plugin) []*plugin {
	place := func(p *plugin) int { return slices.Index(kubeoptions.AllOrderedPlugins, p.name) }
	all = slices.DeleteFunc(all, func(p *plugin) bool { return !s.Plugins.Has(p.name) })
	slices.SortStableFunc(all, func(a, b *plugin) int { return place(a) - place(b) })
	return all
}

// initialize makes upstream's plug-ins, and initializes all.
func initialize(plugins []*plugin, init admission.PluginInitializer) (err error) {
	registered := admission.NewPlugins()
	kubeoptions.RegisterAllAdmissionPlugins(registered)
	made := map[string]admission.Interface{}
	for _, p := range plugins {
		switch {
		case p.Interface != nil:
			init.Initialize(p.Interface)
		case p.remote:
		case made[p.name] != nil:
			p.Interface = made[p.name]
		default:
			if p.Interface, err = registered.InitPlugin(p.name, nil, init); err != nil {
				return err
			}
			made[p.name] = p.Interface
		}
	}
	return nil
}

var (
	_ admission.MutationInterface   = (*Chain)(nil)
	_ admission.ValidationInterface = (*Chain)(nil)
)

// Handles reports true for all operations: each plug-in is asked in its turn.
func (*Chain) Handles(admission.Operation) bool { return true }

// Admit runs the mutating plug-ins, and all once more where one that changed the
// object asks for it (apiserver, admission/reinvocation.go).
func (c *Chain) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	o = converting{o, RecordIn(ctx)}
	if err := c.admit(ctx, a, o); err != nil {
		return err
	}
	again := a.GetReinvocationContext()
	if !again.ShouldReinvoke() {
		return nil
	}
	again.SetIsReinvoke()
	return c.admit(ctx, a, o)
}

// admit runs the mutating plug-ins and notes which of them changed the object.
func (c *Chain) admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	return c.each(ctx, a, func(p *plugin) error {
		mutator, ok := p.Interface.(admission.MutationInterface)
		if !ok {
			return nil
		}
		var before runtime.Object
		if len(p.fields) > 0 && a.GetObject() != nil {
			before = a.GetObject().DeepCopyObject()
		}
		if err := mutator.Admit(ctx, a, o); err != nil {
			return err
		}
		if before != nil && !equality.Semantic.DeepEqual(before, a.GetObject()) {
			record := RecordIn(ctx)
			record.Changes = append(record.Changes, api.AdmissionChange{Plugin: p.name, Fields: p.fields})
		}
		return nil
	})
}

// Validate runs the validating plug-ins.
func (c *Chain) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	o = converting{o, RecordIn(ctx)}
	return c.each(ctx, a, func(p *plugin) error {
		if validator, ok := p.Interface.(admission.ValidationInterface); ok {
			return validator.Validate(ctx, a, o)
		}
		return nil
	})
}

// each runs the plug-ins that a request concerns until one refuses it. It notes what the
// others would need, unless all that they judge by is known or assumed to be absent.
func (c *Chain) each(ctx context.Context, a admission.Attributes, run func(*plugin) error) error {
	record := RecordIn(ctx)
	for _, p := range c.plugins {
		if !p.concerns(a) {
			continue
		}
		if p.assumes && record.assumption == "" && (p.decides == nil || p.decides(a)) {
			record.assumption = c.assumption
		}
		switch {
		case p.runs(c.Given, a):
			if err := run(p); err != nil {
				return err
			}
		case p.assumes, p.judges != nil && c.Given.Lists(p.judges.kinds[0], a.GetNamespace()):
		case (p.missed == nil || p.missed(a)) && !slices.Contains(record.skipped, p):
			record.skipped = append(record.skipped, p)
		}
	}
	return nil
}
