package jsontree

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTexts(t *testing.T) {
	path := []string{"a", "b", "*", "c"}
	for _, test := range []struct {
		text string
		want []string
		ok   bool
	}{
		{`{"x":[{"a":1}],"a":{"b":[{"c":{"d":"]}\\\""}},{"e":1}, {"e":"\\","c": 12 }],"f":null},"g":"a"}`, []string{`{"d":"]}\\\""}`, `12`}, true},
		{` { "a" : { "b" : [ ] } } `, nil, true},
		{`{}`, nil, true},
		{`{"a":{"b":[]},"a":{"b":[]}}`, nil, false},
		{`{"a":{"b":[{"c":1,"c":2}]}}`, []string{"1"}, false},
		{`{"a":{"b":{}}}`, nil, false},
		{`{"a":1}`, nil, false},
		{`[]`, nil, false},
		{``, nil, false},
	} {
		texts, ok := Texts([]byte(test.text), path...)
		var got []string
		for _, text := range texts {
			got = append(got, string(text))
		}
		if diff := cmp.Diff(test.want, got); ok != test.ok || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", test.text, ok, diff)
		}
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":{"b":"x"}}`: "x", `{"a":{"b":""}}`: "", `{"a":{"b":1}}`: "none", `{"a":{"b":"\u0041"}}`: "none", `{"a":{}}`: "none", `{"a":{"b":"x","b":"y"}}`: "none",
	} {
		got, ok := Name([]byte(text), "a", "b")
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestReplace(t *testing.T) {
	for _, test := range []struct {
		text, want string
		ok         bool
	}{
		{`{"a":[1, "1" ,{"a":1}],"b":1}`, `{"a":[<1>, <"1"> ,<{"a":1}>],"b":1}`, true},
		{`{"b":1}`, `{"b":1}`, true},
		{`{"a":[1],"a":[]}`, `{"a":[1],"a":[]}`, false},
		{`{"a":1}`, `{"a":1}`, false},
	} {
		got, ok := Replace([]byte(test.text), func(part []byte) []byte { return []byte("<" + string(part) + ">") }, "a", "*")
		if diff := cmp.Diff(test.want, string(got)); ok != test.ok || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", test.text, ok, diff)
		}
	}
}

// FuzzTexts: the texts read as what encoding/json finds there.
func FuzzTexts(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(`{"a":[` + text + `,` + text + `]}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		found, ok := Texts(text, "a", "*")
		var object map[string]json.RawMessage
		if !ok || json.Unmarshal(text, &object) != nil || object["a"] == nil {
			return
		}
		var want []json.RawMessage
		if err := json.Unmarshal(object["a"], &want); err != nil || len(want) != len(found) {
			t.Fatalf("%q: found %q, want %q", text, found, want)
		}
		for i := range want {
			if string(want[i]) != string(found[i]) {
				t.Fatalf("%q: found %q, want %q", text, found[i], want[i])
			}
		}
	})
}
