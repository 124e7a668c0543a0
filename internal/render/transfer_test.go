package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

func replicas(value any, owners ...report.Writer) []transfer.State {
	if owners == nil {
		owners = []report.Writer{}
	}
	return []transfer.State{{Field: ".spec.replicas", Value: explain.Value{Value: value}, Owners: owners}}
}

// transferred is one of everything that transfer tells.
func transferred() transfer.Plan {
	team, between := writerAt("web-team", "Apply", nil), writerAt("handover-to-hpa", "Apply", nil)
	scaler := report.Writer{Manager: "kube-controller-manager", Operation: "Update", Subresource: "scale", APIVersion: "apps/v1"}
	manifest := map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web"}}
	web := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	return transfer.Plan{
		Target: web,
		Object: webObject, Reference: "deployments.v1.apps/web",
		From: "web-team", To: "kube-controller-manager", Controller: true,
		Fields: replicas(int64(5), team), Outcome: report.Configured,
		Chosen: transfer.HandOverManager, Reason: text.New("%v keeps the value in between", text.By("handover-to-hpa")),
		Options: []transfer.Option{
			{Kind: transfer.HandOverManager, Safe: true, Outcome: report.Configured, Steps: []transfer.Step{
				{Kind: transfer.Apply, Does: text.New("%v applies %v alone with the live value", text.By("handover-to-hpa"), text.Path(".spec.replicas")), Manager: "handover-to-hpa", Manifest: manifest,
					Outcome: report.Configured, Code: 200, States: replicas(int64(5), between, team)},
				{Kind: transfer.Patch, Does: text.New("%v leaves the Update entry", text.Path(".spec.replicas")), Manager: "web-team", Outcome: report.Configured, Code: 200,
					Patch:  []transfer.Operation{{Op: "remove", Path: "/metadata/managedFields/1"}},
					States: replicas(int64(5), between)},
				{Kind: transfer.Apply, Does: text.New("%v applies its manifest without it", text.By("web-team")), Manager: "web-team", Manifest: manifest,
					Text: "# mine\nkind: Deployment", Source: &report.Source{File: "web.yaml"}, Outcome: report.Unchanged, Code: 200,
					States: replicas(int64(5), between), NotEdited: "an alias elsewhere refers to it",
					Also: []report.Change{{Field: ".spec.paused", Kind: report.Removed}}},
				{Kind: transfer.ByItself, Does: text.New("it sets another value"), Manager: "kube-controller-manager", Subresource: "scale", Meant: true,
					Outcome: report.Configured, Code: 200, States: replicas(int64(6), scaler)},
			}},
			{Kind: transfer.ForceThenDrop, Problem: text.New("the server refuses step 1 (422)"), Outcome: report.Invalid, Steps: []transfer.Step{
				{Kind: transfer.Apply, Force: true, Does: text.New("x applies its own value with force"), Manager: "x", Manifest: manifest, Outcome: report.Invalid, Code: 422, Message: "no", States: replicas(int64(5), team)},
			}},
			{Kind: transfer.DisownOnly, Safe: true, Outcome: report.Unchanged, Steps: []transfer.Step{
				{Kind: transfer.ByItself, Does: text.New("it sets another value"), Manager: "x", NotSimulated: text.New("no other value can be made up"), States: replicas(int64(5), team)},
			}},
		},
		Hazards: []transfer.Hazard{
			{Kind: transfer.DropFirst, Manager: "web-team", Before: 1, Attempt: report.Attempt{Outcome: report.Configured}, States: replicas(int64(1)), Harm: true},
			{Kind: transfer.DeleteFirst, Manager: "web-team", Before: 2, Attempt: report.Attempt{Outcome: report.Configured}, Harm: true, Likely: true,
				States: []transfer.State{{Field: ".spec.replicas", Value: explain.Value{Missing: true}, Owners: []report.Writer{}}}},
			{Kind: transfer.ControllerFirst, Manager: "kube-controller-manager", Before: 2, Attempt: report.Attempt{Outcome: report.Unchanged}, States: replicas(int64(6), scaler)},
			{Kind: transfer.OldManifest, Manager: "web-team", Attempt: report.Attempt{Outcome: report.Conflicted}, With: []string{"kube-controller-manager"}, States: replicas(int64(6), scaler)},
			{Kind: transfer.OldManifestForced, Manager: "web-team", Attempt: report.Attempt{Outcome: report.Configured}, States: replicas(int64(5), team), Harm: true, Likely: true},
			{Kind: transfer.OldManifest, Manager: "web-team", Attempt: report.Attempt{Outcome: report.Invalid, Code: 422}, States: replicas(int64(5), team)},
		},
		Findings: []finding.Finding{transfer.Rules().Of("co-owner").On(web, report.Source{}, text.New("%v owns %v too", text.By("helm"), text.Path(".spec.replicas")))},
	}
}

func hostileTransfer() transfer.Plan {
	p := transferred()
	p.Target.Name, p.Reference, p.From, p.To = acting, acting, acting, acting
	p.Fields[0].Field, p.Fields[0].Value.Value, p.Fields[0].Owners[0].Manager = acting, acting, acting
	for i := range p.Options[0].Steps {
		s := &p.Options[0].Steps[i]
		s.Manager, s.Message, s.States[0].Field = acting, acting, acting
		s.Does = text.New("%v does it", text.By(acting))
		if s.NotEdited != "" {
			s.NotEdited = acting
		}
	}
	for i := range p.Hazards {
		p.Hazards[i].Manager, p.Hazards[i].With = acting, []string{acting}
	}
	p.Options[1].Problem = text.New("step 1 changes %v", text.Path(acting))
	p.Reason, p.Findings = text.New("%v keeps it", text.By(acting)), []finding.Finding{transfer.Rules().Of("co-owner").On(p.Target, p.Source, text.New("%v owns %v too (%v)", text.By(acting), text.Path(acting), text.Name(acting)))}
	return p
}

func TestTransferGolden(t *testing.T) {
	failed := transfer.Plan{Target: transferred().Target, To: "x", Outcome: report.Failed, Message: text.New("no managedFields")}
	unsafe := transferred()
	unsafe.Chosen, unsafe.Outcome, unsafe.Options, unsafe.Hazards, unsafe.Reason = "", report.Invalid, unsafe.Options[1:2], nil, text.New("No plan is safe.")
	done := transferred()
	done.Chosen, done.Options, done.Hazards, done.Reason = transfer.Done, []transfer.Option{{Kind: transfer.Done, Safe: true}}, nil, text.New("There is nothing to hand over.")
	one, all := []transfer.Plan{transferred()}, []transfer.Plan{failed, unsafe, done}
	checkAnswers(t, func(plans []transfer.Plan) Answer {
		return Transfer(transfer.NewDocument(runOf("v1.36.3"), plans, len(plans)-1))
	}, []answerCase[transfer.Plan]{
		{"transfer", "text", Options{}, one},
		{"transfer_60", "text", Options{Width: 60}, one},
		{"transfer_color", "text", Options{Color: true}, one},
		{"transfer_verbose", "text", Options{Verbose: true, Files: true}, one},
		{"transfer_several", "text", Options{}, all},
		{"transfer_quiet", "text", Options{Quiet: true}, append(all, one...)},
		{"transfer_hostile", "text", Options{}, []transfer.Plan{hostileTransfer()}},
		{"transfer_several", "remarks", Options{}, all},
		{"transfer", "markdown", Options{}, one},
		{"transfer_hostile", "markdown", Options{}, []transfer.Plan{hostileTransfer()}},
		{"transfer", "html", Options{}, one},
		{"transfer", "kubectl", Options{}, append(all[:1:1], one...)},
	})
}

func nothingActs(t *testing.T, o Options, text string) {
	t.Helper()
	for i, l := range strings.Split(text, "\n") {
		if !o.Color && !glyph.IsVisible(l) {
			t.Errorf("line %d acts: %q", i+1, l)
		}
	}
}

func TestTransferFiles(t *testing.T) {
	second := transferred()
	second.Target.Name = "../etc"
	files, err := TransferFiles(transfer.NewDocument(runOf("v1.36.3"), []transfer.Plan{transferred(), second}, 0))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var all strings.Builder
	for _, f := range files {
		names = append(names, f.Name)
		all.WriteString("== " + f.Name + "\n" + string(f.Text))
	}
	want := []string{
		"apps.v1.Deployment.shop.web/step-1-handover-to-hpa.yaml",
		"apps.v1.Deployment.shop.web/step-2-web-team.json",
		"apps.v1.Deployment.shop.web/step-3-web-team.yaml",
		"apps.v1.Deployment.shop...%2Fetc/step-1-handover-to-hpa.yaml",
		"apps.v1.Deployment.shop...%2Fetc/step-2-web-team.json",
		"apps.v1.Deployment.shop...%2Fetc/step-3-web-team.yaml",
		"README.md", "apply.sh",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	checkGolden(t, "transfer.files", all.String())
}

// TestNoTransferFiles: a step that no command line does makes no script that leaves it
// out.
func TestNoTransferFiles(t *testing.T) {
	d := transfer.NewDocument(runOf("v1.36.3"), []transfer.Plan{transferred(), hostileTransfer()}, 0)
	if files, err := TransferFiles(d); err == nil || files != nil {
		t.Errorf("%d files, %v", len(files), err)
	}
	var script bytes.Buffer
	if err := Transfer(d).Write(&script, "kubectl", Options{}); err == nil || script.Len() > 0 {
		t.Errorf("%v: %s", err, &script)
	}
}

func TestDelimiter(t *testing.T) {
	for text, want := range map[string]string{"": "EOF", "a\nEOFx\n": "EOF", "EOF\n": "EOFF", "x\nEOF\nEOFF\n": "EOFFF"} {
		if got := delimiter(text); got != want {
			t.Errorf("delimiter(%q) = %s, want %s", text, got, want)
		}
	}
}
