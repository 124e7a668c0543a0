package faithful

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/server/api"
)

// OrderConflicts gives the conflicts in a refusal one order: by what is said of their
// owner, and those of one owner as they are. Upstream goes through a map of the owners
// (structured-merge-diff, merge/conflict.go), so that a server gives them in any order.
func OrderConflicts(r *api.Response) error {
	if r.Code != http.StatusConflict || !bytes.Contains(r.Body, []byte(metav1.CauseTypeFieldManagerConflict)) {
		return nil
	}
	var status metav1.Status
	if err := json.Unmarshal(r.Body, &status); err != nil || status.Details == nil {
		return err
	}
	slices.SortStableFunc(status.Details.Causes, func(a, b metav1.StatusCause) int { return cmp.Compare(a.Message, b.Message) })
	text, err := json.Marshal(status)
	r.Body = append(text, '\n')
	return err
}
