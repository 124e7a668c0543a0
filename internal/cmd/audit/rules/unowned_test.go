package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/report"
)

// TestUnowned: a value that the manifest changes and no manager owns is reported; one with an owner is not, nor one
// that the manifest only adds, nor any of an object without entries.
func TestUnowned(t *testing.T) {
	server := newScripted(t)
	changed := func(field string, kind report.ChangeKind) report.Change {
		return report.Change{Field: field, Kind: kind, Before: "1", After: "2", Reason: report.ReasonApplied}
	}
	one := entry("helm", "Apply", "2026-01-01T00:00:00Z")
	for _, test := range []struct {
		name, entries string
		changes       []report.Change
		want          []string
	}{
		{"no owner", strings.Replace(one, "f:a", "f:b", 1), []report.Change{changed(".data.a", report.Modified)},
			[]string{"note unowned-differs: no manager owns .data.a, which the manifest sets to another value"}},
		{"an owner", one, []report.Change{changed(".data.a", report.Modified)}, nil},
		{"a new value", one, []report.Change{changed(".data.c", report.Added)}, nil},
		{"no entries", "", []report.Change{changed(".data.a", report.Modified)}, nil},
	} {
		o := server.object(t, configMap("c", test.entries))
		o.Manifest = &report.Result{
			Outcome: report.Configured, Manager: "helm", Source: report.Source{File: "m.yaml", Line: 1},
			LiveSource: &report.Source{File: "dump.yaml"}, Changes: test.changes, Live: o.Live,
		}
		settings := rules.Settings{Clock: testClock}
		examined := rules.Examine(o, server, settings)
		var got []string
		run := rules.Run{Examined: []rules.Examined{examined}, Settings: settings}
		for _, line := range lines(rules.Conclude(run).Findings) {
			if strings.Contains(line, "unowned") {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
