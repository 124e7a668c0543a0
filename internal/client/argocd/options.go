package argocd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// simulatedOptions are the sync options that are simulated, or that change nothing of a
// sync: Validate is about clients that validate, Delete about the end of the Application.
var simulatedOptions = []string{
	"ServerSideApply", "Replace", "Force", "Prune", "PruneLast", "PrunePropagationPolicy",
	"RespectIgnoreDifferences", "CreateNamespace", "ClientSideApplyMigration",
	"SkipDryRunOnMissingResource", "FailOnSharedResource", "Validate", "Delete",
}

// notSimulated are the sync options among some that are not simulated.
func notSimulated(options []string) []string {
	var out []string
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		if option != "" && !slices.Contains(simulatedOptions, name) && (name != "ApplyOutOfSyncOnly" || value != "false") {
			out = append(out, option)
		}
	}
	return out
}

// optionValue is the value of an option NAME=VALUE; false where there is none (argo-cd,
// SyncOptions.GetOptionValue).
func optionValue(options []string, name string) (string, bool) {
	for _, option := range options {
		if value, is := strings.CutPrefix(option, name+"="); is {
			return value, true
		}
	}
	return "", false
}

// optionsOf are the sync options of an object.
func optionsOf(object map[string]any) []string {
	var out []string
	for option := range strings.SplitSeq(objects.Annotations(object)[syncOptions], ",") {
		out = append(out, strings.TrimSpace(option))
	}
	return out
}

// pruneOption is what the options say of pruning a live object: its own before those of the
// Application.
func (a *argoCD) pruneOption(live map[string]any) string {
	if value, is := optionValue(optionsOf(live), "Prune"); is {
		return value
	}
	value, _ := optionValue(a.options, "Prune")
	return value
}

// propagation is how a sync prunes.
func (a *argoCD) propagation() string {
	for _, policy := range []string{"Background", "Foreground", "Orphan"} {
		if slices.Contains(a.options, "PrunePropagationPolicy="+strings.ToLower(policy)) {
			return policy
		}
	}
	return "Foreground"
}

// doubts are the options that an answer does not go by, and what it guesses.
func (a *argoCD) doubts(w engine.Write) (out []report.Caveat) {
	say := func(format string, args ...any) {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(format, args...)})
	}
	for _, option := range notSimulated(a.options) {
		say("The sync option %s of the Application is not simulated.", option)
	}
	if slices.Contains(a.options, "Force=true") {
		say("Argo CD reads Force=true from annotations and from the request of a sync, " +
			"not from syncOptions of the Application: the answer is that of such a sync.")
	}
	own := append(optionsOf(client.Manifest(w)), optionsOf(client.Live(w))...)
	slices.Sort(own)
	for _, option := range notSimulated(slices.Compact(own)) {
		say("The sync option %s of the object is not simulated.", option)
	}
	if a.guessesFor(w) {
		say("The tracking id has the destination namespace of the Application, which no input says: "+
			"-n gives it, or the Application; %s is assumed.", cmp.Or(a.namespace, "none"))
	}
	return out
}

// shared is what a live object of another application is called where FailOnSharedResource
// ends a sync; empty for none (argo-cd, controller/state.go and sync.go).
func (a *argoCD) shared(live map[string]any) string {
	id := trackedBy(live)
	if id == "" || a.names[id] > 0 {
		return ""
	}
	return fmt.Sprintf(
		"Shared resource found: %s/%s is part of applications %s/%s and %s",
		objects.Text(
			live,
			"kind",
		),
		objects.Text(live, "metadata", "name"),
		objects.Text(a.app, "metadata", "namespace"),
		objects.Text(a.app, "metadata", "name"),
		strings.ReplaceAll(id, "_", "/"),
	)
}
