package transfer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

func replicas(value any, owners ...report.Writer) []State {
	if owners == nil {
		owners = []report.Writer{}
	}
	return []State{{Field: ".spec.replicas", Value: conflict.Value{Value: value}, Owners: owners}}
}

// transferred is one of everything that transfer tells.
func transferred() Plan {
	team, between := golden.WriterAt("web-team", "Apply", nil), golden.WriterAt("handover-to-hpa", "Apply", nil)
	scaler := report.Writer{
		Manager:     "kube-controller-manager",
		Operation:   "Update",
		Subresource: "scale",
		APIVersion:  "apps/v1",
	}
	manifest := map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web"}}
	web := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	return Plan{
		Target: web,
		Object: golden.Object, Reference: "deployments.v1.apps/web",
		From: "web-team", To: "kube-controller-manager", Controller: true,
		Fields: replicas(int64(5), team), Outcome: report.Configured,
		Chosen: HandOverManager, Reason: text.New("%v keeps the value in between", text.By("handover-to-hpa")),
		Options: []Option{
			{Kind: HandOverManager, Safe: true, Outcome: report.Configured, Steps: []Step{
				{
					Kind: Apply,
					Does: text.New(
						"%v applies %v alone with the live value",
						text.By("handover-to-hpa"),
						text.Path(".spec.replicas"),
					),
					Manager:  "handover-to-hpa",
					Manifest: manifest,
					Outcome:  report.Configured,
					Code:     200,
					States:   replicas(int64(5), between, team),
				},
				{
					Kind:    Patch,
					Does:    text.New("%v leaves the Update entry", text.Path(".spec.replicas")),
					Manager: "web-team",
					Outcome: report.Configured,
					Code:    200,
					Patch:   []Operation{{Op: "remove", Path: "/metadata/managedFields/1"}},
					States:  replicas(int64(5), between),
				},
				{
					Kind:      Apply,
					Does:      text.New("%v applies its manifest without it", text.By("web-team")),
					Manager:   "web-team",
					Manifest:  manifest,
					Text:      "# mine\nkind: Deployment",
					Source:    &report.Source{File: "web.yaml"},
					Outcome:   report.Unchanged,
					Code:      200,
					States:    replicas(int64(5), between),
					NotEdited: "an alias elsewhere refers to it",
					Also:      []report.Change{{Field: ".spec.paused", Kind: report.Removed}},
				},
				{
					Kind:        ByItself,
					Does:        text.New("it sets another value"),
					Manager:     "kube-controller-manager",
					Subresource: "scale",
					Meant:       true,
					Outcome:     report.Configured,
					Code:        200,
					States:      replicas(int64(6), scaler),
				},
			}},
			{Kind: ForceThenDrop, Problem: text.New("the server refuses step 1 (422)"), Outcome: report.Invalid, Steps: []Step{
				{
					Kind:     Apply,
					Force:    true,
					Does:     text.New("x applies its own value with force"),
					Manager:  "x",
					Manifest: manifest,
					Outcome:  report.Invalid,
					Code:     422,
					Message:  "no",
					States:   replicas(int64(5), team),
				},
			}},
			{Kind: DisownOnly, Safe: true, Outcome: report.Unchanged, Steps: []Step{
				{
					Kind:         ByItself,
					Does:         text.New("it sets another value"),
					Manager:      "x",
					NotSimulated: text.New("no other value can be made up"),
					States:       replicas(int64(5), team),
				},
			}},
		},
		Hazards: []Hazard{
			{
				Kind:    DropFirst,
				Manager: "web-team",
				Before:  1,
				Attempt: report.Attempt{Outcome: report.Configured},
				States:  replicas(int64(1)),
				Harm:    true,
			},
			{
				Kind:    DeleteFirst,
				Manager: "web-team",
				Before:  2,
				Attempt: report.Attempt{Outcome: report.Configured},
				Harm:    true,
				Likely:  true,
				States:  []State{{Field: ".spec.replicas", Value: conflict.Value{Missing: true}, Owners: []report.Writer{}}},
			},
			{
				Kind:    ControllerFirst,
				Manager: "kube-controller-manager",
				Before:  2,
				Attempt: report.Attempt{Outcome: report.Unchanged},
				States:  replicas(int64(6), scaler),
			},
			{
				Kind:    OldManifest,
				Manager: "web-team",
				Attempt: report.Attempt{Outcome: report.Conflicted},
				With:    []string{"kube-controller-manager"},
				States:  replicas(int64(6), scaler),
			},
			{
				Kind:    OldManifestForced,
				Manager: "web-team",
				Attempt: report.Attempt{Outcome: report.Configured},
				States:  replicas(int64(5), team),
				Harm:    true,
				Likely:  true,
			},
			{
				Kind:    OldManifest,
				Manager: "web-team",
				Attempt: report.Attempt{Outcome: report.Invalid, Code: 422},
				States:  replicas(int64(5), team),
			},
		},
		Findings: []report.Finding{
			Rules().Of("co-owner").
				On(web, report.Source{}, text.New("%v owns %v too", text.By("helm"), text.Path(".spec.replicas"))),
		},
	}
}

func hostileTransfer() Plan {
	p := transferred()
	p.Target.Name, p.Reference, p.From, p.To = golden.Acting, golden.Acting, golden.Acting, golden.Acting
	p.Fields[0].Field, p.Fields[0].Value.Value, p.Fields[0].Owners[0].Manager = golden.Acting, golden.Acting, golden.Acting
	for i := range p.Options[0].Steps {
		s := &p.Options[0].Steps[i]
		s.Manager, s.Message, s.States[0].Field = golden.Acting, golden.Acting, golden.Acting
		s.Does = text.New("%v does it", text.By(golden.Acting))
		if s.NotEdited != "" {
			s.NotEdited = golden.Acting
		}
	}
	for i := range p.Hazards {
		p.Hazards[i].Manager, p.Hazards[i].With = golden.Acting, []string{golden.Acting}
	}
	p.Options[1].Problem = text.New("step 1 changes %v", text.Path(golden.Acting))
	p.Reason, p.Findings = text.New(
		"%v keeps it",
		text.By(golden.Acting),
	), []report.Finding{
		Rules().Of("co-owner").
			On(p.Target, p.Source, text.New("%v owns %v too (%v)", text.By(golden.Acting), text.Path(golden.Acting), text.Name(golden.Acting))),
	}
	return p
}

func TestTransferGolden(t *testing.T) {
	failed := Plan{Target: transferred().Target, To: "x", Outcome: report.Failed, Message: text.New("no managedFields")}
	unsafe := transferred()
	unsafe.Chosen, unsafe.Outcome, unsafe.Options, unsafe.Hazards, unsafe.Reason = "", report.Invalid, unsafe.Options[1:2], nil, text.New(
		"No plan is safe.",
	)
	done := transferred()
	done.Chosen, done.Options, done.Hazards, done.Reason = Done, []Option{
		{Kind: Done, Safe: true},
	}, nil, text.New(
		"There is nothing to hand over.",
	)
	one, all := []Plan{transferred()}, []Plan{failed, unsafe, done}
	formats.CheckAnswers(t, func(plans []Plan) show.Answer {
		return formatsOf(NewDocument(golden.RunOf("v1.36.3"), plans, len(plans)-1))
	}, []formats.AnswerCase[Plan]{
		{"transfer", "text", show.Options{}, one},
		{"transfer_60", "text", show.Options{Width: 60}, one},
		{"transfer_color", "text", show.Options{Color: true}, one},
		{"transfer_verbose", "text", show.Options{Verbose: true, Files: true}, one},
		{"transfer_several", "text", show.Options{}, all},
		{"transfer_quiet", "text", show.Options{Quiet: true}, append(all, one...)},
		{"transfer_hostile", "text", show.Options{}, []Plan{hostileTransfer()}},
		{"transfer_several", "remarks", show.Options{}, all},
		{"transfer", "markdown", show.Options{}, one},
		{"transfer_hostile", "markdown", show.Options{}, []Plan{hostileTransfer()}},
		{"transfer", "html", show.Options{}, one},
		{"transfer", "kubectl", show.Options{}, append(all[:1:1], one...)},
	})
}

func TestTransferFiles(t *testing.T) {
	second := transferred()
	second.Target.Name = "../etc"
	files, err := filesOf(NewDocument(golden.RunOf("v1.36.3"), []Plan{transferred(), second}, 0))
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
	golden.CheckGolden(t, "transfer.files", all.String())
}

// TestNoTransferFiles: a step that no command line does makes no script that leaves it
// out.
func TestNoTransferFiles(t *testing.T) {
	d := NewDocument(golden.RunOf("v1.36.3"), []Plan{transferred(), hostileTransfer()}, 0)
	if files, err := filesOf(d); err == nil || files != nil {
		t.Errorf("%d files, %v", len(files), err)
	}
	var script bytes.Buffer
	if err := formatsOf(d).Write(&script, "kubectl", show.Options{}); err == nil || script.Len() > 0 {
		t.Errorf("%v: %s", err, &script)
	}
}

// TestScriptsHoldTexts: no line of a manifest ends the document that it stands in.
func TestScriptsHoldTexts(t *testing.T) {
	for text, want := range map[string]string{"a": "EOF", "a\nEOFx\n": "EOF", "EOF\n": "EOFF", "x\nEOF\nEOFF\n": "EOFFF"} {
		p := transferred()
		p.Options[0].Steps = []Step{{Kind: Apply, Manager: "a", Text: text}}
		var script bytes.Buffer
		if err := formatsOf(NewDocument(golden.RunOf("v1.36.3"), []Plan{p}, 0)).Write(&script, "kubectl", show.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(script.String(), " <<'"+want+"'\n"+strings.TrimSuffix(text, "\n")+"\n"+want+"\n") {
			t.Errorf("%q, want it to end by %s:\n%s", text, want, &script)
		}
	}
}

// TestInterrupted: an interrupted run says how far it came.
func TestInterrupted(t *testing.T) {
	d := NewDocument(golden.RunOf("v1.36.3"), nil, 0)
	d.Interrupted = &report.Interruption{Total: 3}
	a := formatsOf(d)
	formats.Says(t, a, "text", show.Options{}, "0 plans\ninterrupted after 0 of 3 objects\n")
	formats.Says(t, a, "kubectl", show.Options{}, "# interrupted after 0 of 3 objects\n")
}
