package server

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/server/api"
)

// applies are the recorded applies to main resources of built-in kinds.
func applies(t *testing.T) []api.Request {
	t.Helper()
	var found []api.Request
	for _, call := range recordedCalls(t) {
		if call.Verb == api.Apply && call.Subresource == "" && call.DryRun == "" &&
			call.MediaType == "application/apply-patch+yaml" {
			found = append(found, call)
		}
	}
	return found
}

func do(t *testing.T, server *Server, call api.Request) api.Response {
	t.Helper()
	response, err := server.Do(context.Background(), call)
	if err != nil {
		t.Fatalf("%s %s %s: %v", call.Verb, call.Kind, call.Name, err)
	}
	return response
}

func decoded(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// withoutLeftOut removes what an answer to a create cannot have, so that it
// compares with a later one.
func withoutLeftOut(object map[string]any) map[string]any {
	if metadata, ok := object["metadata"].(map[string]any); ok {
		for _, key := range []string{"uid", "resourceVersion", "creationTimestamp"} {
			delete(metadata, key)
		}
	}
	return object
}

// TestReapplyIsANoOp: the same apply to a live object again changes nothing,
// its managed fields entry included. (A create is another matter: admission
// adds a taint to a new Node's atomic list, which the next apply takes away.)
func TestReapplyIsANoOp(t *testing.T) {
	server := newServer(t, Options{})
	checked := 0
	for _, call := range applies(t) {
		if call.Live == nil {
			continue
		}
		first := do(t, server, call)
		if first.Code >= http.StatusMultipleChoices || first.Deleted || hasVersion(call.Body) {
			continue
		}
		again := call
		again.Live = first.Stored
		second := do(t, server, again)
		if second.Code >= http.StatusMultipleChoices {
			t.Errorf("%s %s: code %d the second time: %s", call.Kind, call.Name, second.Code, second.Body)
			continue
		}
		if diff := cmp.Diff(withoutLeftOut(decoded(t, first.Stored)), withoutLeftOut(decoded(t, second.Stored))); diff != "" {
			t.Errorf("%s %s (-first +second):\n%s", call.Kind, call.Name, diff)
		}
		checked++
	}
	if checked < 60 {
		t.Errorf("checked %d applies only", checked)
	}
}

// hasVersion reports whether a body asks for a resourceVersion or uid, which a
// second write need not meet.
func hasVersion(body []byte) bool {
	var object struct {
		Metadata struct{ ResourceVersion, UID string }
	}
	return json.Unmarshal(body, &object) == nil && object.Metadata.ResourceVersion+object.Metadata.UID != ""
}

// TestForceLeavesNoConflict: with force, no apply is refused for ownership,
// and what it applied it owns, so that a re-apply without force is accepted.
func TestForceLeavesNoConflict(t *testing.T) {
	server := newServer(t, Options{})
	checked := 0
	for _, call := range applies(t) {
		if isOwnershipConflict(do(t, server, call)) {
			call.Force = true
			forced := do(t, server, call)
			if isOwnershipConflict(forced) {
				t.Errorf("%s %s conflicts with force: %s", call.Kind, call.Name, forced.Body)
				continue
			}
			checked++
			if forced.Code >= http.StatusMultipleChoices {
				continue
			}
			call.Force, call.Live = false, forced.Stored
			if again := do(t, server, call); isOwnershipConflict(again) {
				t.Errorf("%s %s conflicts with what it took: %s", call.Kind, call.Name, again.Body)
			}
		}
	}
	if checked < 20 {
		t.Errorf("checked %d conflicts only", checked)
	}
}

func isOwnershipConflict(r api.Response) bool {
	var status struct {
		Details struct {
			Causes []struct{ Reason string }
		}
	}
	return r.Code == http.StatusConflict && json.Unmarshal(r.Body, &status) == nil &&
		len(status.Details.Causes) > 0 && status.Details.Causes[0].Reason == "FieldManagerConflict"
}
