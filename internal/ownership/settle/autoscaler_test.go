package settle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
)

// TestWanted: what autoscalers want, as far as they say it.
func TestWanted(t *testing.T) {
	scaled := func(least, most, desired int64) writers.Claim {
		return writers.Claim{Scaling: writers.Scaling{Min: least, Max: most, Desired: desired}}
	}
	for name, c := range map[string]struct {
		claims []writers.Claim
		want   []want
	}{
		"one within its bounds":      {[]writers.Claim{scaled(1, 5, 0)}, []want{{}}},
		"one with a status":          {[]writers.Claim{scaled(1, 5, 4)}, []want{{replicas: 4, known: true}}},
		"several want their minimum": {[]writers.Claim{scaled(1, 5, 0), scaled(2, 5, 0)}, []want{{1, true, false}, {2, true, false}}},
		"of the same, one has load":  {[]writers.Claim{scaled(1, 5, 0), scaled(1, 5, 0)}, []want{{1, true, false}, {5, true, true}}},
		"three of the same bounds": {
			[]writers.Claim{scaled(1, 5, 0), scaled(1, 5, 0), scaled(1, 5, 0)},
			[]want{{1, true, false}, {3, true, true}, {5, true, true}},
		},
		"several that want the same":  {[]writers.Claim{scaled(1, 5, 3), scaled(1, 5, 3)}, []want{{3, true, false}, {3, true, false}}},
		"the minimum is another's":    {[]writers.Claim{scaled(3, 5, 0), scaled(1, 5, 3)}, []want{{3, true, false}, {3, true, false}}},
		"the one of several with one": {[]writers.Claim{scaled(1, 5, 2), scaled(1, 5, 0)}, []want{{2, true, false}, {1, true, false}}},
	} {
		got := wanted(c.claims, &ownership.Object{})
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(want{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
