package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/test/golden"
)

// TestLayOut: what was not got comes first and is why the exit code is 2; a plan has its
// commands in the order in which they are made.
func TestLayOut(t *testing.T) {
	fetch := func(reason Reason, outcome Outcome) Fetch {
		return Fetch{Reason: reason, Outcome: outcome, Wanted: []Wanted{{Kind: "ConfigMap", Type: "configmaps"}}, Objects: 2}
	}
	for _, test := range []struct {
		name   string
		d      Document
		titles []string
		lead   string
		exit   string
	}{
		{"a plan", Document{Fetches: []Fetch{fetch(Definitions, ""), fetch(Manifests, ""), fetch(Manifests, "")}, Summary: Summary{Manifests: 1}},
			[]string{"Definitions of custom kinds", "Live objects of the manifests"}, "3 commands for 1 manifest: nothing was run", ""},
		{"everything", Document{File: "live.json.gz", Context: "prod", Fetches: []Fetch{fetch(Manifests, Fetched), fetch(Writers, NotServed)}, Summary: Summary{Manifests: 1, Objects: 4}},
			[]string{"Live objects of the manifests: 2 objects", "Who else writes to them: 2 objects"}, "4 objects in live.json.gz, from context prod", ""},
		{"a part", Document{File: "live.json.gz", Fetches: []Fetch{fetch(Manifests, Fetched), fetch(Admission, Forbidden)}, Summary: Summary{Manifests: 1, Objects: 2, Missing: 1}},
			[]string{"What admission looks up: 2 objects", "Live objects of the manifests: 2 objects"}, "2 objects in live.json.gz; 1 command did not get everything", "exit 2: 1 command did not get everything"},
	} {
		out := layOut(WithCommands(test.d, kubectl.Client{}), page.Options{Now: golden.Now})
		var titles []string
		for _, s := range out.Sections {
			titles = append(titles, s.Title.String())
		}
		if diff := cmp.Diff(test.titles, titles); diff != "" {
			t.Errorf("%s: sections (-want +got):\n%s", test.name, diff)
		}
		if got := out.Lead[0].String(); got != test.lead || out.Exit != test.exit {
			t.Errorf("%s: %q, %q, want %q, %q", test.name, got, out.Exit, test.lead, test.exit)
		}
	}
}
