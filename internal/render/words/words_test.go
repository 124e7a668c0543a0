package words

import (
	"slices"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/report"
)

// TestNames: what things are called in a line.
func TestNames(t *testing.T) {
	web := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web", Subresource: "scale"}
	node := report.Target{APIVersion: "v1", Kind: "Node", Name: "n\x1b"}
	hpa := report.Writer{Manager: "hpa", Operation: "Update", Subresource: "scale", APIVersion: "apps/v1"}
	for _, tt := range []struct{ got, want string }{
		{Object(web), "deployment.apps/web"},
		{Object(node), `node/n\x1b`},
		{Where(web), " (namespace shop, subresource scale)"},
		{Where(node), ""},
		{FileName(web), "apps.v1.Deployment.shop.web.scale"},
		{FileName(node), "v1.Node..n%1B"},
		{Place(nil), ""},
		{Place(&report.Source{Line: 3}), ""},
		{Place(&report.Source{File: "a.yaml", Line: 3, Document: 2}), "a.yaml:3"},
		{Place(&report.Source{File: "-", Line: 3}), "standard input:3"},
		{Place(&report.Source{File: "a.yaml", Document: 2}), "a.yaml, document 2"},
		{Place(&report.Source{File: "a.yaml", Document: 1}), "a.yaml"},
		{Writer(hpa), "hpa (Update of scale at apps/v1)"},
		{Writers([]report.Writer{hpa, {Manager: "helm", Operation: "Apply"}}), "hpa (Update of scale), helm (Apply)"},
		{Operation("Apply", "") + ", " + Operation("Update", "scale"), "Apply, Update of scale"},
		{Interrupted(nil), ""},
		{Interrupted(&report.Interruption{Answered: 1, Total: 3}), "interrupted after 1 of 3 objects"},
		{Sentence(""), ""},
		{Sentence("says"), "Says"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// TestTimes: an age in the largest unit that fits.
func TestTimes(t *testing.T) {
	now := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		0: "0s", 119 * time.Second: "119s", 2 * time.Minute: "2m", 119 * time.Minute: "119m", 2 * time.Hour: "2h", 47 * time.Hour: "47h",
		48 * time.Hour: "2d", 729 * 24 * time.Hour: "729d", 730 * 24 * time.Hour: "2y", -time.Second: "",
	} {
		then := now.Add(-ago)
		if got := Age(&then, now); got != want {
			t.Errorf("%v ago is %q, want %q", ago, got, want)
		}
	}
	then := now.Add(-3 * time.Hour).In(time.FixedZone("", 3600))
	for _, tt := range []struct{ got, want string }{
		{Age(nil, now), ""},
		{Age(&then, time.Time{}), ""},
		{Date(nil), ""},
		{Date(&then), "2026-11-21 03:00 UTC"},
		{Since(nil, now), "no time recorded"},
		{Since(&then, now), "since 2026-11-21 03:00 UTC (3h ago)"},
		{Since(&then, time.Time{}), "since 2026-11-21 03:00 UTC"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// TestNouns agree with their numbers.
func TestNouns(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Count(0, "object"), "0 objects"}, {Count(1, "entry"), "1 entry"}, {Count(2, "entry"), "2 entries"}, {Count(2, "key"), "2 keys"},
		{Count(2, "day"), "2 days"},
		{Them(1) + Them(2), "itthem"}, {Owns(1) + Owns(0), "ownsown"}, {Agree(1, "a", "b") + Agree(0, "a", "b"), "ab"},
		{Some([]string{"a", "b"}, 3, 2), "a, b"}, {Some([]string{"a", "b", "c"}, 2, 3), "a, b and 1 more"}, {Some([]string{"a"}, 3, 9),
			"a and 8 more"}, {Some(nil, 3, 0), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestAnd(t *testing.T) {
	for _, test := range []struct {
		names     []string
		and, owns string
	}{
		{nil, "", " own"},
		{[]string{"a"}, "a", "a owns"},
		{[]string{"a", "b"}, "a and b", "a and b own"},
		{[]string{"a", "b", "c"}, "a, b and c", "a, b and c own"},
	} {
		if got := And(test.names); got != test.and {
			t.Errorf("And(%q) = %q, want %q", test.names, got, test.and)
		}
		if got := Own(test.names); got != test.owns {
			t.Errorf("Own(%q) = %q, want %q", test.names, got, test.owns)
		}
	}
}

// TestAndOfMany: a sentence does not grow with the field managers of an object.
func TestAndOfMany(t *testing.T) {
	few, many := And(slices.Repeat([]string{"a"}, mostNames+1)), And(slices.Repeat([]string{"a"}, 20000))
	if len(many) > len(few)+len("19950") {
		t.Errorf("%d characters, and of %d names %d", len(many), mostNames+1, len(few))
	}
	if want := "a, a and 19950 others"; many[len(many)-len(want):] != want {
		t.Errorf("ends with %q, want %q", many[len(many)-len(want):], want)
	}
}
