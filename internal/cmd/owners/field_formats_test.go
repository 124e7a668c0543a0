package owners

import (
	"bytes"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

func TestWhyGolden(t *testing.T) {
	documents := map[string]conflict.Answers{
		"why":         conflict.NewAnswers(golden.RunOf("v1.36.3"), []conflict.Why{ownedField()}),
		"why_several": conflict.NewAnswers(golden.RunOf("v1.36.3"), []conflict.Why{unsetField(), ownedField()}),
	}
	for name, document := range documents {
		formats.InEveryWidth(t, name, func(o show.Options) (string, error) {
			var got bytes.Buffer
			err := fieldFormatsOf(document).Write(&got, "text", o)
			return got.String(), err
		})
		var got bytes.Buffer
		if err := fieldFormatsOf(document).Write(&got, "json", show.Options{}); err != nil {
			t.Fatal(err)
		}
		golden.CheckGolden(t, name+".json", got.String())
		for _, format := range []string{"markdown", "html"} {
			formats.CheckAnswers(
				t,
				func([]conflict.Answers) show.Answer { return fieldFormatsOf(document) },
				[]formats.AnswerCase[conflict.Answers]{{name, format, show.Options{}, nil}},
			)
		}
	}
}

func ownedField() conflict.Why {
	applier, client := formats.Held(
		"web-team",
		"Apply",
		"",
		formats.Ago(48*time.Hour),
	), formats.Held(
		"kubectl-client-side-apply",
		"Update",
		"",
		formats.Ago(400*24*time.Hour),
	)
	return conflict.Why{
		Target: golden.Web(),
		Source: report.Source{File: "live.yaml", Line: 1},
		Field:  ".spec.template.spec.hostNetwork",
		Typed:  "hostNetwork",
		Value:  conflict.Value{Value: true},
		Nature: conflict.Nature{Kind: conflict.Scalar},
		Origin: conflict.Owned,
		Owners: []conflict.Owner{client, applier},
		Drops: []conflict.Drop{
			{Writer: client.Writer, Effect: conflict.EffectRemoved, After: conflict.Value{Missing: true},
				Also: []report.Change{{Field: ".spec.template.spec.dnsPolicy", Kind: report.Modified, Before: "x", After: "y"}}},
			{Writer: applier.Writer, Effect: conflict.EffectRefused, Code: 422, Message: "Deployment.apps \"web\" is invalid"},
		},
		Manager: "web-team",
		Applies: []conflict.Apply{
			{Value: true, Same: true, Answer: report.Answer{Outcome: report.Unchanged, Code: 200}},
			{
				Value:  false,
				Answer: report.Answer{Outcome: report.Conflicted, Code: 409, Message: "Apply failed"},
				With:   []string{"kubectl-client-side-apply"},
			},
			{Value: "x", Answer: report.Answer{Outcome: report.Invalid, Code: 422, Message: "must be a boolean"}},
		},
		Kept: []text.Text{
			text.New("%v still owns it by its Apply entry.", text.By("web-team")),
			text.New("%v owns it from the time of client-side apply.", text.By(client.Manager)),
		},
		Removal: conflict.Removal{
			Steps: []conflict.Step{
				{Manager: "web-team", Outcome: report.Configured},
				{
					Command: golden.Object.Patch(
						kubectl.Patch{
							Type: kubectl.JSONPatch,
							Body: []byte(`[{"op":"remove","path":"/spec/template/spec/hostNetwork"}]`),
						},
					),
					Outcome: report.Invalid,
					Message: "no",
				},
			},
			Effect: conflict.EffectRemoved, After: conflict.Value{Missing: true}},
		Notices: []string{"the live object has no managedFields"},
	}
}

func unsetField() conflict.Why {
	return conflict.Why{
		Target:  golden.Web(),
		Field:   ".spec.paused",
		Typed:   "spec.paused",
		Value:   conflict.Value{Missing: true},
		Nature:  conflict.Nature{Kind: conflict.Scalar},
		Origin:  conflict.Unset,
		Owners:  []conflict.Owner{},
		Drops:   []conflict.Drop{},
		Applies: []conflict.Apply{},
		Removal: conflict.Removal{Steps: []conflict.Step{}, Effect: conflict.EffectRemoved},
	}
}
