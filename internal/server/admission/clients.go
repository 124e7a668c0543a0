package admission

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"

	"github.com/ssactl/ssactl/internal/server/given"
)

// The server's code asks the cluster where it does not rely on informers. These
// clients find the given objects. They have the methods that are called; any
// other would panic for want of a cluster.

type clients struct {
	kubernetes.Interface
	namespaces namespaceClient
}

var _ kubernetes.Interface = clients{}

func newClients(given *given.Objects) clients { return presumingClients(given, nil) }

// presumingClients find Namespaces that were not given where presume does.
func presumingClients(given *given.Objects, presume func(name string) *corev1.Namespace) clients {
	base := kubernetes.New(nil)
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

// BudgetsGetter asks for the PodDisruptionBudgets of a namespace on behalf of one
// call, which records what it wrote.
type BudgetsGetter struct {
	Given  *given.Objects
	Record *Record
}

var _ policyclient.PodDisruptionBudgetsGetter = BudgetsGetter{}

// PodDisruptionBudgets asks for those of a namespace.
func (g BudgetsGetter) PodDisruptionBudgets(namespace string) policyclient.PodDisruptionBudgetInterface {
	return budgets{BudgetsGetter: g, namespace: namespace}
}

type budgets struct {
	policyclient.PodDisruptionBudgetInterface
	BudgetsGetter
	namespace string
}

func (b budgets) Get(_ context.Context, name string, _ metav1.GetOptions) (*policyv1.PodDisruptionBudget, error) {
	return b.Given.Informers.Policy().V1().PodDisruptionBudgets().Lister().PodDisruptionBudgets(b.namespace).Get(name)
}

func (b budgets) List(context.Context, metav1.ListOptions) (*policyv1.PodDisruptionBudgetList, error) {
	found, err := b.Given.Informers.Policy().V1().PodDisruptionBudgets().Lister().PodDisruptionBudgets(b.namespace).List(labels.Everything())
	if len(found) == 0 {
		b.Record.note("No PodDisruptionBudgets of the namespace were given, which may refuse the eviction.")
	}
	list := &policyv1.PodDisruptionBudgetList{}
	for _, budget := range found {
		list.Items = append(list.Items, *budget.DeepCopy())
	}
	return list, err
}

func (b budgets) UpdateStatus(_ context.Context, budget *policyv1.PodDisruptionBudget, _ metav1.UpdateOptions) (*policyv1.PodDisruptionBudget, error) {
	b.Record.also(budget)
	return budget, nil
}
