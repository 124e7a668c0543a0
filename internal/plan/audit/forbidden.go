package audit

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// forbidden finds who owns what the policy leaves to others.
func (s *subject) forbidden() {
	o := policy.Object{Kind: s.kind().GroupKind(), Namespace: s.Target.Namespace, Live: s.Live, Shape: s.Shape}
	for _, v := range s.Policy.Owned(o, s.owners) {
		fields := s.fields(fieldpath.NewSet(v.Paths...))
		fact := report.Fact{Kind: OwnsForbidden, By: writersOf(v.Role), Others: policy.Names(v.Rule.Owners), Text: v.Rule.Reason}
		f := s.finding(ForbiddenOwner, fact, s.fixForbidden(v, fields)...).About(fields...)
		place := v.Rule.Source
		f.Manager, f.Severity, f.Policy = v.Role.Manager, Severity(v.Rule.Severity), &place
		s.add(f)
	}
}

// fixForbidden hands a field to the one who may own it, where that is one; else it
// shows who owns the field.
func (s *subject) fixForbidden(v policy.Violation, fields []string) []Fix {
	out := []Fix{s.fixWhy(fields[0])}
	if to := v.Rule.Owners; len(to) == 1 && !strings.Contains(to[0].Manager, "*") && to[0].Subresource == nil && to[0].Manager != v.Role.Manager {
		give := Fix{Kind: HandOverTo, Manager: to[0].Manager, Line: s.about(transferIt, shell.Value("--from", v.Role.Manager), shell.Value("--to", to[0].Manager)).On(fields[0])}
		out = append([]Fix{give}, out...)
	}
	i := slices.IndexFunc(s.entries, func(e managedfields.Entry) bool { return e.Role == v.Role })
	if i >= 0 && s.cares[i] != kept {
		out = append(out, s.fixClear(s.entries[i]))
	}
	return out
}
