package audit

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/render/ci"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// auditReport is a report with a finding of each severity, one on a manifest
// and one on a file, and what is suppressed.
func auditReport() finding.Report {
	deployment := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	r := finding.Report{
		Head:   golden.RunOf("v1.36.3").Head(rules.ReportKind),
		Ending: report.Ending{FailOn: &report.FailOn{Values: []string{"warning"}, Errors: 1, Warnings: 2, Default: true}},
		Summary: finding.Summary{
			Objects:    12,
			Manifests:  1,
			Findings:   report.FindingCount{Error: 1, Warning: 2, Note: 1},
			Suppressed: 1,
		},
		Rules: []finding.RuleCount{
			{
				Rule:     "conflict",
				Severity: report.SeverityError,
				Title:    "Applying the manifest conflicts with another field manager.",
				Findings: 1,
			},
			{
				Rule:     "managed-fields-missing",
				Severity: report.SeverityWarning,
				Title:    "There are no managedFields.",
				Findings: 2,
			},
			{
				Rule:     "applies-and-updates",
				Severity: report.SeverityNote,
				Title:    "A field manager owns fields both by Apply and by Update.",
				Findings: 1,
			},
		},
		Findings: []report.Finding{
			{
				Rule:     "conflict",
				Severity: report.SeverityError,
				Target:   deployment,
				Source:   report.Source{File: "web.yaml", Document: 1, Line: 7},
				Field:    ".spec.replicas",
				Fields:   []string{".spec.replicas"},
				Manager:  "hpa",
				Message:  text.New("me conflicts with hpa (Update of scale) over .spec.replicas: the manifest has 3, live is 5"),
				Fixes: []report.Fix{
					{
						Does: text.New("explains the conflict in full, with the options to resolve it, each simulated"),
						Command: shell.Command("ssactl", "explain").
							With(shell.File("-f", "web.yaml"), shell.File("--live", "dump.yaml"), shell.Value("--field-manager", "me")),
					},
				},
			},
			{Rule: "managed-fields-missing", Severity: report.SeverityWarning, Source: report.Source{File: "old.yaml"},
				Message: text.New("none of the 3 objects of this file has managedFields"),
				Fixes: []report.Fix{
					{
						Does: text.New(
							"fetches the objects with managedFields; write them to %v instead of these",
							text.Name("dump.yaml"),
						),
						Command: kubectl.Get{Everywhere: true, Selections: []kubectl.Selection{{Type: "all"}}}.YAML(),
					},
				}},
			{
				Rule:     "managed-fields-missing",
				Severity: report.SeverityWarning,
				Target:   report.Target{APIVersion: "v1", Kind: "Namespace", Name: "shop"},
				Source:   report.Source{File: "dump.yaml", Document: 2, Line: 40},
				Message:  text.New("the object has no managedFields"),
			},
			{
				Rule:     "applies-and-updates",
				Severity: report.SeverityNote,
				Target:   deployment,
				Source:   report.Source{File: "dump.yaml", Document: 1, Line: 1},
				Field:    ".spec.paused",
				Fields:   []string{".spec.paused", ".spec.replicas"},
				Manager:  "operator",
				Message:  text.New("operator has an Update entry next to its Apply entry"),
				Fixes: []report.Fix{
					{
						Does: text.New(
							"gives the entry's fields to %v, whose next apply then removes what its manifest does not have",
							text.By("operator"),
						),
						Command: shell.Command("ssactl", "migrate").
							With(shell.File("-f", "dump.yaml"), shell.Value("--from", "operator"), shell.Value("--to", "operator")),
					},
					{
						Does: text.New("removes the entry of %v; what it alone owned stays, unowned", text.By("operator")),
						Command: shell.Command("ssactl", "clear").
							With(shell.File("-f", "dump.yaml"), shell.Value("--manager", "operator")),
					},
				},
			},
		},
		Suppressed: []finding.Suppressed{{
			Finding: report.Finding{
				Rule:     "ancient-changes",
				Severity: report.SeverityNote,
				Target:   deployment,
				Message:  text.New("ancient-changes owns 2 fields"),
			}, By: "known.yaml:2", Reason: "goes soon",
		}},
		IdleSuppressions: []finding.Idle{
			{
				Suppression: finding.Suppression{Rule: "stale-*", Kind: "Pod", Source: report.Source{File: "known.yaml", Line: 9}},
				Why:         "fits no finding",
			},
		},
	}
	for i, f := range r.Findings {
		r.Findings[i].Why = text.New(rules.Rules().Of(f.Rule).Why)
	}
	return r
}

// hostileAudit has in every text what a format might read as its own.
func hostileAudit() finding.Report {
	const evil = "\x1b[2J<script>alert(1)</script>]]>\"'`|@team\u202e::error::x\n::set-env name=a::b\n%0A{0}](x)"
	r := auditReport()
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Message, f.Manager, f.Source.File = text.New(
			"%v %v %v %v", text.Said(evil), text.By(evil), text.Path(evil), text.ValueOf(evil, evil),
		), evil, evil
		f.Target.Name, f.Target.Namespace = evil, evil
		f.Fields, f.Field = []string{evil, evil}, evil
		f.Fixes = []report.Fix{
			{
				Does:    text.New("removes the entry of %v", text.By(evil)),
				Command: shell.Command("ssactl").On(strings.ReplaceAll(evil, "\n", " ")),
			},
		}
	}
	r.Suppressed[0].Reason, r.Suppressed[0].By = evil, evil
	r.IdleSuppressions[0].Suppression.Kind = evil
	return r
}

func TestAuditGolden(t *testing.T) {
	verbose := show.Options{Verbose: true}
	clean := finding.Report{Summary: finding.Summary{Objects: 1, Suppressed: 2}}
	formats.CheckAnswers(
		t,
		func(reports []finding.Report) show.Answer { return show.Findings(reports[0], finder.Document) },
		[]formats.AnswerCase[finding.Report]{
			{"audit", "text", show.Options{}, []finding.Report{auditReport()}},
			{"audit_verbose", "text", verbose, []finding.Report{auditReport()}},
			{"audit_40", "text", show.Options{Width: 40}, []finding.Report{auditReport()}},
			{"audit_quiet", "text", show.Options{Quiet: true}, []finding.Report{auditReport()}},
			{"audit_color", "text", show.Options{Color: true}, []finding.Report{auditReport()}},
			{"audit_clean", "text", show.Options{}, []finding.Report{clean}},
			{"audit", "yaml", show.Options{}, []finding.Report{auditReport()}},
			{"audit", "markdown", show.Options{}, []finding.Report{auditReport()}},
			{"audit", "html", show.Options{}, []finding.Report{auditReport()}},
			{"audit", "github", show.Options{}, []finding.Report{auditReport()}},
			{"audit", "sarif", show.Options{}, []finding.Report{auditReport()}},
			{"audit", "junit", show.Options{}, []finding.Report{auditReport()}},
			{"audit_clean", "junit", show.Options{}, []finding.Report{{Summary: finding.Summary{Objects: 1}}}},
			{"audit_hostile", "text", verbose, []finding.Report{hostileAudit()}},
			{"audit_hostile", "markdown", show.Options{}, []finding.Report{hostileAudit()}},
			{"audit_hostile", "github", show.Options{}, []finding.Report{hostileAudit()}},
		},
	)
}

// testedFormats are all formats of an audit.
var testedFormats = show.AnswerFormats(append([]string{"json", "yaml"}, show.FindingFormats()...)...)

// TestAuditHostile: no text acts as part of a format.
func TestAuditHostile(t *testing.T) {
	for _, f := range testedFormats {
		var got bytes.Buffer
		if err := show.Findings(hostileAudit(), finder.Document).Write(safetext.NewWriter(&got, show.ReadingOf(f, show.Options{})), f, show.Options{Now: golden.Now}); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for _, bad := range []string{"\x1b", "\u202e", "\n::set-env"} {
			if strings.Contains(got.String(), bad) {
				t.Errorf("%s prints %q", f, bad)
			}
		}
		switch f {
		case "markdown":
			golden.CheckComment(t, got.String())
		case "html":
			golden.CheckPage(t, got.String())
		case "json", "report", "sarif":
			var v any
			if err := json.Unmarshal(got.Bytes(), &v); err != nil {
				t.Errorf("%s: %v", f, err)
			}
		case "junit":
			var v ci.Suites
			if err := xml.Unmarshal(got.Bytes(), &v); err != nil {
				t.Errorf("%s: %v", f, err)
			}
		}
	}
}

// TestAuditFolds: of many findings the text tells a few, the comment what fits,
// and both count the others.
func TestAuditFolds(t *testing.T) {
	r := auditReport()
	first := r.Findings[0]
	r.Findings, r.Rules = nil, []finding.RuleCount{
		{Rule: first.Rule, Severity: first.Severity, Title: "Conflicts.", Findings: 500},
	}
	r.Summary = finding.Summary{Objects: 500, Findings: report.FindingCount{Error: 500}}
	for i := range 500 {
		first.Target.Name = fmt.Sprintf("web-%d", i)
		r.Findings = append(r.Findings, first)
	}
	for _, c := range []struct {
		format string
		want   string
		max    int
	}{{"text", "… 495 more; -v shows all", 5000}, {"markdown", "- … 492 more", 4000}} {
		var got bytes.Buffer
		if err := show.Findings(r, finder.Document).Write(&got, c.format, show.Options{MaxBytes: 4000}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.String(), c.want) || got.Len() > c.max {
			t.Errorf("%s has %d bytes, want %q in at most %d:\n%s", c.format, got.Len(), c.want, c.max, got.String())
		}
	}
}

// An interrupted audit says so in every format, whatever it found before.
func TestInterruptedAudit(t *testing.T) {
	want := map[string]string{
		"text":     "\ninterrupted after 12 of 40 objects\n",
		"report":   "\"interrupted\": {\n    \"answered\": 12,\n    \"total\": 40\n  }",
		"json":     "\"interrupted\": {\n    \"answered\": 12,\n    \"total\": 40\n  }",
		"yaml":     "\ninterrupted:\n  answered: 12\n  total: 40\n",
		"markdown": "\n\n<b>interrupted after 12 of 40 objects</b>\n",
		"html":     "<p class=\"made\"><span class=\"bad\">interrupted after 12 of 40 objects</span></p>",
		"github":   "::error title=Interrupted::interrupted after 12 of 40 objects\n",
		"sarif":    "\"executionSuccessful\": false",
		"junit":    "<error type=\"Interrupted\" message=\"interrupted after 12 of 40 objects\">",
	}
	for _, f := range testedFormats {
		t.Run(f, func(t *testing.T) {
			for _, doc := range []finding.Report{auditReport(), {Summary: finding.Summary{Objects: 12}}} {
				doc.Interrupted = &report.Interruption{Answered: 12, Total: 40}
				var got bytes.Buffer
				if err := show.Findings(doc, finder.Document).Write(&got, f, show.Options{}); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(got.String(), want[f]) {
					t.Errorf("no %q in\n%s", want[f], got.String())
				}
				if f == "html" && !strings.Contains(got.String(), `class="verdict no"`) {
					t.Errorf("the page passes:\n%s", got.String())
				}
			}
		})
	}
}
