package lint

import (
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/text"
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
		s.find(ManagedFieldsSet, s.line(path), text.New("%v has to be left out of what is applied", text.Path(path.String())), takeOut, path.String())
	}
	for _, name := range ofServer {
		if v, has := metadata[name]; has && v != nil {
			path := at("metadata", name)
			s.find(ServerField, s.line(path), text.New("%v is the API server's to set", text.Path(path.String())), takeOut, path.String())
		}
	}
	if status, has := s.Object["status"]; has && s.Resets(".status") {
		s.find(StatusSet, s.line(at("status")), text.New("%v is %v, and an apply to the object ignores it", text.Path(".status"), text.Name(extent(status))), takeOut, ".status")
	}
	if annotations, _ := metadata["annotations"].(map[string]any); annotations[lastApplied] != nil {
		path := at("metadata", "annotations", lastApplied)
		s.find(LastApplied, s.line(path), text.New("the annotation of a client-side apply is in the manifest"), takeOut, path.String())
	}
	if s.secret() && s.Object["stringData"] != nil {
		s.find(StringData, s.line(at("stringData")), text.New("the Secret has %v", text.Path(".stringData")), text.New("write the values into .data, in base64"), ".stringData")
	}
}

// extent says how much there is of a status.
func extent(status any) string {
	switch status := status.(type) {
	case map[string]any:
		if len(status) == 0 {
			return "empty"
		}
	case nil:
		return "null"
	}
	return "set"
}
