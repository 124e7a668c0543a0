package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// FuzzAudit: whatever an object and its managed fields are, the audit does not
// panic, leaves the object unchanged, reports the same findings twice, in
// order, and none if all are suppressed.
func FuzzAudit(f *testing.F) {
	f.Add(`{}`)
	f.Add(
		`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","managedFields":[{}],"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"stringData\":[]}"}}}`,
	)
	f.Add(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"w","managedFields":[
		{"manager":"a","operation":"Apply","apiVersion":"apps/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:env":{"k:{\"name\":\"A\"}":{}}}}}}}}},
		{"manager":"helm","operation":"Update","apiVersion":"apps/v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:env":{"k:{\"name\":\"A\"}":{},"k:{\"name\":\"B\"}":{},"v:1":{},"i:0":{}}}}}}}}}]},
		"spec":{"template":{"spec":{"containers":[{"name":"c","env":[{"name":"A"},{"name":"A"},null,1]},[]]}}}}`)
	f.Add(
		`{"apiVersion":"v1","kind":"Service","metadata":[],"spec":{"ports":[{"port":{}},{"port":1},{"port":1,"protocol":"UDP"}]}}`,
	)
	server := newScripted(f)
	f.Fuzz(func(t *testing.T, text string) {
		var live, before map[string]any
		if kjson.Unmarshal([]byte(text), &live) != nil || kjson.Unmarshal([]byte(text), &before) != nil {
			return
		}
		o := server.of(live)
		for _, o := range []rules.Object{o, {Target: o.Target, Live: live, Deduced: true, Shape: managedfields.Shape{}}} {
			server.reapply = report.Result{
				Outcome: report.Configured,
				Changes: []report.Change{{Field: ".data.a", Reason: report.ReasonApplied}},
			}
			doc := conclude(t, server, o)
			again := conclude(t, server, o)
			if diff := cmp.Diff(doc, again); diff != "" {
				t.Errorf("two audits of one object differ:\n%s", diff)
			}
			if !slices.IsSortedFunc(doc.Findings, rules.Rules().Compare) {
				t.Errorf("findings are not sorted: %v", lines(doc.Findings))
			}
			for _, found := range doc.Findings {
				if rules.Rules().Index(found.Rule) < 0 || found.Severity.Rank() < 0 || found.Message.IsZero() ||
					found.Why.IsZero() {
					t.Errorf("a finding lacks something: %+v", found)
				}
			}
			run := rules.Run{Settings: rules.Settings{Clock: testClock}, Suppressions: []finding.Suppression{{Rule: "*"}}}
			run.Examined = append(run.Examined, rules.Examine(o, server, run.Settings))
			if quiet := rules.Conclude(run); len(quiet.Findings) > 0 || len(quiet.Suppressed) < len(doc.Findings) {
				t.Errorf("with all suppressed: %v", lines(quiet.Findings))
			}
		}
		if diff := cmp.Diff(before, live); diff != "" {
			t.Errorf("the object was changed:\n%s", diff)
		}
	})
}
