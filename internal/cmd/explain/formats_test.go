package explain

import (
	"bytes"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

func TestExplainGolden(t *testing.T) {
	documents := map[string]conflict.Document{
		"explain": conflict.NewDocument(golden.RunOf("v1.36.3"), []conflict.Explanation{anExplanation()}),
		"explain_several": conflict.NewDocument(
			golden.RunOf(
				"v1.36.3",
				report.Problem{Source: report.Source{File: "bad.yaml", Line: 3}, Message: "mapping values are not allowed"},
			),
			[]conflict.Explanation{anExplanation(), accepted(), aRefusal(), unanswered()},
		),
		"explain_hostile": conflict.NewDocument(golden.RunOf("v1.36.3"), []conflict.Explanation{hostileExplanation()}),
	}
	for name, document := range documents {
		formats.InEveryWidth(t, name, func(o show.Options) (string, error) {
			var got bytes.Buffer
			err := formatsOf(document).Write(&got, "text", o)
			return got.String(), err
		})
		var got bytes.Buffer
		if err := formatsOf(document).Write(&got, "json", show.Options{}); err != nil {
			t.Fatal(err)
		}
		golden.CheckGolden(t, name+".json", got.String())
		for _, format := range []string{"markdown", "html", "github", "junit"} {
			formats.CheckAnswers(
				t,
				func([]conflict.Document) show.Answer { return formatsOf(document) },
				[]formats.AnswerCase[conflict.Document]{
					{name, format, show.Options{Call: fixes.Call{LiveFile: "live.yaml"}}, nil},
				},
			)
		}
	}
}

func anExplanation() conflict.Explanation {
	scaler, editor := formats.Held(
		"kube-controller-manager", "Update", "scale", nil,
	), formats.Held(
		"kubectl-edit",
		"Update",
		"",
		formats.Ago(8*time.Hour),
	)
	return conflict.Explanation{
		Target:  golden.Web(),
		Source:  report.Source{File: "web.yaml", Document: 1, Line: 1},
		Manager: "argocd-controller",
		Answer:  report.Answer{Outcome: report.Conflicted, Code: 409, Message: "Apply failed with 2 conflicts"},
		Notices: []string{
			"managedFields entry 2 (manager \"x\") cannot be read: operation is \"\", not Apply or Update; the server refuses every apply to the object",
		},
		Conflicts: []conflict.Conflict{{
			Field:      ".spec.replicas",
			Nature:     conflict.Nature{Kind: conflict.Scalar},
			Yours:      conflict.Value{Value: int64(3)},
			Live:       conflict.Value{Value: int64(5)},
			Source:     &report.Source{File: "web.yaml", Document: 1, Line: 7},
			Owners:     []conflict.Owner{scaler},
			Difference: conflict.Difference{Kind: conflict.Real, Stored: &conflict.Value{Value: int64(3)}},
			Resolutions: []conflict.Resolution{
				{
					Kind:    conflict.Force,
					Attempt: report.Attempt{Outcome: report.Configured, Code: 200},
					After:   &conflict.Value{Value: int64(3)},
					Changes: []report.Change{
						{Field: ".spec.replicas", Kind: report.Modified, Before: int64(5), After: int64(3), Reason: report.ReasonApplied},
					},
					Transfers: []report.Transfer{
						{
							Field:       ".spec.replicas",
							Manager:     "kube-controller-manager",
							Operation:   "Update",
							Subresource: "scale",
							Kind:        report.Overridden,
						},
					},
					Reactions: []conflict.Reaction{
						{Writer: scaler.Writer, SetsAgain: true, Says: text.New("%v resets the value", text.By(scaler.Manager))},
					},
				},
				{
					Kind:    conflict.StopManaging,
					Attempt: report.Attempt{Outcome: report.Configured, Code: 200},
					After:   &conflict.Value{Value: int64(5)},
					Safe:    true,
					Edit:    &conflict.Edit{File: "web.yaml", Line: 7, Removed: []string{"  replicas: 3"}},
				},
				{
					Kind:      conflict.UseLiveValue,
					Attempt:   report.Attempt{Outcome: report.Configured, Code: 200},
					Write:     &conflict.Value{Value: int64(5)},
					After:     &conflict.Value{Value: int64(5)},
					NotEdited: "edit .spec.replicas: line 7: the file is a template",
					Reactions: []conflict.Reaction{
						{Writer: scaler.Writer, SetsAgain: true, Says: text.New("%v may change the value", text.By(scaler.Manager))},
					},
				},
			},
			Recommended: conflict.StopManaging,
			Because:     conflict.Reason{Kind: conflict.Autoscaled, Managers: []string{"kube-controller-manager"}},
			Reason:      text.New("This value is decided by %v.", text.By("kube-controller-manager")),
		}, {
			Field: `.spec.template.spec.containers[name="main"].args`,
			Nature: conflict.Nature{
				Kind:     conflict.AtomicList,
				List:     ".spec.template.spec.containers",
				ListKeys: []string{"name"},
			},
			Yours:      conflict.Value{Value: []any{"--fast"}},
			Live:       conflict.Value{Value: []any{"--fast", "--verbose"}},
			Source:     &report.Source{File: "web.yaml", Document: 1, Line: 21},
			Owners:     []conflict.Owner{editor},
			Difference: conflict.Difference{Kind: conflict.Unknown},
			Resolutions: []conflict.Resolution{
				{
					Kind: conflict.Force,
					Attempt: report.Attempt{
						Outcome: report.Invalid,
						Code:    422,
						Message: "Deployment.apps \"web\" is invalid: spec.template: no",
					},
				},
				{
					Kind:    conflict.StopManaging,
					Attempt: report.Attempt{Outcome: report.Configured, Code: 200},
					After:   &conflict.Value{Missing: true},
					Changes: []report.Change{
						{
							Field:  `.spec.template.spec.containers[name="main"].args`,
							Kind:   report.Removed,
							Before: []any{"--fast", "--verbose"},
							Reason: report.ReasonUnowned,
						},
					},
					Edit: &conflict.Edit{File: "web.yaml", Line: 21, Removed: []string{"        args:", "        - --fast"}},
				},
				{Kind: conflict.UseLiveValue, Impossible: text.New("nothing is stored for the field")},
			},
			Recommended: conflict.None,
			Because: conflict.Reason{
				Kind:    conflict.NoneSafe,
				Against: []conflict.Objection{conflict.ForceRefused, conflict.StopChanges},
			},
			Reason: text.New("No option is safe."),
		}},
		Together: []conflict.Resolution{
			{
				Kind: conflict.Force,
				Attempt: report.Attempt{
					Outcome: report.Invalid,
					Code:    422,
					Message: "Deployment.apps \"web\" is invalid: spec.template: no",
				},
			},
			{Kind: conflict.StopManaging, Attempt: report.Attempt{Outcome: report.Configured, Code: 200}},
			{
				Kind:    conflict.UseLiveValue,
				Attempt: report.Attempt{Outcome: report.Conflicted, Code: 409, Message: "Apply failed with 1 conflict"},
			},
		},
		Confidence: report.Confidence{
			Level:   report.Partial,
			Reasons: []report.Caveat{{Kind: api.Admission, Message: "Webhooks were not called."}},
		},
	}
}

func accepted() conflict.Explanation {
	return conflict.Explanation{
		Target:    golden.Web(),
		Answer:    report.Answer{Outcome: report.Unchanged, Code: 200},
		Manager:   "m",
		Conflicts: []conflict.Conflict{},
	}
}

func aRefusal() conflict.Explanation {
	return conflict.Explanation{
		Target:    golden.Web(),
		Manager:   "m",
		Conflicts: []conflict.Conflict{},
		Answer: report.Answer{Outcome: report.Invalid, Code: 500,
			Message: "failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema"},
	}
}

func unanswered() conflict.Explanation {
	return conflict.Explanation{
		Target:    golden.Web(),
		Answer:    report.Answer{Outcome: report.Failed, Message: "the manifest has no metadata.name"},
		Manager:   "m",
		Conflicts: []conflict.Conflict{},
	}
}

// hostileExplanation has escape sequences and very long words everywhere.
func hostileExplanation() conflict.Explanation {
	e := anExplanation()
	const bad = "\x1b[31mred\u202e"
	e.Target.Name, e.Manager, e.Source.File = bad, bad, bad
	s := &e.Conflicts[0]
	s.Field, s.Because.Managers, s.Recommended = ".data."+bad, []string{bad}, conflict.UseLiveValue
	s.Reason = text.New("This value is decided by %v.", text.By(bad))
	s.Yours.Value, s.Live.Value = bad, map[string]any{bad: bad}
	s.Source.File = bad
	s.Owners[0].Manager, s.Owners[0].ManagerKind.Name = bad, bad
	for i := range s.Resolutions {
		s.Resolutions[i].Impossible, s.Resolutions[i].Message, s.Resolutions[i].NotEdited = text.Text{}, bad, bad
		s.Resolutions[i].Edit = &conflict.Edit{File: bad, Line: 1, Removed: []string{bad}, Added: []string{bad + "\r"}}
		s.Resolutions[i].Reactions = []conflict.Reaction{
			{Writer: report.Writer{Manager: bad}, Says: text.New("%v resets the value", text.By(bad))},
		}
	}
	e.Conflicts, e.Together, e.Notices = e.Conflicts[:1], nil, []string{bad}
	return e
}
