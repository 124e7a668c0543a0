package server

import (
	"context"
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// policyRequest is one request that policies judge.
type policyRequest struct {
	admission.Attributes
	objects    admission.ObjectInterfaces
	record     *admissionRecord
	namespaces *presumedNamespaces
	matcher    *matching.Matcher
	allow      authorizer.Authorizer
}

func newPolicyRequest(ctx context.Context, given *givenObjects, a admission.Attributes, o admission.ObjectInterfaces) *policyRequest {
	r := &policyRequest{Attributes: a, objects: o, record: recordIn(ctx)}
	r.namespaces = &presumedNamespaces{NamespaceLister: given.informers.Core().V1().Namespaces().Lister(), request: a}
	r.matcher = matching.NewMatcher(r.namespaces, newClients(given))
	r.allow = requesterOnly{record: r.record}
	return r
}

// matches reports whether match resources of a policy or binding match; none
// match all. An error is a match: the dispatcher answers it.
func (r *policyRequest) matches(label string, resources *v1.MatchResources) bool {
	if resources == nil || resources.NamespaceSelector == nil || resources.ObjectSelector == nil {
		return true
	}
	r.namespaces.presumed = false
	matches, _, _, err := r.matcher.Matches(r, r.objects, matchResources{resources})
	if r.namespaces.presumed && asksLabels(resources.NamespaceSelector) {
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
	if asks.requester {
		r.record.note(label + " judges by who asks: it was answered for a cluster administrator.")
	}
	if asks.namespace && r.GetNamespace() != "" && !r.namespaces.given(r.GetNamespace()) {
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

// presumedNamespaces are the given Namespaces. Every other one is presumed to be
// there, with the name that it must have and nothing else: whether it exists is
// the question of another plug-in.
type presumedNamespaces struct {
	corelisters.NamespaceLister
	request admission.Attributes
	// presumed is set when one had to be.
	presumed bool
}

func (n *presumedNamespaces) given(name string) bool {
	_, err := n.NamespaceLister.Get(name)
	return err == nil
}

// Get gives a Namespace; that of a request about the Namespace itself is the
// live object.
func (n *presumedNamespaces) Get(name string) (*corev1.Namespace, error) {
	if a := n.request; a.GetResource().GroupResource() == namespaces && a.GetOldObject() != nil && a.GetName() == name {
		if old, err := meta.Accessor(a.GetOldObject()); err == nil {
			return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: old.GetLabels()}}, nil
		}
	}
	namespace, err := n.NamespaceLister.Get(name)
	if err == nil {
		return namespace, nil
	}
	n.presumed = true
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}}}, nil
}

// requesterOnly lets the requester do all, and says of others that what they may
// do is not known here.
type requesterOnly struct{ record *admissionRecord }

// Authorize implements authorizer.Authorizer.
func (r requesterOnly) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if a.GetUser().GetName() == requester.GetName() {
		return authorizer.DecisionAllow, "", nil
	}
	r.record.note(fmt.Sprintf("A policy asks what %s may do, which is not simulated: taken as nothing.", a.GetUser().GetName()))
	return authorizer.DecisionNoOpinion, "", nil
}
