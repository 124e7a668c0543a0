package render

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

func TestExplainGolden(t *testing.T) {
	documents := map[string]explain.Document{
		"explain":         explain.NewDocument(runOf("v1.36.3"), []explain.Explanation{explanation()}),
		"explain_several": explain.NewDocument(runOf("v1.36.3", report.Problem{Source: report.Source{File: "bad.yaml", Line: 3}, Message: "mapping values are not allowed"}), []explain.Explanation{explanation(), accepted(), refused(), unanswered()}),
		"explain_hostile": explain.NewDocument(runOf("v1.36.3"), []explain.Explanation{hostileExplanation()}),
	}
	for name, document := range documents {
		inEveryWidth(t, name, func(o Options) (string, error) {
			var got bytes.Buffer
			err := Explain(document).Write(&got, "text", o)
			return got.String(), err
		})
		var got bytes.Buffer
		if err := Explain(document).Write(&got, "json", Options{}); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name+".json", got.String())
		for _, format := range []string{"markdown", "html", "github", "junit"} {
			checkAnswers(t, func([]explain.Document) Answer { return Explain(document) }, []answerCase[explain.Document]{{name, format, Options{LiveFile: "live.yaml"}, nil}})
		}
	}
}

func TestWhyGolden(t *testing.T) {
	documents := map[string]explain.Answers{
		"why":         explain.NewAnswers(runOf("v1.36.3"), []explain.Why{ownedField()}),
		"why_several": explain.NewAnswers(runOf("v1.36.3"), []explain.Why{unsetField(), ownedField()}),
	}
	for name, document := range documents {
		inEveryWidth(t, name, func(o Options) (string, error) {
			var got bytes.Buffer
			err := Why(document).Write(&got, "text", o)
			return got.String(), err
		})
		var got bytes.Buffer
		if err := Why(document).Write(&got, "json", Options{}); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name+".json", got.String())
		for _, format := range []string{"markdown", "html"} {
			checkAnswers(t, func([]explain.Answers) Answer { return Why(document) }, []answerCase[explain.Answers]{{name, format, Options{}, nil}})
		}
	}
}

// inEveryWidth checks a text for narrow, normal and wide terminals, with and
// without color.
func inEveryWidth(t *testing.T, name string, show func(Options) (string, error)) {
	t.Helper()
	for _, width := range []int{60, 80, 160} {
		for _, color := range []string{"", "_color"} {
			got, err := show(Options{Width: width, Color: color != "", Now: now, LiveFile: "live.yaml"})
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, name+"_"+strconv.Itoa(width)+color+".text", got)
		}
	}
}

func ago(d time.Duration) *time.Time {
	at := now.Add(-d)
	return &at
}

func webTarget() report.Target {
	return report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
}

func held(manager, operation, subresource string, at *time.Time) explain.Owner {
	w := report.Writer{Manager: manager, Operation: operation, Subresource: subresource, APIVersion: "apps/v1", Time: at}
	return explain.Owner{Writer: w, ManagerKind: explain.ManagerKindOf(w, "argocd-controller")}
}

func explanation() explain.Explanation {
	scaler, editor := held("kube-controller-manager", "Update", "scale", nil), held("kubectl-edit", "Update", "", ago(8*time.Hour))
	return explain.Explanation{
		Target:  webTarget(),
		Source:  report.Source{File: "web.yaml", Document: 1, Line: 1},
		Manager: "argocd-controller",
		Answer:  report.Answer{Outcome: report.Conflicted, Code: 409, Message: "Apply failed with 2 conflicts"},
		Notices: []string{"managedFields entry 2 (manager \"x\") cannot be read: operation is \"\", not Apply or Update; the server refuses every apply to the object"},
		Conflicts: []explain.Conflict{{
			Field:      ".spec.replicas",
			Nature:     explain.Nature{Kind: explain.Scalar},
			Yours:      explain.Value{Value: int64(3)},
			Live:       explain.Value{Value: int64(5)},
			Source:     &report.Source{File: "web.yaml", Document: 1, Line: 7},
			Owners:     []explain.Owner{scaler},
			Difference: explain.Difference{Kind: explain.Real, Stored: &explain.Value{Value: int64(3)}},
			Resolutions: []explain.Resolution{
				{Kind: explain.Force, Attempt: report.Attempt{Outcome: report.Configured, Code: 200}, After: &explain.Value{Value: int64(3)},
					Changes:   []report.Change{{Field: ".spec.replicas", Kind: report.Modified, Before: int64(5), After: int64(3), Reason: report.ReasonApplied}},
					Transfers: []report.Transfer{{Field: ".spec.replicas", Manager: "kube-controller-manager", Operation: "Update", Subresource: "scale", Kind: report.Overridden}},
					Reactions: []explain.Reaction{{Writer: scaler.Writer, SetsAgain: true, Says: text.New("%v resets the value", text.By(scaler.Manager))}}},
				{Kind: explain.StopManaging, Attempt: report.Attempt{Outcome: report.Configured, Code: 200}, After: &explain.Value{Value: int64(5)}, Safe: true,
					Edit: &explain.Edit{File: "web.yaml", Line: 7, Removed: []string{"  replicas: 3"}}},
				{Kind: explain.UseLiveValue, Attempt: report.Attempt{Outcome: report.Configured, Code: 200}, Write: &explain.Value{Value: int64(5)}, After: &explain.Value{Value: int64(5)},
					NotEdited: "edit .spec.replicas: line 7: the file is a template",
					Reactions: []explain.Reaction{{Writer: scaler.Writer, SetsAgain: true, Says: text.New("%v may change the value", text.By(scaler.Manager))}}},
			},
			Recommended: explain.StopManaging,
			Because:     explain.Reason{Kind: explain.Autoscaled, Managers: []string{"kube-controller-manager"}},
			Reason:      text.New("This value is decided by %v.", text.By("kube-controller-manager")),
		}, {
			Field:      `.spec.template.spec.containers[name="main"].args`,
			Nature:     explain.Nature{Kind: explain.AtomicList, List: ".spec.template.spec.containers", ListKeys: []string{"name"}},
			Yours:      explain.Value{Value: []any{"--fast"}},
			Live:       explain.Value{Value: []any{"--fast", "--verbose"}},
			Source:     &report.Source{File: "web.yaml", Document: 1, Line: 21},
			Owners:     []explain.Owner{editor},
			Difference: explain.Difference{Kind: explain.Unknown},
			Resolutions: []explain.Resolution{
				{Kind: explain.Force, Attempt: report.Attempt{Outcome: report.Invalid, Code: 422, Message: "Deployment.apps \"web\" is invalid: spec.template: no"}},
				{Kind: explain.StopManaging, Attempt: report.Attempt{Outcome: report.Configured, Code: 200}, After: &explain.Value{Missing: true},
					Changes: []report.Change{{Field: `.spec.template.spec.containers[name="main"].args`, Kind: report.Removed, Before: []any{"--fast", "--verbose"}, Reason: report.ReasonUnowned}},
					Edit:    &explain.Edit{File: "web.yaml", Line: 21, Removed: []string{"        args:", "        - --fast"}}},
				{Kind: explain.UseLiveValue, Impossible: text.New("nothing is stored for the field")},
			},
			Recommended: explain.None,
			Because:     explain.Reason{Kind: explain.NoneSafe, Against: []explain.Objection{explain.ForceRefused, explain.StopChanges}},
			Reason:      text.New("No option is safe."),
		}},
		Together: []explain.Resolution{
			{Kind: explain.Force, Attempt: report.Attempt{Outcome: report.Invalid, Code: 422, Message: "Deployment.apps \"web\" is invalid: spec.template: no"}},
			{Kind: explain.StopManaging, Attempt: report.Attempt{Outcome: report.Configured, Code: 200}},
			{Kind: explain.UseLiveValue, Attempt: report.Attempt{Outcome: report.Conflicted, Code: 409, Message: "Apply failed with 1 conflict"}},
		},
		Confidence: report.Confidence{Level: report.Partial, Reasons: []report.Caveat{{Kind: api.Admission, Message: "Webhooks were not called."}}},
	}
}

func accepted() explain.Explanation {
	return explain.Explanation{Target: webTarget(), Answer: report.Answer{Outcome: report.Unchanged, Code: 200}, Manager: "m", Conflicts: []explain.Conflict{}}
}

func refused() explain.Explanation {
	return explain.Explanation{Target: webTarget(), Manager: "m", Conflicts: []explain.Conflict{}, Answer: report.Answer{Outcome: report.Invalid, Code: 500,
		Message: "failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema"}}
}

func unanswered() explain.Explanation {
	return explain.Explanation{Target: webTarget(), Answer: report.Answer{Outcome: report.Failed, Message: "the manifest has no metadata.name"}, Manager: "m", Conflicts: []explain.Conflict{}}
}

// hostileExplanation has escape sequences and very long words everywhere.
func hostileExplanation() explain.Explanation {
	e := explanation()
	const bad = "\x1b[31mred\u202e"
	e.Target.Name, e.Manager, e.Source.File = bad, bad, bad
	s := &e.Conflicts[0]
	s.Field, s.Because.Managers, s.Recommended = ".data."+bad, []string{bad}, explain.UseLiveValue
	s.Reason = text.New("This value is decided by %v.", text.By(bad))
	s.Yours.Value, s.Live.Value = bad, map[string]any{bad: bad}
	s.Source.File = bad
	s.Owners[0].Manager, s.Owners[0].ManagerKind.Name = bad, bad
	for i := range s.Resolutions {
		s.Resolutions[i].Impossible, s.Resolutions[i].Message, s.Resolutions[i].NotEdited = text.Text{}, bad, bad
		s.Resolutions[i].Edit = &explain.Edit{File: bad, Line: 1, Removed: []string{bad}, Added: []string{bad + "\r"}}
		s.Resolutions[i].Reactions = []explain.Reaction{{Writer: report.Writer{Manager: bad}, Says: text.New("%v resets the value", text.By(bad))}}
	}
	e.Conflicts, e.Together, e.Notices = e.Conflicts[:1], nil, []string{bad}
	return e
}

func ownedField() explain.Why {
	applier, client := held("web-team", "Apply", "", ago(48*time.Hour)), held("kubectl-client-side-apply", "Update", "", ago(400*24*time.Hour))
	return explain.Why{
		Target: webTarget(),
		Source: report.Source{File: "live.yaml", Line: 1},
		Field:  ".spec.template.spec.hostNetwork",
		Typed:  "hostNetwork",
		Value:  explain.Value{Value: true},
		Nature: explain.Nature{Kind: explain.Scalar},
		Origin: explain.Owned,
		Owners: []explain.Owner{client, applier},
		Drops: []explain.Drop{
			{Writer: client.Writer, Effect: explain.EffectRemoved, After: explain.Value{Missing: true},
				Also: []report.Change{{Field: ".spec.template.spec.dnsPolicy", Kind: report.Modified, Before: "x", After: "y"}}},
			{Writer: applier.Writer, Effect: explain.EffectRefused, Code: 422, Message: "Deployment.apps \"web\" is invalid"},
		},
		Manager: "web-team",
		Applies: []explain.Apply{
			{Value: true, Same: true, Answer: report.Answer{Outcome: report.Unchanged, Code: 200}},
			{Value: false, Answer: report.Answer{Outcome: report.Conflicted, Code: 409, Message: "Apply failed"}, With: []string{"kubectl-client-side-apply"}},
			{Value: "x", Answer: report.Answer{Outcome: report.Invalid, Code: 422, Message: "must be a boolean"}},
		},
		Kept: []text.Text{text.New("%v still owns it by its Apply entry.", text.By("web-team")), text.New("%v owns it from the time of client-side apply.", text.By(client.Manager))},
		Removal: explain.Removal{
			Steps: []explain.Step{
				{Manager: "web-team", Outcome: report.Configured},
				{Command: webObject.Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: []byte(`[{"op":"remove","path":"/spec/template/spec/hostNetwork"}]`)}), Outcome: report.Invalid, Message: "no"},
			},
			Effect: explain.EffectRemoved, After: explain.Value{Missing: true}},
		Notices: []string{"the live object has no managedFields"},
	}
}

func unsetField() explain.Why {
	return explain.Why{
		Target:  webTarget(),
		Field:   ".spec.paused",
		Typed:   "spec.paused",
		Value:   explain.Value{Missing: true},
		Nature:  explain.Nature{Kind: explain.Scalar},
		Origin:  explain.Unset,
		Owners:  []explain.Owner{},
		Drops:   []explain.Drop{},
		Applies: []explain.Apply{},
		Removal: explain.Removal{Steps: []explain.Step{}, Effect: explain.EffectRemoved},
	}
}
