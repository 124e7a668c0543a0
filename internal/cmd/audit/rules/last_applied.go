package rules

import (
	"fmt"
	"slices"

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
		annotated(s, lastAppliedUnreadable, text.New("the last-applied annotation cannot be read").And(": ", s.quoting(err.Error())))
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
	var fixes []finding.Fix
	if clientSideApplied(s) {
		fixes = append(fixes, fix(s.about(migrateIt), text.New("moves the object to server-side apply; the annotation is read as one of %v, and dropped", text.Name(s.Target.APIVersion))))
	}
	annotated(s, lastAppliedRemoved, text.New("the last-applied annotation is at %v, which is not served", text.Said(shortened(version))), fixes...)
	return true
}

// clientSideApplied reports whether a client-side apply still owns the
// annotation.
func clientSideApplied(s *examined) bool {
	return slices.ContainsFunc(s.entries, func(e managedfields.Entry) bool {
		return e.Operation == managedfields.Update && e.Set.Has(lastAppliedPath)
	})
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
func annotated(s *examined, rule finding.Rule, says text.Text, fixes ...finding.Fix) {
	s.find(rule, "", []string{lastAppliedPath.String()}, says, append(fixes, fixAnnotation(s))...)
}

func fixAnnotation(s *examined) finding.Fix {
	return fix(s.object().Unannotate(client.LastApplied), text.New("removes the annotation; apply with --server-side from then on, or kubectl writes it again"))
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
	annotated(s, lastAppliedLeaks, text.New("the last-applied annotation holds the values of %v of this Secret", text.Count(keys, "key")))
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
