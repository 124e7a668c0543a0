package jsontree

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
)

var texts = []string{
	`{}`, ` {"a" : [ ] , "b":{} } `, `{"a":[1,-2,3.5,1e3,-0,0,123456789012345678901,9223372036854775807,1.0]}`,
	`{"a":"b\n\"\\\/\u00e4\b\f\r\t","ä":"ö"}`, `{"a":true,"b":false,"c":null}`, `{"a":1,"a":2}`,
	`{"a":"\ud83d\ude00"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", "{\"a\":\"\\n\xff\"}", "{\"a\":\"\x01\"}",
	`null`, `[]`, `1`, ``, `{`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":[1,]}`, `{"a":[,]}`, `{"a":01}`, `{"a":+1}`,
	`{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":1e999}`, `{"a":tru}`, `{"a":nul}`, `{"a":1}x`, `{"a":1}{}`, `{"a":"b}`, `{"a":"\x"}`, `{"a":"\u12"}`,
	`{"fieldsV1":{"f:a":{"f:b":{}}},"a":{"fieldsV1":{"f:a":{"f:b":{}}},"b":{"fieldsV1":{"f:a":{"f:b":{}}}}}}`,
	`{"a":{"fieldsV1":{"f:a":1,"f:a":2}},"b":{"fieldsV1":{"f:a":1,"f:a":2}}}`, `{"fieldsV1":{"a" "b"}}`, `{"fieldsV1":{"a":{]}`, `{"fieldsV1":"}"}`,
	`{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`,
}

func TestDecode(t *testing.T) {
	for _, text := range texts {
		checkDecode(t, []byte(text))
	}
}

// checkDecode: the value and the error are those of the API machinery.
func checkDecode(t *testing.T, text []byte) {
	t.Helper()
	var want map[string]any
	wantErr := json.Unmarshal(text, &want)
	got, err := Decode(text)
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("%q: got error %v, want %v", text, err, wantErr)
	}
	if err != nil {
		return
	}
	// cmp takes exponential time for deep lists.
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%q: got %v, want %v", text, got, want)
	}
	first, _ := Read(text)
	if !reflect.DeepEqual(want, first.Object) || first.Filled && hollow(want) ||
		first.Distinct && first.Filled == hollow(want) {
		t.Fatalf("%q: got %+v, want %v", text, first, want)
	}
	for range 3 {
		if again, err := Read(text); err != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("%q: got %+v, %v the next time, want %+v", text, again, err, first)
		}
	}
}

// hollow reports whether there is an empty list.
func hollow(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hollow)
	case []any:
		return len(v) == 0 || slices.ContainsFunc(v, hollow)
	}
	return false
}

// TestOwned: the texts of what field managers own are in their order, read before or not.
func TestOwned(t *testing.T) {
	for text, want := range map[string][]string{
		`{"a":[{"fieldsV1":{"f:a" : {}}},{"fieldsV1":{"f:b":{}}},{"fieldsV1" : {"f:a" : {}} }]}`: {`{"f:a" : {}}`, `{"f:b":{}}`, `{"f:a" : {}}`},
		`{"fieldsV1":{"fieldsV1":{"f:a":{}}},"a":{"fieldsV1":1,"b":{"fieldsV1":[]}}}`:            {`{"fieldsV1":{"f:a":{}}}`, `1`, `[]`},
		`{"a":{"fieldsV2":{}}}`: nil,
	} {
		for range 3 {
			r, err := Read([]byte(text))
			var got []string
			for _, owned := range r.Owned {
				got = append(got, string(owned))
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v", text, got, err)
			}
		}
	}
}

// TestWords: more texts than are kept, and longer ones, are all read as they are.
func TestWords(t *testing.T) {
	var text []byte
	for i := range 4 * len(words{}) {
		text = fmt.Appendf(text, `,"k%d":["%d","v%d","%s"]`, i, i%7, i, strings.Repeat("x", i%(2*maxWord)))
	}
	text[0] = '{'
	checkDecode(t, append(text, '}'))
}

func TestDistinct(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":{"a":1},"b":[{"a":1},{"a":1}]}`: true,
		`{}`:                                  true,
		`{"a":1,"b":2,"a":1}`:                 false,
		`{"b":[{"a":1,"\u0061":2}]}`:          false,
		// Not read here, but by encoding/json.
		`{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`: false,
	} {
		if r, err := Read([]byte(text)); err != nil || r.Distinct != want {
			t.Errorf("%s: %v, %v", text, r.Distinct, err)
		}
	}
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		text, tree string
		want       bool
	}{
		{`{"a":1,"b":[true,null,"x\n"]}`, `{"b":[true,null,"x\n"],"a":1}`, true},
		{` { "a" : { } } `, `{"a":{}}`, true},
		{`{"a":[]}`, `{"a":[]}`, true},
		{`{"a":1}`, `{"a":1.5}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"a":[1]}`, `{"a":[1,2]}`, false},
		{`{"a":[1,2]}`, `{"a":[1]}`, false},
		{`{"a":[]}`, `{"a":{}}`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":"b"}`, `{"a":"c"}`, false},
		{`{"a":true}`, `{"a":false}`, false},
		{`{"a":1}x`, `{"a":1}`, false},
		{`{"a":1`, `{"a":1}`, false},
		{``, `{}`, false},
	} {
		var tree map[string]any
		if err := json.Unmarshal([]byte(test.tree), &tree); err != nil {
			t.Fatal(err)
		}
		if got := Equal([]byte(test.text), tree); got != test.want {
			t.Errorf("%s and %s: got %v", test.text, test.tree, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkDecode(t, text) })
}

// FuzzEqual: a text is equal to its own tree, however it is written, and to no
// other.
func FuzzEqual(f *testing.F) {
	for i, text := range texts {
		f.Add([]byte(text), []byte(texts[(i+1)%len(texts)]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		one, err := Decode(a)
		if err != nil || one == nil {
			return
		}
		encoded, err := stdjson.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Decode(encoded); err == nil && reflect.DeepEqual(one, again) && len(a) < maxDepth &&
			!Equal(encoded, one) {
			t.Fatalf("%s is not its own tree", encoded)
		}
		if other, err := Decode(b); err == nil && other != nil && Equal(encoded, other) && !reflect.DeepEqual(one, other) {
			t.Fatalf("%s is not %s", encoded, b)
		}
	})
}

// FuzzAppendCompact: it does to a valid text what encoding/json does.
func FuzzAppendCompact(f *testing.F) {
	for _, text := range append(texts, "{\n        \"a b\\\" c\" :\t[ 1 ,\r\n                  \" \" ] }") {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want bytes.Buffer
		if stdjson.Compact(&want, text) != nil {
			return
		}
		if got := AppendCompact([]byte("x"), text); string(got) != "x"+want.String() {
			t.Fatalf("%q: got %q, want %q", text, got, want.String())
		}
	})
}
