package lint

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
)

// ofServer are the fields of metadata that only a server sets.
var ofServer = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}

// lastApplied is the annotation of client-side applies.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// serverFields finds what is not for manifests to set.
func (s *subject) serverFields() {
	metadata, _ := fieldtree.Value(s.Object, "metadata").(map[string]any)
	if metadata["managedFields"] != nil {
		path := at("metadata", "managedFields")
		s.find(ManagedFieldsSet, s.line(path), path.String()+" has to be left out of what is applied", "take it out of the manifest", path.String())
	}
	for _, name := range ofServer {
		if v, has := metadata[name]; has && v != nil {
			path := at("metadata", name)
			s.find(ServerField, s.line(path), path.String()+" is the API server's to set", "take it out of the manifest", path.String())
		}
	}
	if status, has := s.Object["status"]; has && s.Resets(".status") {
		s.find(StatusSet, s.line(at("status")), fmt.Sprintf(".status is %s, and an apply to the object ignores it", extent(status)), "take it out of the manifest", ".status")
	}
	if annotations, _ := metadata["annotations"].(map[string]any); annotations[lastApplied] != nil {
		path := at("metadata", "annotations", lastApplied)
		s.find(LastApplied, s.line(path), "the annotation of a client-side apply is in the manifest", "take it out of the manifest", path.String())
	}
	if s.secret() && s.Object["stringData"] != nil {
		s.find(StringData, s.line(at("stringData")), "the Secret has .stringData", "write the values into .data, in base64", ".stringData")
	}
}

// extent says how much there is of a value.
func extent(v any) string {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return "empty"
		}
	case nil:
		return "null"
	}
	return "set"
}
