package migration

import (
	"reflect"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Operation is one operation of the JSON patch.
type Operation = report.PatchOperation

// handOver makes the patch from the live object to the planned one. It tests
// the resourceVersion first, so that it does nothing to another state than the
// one that was planned for; where the live object has none, the entries
// themselves. written is the annotation to write; nil for none.
func (s *subject) handOver(written *string) {
	m := &s.result
	var patch []Operation
	if test, ok := ownership.TestVersion(s.Live); ok {
		patch = append(patch, test)
	} else {
		patch = append(patch, ownership.TestAll(s.Live))
		s.find(noResourceVersion, ".metadata.resourceVersion", text.New("the live object has no resourceVersion, so that a patch cannot test whether the cluster has moved on: it tests managedFields instead"))
	}
	if replace := ownership.ReplaceAll(m.Object); !reflect.DeepEqual(replace, ownership.ReplaceAll(s.Live)) {
		patch = append(patch, replace)
	}
	_, had := annotationsOf(s.Live)[LastApplied]
	_, has := annotationsOf(m.Object)[LastApplied]
	switch {
	case written != nil && annotationsOf(s.Live) == nil:
		patch = append(patch, Operation{Op: "add", Path: "/metadata/annotations", Value: map[string]any{LastApplied: *written}})
	case written != nil:
		patch = append(patch, Operation{Op: "add", Path: client.LastAppliedPointer, Value: *written})
	case had && !has:
		patch = append(patch, Operation{Op: "remove", Path: client.LastAppliedPointer})
	}
	m.Patch = patch
}
