package audit

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// LastApplied is the annotation in which client-side apply keeps the manifest.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

var lastAppliedPath = fieldpath.MakePathOrDie("metadata", "annotations", LastApplied)

// lastApplied finds what is wrong with the last-applied annotation.
func (s *subject) lastApplied() {
	metadata, _ := s.Live["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	value, ok := annotations[LastApplied]
	if !ok {
		return
	}
	text, _ := value.(string)
	configuration, err := parseConfiguration(text)
	if err != nil {
		s.add(s.lastAppliedFinding(LastAppliedUnreadable, report.Fact{Kind: AnnotationUnreadable, Text: s.quoting(err.Error())}))
		return
	}
	s.leaks(configuration)
	if other := s.otherObject(configuration); other.Kind != "" {
		s.add(s.lastAppliedFinding(LastAppliedOther, other))
		return
	}
	if s.lastAppliedRemoved(configuration) {
		return
	}
	s.disagreement(configuration, []byte(text))
}

// lastAppliedRemoved finds an annotation at an API version that is not served,
// though the object's is: of others the object itself is reported.
func (s *subject) lastAppliedRemoved(configuration map[string]any) bool {
	version, _ := configuration["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(version)
	if err != nil || version == "" || !s.server.Serves(s.kind()) || s.server.Serves(gv.WithKind(s.Target.Kind)) {
		return false
	}
	f := s.lastAppliedFinding(LastAppliedRemoved, report.Fact{Kind: AnnotationUnserved, Text: shortened(version)})
	if s.clientSideApplied() {
		f.Fixes = append([]Fix{{Kind: MigrateRead, Version: s.Target.APIVersion, Line: s.about(migrateIt)}}, f.Fixes...)
	}
	s.add(f)
	return true
}

// clientSideApplied reports whether a client-side apply still owns the
// annotation.
func (s *subject) clientSideApplied() bool {
	return slices.ContainsFunc(s.entries, func(e managedfields.Entry) bool {
		return e.Operation == managedfields.Update && e.Set.Has(lastAppliedPath)
	})
}

func parseConfiguration(text string) (map[string]any, error) {
	if text == "" {
		return nil, fmt.Errorf("it is empty")
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("it is not an object")
	}
	return m, nil
}

func (s *subject) lastAppliedFinding(rule string, fact report.Fact) Finding {
	return s.finding(rule, fact, s.fixAnnotation()).About(lastAppliedPath.String())
}

// leaks reports a Secret's data in the annotation, never the values.
func (s *subject) leaks(configuration map[string]any) {
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
	s.add(s.lastAppliedFinding(LastAppliedLeaks, report.Fact{Kind: AnnotationLeaks, Count: keys}))
}

// otherObject names the object that the annotation is of where it is not this
// one: API versions, and groups that a kind moved between, may differ.
func (s *subject) otherObject(configuration map[string]any) report.Fact {
	metadata, _ := configuration["metadata"].(map[string]any)
	kind, _ := configuration["kind"].(string)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	if s.Secrets == HideSecrets && s.secret() {
		kind, name = shortened(kind), shortened(name)
	}
	switch {
	case kind != "" && kind != s.Target.Kind:
		return report.Fact{Kind: AnnotationOfKind, Text: kind, Is: name}
	case name != "" && name != s.Target.Name:
		return report.Fact{Kind: AnnotationOfName, Text: kind, Is: name}
	case namespace != "" && s.Target.Namespace != "" && namespace != s.Target.Namespace:
		return report.Fact{Kind: AnnotationOfNamespace, Text: kind, Is: name, In: namespace}
	}
	return report.Fact{}
}

// maxName is the longest name of an object.
const maxName = 253

func shortened(s string) string { return s[:min(len(s), maxName)] }
