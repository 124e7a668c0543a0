package migration

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFrom(t *testing.T) {
	cases := []struct {
		values []string
		names  []string
		search Search
		bad    bool
	}{
		{nil, nil, ByNameOnly, false},
		{[]string{"auto"}, nil, ByEvidence, false},
		{[]string{"auto", "kubectl-set"}, []string{"kubectl-set"}, ByEvidence, false},
		{[]string{"=auto"}, []string{"auto"}, ByNameOnly, false},
		{[]string{"a,b", "c d"}, []string{"a,b", "c d"}, ByNameOnly, false},
		{[]string{"==x", "="}, []string{"=x", ""}, ByNameOnly, false},
		{[]string{"a", ""}, []string{"a"}, ByNameOnly, true},
	}
	for _, c := range cases {
		names, search, err := ParseFrom(c.values)
		if diff := cmp.Diff(c.names, names); diff != "" || search != c.search || (err != nil) != c.bad {
			t.Errorf("%q: %v %v (-want +got)\n%s", c.values, search, err, diff)
		}
	}
}

// What FromValue writes, ParseFrom reads.
func FuzzFromValue(f *testing.F) {
	for _, name := range []string{"", "auto", "=auto", "=", "a,b", "helm"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		names, search, err := ParseFrom([]string{FromValue(name)})
		if diff := cmp.Diff([]string{name}, names); diff != "" || search != ByNameOnly || err != nil {
			t.Errorf("%v %v (-want +got)\n%s", search, err, diff)
		}
	})
}
