package migrate

import (
	"reflect"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Operation is one operation of the JSON patch.
type Operation = report.PatchOperation

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// annotationPointer is where the annotation stands.
var annotationPointer = "/metadata/annotations/" + escapePointer.Replace(LastApplied)

// handOver makes the patch from the live object to the planned one. It tests
// the resourceVersion first, so that it does nothing to another state than the
// one that was planned for; where the live object has none, the entries
// themselves. written is the annotation to write; nil for none.
func (s *subject) handOver(written *string) {
	m := &s.result
	var patch []Operation
	if version := resourceVersion(s.live); version != "" {
		patch = append(patch, Operation{Op: "test", Path: "/metadata/resourceVersion", Value: version})
	} else {
		patch = append(patch, Operation{Op: "test", Path: "/metadata/managedFields", Value: managedFields(s.live)})
		s.findings.add(RuleNoResourceVersion, report.SeverityWarning, ".metadata.resourceVersion", text.New("the live object has no resourceVersion, so that a patch cannot test whether the cluster has moved on: it tests managedFields instead"),
			text.New("fetch the object again"))
	}
	if before, after := managedFields(s.live), managedFields(m.Object); !reflect.DeepEqual(before, after) {
		patch = append(patch, Operation{Op: "replace", Path: "/metadata/managedFields", Value: after})
	}
	_, had := annotationsOf(s.live)[LastApplied]
	_, has := annotationsOf(m.Object)[LastApplied]
	switch {
	case written != nil && annotationsOf(s.live) == nil:
		patch = append(patch, Operation{Op: "add", Path: "/metadata/annotations", Value: map[string]any{LastApplied: *written}})
	case written != nil:
		patch = append(patch, Operation{Op: "add", Path: annotationPointer, Value: *written})
	case had && !has:
		patch = append(patch, Operation{Op: "remove", Path: annotationPointer})
	}
	m.Patch = patch
}

func resourceVersion(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	version, _ := metadata["resourceVersion"].(string)
	return version
}

// managedFields are the entries of an object as they stand in it. An empty
// list would mean that nothing is asked for: a list of one empty entry clears
// them (apimachinery, managedfields/internal/managedfields.go).
func managedFields(object map[string]any) any {
	metadata, _ := object["metadata"].(map[string]any)
	if list, ok := metadata["managedFields"].([]any); ok && len(list) > 0 {
		return list
	}
	return []any{map[string]any{}}
}
