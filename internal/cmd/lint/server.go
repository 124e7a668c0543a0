package lint

import (
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var managedFieldsSet = finding.Rule{
	Name: "managed-fields-set", Severity: report.SeverityError,
	Title: "The manifest has managedFields.",
	Why:   "The API server rejects every apply with metadata.managedFields. They come from a live object whose YAML was copied.",
	Fix:   "take it out of the manifest",
}

var serverField = finding.Rule{
	Name: "server-field", Severity: report.SeverityWarning,
	Title: "The manifest sets metadata that only the API server sets.",
	Why:   "The values are of one live object at one time. They are ignored at best; a uid or resourceVersion makes the API server reject the apply to any other object, and to this one after its next change.",
	Fix:   "take it out of the manifest",
}

var statusSet = finding.Rule{
	Name: "status-set", Severity: report.SeverityWarning,
	Title: "The manifest has a status.",
	Why:   "An apply to the object leaves the status as it is, and owns nothing of it: what the manifest says has no effect.",
	Fix:   "take it out of the manifest",
}

var lastAppliedInManifest = finding.Rule{
	Name: "last-applied-in-manifest", Severity: report.SeverityWarning,
	Title: "The manifest has the last-applied annotation.",
	Why:   "It is of a live object whose YAML was copied. Client-side kubectl apply compares with it, and removes what the other object had.",
	Fix:   "take it out of the manifest",
}

var stringData = finding.Rule{
	Name: "string-data", Severity: report.SeverityWarning,
	Title: "A Secret is written with stringData.",
	Why:   "The API server moves stringData into data, but the ownership stays behind: a key that is dropped from the manifest stays in the Secret, and others conflict with a field that they cannot see.",
	Fix:   "write the values into .data, in base64",
}

// ofServer are the fields of metadata that only a server sets.
var ofServer = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}

// findServerFields finds what is not for manifests to set.
func findServerFields(s *subject) {
	metadata, _ := fieldtree.Value(s.Object, "metadata").(map[string]any)
	if metadata["managedFields"] != nil {
		path := at("metadata", "managedFields")
		s.find(managedFieldsSet, s.line(path), text.New("%v has to be left out of what is applied", text.Path(path.String())), path.String())
	}
	for _, name := range ofServer {
		if v, has := metadata[name]; has && v != nil {
			path := at("metadata", name)
			s.find(serverField, s.line(path), text.New("%v is the API server's to set", text.Path(path.String())), path.String())
		}
	}
	if status, has := s.Object["status"]; has && s.Resets(".status") {
		s.find(statusSet, s.line(at("status")), text.New("%v is %v, and an apply to the object ignores it", text.Path(".status"), text.Name(extent(status))), ".status")
	}
	if annotations, _ := metadata["annotations"].(map[string]any); annotations[client.LastApplied] != nil {
		path := at("metadata", "annotations", client.LastApplied)
		s.find(lastAppliedInManifest, s.line(path), text.New("the annotation of a client-side apply is in the manifest"), path.String())
	}
	if s.secret() && s.Object["stringData"] != nil {
		s.find(stringData, s.line(at("stringData")), text.New("the Secret has %v", text.Path(".stringData")), ".stringData")
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
