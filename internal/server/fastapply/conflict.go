package fastapply

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// taken is what an apply changes of the fields of another entry.
type taken struct {
	entry  metav1.ManagedFieldsEntry
	fields *fieldpath.Set
}

// conflict refuses an apply that changes fields of others, in the words of the field manager
// (managedfields/internal/conflict.go). It comes to that before it looks at anything else.
func (a *apply) conflict(others []taken) (api.Response, bool) {
	slices.SortFunc(others, func(x, y taken) int { return cmp.Compare(identifier(x.entry), identifier(y.entry)) })
	var causes []metav1.StatusCause
	var lines []string
	for _, other := range others {
		who := named(other.entry)
		lines = append(lines, "conflicts with "+who+":")
		other.fields.Iterate(func(path fieldpath.Path) {
			field := path.String()
			lines = append(lines, "- "+field)
			causes = append(causes, metav1.StatusCause{
				Type: metav1.CauseTypeFieldManagerConflict, Message: "conflict with " + who, Field: field,
			})
		})
	}
	message := fmt.Sprintf("Apply failed with %d conflicts: %s", len(causes), strings.Join(lines, "\n"))
	if len(causes) == 1 {
		message = "Apply failed with 1 conflict: " + causes[0].Message + ": " + causes[0].Field
	}
	form, err := a.endpoint.Read(a.bare, server.Form{})
	if err != nil {
		return api.Response{}, false
	}
	return a.endpoint.Conflict(form, causes, message)
}

// identifier is that of the manager of an entry, by which the field manager orders them
// (managedfields/internal/managedfields.go, BuildManagerIdentifier).
func identifier(entry metav1.ManagedFieldsEntry) string {
	entry.FieldsType, entry.FieldsV1, entry.Time = "", nil, nil
	if entry.Operation == metav1.ManagedFieldsOperationApply {
		entry.APIVersion = ""
	}
	// Strings alone can be written.
	text, _ := json.Marshal(entry)
	return string(text)
}

// named is the manager of an entry as conflicts name it.
func named(entry metav1.ManagedFieldsEntry) string {
	name := fmt.Sprintf("%q", entry.Manager)
	if entry.Subresource != "" {
		name += fmt.Sprintf(" with subresource %q", entry.Subresource)
	}
	if entry.Operation == metav1.ManagedFieldsOperationUpdate {
		name += " using " + entry.APIVersion
	}
	return name
}
