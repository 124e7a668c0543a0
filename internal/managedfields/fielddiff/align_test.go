package fielddiff

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func list(t testing.TB, text string) []any {
	t.Helper()
	var l []any
	if err := yaml.Unmarshal([]byte(text), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// toldPairs writes pairs as short lines.
func toldPairs(pairs []Pair) []string {
	var out []string
	for _, p := range pairs {
		switch p.Kind {
		case Added:
			out = append(out, fmt.Sprintf("+%d %v", p.To, p.After))
		case Removed:
			out = append(out, fmt.Sprintf("-%d %v", p.From, p.Before))
		case Moved:
			out = append(out, fmt.Sprintf(">%d to %d", p.From, p.To))
		case Modified:
			out = append(out, fmt.Sprintf("~%d to %d %v to %v", p.From, p.To, p.Before, p.After))
		}
	}
	return out
}

func TestAlign(t *testing.T) {
	const rules = "[{resources: [a], verbs: [get]}, {resources: [b], verbs: [get]}, {resources: [c], verbs: [get]}"
	cases := []struct {
		name, before, after string
		want                []string
	}{
		{name: "equal", before: "[a, {b: 1}]", after: "[a, {b: 1}]"},
		{name: "one added first", before: "[a, b, c]", after: "[x, a, b, c]", want: []string{"+0 x"}},
		{name: "one removed", before: "[a, b, c]", after: "[a, c]", want: []string{"-1 b"}},
		{name: "one removed last, one added first", before: rules + ", {resources: [nodes], verbs: [get]}]",
			after: "[{resources: [configmaps], verbs: [get]}, " + rules[1:] + "]",
			want:  []string{"+0 map[resources:[configmaps] verbs:[get]]", "-3 map[resources:[nodes] verbs:[get]]"}},
		{
			name:   "one replaced at its place",
			before: "[{resources: [a], verbs: [get]}]",
			after:  "[{resources: [b], verbs: [get]}]",
			want:   []string{"+0 map[resources:[b] verbs:[get]]", "-0 map[resources:[a] verbs:[get]]"},
		},
		{name: "a rule gets a verb, and moves", before: rules + "]",
			after: "[{resources: [c], verbs: [get, list]}, {resources: [a], verbs: [get]}, {resources: [b], verbs: [get]}]",
			want:  []string{"~2 to 0 map[resources:[c] verbs:[get]] to map[resources:[c] verbs:[get list]]"}},
		{
			name:   "a rule gets a resource",
			before: "[{apiGroups: [''], resources: [pods], verbs: [get]}, {resources: [b], verbs: [get]}]",
			after:  "[{apiGroups: [''], resources: [pods, secrets], verbs: [get]}, {resources: [b], verbs: [get]}]",
			want: []string{"~0 to 0 map[apiGroups:[] resources:[pods] verbs:[get]] to map[apiGroups:[] " +
				"resources:[pods secrets] verbs:[get]]"},
		},
		{
			name:   "a rule about another group",
			before: "[{apiGroups: [a], resources: [pods], verbs: [get]}]",
			after:  "[{apiGroups: [b], resources: [pods], verbs: [get]}]",
			want: []string{"+0 map[apiGroups:[b] resources:[pods] verbs:[get]]",
				"-0 map[apiGroups:[a] resources:[pods] verbs:[get]]"},
		},
		{name: "moved", before: "[a, b, c]", after: "[c, a, b]", want: []string{">2 to 0"}},
		{
			name:   "a value of a flag",
			before: "[--a, --v=2, --b]",
			after:  "[--a, --v=4, --b]",
			want:   []string{"~1 to 1 --v=2 to --v=4"},
		},
		{name: "other texts", before: "[get, list]", after: "[get, watch]", want: []string{"+1 watch", "-1 list"}},
		{
			name:   "what names nothing is alike",
			before: "[{from: [{x: 1}], ports: [1]}, {y: 1}]",
			after:  "[{z: 1}, {from: [{x: 2}], ports: [1]}, {y: 1}]",
			want:   []string{"+0 map[z:1]", "~0 to 1 map[from:[map[x:1]] ports:[1]] to map[from:[map[x:2]] ports:[1]]"},
		},
		{name: "a name twice is none", before: "[{name: a, v: 1}, {name: a, v: 2}]", after: "[{name: a, v: 3}]",
			want: []string{"+0 map[name:a v:3]", "-0 map[name:a v:1]", "-1 map[name:a v:2]"}},
		{name: "equal ones twice", before: "[a, a, b]", after: "[b, a]", want: []string{">2 to 0", "-1 a"}},
		{name: "to nothing", before: "[a]", after: "[]", want: []string{"-0 a"}},
	}
	for _, c := range cases {
		got := toldPairs(Align(list(t, c.before), list(t, c.after)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// FuzzAlign checks that the pairs say how the one list becomes the other.
func FuzzAlign(f *testing.F) {
	f.Add("[a, b, {name: x}]", "[{name: x, v: 1}, b, b]")
	f.Add("[[1], 2, 2, a=1]", "[2, a=2, [1], 2]")
	f.Fuzz(func(t *testing.T, before, after string) {
		var a, b []any
		if yaml.Unmarshal([]byte(before), &a) != nil || yaml.Unmarshal([]byte(after), &b) != nil {
			return
		}
		out, gone := make([]any, len(b)), map[int]bool{}
		filled := make([]bool, len(b))
		for _, p := range Align(a, b) {
			if p.From >= 0 {
				gone[p.From] = true
			}
			if p.To >= 0 {
				out[p.To], filled[p.To] = p.After, true
			}
		}
		to := 0
		for i, item := range a {
			if gone[i] {
				continue
			}
			for to < len(b) && filled[to] {
				to++
			}
			if to == len(b) {
				t.Fatalf("%v to %v: no place is left for %v", a, b, item)
			}
			out[to], filled[to] = item, true
		}
		if len(b) > 0 && !cmp.Equal(out, b) {
			t.Errorf("%v to %v: the pairs make %v", a, b, out)
		}
		if len(Align(a, a)) > 0 {
			t.Errorf("%v differs from itself", a)
		}
	})
}
