package admission

import (
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/ssactl/ssactl/internal/server/given"
)

// judges are the given objects that judge others.
type judges struct {
	mutating           *mutatingPolicies
	validating         *validatingPolicies
	mutatingWebhooks   *webhooks
	validatingWebhooks *webhooks
}

// MayMatch reports whether any policy may judge a request for a resource, whatever
// the object.
func (j *judges) MayMatch(resource schema.GroupResource, operation admission.Operation) bool {
	return j.mutating.mayMatch(resource, operation) || j.validating.mayMatch(resource, operation)
}

// MayCall is mayMatch of webhooks.
func (j *judges) MayCall(resource schema.GroupResource, operation admission.Operation) bool {
	return j.mutatingWebhooks.mayCall(resource, operation) || j.validatingWebhooks.mayCall(resource, operation)
}

// assumable are objects that may refuse or change others, and are assumed to be absent
// where the inputs do not say.
type assumable struct {
	// noun names them; qualifier distinguishes two of one noun.
	qualifier, noun string
	// kinds are those that it takes all of to judge.
	kinds []schema.GroupKind
}

var (
	mutatingPolicyObjects   = &assumable{"mutating", "admission policies", policyKinds("MutatingAdmissionPolicy")}
	validatingPolicyObjects = &assumable{"validating", "admission policies", policyKinds("ValidatingAdmissionPolicy")}
	mutatingWebhookObjects  = &assumable{
		"mutating",
		"webhooks",
		[]schema.GroupKind{{Group: v1.GroupName, Kind: "MutatingWebhookConfiguration"}},
	}
	validatingWebhookObjects = &assumable{
		"validating",
		"webhooks",
		[]schema.GroupKind{{Group: v1.GroupName, Kind: "ValidatingWebhookConfiguration"}},
	}
	quotaObjects      = &assumable{noun: "quotas", kinds: []schema.GroupKind{{Kind: "ResourceQuota"}}}
	limitRangeObjects = &assumable{noun: "limit ranges", kinds: []schema.GroupKind{{Kind: "LimitRange"}}}
)

// assumables are in the order in which they are named.
var assumables = []*assumable{
	mutatingPolicyObjects, validatingPolicyObjects, mutatingWebhookObjects, validatingWebhookObjects,
	quotaObjects, limitRangeObjects,
}

func policyKinds(kind string) []schema.GroupKind {
	return []schema.GroupKind{{Group: v1.GroupName, Kind: kind}, {Group: v1.GroupName, Kind: kind + "Binding"}}
}

// unknown reports whether the inputs leave open which of them the cluster has.
func (a *assumable) unknown(given *given.Objects) bool {
	if a == mutatingPolicyObjects && !utilfeature.DefaultFeatureGate.Enabled(features.MutatingAdmissionPolicy) {
		return false
	}
	none := func(kind schema.GroupKind) bool { return given.Lists(kind, "") && !given.Dumped.Has(kind) }
	return !slices.ContainsFunc(a.kinds, none) &&
		slices.ContainsFunc(a.kinds, func(kind schema.GroupKind) bool { return !given.Tells(kind) })
}

// judgedByPolicies reports whether policies judge a request, whatever they are.
func judgedByPolicies(a admission.Attributes) bool {
	return !exempt.Has(a.GetResource().GroupResource())
}

// judgedByWebhooks is judgedByPolicies of webhooks, which since 1.37 judge nothing that is
// not stored either (apiserver, plugin/webhook/generic/webhook.go).
func judgedByWebhooks(a admission.Attributes) bool {
	if utilfeature.DefaultFeatureGate.Enabled(features.ExcludeAdmissionWebhookVirtualResources) && !judgedByPolicies(a) {
		return false
	}
	return !rules.IsExemptAdmissionConfigurationResource(a)
}

// assume notes in the plug-ins what they judge by and is unknown, and gives the sentence
// on it.
func assume(plugins []*plugin, given *given.Objects) string {
	unknown := map[*assumable]bool{}
	for _, p := range plugins {
		if p.judges != nil && p.judges.unknown(given) {
			p.assumes, unknown[p.judges] = true, true
		}
	}
	var nouns []string
	for i, a := range assumables {
		other := func(j int) bool {
			return j >= 0 && j < len(assumables) && assumables[j].noun == a.noun && unknown[assumables[j]]
		}
		switch {
		case !unknown[a], other(i - 1):
		case a.qualifier == "", other(i + 1):
			nouns = append(nouns, a.noun)
		default:
			nouns = append(nouns, a.qualifier+" "+a.noun)
		}
	}
	if nouns == nil {
		return ""
	}
	where := given.LookedFor
	if where == "" {
		where = "given"
	}
	last := len(nouns) - 1
	list := nouns[last]
	if last > 0 {
		list = strings.Join(nouns[:last], ", ") + " or " + list
	}
	return "Assumes no " + list + ": none are " + where + "."
}
