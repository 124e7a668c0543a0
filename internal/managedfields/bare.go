package managedfields

// untracked are the fields of metadata that no managed fields entry has (apimachinery,
// managedfields/internal/stripmeta.go).
var untracked = map[string]bool{
	"name": true, "namespace": true, "creationTimestamp": true, "selfLink": true, "uid": true, "clusterName": true,
	"generation": true, "managedFields": true, "resourceVersion": true,
}

// Bare reports whether an object has no field that a managed fields entry can have, such as a
// ServiceAccount that has only a name: without entries it is as a server has it.
func Bare(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	for key, value := range object {
		if value != nil && key != "apiVersion" && key != "kind" && key != "metadata" {
			return false
		}
	}
	for key, value := range metadata {
		if value != nil && !untracked[key] {
			return false
		}
	}
	return metadata != nil
}
