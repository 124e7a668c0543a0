package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
)

// judge is an admission policy, or a configuration of webhooks, that comes in the
// same run.
type judge struct {
	placed
	kind, name string
}

// judgeOf gives the judge that a manifest brings; false for all others.
func judgeOf(d manifest.Document, at placed) (judge, bool) {
	judges := d.Group() == "admissionregistration.k8s.io" &&
		(strings.HasSuffix(d.Kind, "AdmissionPolicy") || strings.HasSuffix(d.Kind, "WebhookConfiguration"))
	return judge{at, d.Kind, d.Name}, judges
}

// notice says of an answer behind the judge, which is as it is because of it, that a
// server may answer otherwise at first.
func (j judge) notice(p Pair, r report.Result) []string {
	if j.number >= p.number || !j.decides(r) {
		return nil
	}
	return []string{fmt.Sprintf("the %s %q comes first in this run (%s): a server takes up to some seconds to put it into force, and answers without it until then", j.kind, j.name, j.source)}
}

// decides reports whether an answer names the judge, or has what only one of its kind
// sets: the server names policies where they refuse or warn, and this program the
// webhooks that a server would call.
func (j judge) decides(r report.Result) bool {
	if j.kind == "MutatingAdmissionPolicy" {
		return mentions(r, fmt.Sprintf("policy '%s'", j.name)) || slices.ContainsFunc(r.Changes, func(c report.Change) bool { return c.Reason == report.ReasonAdmission && c.Detail == j.kind })
	}
	return mentions(r, fmt.Sprintf("%s '%s'", j.kind, j.name)) || mentions(r, fmt.Sprintf("%s %q", j.kind, j.name))
}

// mentions reports whether the answer's status, warnings or reasons for doubt have a
// text.
func mentions(r report.Result, text string) bool {
	has := func(s string) bool { return strings.Contains(s, text) }
	return r.Status != nil && has(r.Status.Message) || slices.ContainsFunc(r.Warnings, has) ||
		slices.ContainsFunc(r.Confidence.Reasons, func(c report.Caveat) bool { return has(c.Message) })
}
