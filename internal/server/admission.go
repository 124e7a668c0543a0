package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
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
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/server/api"
)

// plugin is one admission plug-in of a default server.
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
	// ready tells whether the given objects suffice for a request; nil means
	// that the plug-in looks up none.
	ready func(*givenObjects, admission.Attributes) bool
	// absent says, in a sentence, what is left out where it is not ready, of the
	// requests that missed is true of; nil means of all.
	absent string
	missed func(admission.Attributes) bool

	// Interface is nil for a plug-in that cannot run without a cluster.
	admission.Interface
}

func (p *plugin) concerns(a admission.Attributes) bool {
	return (p.resources == nil || p.resources.Has(a.GetResource().GroupResource())) &&
		slices.Contains(p.operations, a.GetOperation()) &&
		(p.subresources == nil || slices.Contains(p.subresources, a.GetSubresource()))
}

// runs tells whether the plug-in can answer a request that concerns it.
func (p *plugin) runs(given *givenObjects, a admission.Attributes) bool {
	return p.Interface != nil && (p.ready == nil || p.ready(given, a))
}

// admissionChain runs the plug-ins in the server's order.
type admissionChain struct {
	plugins []*plugin
	given   *givenObjects
	judges  *judges
}

func newAdmissionChain(given *givenObjects, served servedKinds, f flags, allow authorizer.Authorizer) (*admissionChain, error) {
	judges := newJudges(given, served)
	init := pluginInitializer{given: given, allow: allow}
	byDefault, err := plugins(given, judges, init)
	if err != nil {
		return nil, err
	}
	asked, err := optionalPlugins(f.plugins, init)
	if err != nil {
		return nil, err
	}
	return &admissionChain{plugins: f.enabled(append(byDefault, asked...)), given: given, judges: judges}, nil
}

// judges are the given objects that judge others.
type judges struct {
	mutating           *mutatingPolicies
	validating         *validatingPolicies
	mutatingWebhooks   mutatingWebhooks
	validatingWebhooks validatingWebhooks
}

func newJudges(given *givenObjects, served servedKinds) *judges {
	return &judges{
		mutating: newMutatingPolicies(given, served), validating: newValidatingPolicies(given, served),
		mutatingWebhooks: newMutatingWebhooks(given), validatingWebhooks: newValidatingWebhooks(given),
	}
}

// mayMatch reports whether any policy may judge a request for a resource, whatever
// the object.
func (j *judges) mayMatch(resource schema.GroupResource, operation admission.Operation) bool {
	return j.mutating.mayMatch(resource, operation) || j.validating.mayMatch(resource, operation)
}

type effectiveVersionInspector interface {
	InspectEffectiveVersion(basecompatibility.EffectiveVersion)
}

// pluginInitializer gives the plug-ins what they ask for.
type pluginInitializer struct {
	given *givenObjects
	allow authorizer.Authorizer
}

func (i pluginInitializer) Initialize(p admission.Interface) {
	if wants, ok := p.(initializer.WantsFeatures); ok {
		wants.InspectFeatureGates(utilfeature.DefaultFeatureGate)
	}
	if wants, ok := p.(initializer.WantsAuthorizer); ok {
		wants.SetAuthorizer(i.allow)
	}
	if wants, ok := p.(effectiveVersionInspector); ok {
		wants.InspectEffectiveVersion(compatibility.DefaultComponentGlobalsRegistry.EffectiveVersionFor(basecompatibility.DefaultKubeComponent))
	}
	if wants, ok := p.(initializer.WantsExternalKubeClientSet); ok {
		wants.SetExternalKubeClientSet(newClients(i.given))
	}
	if wants, ok := p.(initializer.WantsExternalKubeInformerFactory); ok {
		wants.SetExternalKubeInformerFactory(i.given.informers)
	}
	// The informers are filled by hand and never started.
	if waits, ok := p.(interface{ SetReadyFunc(admission.ReadyFunc) }); ok {
		waits.SetReadyFunc(func() bool { return true })
	}
}

// admissionRecord collects what the plug-ins of one call did and could not do.
type admissionRecord struct {
	changes []api.AdmissionChange
	skipped []*plugin
	notes   []api.Caveat
	// others are other objects of the cluster as the call would leave them.
	others []runtime.Object
}

type admissionRecordKey struct{}

func withAdmissionRecord(ctx context.Context, record *admissionRecord) context.Context {
	return context.WithValue(ctx, admissionRecordKey{}, record)
}

func recordIn(ctx context.Context) *admissionRecord {
	record, ok := ctx.Value(admissionRecordKey{}).(*admissionRecord)
	if !ok {
		return &admissionRecord{}
	}
	return record
}

func (r *admissionRecord) skip(p *plugin, a admission.Attributes) {
	if (p.missed == nil || p.missed(a)) && !slices.Contains(r.skipped, p) {
		r.skipped = append(r.skipped, p)
	}
}

// note says what a plug-in left out of this call, that ran.
func (r *admissionRecord) note(message string) {
	caveat := api.Caveat{Kind: api.Admission, Message: message}
	if !slices.Contains(r.notes, caveat) {
		r.notes = append(r.notes, caveat)
	}
}

// also notes that the call writes another object than its own.
func (r *admissionRecord) also(object runtime.Object) { r.others = append(r.others, object) }

// written gives the other objects as JSON, once a call was answered with a code.
func (r *admissionRecord) written(code int) ([][]byte, error) {
	if code >= http.StatusMultipleChoices {
		return nil, nil
	}
	var out [][]byte
	for _, object := range r.others {
		text, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion, policyv1.SchemeGroupVersion), object)
		if err != nil {
			return nil, fmt.Errorf("write what the call changes besides: %w", err)
		}
		out = append(out, text)
	}
	return out, nil
}

// absent says what was left out: by plug-ins that did not run, in their order,
// then by those that did.
func (r *admissionRecord) absent() []api.Caveat {
	var out []api.Caveat
	for _, p := range r.skipped {
		if p.absent != "" {
			out = append(out, api.Caveat{Kind: api.Admission, Message: p.absent})
		}
	}
	return append(out, r.notes...)
}

var (
	_ admission.MutationInterface   = (*admissionChain)(nil)
	_ admission.ValidationInterface = (*admissionChain)(nil)
)

// Handles is true for all: each plug-in is asked in its turn.
func (*admissionChain) Handles(admission.Operation) bool { return true }

// Admit runs the mutating plug-ins, and all once more where one that changed the
// object asks for it (apiserver, admission/reinvocation.go).
func (c *admissionChain) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
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
func (c *admissionChain) admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	record := recordIn(ctx)
	for _, p := range c.plugins {
		if !p.concerns(a) {
			continue
		}
		if !p.runs(c.given, a) {
			record.skip(p, a)
			continue
		}
		mutator, ok := p.Interface.(admission.MutationInterface)
		if !ok {
			continue
		}
		var before runtime.Object
		if len(p.fields) > 0 && a.GetObject() != nil {
			before = a.GetObject().DeepCopyObject()
		}
		if err := mutator.Admit(ctx, a, o); err != nil {
			return err
		}
		if before != nil && !equality.Semantic.DeepEqual(before, a.GetObject()) {
			record.changes = append(record.changes, api.AdmissionChange{Plugin: p.name, Fields: p.fields})
		}
	}
	return nil
}

// Validate runs the validating plug-ins.
func (c *admissionChain) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	for _, p := range c.plugins {
		if !p.concerns(a) {
			continue
		}
		if !p.runs(c.given, a) {
			recordIn(ctx).skip(p, a)
			continue
		}
		validator, ok := p.Interface.(admission.ValidationInterface)
		if !ok {
			continue
		}
		if err := validator.Validate(ctx, a, o); err != nil {
			return err
		}
	}
	return nil
}
