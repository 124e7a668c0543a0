package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/audit"
)

// AuditOptions are those of an audit.
type AuditOptions struct {
	Options
	// FailOn is the severity from which a finding fails the run; empty means
	// that none does.
	FailOn audit.Severity
}

// fails tells whether a finding of this severity fails the run.
func (o AuditOptions) fails(s audit.Severity) bool { return o.FailOn != "" && s.AtLeast(o.FailOn) }

// AuditFormat is one way to show an audit.
type AuditFormat struct {
	Name   string
	Render func(w io.Writer, report audit.Report, options AuditOptions) error
}

// auditFormats is in the order of the help text.
var auditFormats = []AuditFormat{
	{"text", AuditText},
	{"json", AuditJSON},
	{"yaml", AuditYAML},
	{"markdown", AuditMarkdown},
	{"html", AuditHTML},
	{"github", AuditGitHub},
	{"sarif", AuditSARIF},
	{"junit", AuditJUnit},
}

// AuditFormats lists the formats of an audit in the order of the help text.
// The slice is the caller's own.
func AuditFormats() []AuditFormat { return append([]AuditFormat(nil), auditFormats...) }

// LookupAudit finds a format by name; the error lists the names there are.
func LookupAudit(name string) (AuditFormat, error) {
	var names []string
	for _, f := range auditFormats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return AuditFormat{}, fmt.Errorf("unknown output format %q: use one of %s", name, strings.Join(names, ", "))
}

// AuditJSON writes the whole report as one JSON document.
func AuditJSON(w io.Writer, report audit.Report, _ AuditOptions) error {
	s, err := encodeJSON(report, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}
