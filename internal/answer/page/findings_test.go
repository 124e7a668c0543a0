package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var faults = finding.Rules{
	{Name: "stale-manager", Severity: report.SeverityError, Title: "A manager is gone.", Why: "It owns fields."},
	{Name: "shared-field", Severity: report.SeverityNote, Title: "A field is shared."},
}

var finder = Finder{Title: "Audit", Class: "audit", Rules: faults, Sentence: func(d finding.Report) model.Text {
	return Headline(d, "2 objects")
}}

func fault1(field string) report.Finding {
	return report.Finding{
		Rule: "stale-manager", Severity: report.SeverityError, Target: web, Source: report.Source{File: "a.yaml", Line: 3}, Field: field,
		Message: text.New("%v is gone", text.By("helm")), Why: text.New("It owns fields."),
		Others: []report.Aside{{Rule: "shared-field", Message: text.New("shared")}},
		Fixes: []report.Fix{
			{Command: shell.Command("ssactl", "clear"), Does: text.New("clears it")},
			{Does: text.New("talk to them")},
			{Command: shell.Command("ssactl", "transfer"), Does: text.New("hands over")},
		},
	}
}

// shown are blocks as lines.
func shown(blocks []model.Block) string {
	var b strings.Builder
	for _, block := range blocks {
		switch block := block.(type) {
		case model.Paragraph:
			fmt.Fprintln(&b, block.Text.String())
		case model.Command:
			fmt.Fprintln(&b, "$ "+block.Line)
		case model.Quote:
			fmt.Fprintln(&b, "> "+strings.ReplaceAll(strings.TrimSpace(block.Text), "\n", "\n> "))
		case model.Section:
			fmt.Fprintln(&b, "# "+block.Title.String()+"\n"+shown(block.Blocks))
		case model.List:
			if block.Shown > 0 {
				fmt.Fprintf(&b, "(%d of %d)\n", block.Shown, len(block.Items))
			}
			for _, item := range block.Items {
				fmt.Fprintln(&b, "- "+item.Text.String()+"\n"+shown(item.Blocks))
			}
		}
	}
	return b.String()
}

// TestFinder: rule by rule, the explanation with the first; of what is known already the
// best command.
func TestFinder(t *testing.T) {
	note := report.Finding{Rule: "shared-field", Severity: report.SeverityNote, Message: text.New("of the run"),
		Source: report.Source{File: "b.yaml"}, Objects: []report.Target{web, web}, Fields: []string{".a", ".b"}}
	d := finding.Report{
		Summary: finding.Summary{Findings: report.FindingCount{Error: 2, Note: 1}, Suppressed: 1},
		Rules: []finding.RuleCount{
			{Rule: "stale-manager", Severity: report.SeverityError, Title: "A manager is gone.", Findings: 2},
			{Rule: "shared-field", Severity: report.SeverityNote, Title: "A field is shared.", Findings: 1},
		},
		Findings: []report.Finding{fault1(".a"), fault1(".b"), note}, Suppressed: []finding.Suppressed{{Finding: fault1(".c"),
			By: "an annotation", Reason: "known"}},
		IdleSuppressions: []finding.Idle{{Suppression: finding.Suppression{Rule: "shared-field", Kind: "Pod", Field: ".a",
			Source: report.Source{File: "s.yaml", Line: 2}}, Why: "fits no finding"}},
	}
	got := finder.Document(d, Options{})
	if lead := got.Lead[0].String(); lead != "2 errors, 1 note on 2 objects (1 suppressed)" {
		t.Errorf("the answer is %q", lead)
	}
	first := "- deployment.apps/web (namespace shop), a.yaml:3\nhelm is gone\nshared-field: shared\n$ ssactl clear\n"
	want := "stale-manager: 2 findings\nA manager is gone. It owns fields.\n" + first +
		"clears it\nFix: talk to them\n$ ssactl transfer\nhands over\n\n" + first + "Fix: talk to them\n\n" +
		"shared-field: 1 finding\nA field is shared. \n- of the run\n\n"
	all := ""
	for _, s := range got.Sections {
		_, title, _ := strings.Cut(s.Title.String(), " ")
		all += title + "\n" + shown(s.Blocks)
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	const idle = "# Suppressions without effect\n- s.yaml:2: shared-field, kind Pod, field .a fits no finding\n\n\n"
	if diff := cmp.Diff(idle, shown(got.Blocks)); diff != "" {
		t.Errorf("behind it (-want +got)\n%s", diff)
	}
	verbose := finder.Document(d, Options{Verbose: true})
	const hidden = "# Suppressed\n- stale-manager on deployment.apps/web (namespace shop), a.yaml:3: helm is gone, by an annotation " +
		"(known)\n\n\n"
	if diff := cmp.Diff(hidden+idle, shown(verbose.Blocks)); diff != "" {
		t.Errorf("all is asked for: behind it (-want +got)\n%s", diff)
	}
	if text := shown(verbose.Sections[1].Blocks); !strings.Contains(text, "- .a\n\n- .b\n") || strings.Count(text,
		"- deployment.apps/web (namespace shop)") != 2 {
		t.Errorf("all is asked for: the fields and objects are not there:\n%s", text)
	}
}

// TestFinderLead: what could not be checked comes first where nothing was found elsewhere.
func TestFinderLead(t *testing.T) {
	unread := []report.Problem{{Message: "bad"}}
	for name, tt := range map[string]struct {
		findings []report.Finding
		problems []report.Problem
		want     string
	}{
		"clean":         {nil, nil, "2 objects, no findings"},
		"unread":        {nil, unread, "1 input could not be checked|2 objects, no findings"},
		"found":         {[]report.Finding{fault1(".a")}, nil, "1 error on 2 objects"},
		"found, unread": {[]report.Finding{fault1(".a")}, unread, "1 error on 2 objects|1 input could not be checked"},
	} {
		d := finding.Report{
			Summary:  finding.Summary{Findings: report.FindingCount{Error: len(tt.findings)}},
			Findings: tt.findings,
		}
		d.Problems = tt.problems
		var lines []string
		for _, l := range finder.Document(d, Options{}).Lead {
			lines = append(lines, l.String())
		}
		if got := strings.Join(lines, "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestFinderFolds: many findings are folded rule by rule; few are not.
func TestFinderFolds(t *testing.T) {
	for n, want := range map[int]int{fewFindings: 0, fewFindings + 1: shownOfRule} {
		d := finding.Report{Rules: []finding.RuleCount{{Rule: "stale-manager", Findings: n}}}
		for range n {
			d.Findings = append(d.Findings, fault1(".a"))
		}
		blocks := finder.Document(d, Options{}).Sections[0].Blocks
		if got := blocks[1].(model.List).Shown; got != want {
			t.Errorf("%d findings: %d are shown, want %d", n, got, want)
		}
	}
}

// TestFinderSettings: the setting of a client is shown in full once a rule, whatever the
// object and the field.
func TestFinderSettings(t *testing.T) {
	d := finding.Report{Rules: []finding.RuleCount{{Rule: "stale-manager", Findings: 3}}}
	for _, field := range []string{`.spec.containers[name="a"].image`, `.spec.containers[name="b"].image`, ".spec.replicas"} {
		f := fault1(field)
		f.Fixes, f.Also = nil, nil
		f.InClient = []report.ClientFix{{Client: report.Terraform, Kind: string(conflict.Force), Fields: []string{field},
			Managers: []string{"helm"}, Applier: "ci"}}
		d.Findings = append(d.Findings, f)
	}
	got := shown(finder.Document(WithSettings(d), Options{}).Sections[0].Blocks[1:])
	if full, short := strings.Count(got, "> resource \"kubernetes_manifest\" \"web\" {"), strings.Count(got,
		"In Terraform: field_manager with force_conflicts, as above"); full != 1 || short != 2 {
		t.Errorf("%d in full, want 1, and %d in short, want 2:\n%s", full, short, got)
	}
	if d.Findings[0].InClient[0].Text != "" {
		t.Error("the report that was given is another one now")
	}
}

// TestFindingModel: what systems of CI know a finding by.
func TestFindingModel(t *testing.T) {
	f := fault1(".spec.a")
	f.Manager = "helm"
	const at = "ssactl/x-stale-manager apps/v1 Deployment shop web  "
	want := model.Finding{
		Rule: "ssactl/x-stale-manager", Level: model.Error, Title: "stale-manager: deployment.apps/web", Message: "helm is gone; shared",
		Fix:    "ssactl clear",
		Detail: "It owns fields.\n$ ssactl clear\n  clears it\nFix: talk to them\n$ ssactl transfer\n  hands over",
		File:   "a.yaml", Line: 3, Class: "shop.Deployment", Object: "shop/deployment.apps/web", Name: "web", Field: ".spec.a", Fails: true,
		Identity: append(strings.Split(at, " ")[:6], ".spec.a", "helm"),
	}
	if diff := cmp.Diff(want, FindingModel(f, "x-", "class", true)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	f.Target, f.Field = report.Target{}, ""
	got := FindingModel(f, "", "class", false)
	if got.Class != "class" || got.Title != "stale-manager" || got.Identity[len(got.Identity)-1] != "helm is gone" {
		t.Errorf("of no object: %+v", got)
	}
	models := RuleModels("x-", faults)
	if m := models[0]; m.ID != "ssactl/x-stale-manager" || m.Name != "StaleManager" || m.Level != model.Error ||
		m.Help != "A manager is gone. It owns fields." {
		t.Errorf("the rule is %+v", m)
	}
	if m := models[1]; m.Level != model.Note || m.Help != "A field is shared." {
		t.Errorf("the rule is %+v", m)
	}
}
