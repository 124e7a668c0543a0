package admission

import (
	"context"
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/given"
)

type policyRequest struct {
	admission.Attributes
	objects admission.ObjectInterfaces
	given   *given.Objects
	record  *Record
	matcher *matching.Matcher
	allow   authorizer.UnconditionalAuthorizer
	// presumed is set where a Namespace was asked for that was not given.
	presumed bool
}

func newPolicyRequest(ctx context.Context, given *given.Objects, a admission.Attributes, o admission.ObjectInterfaces) *policyRequest {
	r := &policyRequest{Attributes: a, objects: o, given: given, record: RecordIn(ctx)}
	r.matcher = matching.NewMatcher(given.Informers.Core().V1().Namespaces().Lister(), presumingClients(given, r.presume))
	r.allow = requesterOnly{record: r.record}
	return r
}

// matches reports whether match resources of a policy or binding match; none
// match all. An error is a match: the dispatcher answers it.
func (r *policyRequest) matches(label string, resources *v1.MatchResources) bool {
	if resources == nil || resources.NamespaceSelector == nil || resources.ObjectSelector == nil {
		return true
	}
	r.presumed = false
	matches, _, _, err := r.matcher.Matches(r, r.objects, matchResources{resources})
	if r.presumed && asksLabels(resources.NamespaceSelector) {
		anywhere := *resources
		anywhere.NamespaceSelector = &metav1.LabelSelector{}
		if possible, _, _, err := r.matcher.Matches(r, r.objects, matchResources{&anywhere}); err != nil || possible {
			r.record.note(label + " selects by labels of the Namespace, which was not given: taken as having none but its name.")
		}
	}
	return err != nil || matches
}

// doubt notes what a policy that matches asks for and was not given.
func (r *policyRequest) doubt(label string, asks asked) {
	if asks.requester && r.GetUserInfo() == exchange.Requester {
		r.record.note(label + " judges by who asks: it was answered for a cluster administrator.")
	}
	if asks.namespace && r.GetNamespace() != "" && !r.given.KnowsNamespace(r) {
		r.record.note(label + " asks for the Namespace, which was not given: taken as having nothing but its name.")
	}
}

// asksLabels reports whether a selector asks for more than the label that every
// Namespace has of itself.
func asksLabels(selector *metav1.LabelSelector) bool {
	for key := range selector.MatchLabels {
		if key != corev1.LabelMetadataName {
			return true
		}
	}
	for _, requirement := range selector.MatchExpressions {
		if requirement.Key != corev1.LabelMetadataName {
			return true
		}
	}
	return false
}

// matchResources are those of a policy or a binding, as the matcher reads them.
type matchResources struct{ *v1.MatchResources }

func (m matchResources) GetParsedNamespaceSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(m.NamespaceSelector)
}

func (m matchResources) GetParsedObjectSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(m.ObjectSelector)
}

func (m matchResources) GetMatchResources() v1.MatchResources { return *m.MatchResources }

// presume gives a Namespace that was not given: presumed to be there, with the name that it
// must have and nothing else. Whether it exists is the question of another plug-in.
func (r *policyRequest) presume(name string) *corev1.Namespace {
	if old := r.GetOldObject(); old != nil && r.GetResource().GroupResource() == exchange.Namespaces {
		// It is the live object.
		if accessor, err := meta.Accessor(old); err == nil {
			return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: accessor.GetLabels()}}
		}
	}
	r.presumed = true
	return presumedNamespace(name)
}

// presumedNamespace is a Namespace as a server makes one of its name.
func presumedNamespace(name string) *corev1.Namespace {
	return &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}},
		Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{corev1.FinalizerKubernetes}},
		Status:     corev1.NamespaceStatus{Phase: corev1.NamespaceActive},
	}
}

// requesterOnly lets the requester do all, and says of others that what they may
// do is not known here.
type requesterOnly struct{ record *Record }

// Authorize implements authorizer.UnconditionalAuthorizer.
func (r requesterOnly) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if slices.Contains(a.GetUser().GetGroups(), user.SystemPrivilegedGroup) {
		return authorizer.DecisionAllow, "", nil
	}
	r.record.note(fmt.Sprintf("A policy asks what %s may do, which is not simulated: taken as nothing.", a.GetUser().GetName()))
	return authorizer.DecisionNoOpinion, "", nil
}
