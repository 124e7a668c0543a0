package admission

import (
	"context"
	"fmt"
	"slices"
	"sync"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/kubernetes"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"

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

func newPolicyRequest(
	ctx context.Context,
	given *given.Objects,
	a admission.Attributes,
	o admission.ObjectInterfaces,
) *policyRequest {
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
			r.record.note(
				label + " selects by labels of the Namespace, which was not given: assumed to have only the label of its name.",
			)
		}
	}
	return err != nil || matches
}

// asksLabels reports whether a selector asks for more than the label that every
// Namespace has of itself.
func asksLabels(selector *metav1.LabelSelector) bool {
	other := func(r metav1.LabelSelectorRequirement) bool { return r.Key != corev1.LabelMetadataName }
	_, named := selector.MatchLabels[corev1.LabelMetadataName]
	return len(selector.MatchLabels) > 1 || len(selector.MatchLabels) == 1 && !named ||
		slices.ContainsFunc(selector.MatchExpressions, other)
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

// The server's code asks the cluster where it does not rely on informers. These clients find
// the given Namespaces. Any other method would panic for want of a cluster.
type clients struct {
	kubernetes.Interface
	namespaces namespaceClient
}

var _ kubernetes.Interface = clients{}

var noCluster = sync.OnceValue(func() kubernetes.Interface { return kubernetes.New(nil) })

// presumingClients find Namespaces that were not given where presume does; nil presumes none.
func presumingClients(given *given.Objects, presume func(name string) *corev1.Namespace) clients {
	base := noCluster()
	return clients{base, namespaceClient{base.CoreV1().Namespaces(), given, presume}}
}

// CoreV1 gives a client whose Namespaces are those given.
func (c clients) CoreV1() coreclient.CoreV1Interface {
	return coreClient{c.Interface.CoreV1(), c.namespaces}
}

type coreClient struct {
	coreclient.CoreV1Interface
	namespaces namespaceClient
}

func (c coreClient) Namespaces() coreclient.NamespaceInterface { return c.namespaces }

type namespaceClient struct {
	coreclient.NamespaceInterface
	given   *given.Objects
	presume func(name string) *corev1.Namespace
}

func (c namespaceClient) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	namespace, err := c.given.Informers.Core().V1().Namespaces().Lister().Get(name)
	if err != nil && c.presume != nil {
		return c.presume(name), nil
	}
	return namespace, err
}

// requesterOnly lets the requester do all, and says of others that what they may
// do is not known here.
type requesterOnly struct{ record *Record }

// Authorize implements authorizer.UnconditionalAuthorizer.
func (r requesterOnly) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if slices.Contains(a.GetUser().GetGroups(), user.SystemPrivilegedGroup) {
		return authorizer.DecisionAllow, "", nil
	}
	r.record.note(
		fmt.Sprintf("A policy asks what %s may do, which is not simulated: taken as nothing.", a.GetUser().GetName()),
	)
	return authorizer.DecisionNoOpinion, "", nil
}
