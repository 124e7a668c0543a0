package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// auditSays are what findings of an audit say. WRITER stands for a managed fields
// entry, FIELDS for the fields, and POLICY for what a policy allows.
var auditSays = map[audit.FactKind]string{
	audit.OwnsForbidden: "WRITER owns FIELDS: POLICY",
}

// auditMessage is what a finding says, in a clause.
func auditMessage(f audit.Finding) string {
	return strings.NewReplacer(
		"WRITER", writersText(f.Fact.By), "FIELDS", fieldsText(f), "POLICY", policyText(f.Policy, f.Fact),
	).Replace(auditSays[f.Fact.Kind])
}

// writersText names managed fields entries without their API versions.
func writersText(list []report.Writer) string {
	var names []string
	for _, w := range list {
		w.APIVersion, w.Manager = "", cmp.Or(w.Manager, "a manager without name")
		names = append(names, words.Writer(w))
	}
	return strings.Join(names, ", ")
}

// fieldsText names the first fields of a finding, and counts the others.
func fieldsText(f audit.Finding) string {
	switch f.Count {
	case 0:
		return "nothing"
	case 1:
		return f.Fields[0]
	case 2:
		return f.Fields[0] + " and " + f.Fields[1]
	}
	return fmt.Sprintf("%s and %d more fields", f.Fields[0], f.Count-1)
}
