package pasted

import (
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/report"
)

// named are the words of clients around a message that names no object, with the object in
// them: kind, namespace, name and version are the groups of these names.
var named = []*regexp.Regexp{
	// Helm 4, pkg/kube/client.go.
	regexp.MustCompile(
		`conflict occurred while applying object (?P<namespace>[^/\s]*)/(?P<name>\S+) (?P<version>\S+), Kind=(?P<kind>\w+)`,
	),
	// Helm 3, and Helm 4 client-side.
	regexp.MustCompile(`cannot (?:patch|create|update|replace) "(?P<name>[^"\s]+)" with kind (?P<kind>\w+)`),
	// Flux, pkg/ssa/errors.
	regexp.MustCompile(
		`(?P<kind>[A-Z]\w+)/(?:(?P<namespace>[a-z0-9.-]+)/)?(?P<name>[a-z0-9.:-]+) (?:dry-run|apply) failed`,
	),
}

// targetOf is the object of a refusal: the one of the message, or else of the client's words
// ahead of it; empty for none.
func targetOf(q causes.Quoted) report.Target {
	out := q.Target
	for _, words := range named {
		all := words.FindAllStringSubmatch(q.Before, -1)
		if all == nil {
			continue
		}
		found := all[len(all)-1]
		group := func(name string) string {
			if i := words.SubexpIndex(name); i >= 0 {
				return found[i]
			}
			return ""
		}
		if out.Name == "" {
			out = report.Target{Kind: group("kind"), Name: group("name"), APIVersion: group("version")}
		}
		if out.Namespace == "" && out.Name == group("name") {
			out.Namespace = group("namespace")
		}
		return out
	}
	return out
}

// printed are the words by which a client is known, in the order in which they decide: a
// client in which kubectl's code runs prints kubectl's words too.
var printed = []struct{ client, words string }{
	{"helm", "UPGRADE FAILED"},
	{"helm", "INSTALLATION FAILED"},
	{"helm", "conflict occurred while applying object"},
	{"flux", "kustomize-controller"},
	{"flux", "dry-run failed"},
	{"argocd", "argocd"},
	{"argocd", "one or more objects failed to apply"},
	{"kubectl", "Please review the fields above"},
	{"kubectl", "Error from server"},
	{"kubectl", "error: Apply failed"},
}

// clientOf is who printed a text; empty where it does not say so.
func clientOf(text string) string {
	for _, p := range printed {
		if strings.Contains(text, p.words) {
			return p.client
		}
	}
	return ""
}
