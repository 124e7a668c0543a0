package render

import (
	"encoding/json"
	"io"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/report"
)

// AuditYAML writes the whole report as one YAML document.
func AuditYAML(w io.Writer, doc audit.Report, _ AuditOptions) error {
	b, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	var tree map[string]any
	if err := kjson.Unmarshal(b, &tree); err != nil {
		return err
	}
	s, err := encodeYAML(tree)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}

// AuditGitHub annotates the lines of the inputs: errors, warnings and notices,
// at most ten of each.
func AuditGitHub(w io.Writer, doc audit.Report, _ AuditOptions) error {
	s := &githubStream{newFindings(auditRules(), annotationsPerKind), sink{w}}
	s.add(auditFindings(doc)...)
	return s.End(Ending{Report: report.Report{Interrupted: doc.Interrupted}})
}

// AuditSARIF writes the findings for code scanning, with the rules of an audit.
func AuditSARIF(w io.Writer, doc audit.Report, _ AuditOptions) error {
	s := newSARIFOf(w, auditRules(), usualRules())
	s.add(auditFindings(doc)...)
	return s.End(Ending{Report: report.Report{Server: doc.Server, Interrupted: doc.Interrupted}})
}

// usualRules are the rules of an audit, each with the severity of most of its
// findings, behind that of inputs that cannot be read.
func usualRules() []rule {
	out := []rule{ruleUnreadable}
	for _, r := range audit.Rules() {
		out = append(out, auditRule(r.Name, r.Severity))
	}
	return out
}

// auditRules are all rules that findings of an audit may be of, the most
// important first: each in every severity, as a finding may weigh less than
// others of its rule.
func auditRules() []rule {
	out := []rule{ruleUnreadable}
	for _, severity := range audit.Severities() {
		for _, r := range audit.Rules() {
			out = append(out, auditRule(r.Name, severity))
		}
	}
	return out
}

// auditRule is a rule of an audit as one of findings.
func auditRule(name string, severity audit.Severity) rule {
	for _, r := range audit.Rules() {
		if r.Name == name {
			return rule{id: "ssactl/" + r.Name, name: camel(r.Name), level: auditLevel(severity), short: r.Title, help: r.Title + " " + r.Why}
		}
	}
	return rule{id: "ssactl/" + name, name: camel(name), level: auditLevel(severity)}
}

func auditLevel(s audit.Severity) level {
	switch s {
	case audit.Error:
		return levelError
	case audit.Warning:
		return levelWarning
	}
	return levelNotice
}

// camel is a kebab-case name in upper camel case.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// auditFindings are the findings of an audit, inputs that could not be read
// first.
func auditFindings(doc audit.Report) []finding {
	var out []finding
	for _, p := range doc.Problems {
		out = append(out, finding{rule: ruleUnreadable, source: p.Source, title: "Unreadable input", message: p.Message})
	}
	for _, f := range doc.Findings {
		title := f.Rule
		if f.Target.Name != "" {
			title += ": " + objectName(f.Target)
		}
		message := f.Message
		if len(f.Mend) > 0 {
			message += "\nTo mend it: " + f.Mend[0].Command
		}
		out = append(out, finding{
			rule: auditRule(f.Rule, f.Severity), source: f.Source, target: f.Target,
			title: title, message: message, field: f.Field, manager: f.Manager,
		})
	}
	return out
}
