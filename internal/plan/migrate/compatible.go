package migrate

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// planCompatible lets upstream's csaupgrade do the work. The names are those
// that the user gives, or those that kubectl takes: the Update entries that
// own the annotation. Upstream goes through them in no order; here they are
// sorted, which is one of its answers.
func (s *subject) planCompatible() Migration {
	m := &s.result
	s.readWishes()
	if s.findings.block() {
		return s.blocked()
	}
	if _, ok := annotationsOf(s.live)[LastApplied]; ok {
		m.Annotation = AnnotationEffect{Effect: Untouched, Because: Fact{Kind: LeftAlone}}
	}
	s.to = s.compatibleTarget()
	m.To = s.to
	s.applied = s.entryOf(s.to.Manager)
	names := s.upstreamNames()
	s.believeUpstream(names)
	object, err := upgrade(s.live, names, s.to.Manager, s.opts.Subresource)
	if err != nil {
		s.findings.add(RuleUpstream, Blocks, "", Fact{Kind: UpstreamFails, Text: err.Error()}, advise(PlanOwn))
		return s.blocked()
	}
	if object == nil {
		return s.nothing()
	}
	m.Verdict, m.Object = Migrates, object
	after := managedfields.Of(object)
	m.Before, m.After = summaries(s.owners), summaries(after)
	s.tellUnserved(after)
	s.chooseBasis()
	m.Next = s.next(s.compareEntries(after), object)
	s.tellNext()
	m.Patch = upstreamPatch(object, s.live)
	m.Findings = s.findings.sorted()
	return *m
}

// compatibleTarget is who the user names, or kubectl's default.
func (s *subject) compatibleTarget() Choice {
	if s.opts.To != "" {
		return Choice{Manager: s.opts.To, Because: Fact{Kind: Named}}
	}
	return Choice{Manager: ServerSideKubectl, Because: Fact{Kind: KubectlDefault}}
}

func (s *subject) upstreamNames() []string {
	names := slices.Clone(s.opts.From)
	if s.opts.Auto == ByEvidence {
		for _, e := range csaupgrade.FindFieldsOwners(typedEntries(s.live), metav1.ManagedFieldsOperationUpdate, fieldpath.NewSet(lastAppliedPath)) {
			names = append(names, e.Manager)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (s *subject) believeUpstream(names []string) {
	for _, e := range s.owners.Readable() {
		if e.Operation != managedfields.Update || e.Subresource != s.opts.Subresource || !slices.Contains(names, e.Manager) {
			continue
		}
		b := Belief{Writer: report.WriterOf(e), Strength: Certain, Because: []Fact{{Kind: KnownByAnnotation}}, Migrated: true}
		if slices.Contains(s.opts.From, e.Manager) {
			b.Strength, b.Because = Asked, []Fact{{Kind: Named}}
		}
		s.result.Beliefs = append(s.result.Beliefs, b)
	}
}

// upgrade is the object as upstream leaves it; nil where it has nothing to do.
func upgrade(live map[string]any, names []string, to, subresource string) (map[string]any, error) {
	return guard.Value(func() (map[string]any, error) { return upgraded(live, names, to, subresource) })
}

func upgraded(live map[string]any, names []string, to, subresource string) (map[string]any, error) {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(live)}
	for _, name := range names {
		if err := csaupgrade.UpgradeManagedFields(u, sets.New(name), to, csaupgrade.Subresource(subresource)); err != nil {
			return nil, err
		}
	}
	// Upstream compares bytes, and would also patch where the same fields only
	// stand in another order.
	if reflect.DeepEqual(u.GetManagedFields(), typedEntries(live)) {
		return nil, nil
	}
	return u.Object, nil
}

func typedEntries(object map[string]any) []metav1.ManagedFieldsEntry {
	return (&unstructured.Unstructured{Object: object}).GetManagedFields()
}

// upstreamPatch is the patch that upstream makes: it replaces the
// resourceVersion, so that another state is refused with 409.
func upstreamPatch(object, live map[string]any) []Operation {
	entries := typedEntries(object)
	var value any = entries
	if len(entries) == 0 {
		value = nil
	}
	return []Operation{
		{"replace", "/metadata/managedFields", value},
		{"replace", "/metadata/resourceVersion", resourceVersion(live)},
	}
}

// compareEntries reports who won and lost what, where the plan is upstream's,
// and what it discarded.
func (s *subject) compareEntries(after managedfields.Owners) claims {
	c := newClaims(s.version)
	c.live, c.shape = s.live, shapeAt(s.world, s.version)
	if s.applied.Set != nil {
		c.own = s.applied.Set
	}
	for _, e := range after.Readable() {
		if e.Operation == managedfields.Apply && e.Manager == s.to.Manager && e.Subresource == s.opts.Subresource {
			c.set, c.version = e.Set, e.APIVersion
		}
	}
	s.result.Won = s.won(c)
	s.result.Lost = s.lost(c, after)
	s.result.CoOwners = s.coOwners(c, after)
	s.tellDiscarded(c)
	s.say(&c)
	return c
}

// tellDiscarded reports the entries whose fields upstream throws away.
func (s *subject) tellDiscarded(c claims) {
	for _, b := range s.result.Beliefs {
		if b.APIVersion != c.version {
			s.findings.add(RuleUpstreamLoses, Warns, "", Fact{Kind: UpstreamDiscards, Manager: b.Manager, Version: b.APIVersion, At: c.version}, advise(KeepsSame))
		}
	}
}
