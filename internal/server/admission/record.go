package admission

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/given"
)

// Record collects what the plug-ins of one call did and could not do.
type Record struct {
	Changes []api.AdmissionChange
	skipped []*plugin
	notes   []api.Caveat
	// assumption is the chain's, where it matters to the call.
	assumption string
	// Others are other objects of the cluster as the call would leave them.
	Others []runtime.Object
	// NeedsWebhook: admission looks at the object at another version, to which a
	// webhook converts it.
	NeedsWebhook bool
	// Derived are fields of the object, and of the one before it, that were made from values of Secrets before
	// the call.
	Derived []disguise.Path
	// derived are the fields that policies made from values of Secrets, sorted.
	derived []fieldNames
	// Denials are what policies have against the object, in the server's words, where
	// any denies it.
	Denials []string
}

// converting notes which conversions need a webhook: the error is lost where the
// failurePolicy of a policy or webhook is Ignore.
type converting struct {
	admission.ObjectInterfaces
	record *Record
}

func (c converting) GetObjectConvertor() runtime.ObjectConvertor {
	return notedConvertor{c.ObjectInterfaces.GetObjectConvertor(), c.record}
}

type notedConvertor struct {
	runtime.ObjectConvertor
	record *Record
}

func (c notedConvertor) Convert(in, out, with any) error {
	err := c.ObjectConvertor.Convert(in, out, with)
	c.record.NeedsWebhook = c.record.NeedsWebhook || err != nil && strings.Contains(err.Error(), exchange.WebhookNeeded)
	return err
}

type admissionRecordKey struct{}

// WithRecord gives a context in which the plug-ins of a call find its record.
func WithRecord(ctx context.Context, record *Record) context.Context {
	return context.WithValue(ctx, admissionRecordKey{}, record)
}

// RecordIn finds the record of a call; an empty one where it has none.
func RecordIn(ctx context.Context) *Record {
	record, ok := ctx.Value(admissionRecordKey{}).(*Record)
	if !ok {
		return &Record{}
	}
	return record
}

// note says what a plug-in left out of this call, that ran.
func (r *Record) note(message string) {
	r.Add([]api.Caveat{{Kind: api.Admission, Message: message}})
}

// Add notes caveats, each once; what was not given becomes the assumption.
func (r *Record) Add(caveats []api.Caveat) {
	for _, c := range caveats {
		if c.Rule == api.NotGiven {
			r.assumption = c.Message
			continue
		}
		if !slices.Contains(r.notes, c) {
			r.notes = append(r.notes, c)
		}
	}
}

func (r *Record) also(object runtime.Object) { r.Others = append(r.Others, object) }

// DerivedFields are the paths of the fields that policies made from values of Secrets.
func (r *Record) DerivedFields() []string {
	var out []string
	for _, f := range r.derived {
		out = append(out, f.String())
	}
	return out
}

// Written gives the other objects as JSON. They are written before the object of the
// call, and stay so where that is refused in the end.
func (r *Record) Written() ([][]byte, error) {
	var out [][]byte
	for _, object := range r.Others {
		text, err := runtime.Encode(
			legacyscheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion, policyv1.SchemeGroupVersion),
			object,
		)
		if err != nil {
			return nil, fmt.Errorf("write what the call changes besides: %w", err)
		}
		out = append(out, text)
	}
	return out, nil
}

// Absent says what was left out: by plug-ins that did not run, in their order,
// then by those that did.
func (r *Record) Absent() []api.Caveat {
	var out []api.Caveat
	for _, p := range r.skipped {
		if p.absent != "" {
			out = append(out, api.Caveat{Kind: api.Admission, Message: p.absent})
		}
	}
	out = append(out, r.notes...)
	if r.assumption != "" {
		out = append(out, api.Caveat{Kind: api.Admission, Rule: api.NotGiven, Message: r.assumption})
	}
	return out
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
	found, err := b.Given.Informers.Policy().
		V1().
		PodDisruptionBudgets().
		Lister().
		PodDisruptionBudgets(b.namespace).
		List(labels.Everything())
	if len(found) == 0 {
		b.Record.note("No PodDisruptionBudgets of the namespace were given, which may refuse the eviction.")
	}
	list := &policyv1.PodDisruptionBudgetList{}
	for _, budget := range found {
		list.Items = append(list.Items, *budget.DeepCopy())
	}
	return list, err
}

func (b budgets) UpdateStatus(
	_ context.Context,
	budget *policyv1.PodDisruptionBudget,
	_ metav1.UpdateOptions,
) (*policyv1.PodDisruptionBudget, error) {
	b.Record.also(budget)
	return budget, nil
}
