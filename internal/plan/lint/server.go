package lint

import (
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
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
		s.find(ManagedFieldsSet, s.line(path), report.Fact{Kind: HasManagedFields}, path.String())
	}
	for _, name := range ofServer {
		if v, has := metadata[name]; has && v != nil {
			path := at("metadata", name)
			s.find(ServerField, s.line(path), report.Fact{Kind: ServerSets}, path.String())
		}
	}
	if status, has := s.Object["status"]; has && s.Resets(".status") {
		s.find(StatusSet, s.line(at("status")), report.Fact{Kind: extent(status)}, ".status")
	}
	if annotations, _ := metadata["annotations"].(map[string]any); annotations[lastApplied] != nil {
		path := at("metadata", "annotations", lastApplied)
		s.find(LastApplied, s.line(path), report.Fact{Kind: HasLastApplied}, path.String())
	}
	if s.secret() && s.Object["stringData"] != nil {
		s.find(StringData, s.line(at("stringData")), report.Fact{Kind: HasStringData}, ".stringData")
	}
}

// extent says how much there is of a status.
func extent(status any) FactKind {
	switch status := status.(type) {
	case map[string]any:
		if len(status) == 0 {
			return StatusEmpty
		}
	case nil:
		return StatusNull
	}
	return StatusGiven
}
