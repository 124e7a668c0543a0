package audit

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
)

// TestAssumedManager: the answer says behind the counts who is taken to apply the manifests,
// and nothing where a flag said it, or there are none.
func TestAssumedManager(t *testing.T) {
	found := auditReport()
	failed := found
	failed.Problems = []report.Problem{{Message: "no"}}
	bare := found
	bare.Summary.Manifests = 0
	for _, test := range []struct {
		name    string
		of      finding.Report
		assumed string
		at      int
	}{
		{"assumed", found, "for a trial", 1}, {"with an input that could not be read", failed, "which applies all live objects", 1},
		{"named by a flag", found, "", -1}, {"no manifests", bare, "for a trial", -1},
	} {
		o := auditOptions{assumed: test.assumed}
		o.Sender = "helm"
		at := -1
		for i, line := range o.page(test.of, page.Options{}).Lead {
			if strings.HasPrefix(line.String(), "Assuming --field-manager helm, "+test.assumed) {
				at = i
			}
		}
		if at != test.at {
			t.Errorf("%s: it is line %d, want %d", test.name, at, test.at)
		}
	}
}

// TestUnusedRules: rules of a policy about no object and about no field are two findings, and
// many are counted.
func TestUnusedRules(t *testing.T) {
	text := "ownership:\n"
	for range 12 {
		text += "- {kinds: [Pod], fields: [.spec.x], owners: [m]}\n"
	}
	p, err := policy.Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got := unusedRules(p.Watched())
	if len(got) != 11 || !strings.HasPrefix(got[0], "policy.yaml:2: the rule matches no object") ||
		got[10] != "2 more rules of the policy match nothing" {
		t.Errorf("got %q", got)
	}
	if got := unusedRules(policy.Policy{}); got != nil {
		t.Errorf("without a policy: %q", got)
	}
}
