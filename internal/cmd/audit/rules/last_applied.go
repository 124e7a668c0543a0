package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var lastAppliedLeaks = finding.Rule{
	Name: "last-applied-leaks-secret", Severity: report.SeverityWarning,
	Title: "The last-applied annotation holds the data of a Secret.",
	Why:   "Annotations are shown, logged and compared by tools that take care to mask only .data, and the copy stays when the data is changed by anything but kubectl apply.",
}

var lastAppliedUnreadable = finding.Rule{
	Name: "last-applied-unreadable", Severity: report.SeverityWarning,
	Title: "The last-applied annotation cannot be read.",
	Why:   "A client-side kubectl apply fails on it, and a migration to server-side apply has nothing to go by.",
}

var lastAppliedOther = finding.Rule{
	Name: "last-applied-of-other-object", Severity: report.SeverityWarning,
	Title: "The last-applied annotation is of another object.",
	Why:   "A client-side kubectl apply compares with it, and removes what the other object had; a migration would claim fields that were never applied here.",
}

var lastAppliedRemoved = finding.Rule{
	Name: "last-applied-version-removed", Severity: report.SeverityWarning,
	Title: "The last-applied annotation is at an API version that is not served.",
	Why:   "The API server cannot read it, and so does not know which fields kubectl applied: the first kubectl apply --server-side that changes one is refused with a conflict with the client-side apply, whose fields it would own otherwise.",
}

var lastAppliedPath = fieldpath.MakePathOrDie("metadata", "annotations", client.LastApplied)

// findLastApplied finds what is wrong with the last-applied annotation.
func findLastApplied(s *examined) {
	annotations, _ := fieldtree.Value(s.Live, "metadata", "annotations").(map[string]any)
	value, ok := annotations[client.LastApplied]
	if !ok {
		return
	}
	manifest, _ := value.(string)
	configuration, err := parseConfiguration(manifest)
	if err != nil {
		annotated(
			s,
			lastAppliedUnreadable,
			text.New("the last-applied annotation cannot be read").And(": ", s.quoting(err.Error())),
		)
		return
	}
	leaks(s, configuration)
	if other := otherObject(s, configuration); !other.IsZero() {
		annotated(s, lastAppliedOther, text.New("the last-applied annotation is of %v", other))
		return
	}
	if atRemovedVersion(s, configuration) {
		return
	}
	disagreement(s, configuration, []byte(manifest))
}

// atRemovedVersion finds an annotation at an API version that is not served,
// though the object's is: of others the object itself is reported.
func atRemovedVersion(s *examined, configuration map[string]any) bool {
	version, _ := configuration["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(version)
	if err != nil || version == "" || !s.server.Serves(s.kind()) || s.server.Serves(gv.WithKind(s.Target.Kind)) {
		return false
	}
	var fixes []report.Fix
	// A client-side apply may still own the annotation.
	if slices.ContainsFunc(s.entries, func(e managedfields.Entry) bool {
		return e.Operation == managedfields.Update && e.Set.Has(lastAppliedPath)
	}) {
		fixes = append(
			fixes,
			fix(
				s.about(migrateIt),
				text.New(
					"moves the object to server-side apply; the annotation is read as one of %v, and dropped",
					text.Name(s.Target.APIVersion),
				),
			),
		)
	}
	annotated(
		s,
		lastAppliedRemoved,
		text.New("the last-applied annotation is at %v, which is not served", text.Said(shortened(version))),
		fixes...)
	return true
}

func parseConfiguration(manifest string) (map[string]any, error) {
	if manifest == "" {
		return nil, fmt.Errorf("it is empty")
	}
	var v any
	if err := json.Unmarshal([]byte(manifest), &v); err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("it is not an object")
	}
	return m, nil
}

// annotated adds a finding on the annotation, which its last fix drops.
func annotated(s *examined, rule finding.Rule, says text.Text, fixes ...report.Fix) {
	s.find(rule, "", []string{lastAppliedPath.String()}, says, append(fixes, fixAnnotation(s))...)
}

func fixAnnotation(s *examined) report.Fix {
	return fix(
		s.object().Unannotate(client.LastApplied),
		text.New("removes the annotation; apply with --server-side from then on, or kubectl writes it again"),
	)
}

// leaks reports a Secret's data in the annotation, never the values.
func leaks(s *examined, configuration map[string]any) {
	if !s.secret() {
		return
	}
	keys := 0
	for _, name := range []string{"data", "stringData"} {
		m, _ := configuration[name].(map[string]any)
		for _, v := range m {
			if v != nil && v != "" {
				keys++
			}
		}
	}
	if keys == 0 {
		return
	}
	annotated(
		s,
		lastAppliedLeaks,
		text.New("the last-applied annotation holds the values of %v of this Secret", text.Count(keys, "key")),
	)
}

// otherObject names the object that the annotation is of where it is not this
// one: API versions, and groups that a kind moved between, may differ.
func otherObject(s *examined, configuration map[string]any) text.Text {
	kind, _ := configuration["kind"].(string)
	name, _ := fieldtree.Value(configuration, "metadata", "name").(string)
	namespace, _ := fieldtree.Value(configuration, "metadata", "namespace").(string)
	if s.Secrets == HideSecrets && s.secret() {
		kind, name = shortened(kind), shortened(name)
	}
	switch {
	case kind != "" && kind != s.Target.Kind:
		return text.New("a %v named %v", text.Said(kind), text.Said(name))
	case name != "" && name != s.Target.Name:
		return text.New("the %v %v", text.Said(kind), text.Said(name))
	case namespace != "" && s.Target.Namespace != "" && namespace != s.Target.Namespace:
		return text.New("the %v %v in the namespace %v", text.Said(kind), text.Said(name), text.Said(namespace))
	}
	return text.Text{}
}

// maxName is the longest name of an object.
const maxName = 253

func shortened(s string) string { return s[:min(len(s), maxName)] }

var lastAppliedStale = finding.Rule{
	Name: "last-applied-stale", Severity: report.SeverityWarning,
	Title: "The last-applied annotation is out of date.",
	Why:   "The object is applied server-side now, and the annotation is of earlier times. A client-side kubectl apply would start from it, and undo or remove what was changed since.",
}

var lastAppliedDrift = finding.Rule{
	Name: "last-applied-drift", Severity: report.SeverityNote,
	Title: "Live values differ from the last-applied annotation.",
	Why:   "The next client-side kubectl apply of an unchanged manifest sets them back.",
}

// disagreement finds values of the last-applied annotation that the object
// has otherwise. Whether two spellings are one value is the API server's to
// say; it is asked only where they differ as they stand.
func disagreement(s *examined, configuration map[string]any, manifest []byte) {
	if s.Deduced || configuration["apiVersion"] != s.Target.APIVersion || !differs(s, configuration) {
		return
	}
	result := s.server.Reapply(s.Object, manifest)
	if result.Outcome.Refused() {
		return
	}
	changes := slices.DeleteFunc(slices.Clone(result.Changes), func(c report.Change) bool { return !disagrees(c) })
	if len(changes) == 0 {
		return
	}
	var fields []string
	for _, c := range changes {
		fields = append(fields, c.Field)
	}
	says := differing(s, changes[0])
	if more := len(fields) - 1; more > 0 {
		says = says.And(", ", text.New("and so on with %v", text.Count(more, "more field")))
	}
	if appliedServerSide(s, configuration) {
		s.find(lastAppliedStale, "", fields, says, fixAnnotation(s), s.fixWhy(fields[0]))
		return
	}
	s.find(lastAppliedDrift, "", fields, says, s.fixWhy(fields[0]))
}

// differs compares the annotation's fields with those of the object as they
// stand.
func differs(s *examined, configuration map[string]any) bool {
	var find managedfields.Finder
	for _, leaf := range s.Shape.Leaves(configuration) {
		if managedfields.Untracked(leaf.Path) || pathStarts(leaf.Path, "status") {
			continue
		}
		live := find.Lookup(s.Shape, s.Live, leaf.Path)
		if len(live) != 1 || !reflect.DeepEqual(live[0], leaf.Value) {
			return true
		}
	}
	return false
}

// appliedServerSide reports whether Apply entries own most of what the
// annotation has: the object has left client-side apply behind.
func appliedServerSide(s *examined, configuration map[string]any) bool {
	applies := s.applies()
	total, applied := 0, 0
	for _, leaf := range s.Shape.Leaves(configuration) {
		if managedfields.Untracked(leaf.Path) {
			continue
		}
		total++
		if slices.ContainsFunc(applies, func(e managedfields.Entry) bool { return managedfields.Covers(e.Set, leaf.Path) }) {
			applied++
		}
	}
	return applied > 0 && 2*applied >= total
}

// disagrees reports whether a change of the trial apply is one of a value that
// the annotation asks for.
func disagrees(c report.Change) bool {
	if c.Kind == report.Removed || c.Reason != report.ReasonApplied && c.Reason != report.ReasonNormalised {
		return false
	}
	return !strings.HasPrefix(c.Field, ".status") &&
		!strings.HasPrefix(c.Field, ".metadata.annotations."+client.LastApplied) &&
		!slices.Contains([]string{".metadata.generation", ".metadata.resourceVersion"}, c.Field)
}

// differing has both values, unless they are a Secret's, and who owns the live one.
func differing(s *examined, c report.Change) text.Text {
	field, asked := text.Path(c.Field), text.ValueOf(c.Field, c.After)
	says := text.New("the last-applied annotation has another %v than is live", field)
	switch {
	case !s.mayTell(c.Field):
	case c.Kind == report.Added:
		says = text.New("%v is %v in the last-applied annotation, and not there live", field, asked)
	default:
		says = text.New("%v is %v in the last-applied annotation, and %v live", field, asked, text.ValueOf(c.Field, c.Before))
	}
	if owners := ownersNamed(s, c.Field); !owners.IsZero() {
		says = text.New("%v (owned by %v)", says, owners)
	}
	return says
}

// ownersNamed names the owners of a field.
func ownersNamed(s *examined, field string) text.Text {
	var roles []managedfields.Role
	for _, owned := range s.owners.Field(field) {
		for _, e := range owned.By {
			roles = append(roles, e.Role)
		}
	}
	var names []text.Text
	for _, r := range slices.Compact(roles) {
		names = append(names, nameOf(r))
	}
	return text.Join(names, ", ")
}
