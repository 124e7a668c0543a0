package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// TestCautions: what makes an answer doubtful is said with what helps; what a run assumes,
// and what has no rule, comes after the answer.
func TestCautions(t *testing.T) {
	widget := report.Target{APIVersion: "example.com/v1", Kind: "Widget", Namespace: "shop", Name: "w"}
	pod := report.Target{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web"}
	caveat := func(rule, nearest string) report.Caveat {
		return report.Caveat{Rule: rule, Message: "So.", Nearest: nearest}
	}
	field := func(field string) report.Caveat {
		return report.Caveat{Rule: report.RuleDigests, Message: "So.", Field: field}
	}
	for name, tt := range map[string]struct {
		target  report.Target
		reasons []report.Caveat
		want    string
	}{
		"no rule":            {pod, []report.Caveat{{Message: "So."}}, ""},
		"assumed by the run": {pod, []report.Caveat{caveat(report.RuleNotGiven, "")}, ""},
		"no definition": {widget, []report.Caveat{caveat(report.RuleAssumedSchema, "")},
			"So. Give its CustomResourceDefinition with --crds:\n" +
				"$ kubectl get --output=yaml --show-managed-fields -- crd widgets.example.com > crds.yaml\n"},
		"no managed fields": {widget, []report.Caveat{caveat(report.RuleNoManagedFields, "")},
			"So. Fetch it with its managed fields:\n" +
				"$ kubectl get --namespace=shop --output=yaml --show-managed-fields -- widget.example.com w > live.yaml\n"},
		"no live kind": {pod, []report.Caveat{caveat(report.RuleNoLiveKind, "")},
			"So. Fetch all of them:\n$ kubectl get --all-namespaces --output=yaml --show-managed-fields -- pod > pods.yaml\n"},
		"digests, one by one":  {pod, []report.Caveat{field(".a"), field(".b")}, ".a, .b: So. --snapshot-key FILE compares them.\n"},
		"an unknown manager":   {pod, []report.Caveat{caveat(report.RuleUnknownManager, "helm")}, "So. Did you mean --field-manager=helm?\n"},
		"nothing is near":      {pod, []report.Caveat{caveat(report.RuleUnknownManager, "")}, "So.\n"},
		"of another release":   {pod, []report.Caveat{caveat(report.RuleOtherRelease, "1.35")}, "So. Add --kubernetes-version=1.35.\n"},
		"another name":         {pod, []report.Caveat{caveat(report.RuleNoLiveObject, "webs")}, "So. Did you mean webs?\n"},
		"another name there":   {pod, []report.Caveat{caveat(report.RuleNoLiveObject, "shop/webs")}, "So. Did you mean webs?\n"},
		"another namespace":    {pod, []report.Caveat{caveat(report.RuleNoLiveObject, "pay/web")}, "So. Did you mean -n pay?\n"},
		"twice without fields": {pod, []report.Caveat{caveat(report.RuleNoLiveObject, ""), caveat(report.RuleNoLiveObject, "")}, "So.\nSo.\n"},
	} {
		got := ""
		for _, b := range CautionBlocks(report.Confidence{Reasons: tt.reasons}, tt.target) {
			switch b := b.(type) {
			case model.Paragraph:
				got += b.Text.String() + "\n"
			case model.Command:
				got += "$ " + b.Line + "\n"
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestAssumed: a run says once, as the first answer does, what it assumes.
func TestAssumed(t *testing.T) {
	var a Assumed
	var tail model.Tail
	if a.Tell(&tail); tail.Blocks != nil {
		t.Errorf("nothing is assumed: %v", tail.Blocks)
	}
	for _, message := range []string{"first", "second"} {
		a.Add(
			report.Confidence{Reasons: []report.Caveat{{Rule: report.RuleDigests, Message: "no"}, {Rule: report.RuleNotGiven,
				Message: message}}},
		)
	}
	a.Tell(&tail)
	want := model.Tail{
		Assumed: "first",
		Blocks:  []model.Block{model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of("first")}}},
	}
	if diff := cmp.Diff(want, tail); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
