package live

import (
	"encoding/json"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
)

// maxStored is the most that kube-apiserver sends to etcd (the 2 MiB of etcd's client,
// client/v3/options.go), which takes 1.5 MiB by default.
const maxStored = 2 << 20

// entriesBytes is how much of an object its managed fields entries are: storage has the
// names and fieldsV1 of each as they are, whatever the form of the rest.
func entriesBytes(d manifest.Document) int {
	if d.Deferred() || len(d.JSON()) <= maxStored {
		return 0
	}
	var object struct {
		Metadata struct {
			ManagedFields []struct {
				Manager, Operation, APIVersion, Subresource string
				FieldsV1                                    json.RawMessage
			}
		}
	}
	// Reading the entries reports other forms.
	_ = json.Unmarshal(d.JSON(), &object)
	sum := 0
	for _, e := range object.Metadata.ManagedFields {
		sum += len(e.Manager) + len(e.Operation) + len(e.APIVersion) + len(e.Subresource) + len(jsontree.AppendCompact(nil, e.FieldsV1))
	}
	return sum
}
