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

// needless is the webhook that an answer says a server would call, for sure and
// with nothing left to do where it cannot be reached, though the recorded server,
// whose webhooks nobody answers, accepted the request; empty for none.
func needless(step Step, got api.Response) string {
	if step.Status >= http.StatusMultipleChoices {
		return ""
	}
	for _, caveat := range got.Unsimulated {
		found := certainCall.FindStringSubmatch(caveat.Message)
		if caveat.Kind == api.Admission && found != nil {
			return found[1]
		}
	}
	return ""
}

// certainCall is the sentence about a webhook without whose answer a server refuses.
var certainCall = regexp.MustCompile(`would call the webhook ("[^"]+") of [A-Za-z]+ "[^"]+": .*failurePolicy Fail`)
