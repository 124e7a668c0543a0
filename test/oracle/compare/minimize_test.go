package compare

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithoutTakesOnePlaceOut(t *testing.T) {
	const document = `{"a":{"b":[1,2,3]},"c":4}`
	tests := []struct {
		place []string
		want  string
	}{
		{place: []string{"c"}, want: `{"a":{"b":[1,2,3]}}`},
		{place: []string{"a", "b"}, want: `{"a":{},"c":4}`},
		{place: []string{"a", "b", "1"}, want: `{"a":{"b":[1,3]},"c":4}`},
		{place: []string{"a", "x"}},
		{place: []string{"a", "b", "7"}},
		{place: []string{"c", "x"}},
	}
	for _, test := range tests {
		var value any
		if err := json.Unmarshal([]byte(document), &value); err != nil {
			t.Fatal(err)
		}
		smaller, ok := without(value, test.place)
		if ok != (test.want != "") {
			t.Errorf("without %v: taken out: %v", test.place, ok)
		}
		if ok {
			checkJSON(t, test.want, smaller)
		}
		checkJSON(t, document, value)
	}
}

func TestPlacesOfListsFromTheirEnd(t *testing.T) {
	var value any
	if err := json.Unmarshal([]byte(`{"b":[{"x":1},2],"a":0}`), &value); err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"a"}, {"b"}, {"b", "1"}, {"b", "0"}, {"b", "0", "x"}}
	if diff := cmp.Diff(want, placesOf(value, nil)); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func checkJSON(t *testing.T, want string, value any) {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}
