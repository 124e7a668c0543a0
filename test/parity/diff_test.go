package parity

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/server/api"
)

// recordedAt is when the steps of this test were recorded.
var recordedAt = time.Date(2026, 11, 21, 4, 0, 0, 0, time.UTC)

func TestDiff(t *testing.T) {
	const live = `{"kind":"ConfigMap","metadata":{"name":"a","uid":"5f0e8a6b-0c0d-4a4f-9d1c-1f2a3b4c5d6e"}}`
	tests := []struct {
		name     string
		target   Target
		live     string
		body     string
		recorded string
		answered string
		want     string
	}{
		{
			name:     "uid and resource version",
			live:     live,
			recorded: `{"kind":"ConfigMap","metadata":{"uid":"1","resourceVersion":"2","name":"a"}}`,
			answered: `{"kind":"ConfigMap","metadata":{"name":"a"}}`,
		},
		{
			name:     "creation stamp of a new object",
			recorded: `{"kind":"ConfigMap","metadata":{"creationTimestamp":"2026-11-21T04:00:00Z"}}`,
			answered: `{"kind":"ConfigMap","metadata":{}}`,
		},
		{
			name:     "creation stamp of an old object",
			live:     live,
			recorded: `{"kind":"ConfigMap","metadata":{"creationTimestamp":"2020-01-01T00:00:00Z"}}`,
			answered: `{"kind":"ConfigMap","metadata":{"creationTimestamp":"2026-11-21T04:00:00Z"}}`,
			want:     `.metadata.creationTimestamp: recorded "2020-01-01T00:00:00Z", got "2026-11-21T04:00:00Z"`,
		},
		{
			name:     "time stamped by the request",
			live:     live,
			recorded: `{"kind":"Pod","status":{"conditions":[{"lastTransitionTime":"2026-11-21T04:00:00Z"}]}}`,
			answered: `{"kind":"Pod","status":{"conditions":[{"lastTransitionTime":"2026-11-22T04:00:00Z"}]}}`,
		},
		{
			name:     "time that no one stamped",
			live:     live,
			recorded: `{"kind":"Pod","status":{"startTime":"2026-11-20T04:00:00Z"}}`,
			answered: `{"kind":"Pod","status":{"startTime":"2026-11-22T04:00:00Z"}}`,
			want:     `.status.startTime: recorded "2026-11-20T04:00:00Z", got "2026-11-22T04:00:00Z"`,
		},
		{
			name:     "order and times of managed fields entries",
			live:     live,
			recorded: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"a","time":"2026-11-21T04:00:00Z"},{"manager":"b","time":"2026-11-21T03:00:00Z"}]}}`,
			answered: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"b","time":"2026-11-21T04:00:00Z"},{"manager":"a","time":"2026-11-21T04:00:00Z"}]}}`,
		},
		{
			name:     "entry without a time",
			live:     live,
			recorded: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"a","time":"2026-11-21T04:00:00Z"}]}}`,
			answered: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"a"}]}}`,
			want:     `.metadata.managedFields.[a <nil> <nil> <nil>]#0.time: recorded true, got false`,
		},
		{
			name:     "an entry twice",
			live:     live,
			recorded: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"a"},{"manager":"a"}]}}`,
			answered: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"a"}]}}`,
			want:     `.metadata.managedFields.[a <nil> <nil> <nil>]#1: recorded {"manager":"a","time":false}, got nothing`,
		},
		{
			name:     "owned field",
			live:     live,
			recorded: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"a","fieldsV1":{"f:data":{}}}]}}`,
			answered: `{"kind":"ConfigMap","metadata":{"managedFields":[{"manager":"a","fieldsV1":{}}]}}`,
			want:     `.metadata.managedFields.[a <nil> <nil> <nil>]#0.fieldsV1.f:data: recorded {}, got nothing`,
		},
		{
			name:     "allocated addresses and ports",
			body:     `{"kind":"Service"}`,
			recorded: `{"kind":"Service","spec":{"clusterIP":"10.96.0.9","clusterIPs":["10.96.0.9"],"healthCheckNodePort":31000,"ports":[{"port":80,"nodePort":30001}]}}`,
			answered: `{"kind":"Service","spec":{"ports":[{"port":80}]}}`,
		},
		{
			name:     "addresses that were asked for",
			body:     `{"kind":"Service","spec":{"clusterIP":"10.96.0.9","ports":[{"port":80,"nodePort":30001}]}}`,
			recorded: `{"kind":"Service","spec":{"clusterIP":"10.96.0.9","ports":[{"port":80,"nodePort":30001}]}}`,
			answered: `{"kind":"Service","spec":{"clusterIP":"None","ports":[{"port":80}]}}`,
			want: `.spec.clusterIP: recorded "10.96.0.9", got "None"
.spec.ports[0].nodePort: recorded 30001, got nothing`,
		},
		{
			name:     "no address wanted",
			recorded: `{"kind":"Service","spec":{"clusterIP":"None"}}`,
			answered: `{"kind":"Service","spec":{}}`,
			want:     `.spec.clusterIP: recorded "None", got nothing`,
		},
		{
			name:     "uid labels of a new Job",
			recorded: `{"kind":"Job","spec":{"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"u"}},"template":{"metadata":{"labels":{"controller-uid":"u","a":"b"}}}}}`,
			answered: `{"kind":"Job","spec":{"selector":{"matchLabels":{}},"template":{"metadata":{"labels":{"a":"b"}}}}}`,
		},
		{
			name:     "who asked for a certificate",
			recorded: `{"kind":"CertificateSigningRequest","spec":{"request":"r","username":"oracle-admin","groups":["system:masters"]}}`,
			answered: `{"kind":"CertificateSigningRequest","spec":{"request":"r","username":"someone"}}`,
		},
		{
			name:     "status of the server's own controllers",
			recorded: `{"kind":"FlowSchema","metadata":{"managedFields":[{"manager":"api-priority-and-fairness-config-consumer-v1","subresource":"status"}]},"status":{"conditions":[]}}`,
			answered: `{"kind":"FlowSchema","metadata":{},"status":{}}`,
		},
		{
			name:     "generated name",
			body:     `{"kind":"ConfigMap","metadata":{"generateName":"a-"}}`,
			recorded: `{"kind":"ConfigMap","metadata":{"generateName":"a-","name":"a-x7d2f"}}`,
			answered: `{"kind":"ConfigMap","metadata":{"generateName":"a-"}}`,
		},
		{
			name:     "labels with a generated name",
			body:     `{"kind":"Job","metadata":{"generateName":"j-"}}`,
			recorded: `{"kind":"Job","metadata":{"generateName":"j-","name":"j-x7d2f","labels":{"job-name":"j-x7d2f"}}}`,
			answered: `{"kind":"Job","metadata":{"generateName":"j-","name":"j-aaaaa","labels":{"job-name":"j-aaaaa"}}}`,
		},
		{
			name:     "no generated name in labels",
			body:     `{"kind":"Job","metadata":{"generateName":"j-"}}`,
			recorded: `{"kind":"Job","metadata":{"generateName":"j-","name":"j-x7d2f","labels":{"job-name":"j-x7d2f"}}}`,
			answered: `{"kind":"Job","metadata":{"generateName":"j-","labels":{}}}`,
		},
		{
			name:     "invented name in labels",
			body:     `{"kind":"Job","metadata":{"generateName":"j-"}}`,
			recorded: `{"kind":"Job","metadata":{"generateName":"j-","name":"j-x7d2f","labels":{"job-name":"j-x7d2f"}}}`,
			answered: `{"kind":"Job","metadata":{"generateName":"j-","labels":{"job-name":"j-aaaaa"}}}`,
			want:     `.metadata.labels.job-name: recorded "j-<generated>", got "j-aaaaa"`,
		},
		{
			name:     "refusal with a generated name",
			body:     `{"kind":"Job","metadata":{"generateName":"J-"}}`,
			recorded: `{"kind":"Status","message":"Job \"J-x7d2f\" is invalid","details":{"name":"J-x7d2f"}}`,
			answered: `{"kind":"Status","message":"Job \"J-aaaaa\" is invalid","details":{"name":"J-aaaaa"}}`,
		},
		{
			name:     "name that was given",
			body:     `{"kind":"ConfigMap","metadata":{"generateName":"a-","name":"a-b"}}`,
			recorded: `{"kind":"ConfigMap","metadata":{"generateName":"a-","name":"a-b"}}`,
			answered: `{"kind":"ConfigMap","metadata":{"generateName":"a-"}}`,
			want:     `.metadata.name: recorded "a-b", got nothing`,
		},
		{
			name:     "order of conflicts",
			live:     live,
			recorded: `{"kind":"Status","message":"Apply failed with 3 conflicts: conflicts with \"a\" using v1:\n- .data.x\n- .data.y\nconflicts with \"b\":\n- .data.x","details":{"causes":[{"field":".data.x"},{"field":".data.y"}]}}`,
			answered: `{"kind":"Status","message":"Apply failed with 3 conflicts: conflicts with \"b\":\n- .data.x\nconflicts with \"a\" using v1:\n- .data.y\n- .data.x","details":{"causes":[{"field":".data.y"},{"field":".data.x"}]}}`,
		},
		{
			name:     "another conflict",
			live:     live,
			recorded: `{"kind":"Status","message":"Apply failed with 1 conflict: conflict with \"a\": .data.x","details":{"causes":[{"field":".data.x"}]}}`,
			answered: `{"kind":"Status","message":"Apply failed with 1 conflict: conflict with \"a\": .data.x","details":{"causes":[{"field":".data.y"}]}}`,
			want:     `.details.causes[0].field: recorded ".data.x", got ".data.y"`,
		},
		{
			name:     "order of other causes",
			live:     live,
			recorded: `{"kind":"Status","message":"m","details":{"causes":[{"field":"a"},{"field":"b"}]}}`,
			answered: `{"kind":"Status","message":"m","details":{"causes":[{"field":"b"},{"field":"a"}]}}`,
			want: `.details.causes[0].field: recorded "a", got "b"
.details.causes[1].field: recorded "b", got "a"`,
		},
		{
			name:     "order of the causes of a custom resource",
			target:   Target{APIVersion: "example.com/v1", Kind: "A"},
			recorded: `{"kind":"Status","message":"bad: [spec.a: x, spec.b: y]","details":{"causes":[{"field":"spec.a","message":"x"},{"field":"spec.b","message":"y"}]}}`,
			answered: `{"kind":"Status","message":"bad: [spec.b: y, spec.a: x]","details":{"causes":[{"field":"spec.b","message":"y"},{"field":"spec.a","message":"x"}]}}`,
		},
		{
			name:     "order of causes at the keys of one map",
			live:     live,
			recorded: `{"kind":"Status","message":"bad: [m.labels: key a, m.labels: key b, spec: c]","details":{"causes":[{"field":"m.labels","message":"key a"},{"field":"m.labels","message":"key b"},{"field":"spec","message":"c"}]}}`,
			answered: `{"kind":"Status","message":"bad: [m.labels: key b, m.labels: key a, spec: c]","details":{"causes":[{"field":"m.labels","message":"key b"},{"field":"m.labels","message":"key a"},{"field":"spec","message":"c"}]}}`,
		},
		{
			name:     "other causes at the keys of one map",
			live:     live,
			recorded: `{"kind":"Status","message":"bad: [m.labels: key a, m.labels: key b]","details":{"causes":[{"field":"m.labels","message":"key a"},{"field":"m.labels","message":"key b"}]}}`,
			answered: `{"kind":"Status","message":"bad: [m.labels: key b, m.labels: key b]","details":{"causes":[{"field":"m.labels","message":"key b"},{"field":"m.labels","message":"key b"}]}}`,
			want:     `.details.causes[0].message: recorded "key a", got "key b"`,
		},
		{
			name:     "uid of a deleted object",
			live:     live,
			recorded: `{"kind":"Status","details":{"uid":"1","name":"a"}}`,
			answered: `{"kind":"Status","details":{"name":"a"}}`,
		},
		{
			name:     "which of several unknown fields",
			recorded: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): errors:\n  .spec.x: field not declared in schema\n  .spec.y: field not declared in schema"}`,
			answered: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.z: field not declared in schema"}`,
		},
		{
			name:     "what else is told beside an unknown field",
			recorded: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): errors:\n  .spec.a: expected map\n  .spec.x: field not declared in schema"}`,
			answered: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.x: field not declared in schema"}`,
		},
		{
			name:     "unknown field of another object",
			recorded: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.x: field not declared in schema"}`,
			answered: `{"kind":"Status","message":"failed to create typed patch object (ns/b; v1, Kind=Pod): .spec.x: field not declared in schema"}`,
			want:     `.message: recorded "failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.x: field not declared in schema", got "failed to create typed patch object (ns/b; v1, Kind=Pod): .spec.x: field not declared in schema"`,
		},
		{
			name:     "order of typed errors",
			recorded: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): errors:\n  .spec.a: expected map\n  .spec.b: expected map"}`,
			answered: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): errors:\n  .spec.b: expected map\n  .spec.a: expected map"}`,
		},
		{
			name:     "another typed error",
			recorded: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.a: expected map"}`,
			answered: `{"kind":"Status","message":"failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.a: field not declared in schema"}`,
			want:     `.message: recorded "failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.a: expected map", got "failed to create typed patch object (ns/a; v1, Kind=Pod): .spec.a: field not declared in schema"`,
		},
		{
			name:     "uid that the server made, in a message",
			recorded: `{"kind":"Status","message":"uid 00000000-0000-0000-0000-000000000001 at 2026-11-21T04:00:00Z"}`,
			answered: `{"kind":"Status","message":"uid 00000000-0000-0000-0000-000000000002 at 2026-11-21T04:00:01Z"}`,
		},
		{
			name:     "uid of the live object, in a message",
			live:     live,
			recorded: `{"kind":"Status","message":"uid 5f0e8a6b-0c0d-4a4f-9d1c-1f2a3b4c5d6e"}`,
			answered: `{"kind":"Status","message":"uid 00000000-0000-0000-0000-000000000002"}`,
			want:     `.message: recorded "uid 5f0e8a6b-0c0d-4a4f-9d1c-1f2a3b4c5d6e", got "uid <uid>"`,
		},
		{
			name:     "numbers as they are written",
			recorded: `{"kind":"A","spec":{"n":1}}`,
			answered: `{"kind":"A","spec":{"n":1.0}}`,
			want:     `.spec.n: recorded 1, got 1.0`,
		},
		{
			name:     "null is not absent",
			recorded: `{"kind":"A","spec":{"n":null}}`,
			answered: `{"kind":"A","spec":{}}`,
			want:     `.spec.n: recorded null, got nothing`,
		},
		{
			name:     "field that was not recorded",
			recorded: `{"kind":"A","spec":{}}`,
			answered: `{"kind":"A","spec":{"n":[1]}}`,
			want:     `.spec.n: not recorded, got [1]`,
		},
		{
			name:     "list of another length",
			recorded: `{"kind":"A","spec":[1]}`,
			answered: `{"kind":"A","spec":[1,2]}`,
			want:     `.spec: recorded [1], got [1,2]`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			step := Step{
				Target:     test.target,
				StartedAt:  recordedAt,
				FinishedAt: recordedAt,
				LiveBefore: json.RawMessage(test.live),
				Request:    HTTPRequest{Body: json.RawMessage(test.body)},
				Status:     200,
				Response:   json.RawMessage(test.recorded),
			}
			got := Diff(step, api.Response{Code: 200, Body: []byte(test.answered)})
			if diff := cmp.Diff(test.want, strings.TrimSuffix(got, "\n")); diff != "" {
				t.Errorf("difference (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffOfWarnings(t *testing.T) {
	step := Step{Status: 200, Warnings: []string{`299 - "unknown field \"specc\""`, "plain"}}
	if diff := Diff(step, api.Response{Code: 200, Warnings: []string{`unknown field "specc"`, "plain"}}); diff != "" {
		t.Errorf("the same warnings differ: %s", diff)
	}
	got := Diff(step, api.Response{Code: 200, Warnings: []string{"plain", `unknown field "specc"`}})
	want := "warnings[0]: recorded \"unknown field \\\"specc\\\"\", got \"plain\"\nwarnings[1]: recorded \"plain\", got \"unknown field \\\"specc\\\"\"\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("difference (-want +got):\n%s", diff)
	}
}

func TestCRDsAt(t *testing.T) {
	crd := func(text string) json.RawMessage {
		return json.RawMessage(
			`{"kind":"CustomResourceDefinition","metadata":{"name":"a.example.com"},"spec":"` + text + `"}`,
		)
	}
	target := Target{APIVersion: "apiextensions.k8s.io/v1", Kind: crdKind, Name: "a.example.com"}
	scenario := Scenario{
		CRDs: []json.RawMessage{crd("installed")},
		Steps: []Step{
			{Target: Target{APIVersion: "example.com/v1", Kind: "A", Name: "x"}, LiveAfter: json.RawMessage(`{"kind":"A"}`)},
			{Target: target, LiveAfter: crd("changed")},
			{Target: target, LiveAfter: json.RawMessage("null")},
		},
	}
	want := []string{string(crd("installed")), string(crd("installed")), string(crd("changed")), ""}
	for i, want := range want {
		var got string
		for _, found := range scenario.CRDsAt(i) {
			got += string(found)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("definitions at step %d (-want +got):\n%s", i, diff)
		}
	}
	if diff := cmp.Diff([]json.RawMessage{json.RawMessage(`{"kind":"A"}`)}, scenario.ObjectsAt(3)); diff != "" {
		t.Errorf("objects at the end (-want +got):\n%s", diff)
	}
}
