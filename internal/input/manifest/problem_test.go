package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What cannot be read may be a Secret, so that no word of it may be reported.
func TestErrorsQuoteNothing(t *testing.T) {
	const anchor = ": a value that begins with * is an alias in YAML, and there is no such anchor: put the value in quotes"
	const list = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n"
	tests := []struct{ text, want string }{
		{list + "  a: b\n  password: *hunter2\n", "line 6" + anchor},
		{list + "  a: b # not *hunter2\n  password: [*hunter2]\n", "line 6" + anchor},
		{list + "  password: *hunter2\n  again: *hunter2\n", "line 1" + anchor},
		{list + "  a: |\n    *hunter2 is it\n  password: *hunter2\n", "line 1" + anchor},
		{list + "  password: !!int hunter2\n", "line 1: the value is !!str, and not !!int as its tag says"},
		{
			list + "  password: !!float |\n    hunter2\n    hunter2\n",
			"line 1: the value is !!str, and not !!float as its tag says",
		},
		{list + "  password: &hunter2 [*hunter2]\n", "line 1: the value of an anchor contains itself"},
		{list + "  {hunter2: a}: b\n", "line 1: a map or list is no key: put the key in quotes"},
		{list + "  [hunter2]: b\n", "line 1: a map or list is no key: put the key in quotes"},
		{list + "  ~: hunter2\n", "line 1: null or too large a number is no key: put the key in quotes"},
		{list + "  password: b: hunter2\n", "line 5: mapping values are not allowed in this context"},
		{
			list + "  password: hunter2\x01\n",
			"line 5: the control character U+0001 is not allowed in YAML: write it as an escape in double quotes",
		},
		{
			list + "  a: b\n  password: \"hunter2\u0080\"\n",
			"line 6: the control character U+0080 is not allowed in YAML: write it as an escape in double quotes",
		},
		{
			list + "  a: b\n  password: hunter2\xff\n",
			"line 6: a byte is no UTF-8: save the file as UTF-8, and put binary data into base64",
		},
		{"---hunter2\n" + list, "line 1: invalid YAML document separator: only spaces and a comment may follow ---"},
	}
	for _, tt := range tests {
		_, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(tt.text)})
		var got []string
		for _, p := range problems {
			got = append(got, p.Error())
		}
		if diff := cmp.Diff([]string{"parse standard input, document 1: " + tt.want}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestFromYAML(t *testing.T) {
	got, err := FromYAML([]byte("data: {a: 1}"))
	if diff := cmp.Diff(`{"data":{"a":1}}`, string(got)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for text, want := range map[string]string{
		"data:\n  a: *hunter2\n":      "line 2: a value that begins with * is an alias in YAML, and there is no such anchor: put the value in quotes",
		"data:\n  a: !!int hunter2\n": "the value is !!str, and not !!int as its tag says",
	} {
		if _, err := FromYAML([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
