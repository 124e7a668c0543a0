package engine

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/server/api"
)

// fromSecret stands for a text that depends on values of a Secret.
const fromSecret = "*** (made from values of a Secret; --show-secrets shows it)"

// lastApplied is where kubectl keeps a manifest, with all that is in it.
const lastApplied = ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration"

// Hidden are the paths of the fields that are not shown: those that policies made from values of Secrets (by),
// and those that were made before the write. A manifest that kubectl keeps has them too.
func Hidden(made []disguise.Path, by []string) []string {
	if len(made) == 0 {
		return by
	}
	out := append(slices.Clone(by), lastApplied)
	for _, path := range made {
		out = append(out, path.String())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// conceal masks what an answer says of fields that were made from values of Secrets before the write: rules of
// definitions and validation quote them, or parts of them. The server is asked again with other values there;
// what it says then too is said. A conflict names fields and managers alone.
func (s *simulation) conceal(req api.Request, resp api.Response) api.Response {
	if len(s.write.Derived) == 0 || accepted(resp.Code) && len(resp.Warnings) == 0 || resp.Code == http.StatusConflict {
		return resp
	}
	var there map[string]any
	var warnings []string
	if other, err := s.server.Do(s.ctx, s.otherwise(req)); err == nil {
		warnings = other.Warnings
		// An object in place of a Status says nothing.
		_ = json.Unmarshal(other.Body, &there)
	}
	for i, text := range resp.Warnings {
		if !slices.Contains(warnings, text) {
			resp.Warnings = slices.Clone(resp.Warnings)
			resp.Warnings[i] = fromSecret
		}
	}
	var status map[string]any
	if accepted(resp.Code) || json.Unmarshal(resp.Body, &status) != nil || reflect.DeepEqual(status, there) {
		return resp
	}
	if body, err := json.Marshal(discreet(status, there)); err == nil {
		resp.Body = body
	}
	return resp
}

// discreet is a Status without what another one does not say.
func discreet(status, there map[string]any) map[string]any {
	if status["message"] != there["message"] {
		status["message"] = fromSecret
	}
	details, _ := status["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	others, _ := there["details"].(map[string]any)
	known, _ := others["causes"].([]any)
	for i, item := range causes {
		said := slices.ContainsFunc(known, func(other any) bool { return reflect.DeepEqual(item, other) })
		if cause, is := item.(map[string]any); is && !said {
			cause["message"] = fromSecret
			causes[i] = cause
		}
	}
	return status
}

// otherwise is a request with other values in place of those that were made from Secrets.
func (s *simulation) otherwise(req api.Request) api.Request {
	w := s.write
	changed := func(object map[string]any) map[string]any {
		var out any = object
		for _, path := range w.Derived {
			out = path.In(out, disguise.Value)
		}
		tree, _ := out.(map[string]any)
		return tree
	}
	if object := w.Object(); object != nil {
		if sent, err := w.Send(changed(object)); err == nil {
			w = sent
		}
	}
	if live := w.LiveObject; live != nil {
		w = w.On(changed(live))
	}
	out := w.request()
	out.Force, out.DryRun, out.Derived = req.Force, req.DryRun, nil
	return out
}
