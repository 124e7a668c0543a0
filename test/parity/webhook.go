package parity

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/server/api"
)

var webhookFailure = regexp.MustCompile(`^Internal error occurred: failed calling webhook ("[^"]+"): `)

// failedWebhook is the quoted name of the webhook that the recorded server could
// not reach and for which it refused the request; empty for none.
func failedWebhook(step Step) string {
	if step.Status != http.StatusInternalServerError {
		return ""
	}
	status, _ := decode(step.Response)
	object, _ := status.(map[string]any)
	message, _ := object["message"].(string)
	if found := webhookFailure.FindStringSubmatch(message); found != nil {
		return found[1]
	}
	return ""
}

// names reports whether an answer says that a webhook would be called.
func names(got api.Response, webhook string) bool {
	if webhook == "" {
		return false
	}
	for _, caveat := range got.Unsimulated {
		if caveat.Kind == api.Admission && strings.Contains(caveat.Message, "would call the webhook "+webhook) {
			return true
		}
	}
	return false
}
