package admission

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/scheduling"
	podpriority "k8s.io/kubernetes/plugin/pkg/admission/priority"

	"github.com/ssactl/ssactl/internal/server/given"
)

// priorities is upstream's plug-in, for which there are no PriorityClasses but those
// that are given: it notes where another, the default of all Pods, would count.
type priorities struct {
	*podpriority.Plugin
	given *given.Objects
}

var (
	_ admission.MutationInterface   = priorities{}
	_ admission.ValidationInterface = priorities{}
)

// Admit sets the priority of a new Pod.
func (p priorities) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	pod, ok := a.GetObject().(*api.Pod)
	if ok && a.GetOperation() == admission.Create && pod.Spec.PriorityClassName == "" && !p.given.Knows(priorityClassKind) {
		RecordIn(ctx).note("PriorityClasses were not given, so that the priority of the default one was not set.")
	}
	return p.Plugin.Admit(ctx, a, o)
}

// Validate refuses a second default.
func (p priorities) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	class, ok := a.GetObject().(*scheduling.PriorityClass)
	if ok && class.GlobalDefault && !wasDefault(a) && !knowsClassesBut(p.given, class.Name) {
		RecordIn(ctx).note("No other PriorityClasses were given; another one may already be the default.")
	}
	return p.Plugin.Validate(ctx, a, o)
}

func wasDefault(a admission.Attributes) bool {
	old, ok := a.GetOldObject().(*scheduling.PriorityClass)
	return ok && old.GlobalDefault
}

var priorityClassKind = schema.GroupKind{Group: scheduling.GroupName, Kind: "PriorityClass"}

// knowsClassesBut reports whether PriorityClasses are given beside one.
func knowsClassesBut(g *given.Objects, name string) bool {
	known := g.Known(priorityClassKind)
	if _, err := g.Informers.Scheduling().V1().PriorityClasses().Lister().Get(name); err == nil {
		known--
	}
	return known > 0
}
