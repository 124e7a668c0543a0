package server

import (
	"encoding/json"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/server/api"
)

// concealDerived masks what an answer says of an object that a policy made from values
// of Secrets: warnings, and why it is refused. What policies say is masked where it is
// said.
func concealDerived(r *api.Response) error {
	if len(r.Derived) == 0 {
		return nil
	}
	for i, text := range r.Warnings {
		if !strings.HasPrefix(text, "Validation failed for ValidatingAdmissionPolicy ") {
			r.Warnings[i] = fromSecret
		}
	}
	if r.Code < http.StatusMultipleChoices || len(r.Denials) > 0 {
		return nil
	}
	var status metav1.Status
	if err := json.Unmarshal(r.Body, &status); err != nil {
		return err
	}
	status.Message = fromSecret
	if status.Details != nil {
		status.Details.Causes = nil
	}
	body, err := json.Marshal(status)
	r.Body = body
	return err
}
