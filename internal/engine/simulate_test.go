package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

const liveGadget = `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","managedFields":[
	{"manager":"scaler","operation":"Update","subresource":"scale","apiVersion":"lab.example.com/v1","time":"2024-05-01T10:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}}},
	{"manager":"helm","operation":"Apply","apiVersion":"lab.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:cpu":{},"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:name":{}}}}}}
	]},"spec":{"replicas":5,"cpu":"1","ports":[{"port":80,"protocol":"TCP","name":"web"}]}}`

const conflictStatus = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409,"message":"Apply failed with 4 conflicts","details":{"causes":[
	{"reason":"FieldManagerConflict","message":"conflict with \"helm\"","field":".spec.ports[port=80,protocol=\"TCP\"].name"},
	{"reason":"FieldManagerConflict","message":"conflict with \"scaler\" with subresource \"scale\" using lab.example.com/v1","field":".spec.replicas"},
	{"reason":"FieldManagerConflict","message":"conflict with \"before-first-apply\" using lab.example.com/v1 at 2024-05-02T00:00:00Z","field":".spec.cpu"},
	{"reason":"FieldManagerConflict","message":"conflict with \"gone \\\"quoted\\\"\"","field":".spec.nowhere"}
	]}}`

func applyGadget(force bool) engine.Write {
	return engine.Write{
		Verb:    api.Apply,
		Kind:    gadgetKind,
		Name:    "g",
		Manager: "me",
		Force:   force,
		Live:    []byte(liveGadget),
		Body: []byte(
			`{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":3,"cpu":"2","ports":[{"port":80,"name":"http"}]}}`,
		),
		Locator: lines{".spec.replicas": 7, ".spec.ports": 9, ".spec": 6},
	}
}

// conflicting refuses without force, and takes everything with it.
func conflicting(stored string) scripted {
	return scripted{do: func(r api.Request) (api.Response, error) {
		if !r.Force {
			return api.Response{Code: 409, Body: []byte(conflictStatus)}, nil
		}
		return api.Response{Code: 200, Stored: []byte(stored)}, nil
	}}
}

const forcedGadget = `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","managedFields":[
	{"manager":"me","operation":"Apply","apiVersion":"lab.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{},"f:cpu":{}}}},
	{"manager":"helm","operation":"Apply","apiVersion":"lab.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:cpu":{}}}}
	]},"spec":{"replicas":3,"cpu":"1"}}`

func TestConflicts(t *testing.T) {
	r := engine.Simulate(t.Context(), conflicting(forcedGadget), applyGadget(false))
	may1 := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	may2 := time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC)
	at := func(line int) *report.Source { return &report.Source{File: "g.yaml", Document: 1, Line: line} }
	want := []report.Conflict{{
		Field: ".spec.cpu",
		Writer: report.Writer{
			Manager:    "before-first-apply",
			Operation:  "Update",
			APIVersion: "lab.example.com/v1",
			Time:       &may2,
		},
		Live:    "1",
		Applied: "2",
		Source:  at(6),
	}, {
		Field:          ".spec.nowhere",
		Writer:         report.Writer{Manager: `gone "quoted"`, Operation: "Apply"},
		LiveMissing:    true,
		AppliedMissing: true,
	}, {
		Field:   `.spec.ports[port=80,protocol="TCP"].name`,
		Writer:  report.Writer{Manager: "helm", Operation: "Apply", APIVersion: "lab.example.com/v1"},
		Live:    "web",
		Applied: "http",
		Source:  at(9),
	}, {
		Field: ".spec.replicas",
		Writer: report.Writer{
			Manager:     "scaler",
			Operation:   "Update",
			Subresource: "scale",
			APIVersion:  "lab.example.com/v1",
			Time:        &may1,
		},
		Live:    int64(5),
		Applied: int64(3),
		Source:  at(7),
	}}
	if diff := cmp.Diff(want, r.Conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
}

func TestForced(t *testing.T) {
	r := engine.Simulate(t.Context(), conflicting(forcedGadget), applyGadget(false))
	if r.Outcome != report.Conflicted || r.Object != nil || len(r.Changes) > 0 || len(r.Transfers) > 0 {
		t.Errorf("a refused apply changes something: %+v", r)
	}
	want := []report.Transfer{
		{Field: ".spec.cpu", Manager: "me", Operation: "Apply", Kind: report.Shared},
		{Field: `.spec.ports[port=80,protocol="TCP"]`, Manager: "helm", Operation: "Apply", Kind: report.TransferRemoved},
		{
			Field:     `.spec.ports[port=80,protocol="TCP"].name`,
			Manager:   "helm",
			Operation: "Apply",
			Kind:      report.TransferRemoved,
		},
		{Field: ".spec.replicas", Manager: "me", Operation: "Apply", Kind: report.Acquired},
		{
			Field:       ".spec.replicas",
			Manager:     "scaler",
			Operation:   "Update",
			Subresource: "scale",
			Kind:        report.Overridden,
			Cause:       report.ByForce,
		},
	}
	if diff := cmp.Diff(want, r.Forced.Transfers); diff != "" {
		t.Errorf("transfers by force (-want +got):\n%s", diff)
	}
	asked := engine.Simulate(t.Context(), conflicting(forcedGadget), applyGadget(true))
	if diff := cmp.Diff(asked.Changes, r.Forced.Changes); diff != "" {
		t.Errorf("what-if and forced apply differ (-forced +what-if):\n%s", diff)
	}
	if asked.Forced != nil || len(asked.Conflicts) > 0 {
		t.Errorf("a forced apply has conflicts: %+v", asked.Conflicts)
	}
}

func TestOutcomes(t *testing.T) {
	same := `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":1.0}}`
	live := `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","creationTimestamp":null},"spec":{"replicas":1}}`
	for _, test := range []struct {
		name    string
		live    string
		resp    api.Response
		err     error
		want    report.Outcome
		wantErr string
	}{
		{name: "created", resp: api.Response{Code: 201, Stored: []byte(same)}, want: report.Created},
		{name: "unchanged", live: live, resp: api.Response{Code: 200, Stored: []byte(same)}, want: report.Unchanged},
		{name: "a binding answers 201 for an object that was there", live: live, resp: api.Response{Code: 201, Stored: []byte(liveGadget)}, want: report.Configured},
		{name: "deleted", live: live, resp: api.Response{Code: 200, Deleted: true}, want: report.Configured},
		{name: "conflict", live: live, resp: api.Response{Code: 409, Body: []byte(conflictStatus)}, want: report.Conflicted},
		{name: "stale", live: live, resp: api.Response{Code: 409, Body: []byte(`{"kind":"Status","reason":"Conflict","message":"modified"}`)}, want: report.Invalid},
		{name: "no Status", live: live, resp: api.Response{Code: 415, Body: []byte("no such type")}, want: report.Invalid},
		{name: "error", err: errors.New("conversion by webhook"), want: report.Failed, wantErr: "conversion by webhook"},
		{name: "an answer that is no object", resp: api.Response{Code: 200, Body: []byte("<")}, want: report.Failed,
			wantErr: "parse the answer of the API server: invalid character '<' looking for beginning of value"},
		{name: "a live object that is none", live: "[]", want: report.Failed,
			wantErr: "parse the live object: json: cannot unmarshal array into Go value of type map[string]interface {}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := engine.Write{Verb: api.Apply, Kind: gadgetKind, Name: "g", Manager: "m"}
			if test.live != "" {
				w.Live = []byte(test.live)
			}
			r := engine.Simulate(
				t.Context(),
				scripted{do: func(api.Request) (api.Response, error) { return test.resp, test.err }},
				w,
			)
			if r.Outcome != test.want || r.Error != test.wantErr {
				t.Errorf("got %s, %q; want %s, %q", r.Outcome, r.Error, test.want, test.wantErr)
			}
			if r.Code != test.resp.Code && r.Outcome != report.Failed {
				t.Errorf("code %d, want %d", r.Code, test.resp.Code)
			}
		})
	}
}

func TestPanicIsFailed(t *testing.T) {
	r := engine.Simulate(
		t.Context(),
		scripted{do: func(api.Request) (api.Response, error) { panic("boom") }},
		applyGadget(false),
	)
	if r.Outcome != report.Failed || !strings.HasPrefix(r.Error, "internal error: boom (in ") {
		t.Errorf("got %s, %q", r.Outcome, r.Error)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := engine.Simulate(ctx, conflicting(forcedGadget), applyGadget(false))
	if r.Outcome != report.Failed || r.Error != context.Canceled.Error() {
		t.Errorf("got %s, %q", r.Outcome, r.Error)
	}
}

func TestNotices(t *testing.T) {
	entry := func(version, fields string) string {
		return fmt.Sprintf(
			`{"manager":"m","operation":"Apply","apiVersion":%q,"fieldsType":"FieldsV1","fieldsV1":%s}`,
			version,
			fields,
		)
	}
	served := []schema.GroupVersionKind{gadgetKind, gadgetKind.GroupKind().WithVersion("v2")}
	for _, test := range []struct {
		name    string
		verb    api.Verb
		entries string
		custom  bool
		want    []string
		// more is what the object has besides.
		more string
		// untracked: a caveat says that there are none.
		untracked bool
		// refused: no server accepts an apply over entries that it cannot read.
		refused bool
	}{
		{name: "good entries", verb: api.Apply, entries: entry("lab.example.com/v1", "{}") + "," + entry("lab.example.com/v2", "{}")},
		{name: "none", verb: api.Apply, more: `,"spec":{}`, untracked: true},
		{name: "none, of an object that has a name only", verb: api.Apply},
		{name: "none, deleted", verb: api.Delete},
		{name: "unserved version", verb: api.Apply, entries: entry("lab.example.com/v0", "{}"),
			want: []string{`managedFields entry 1 (manager "m") is at API version lab.example.com/v0, which the server does not serve: it drops the entry`}},
		{name: "unserved version of a custom resource", verb: api.Apply, entries: entry("lab.example.com/v0", "{}"), custom: true,
			want: []string{`managedFields entry 1 (manager "m") is at API version lab.example.com/v0, which the server does not serve: it counts as long as the CustomResourceDefinition still has that version, and else stands in the way of every apply`}},
		{name: "broken", verb: api.Apply, refused: true, entries: entry("lab.example.com/v1", "{}") + "," + entry("lab.example.com/v1", "[]"),
			want: []string{`managedFields entry 2 (manager "m") cannot be read: fieldsV1: not an object; the server refuses every apply to the object until its managedFields are cleared`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			live := `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","managedFields":[` + test.entries + `]}` + test.more + `}`
			server := scripted{served: served, custom: test.custom, do: func(api.Request) (api.Response, error) {
				if test.refused {
					return api.Response{Code: 500, Body: []byte(`{"kind":"Status","code":500}`)}, nil
				}
				return api.Response{Code: 200, Stored: []byte(live + " ")}, nil
			}}
			r := engine.Simulate(
				t.Context(),
				server,
				engine.Write{Verb: test.verb, Kind: gadgetKind, Name: "g", Manager: "m", Live: []byte(live)},
			)
			if diff := cmp.Diff(test.want, r.Notices); diff != "" {
				t.Errorf("notices (-want +got):\n%s", diff)
			}
			if r.Confidence.Has(report.RuleNoManagedFields) != test.untracked {
				t.Errorf("reasons: %v", r.Confidence.Reasons)
			}
		})
	}
}

func TestConfidence(t *testing.T) {
	webhooks := report.Caveat{Kind: api.Admission, Message: "Webhooks were not called."}
	given := func(field string) report.Caveat {
		return report.Caveat{Kind: api.ServerAssigned, Field: field, Message: "Only a server can give this value: left out."}
	}
	for _, test := range []struct {
		name string
		resp api.Response
		want report.Confidence
	}{
		{name: "exact", want: report.Confidence{Level: report.Exact}},
		{name: "identity", resp: api.Response{ServerValues: []string{".metadata.uid"}},
			want: report.Confidence{Level: report.Exact, Notes: []string{"Only a server can give .metadata.uid: left out."}, Reasons: []report.Caveat{given(".metadata.uid")}}},
		{name: "allocated", resp: api.Response{ServerValues: []string{".metadata.uid", ".spec.clusterIP"}},
			want: report.Confidence{Level: report.Exact, Notes: []string{"Only a server can give .metadata.uid, .spec.clusterIP: left out."},
				Reasons: []report.Caveat{given(".metadata.uid"), given(".spec.clusterIP")}}},
		{name: "not simulated", resp: api.Response{ServerValues: []string{".metadata.uid"}, Unsimulated: []report.Caveat{webhooks}},
			want: report.Confidence{Level: report.Partial, Notes: []string{"Webhooks were not called.", "Only a server can give .metadata.uid: left out."},
				Reasons: []report.Caveat{webhooks, given(".metadata.uid")}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.resp.Code, test.resp.Stored = 201, []byte(forcedGadget)
			r := engine.Simulate(t.Context(), scripted{do: func(api.Request) (api.Response, error) { return test.resp, nil }},
				engine.Write{Verb: api.Apply, Kind: gadgetKind, Name: "g", Manager: "m"})
			if diff := cmp.Diff(test.want, r.Confidence); diff != "" {
				t.Errorf("confidence (-want +got):\n%s", diff)
			}
		})
	}
}

func TestManagerFromUserAgent(t *testing.T) {
	server := scripted{do: func(api.Request) (api.Response, error) {
		return api.Response{Code: 200, Stored: []byte(forcedGadget)}, nil
	}}
	for _, test := range []struct {
		verb                 api.Verb
		manager, agent, want string
	}{
		{api.Update, "", "kube\x07ctl/v1.36 (linux)", "kubectl"},
		{api.Update, "me", "kubectl/v1.36", "me"},
		{api.Apply, "", "kubectl/v1.36", ""},
	} {
		w := engine.Write{Verb: test.verb, Kind: gadgetKind, Manager: test.manager, UserAgent: test.agent}
		if got := engine.Simulate(t.Context(), server, w).Manager; got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}

// TestOtherVersion tells changes at the request's version: the live object is
// converted by asking the server for it.
func TestOtherVersion(t *testing.T) {
	v1 := `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":1}}`
	server := scripted{do: func(r api.Request) (api.Response, error) {
		if r.Verb == api.MergePatch && string(r.Body) == "{}" {
			return api.Response{Code: 200, Body: []byte(v1), Stored: r.Live}, nil
		}
		return api.Response{
			Code:   200,
			Stored: []byte(`{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":2}}`),
		}, nil
	}}
	r := engine.Simulate(t.Context(), server, engine.Write{
		Verb: api.Apply, Kind: gadgetKind, Manager: "m",
		Live: []byte(`{"apiVersion":"lab.example.com/v0","kind":"Gadget","metadata":{"name":"g"},"spec":{"size":1}}`),
		Body: []byte(`{"spec":{"replicas":2}}`),
	})
	want := []report.Change{
		{Field: ".spec.replicas", Kind: report.Modified, Before: int64(1), After: int64(2), Reason: report.ReasonApplied},
	}
	if diff := cmp.Diff(want, r.Changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if r.Live["apiVersion"] != "lab.example.com/v0" {
		t.Errorf("the live object is not told as given: %v", r.Live["apiVersion"])
	}
}

// TestDetail: a result that is asked for its outcome alone says the same as one in
// full, but for the fields of an object that is known to stay as it is.
func TestDetail(t *testing.T) {
	live := `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":1}}`
	changed := `{"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"replicas":2}}`
	for _, test := range []struct {
		name    string
		resp    api.Response
		outcome report.Outcome
		changes int
	}{
		{"unchanged", api.Response{Code: 200, Stored: []byte(live), Warnings: []string{"w"}}, report.Unchanged, 0},
		{"changed", api.Response{Code: 200, Stored: []byte(changed), Unsimulated: []report.Caveat{{Kind: api.Admission, Message: "u"}}}, report.Configured, 1},
		{"equal after all", api.Response{Code: 200, Stored: []byte(live + " ")}, report.Unchanged, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := scripted{do: func(api.Request) (api.Response, error) { return test.resp, nil }}
			w := engine.Write{Verb: api.Apply, Kind: gadgetKind, Name: "g", Manager: "m", Live: []byte(live)}
			full := engine.Simulate(t.Context(), server, w)
			w.Detail = engine.DetailOutcome
			brief := engine.Simulate(t.Context(), server, w)
			if full.Outcome != test.outcome || len(full.Changes) != test.changes || full.Changes == nil ||
				full.Ownership == nil ||
				full.Transfers == nil {
				t.Errorf("in full: %s with changes %v", full.Outcome, full.Changes)
			}
			if brief.Ownership != nil {
				t.Error("in brief: owners of single fields are reported")
			}
			full.Ownership = nil
			if test.name == "unchanged" {
				if brief.Changes != nil || brief.Transfers != nil {
					t.Error("in brief: single fields are reported")
				}
				full.Changes, full.Transfers, full.Notices = nil, nil, nil
			}
			if diff := cmp.Diff(full, brief); diff != "" {
				t.Errorf("(-in full +in brief)\n%s", diff)
			}
		})
	}
}
