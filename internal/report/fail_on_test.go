package report

import "testing"

func TestFailOn(t *testing.T) {
	type risk struct {
		rule     string
		severity Severity
	}
	risks := []risk{
		{"taken-by-force", SeverityWarning}, {"replicas-autoscaled", SeverityError},
		{"taken-by-force", SeverityWarning}, {"dropped-default", SeverityNote},
	}
	policy := []risk{{RuleForbiddenOwner, SeverityError}}
	for name, c := range map[string]struct {
		values []string
		risks  []risk
		want   string
	}{
		"nothing is asked for":       {nil, risks, ""},
		"never":                      {[]string{"never"}, append(policy, risks...), ""},
		"error":                      {[]string{"error"}, risks, "--fail-on error (1 error)"},
		"warning is error too":       {[]string{"warning"}, risks, "--fail-on warning (1 error, 2 warnings)"},
		"risky is warning":           {[]string{"risky"}, risks, "--fail-on risky (1 error, 2 warnings)"},
		"note is all":                {[]string{"note"}, risks, "--fail-on note (1 error, 2 warnings, 1 note)"},
		"a rule":                     {[]string{"dropped-default"}, risks, "--fail-on dropped-default (1 note)"},
		"a severity and a rule":      {[]string{"error", "dropped-default"}, risks, "--fail-on error,dropped-default (1 error, 1 note)"},
		"a rule that nothing broke":  {[]string{"forbidden-owner"}, risks, ""},
		"a policy needs no flag":     {nil, policy, "--policy (1 error)"},
		"a policy and another error": {[]string{"replicas-autoscaled"}, append(policy, risks...), "--fail-on replicas-autoscaled (1 error), --policy (1 error)"},
	} {
		t.Run(name, func(t *testing.T) {
			f := FailOn{Values: c.values}
			for _, r := range c.risks {
				f.Count(r.rule, r.severity)
			}
			if got := f.String(); got != c.want || f.Met() != (c.want != "") {
				t.Errorf("got %q, met %v, want %q", got, f.Met(), c.want)
			}
		})
	}
}
