package managedfields

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
)

func parse(t testing.TB, s string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := kjson.Unmarshal([]byte(s), &m); err != nil {
		t.Fatalf("parse %s: %v", s, err)
	}
	return m
}

func TestOfKeepsBrokenEntries(t *testing.T) {
	o := Of(parse(t, `{"metadata":{"managedFields":[
		{"manager":"good","operation":"Apply","apiVersion":"v1","time":"2024-05-01T12:00:00+02:00","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a.b":{}}}},
		{"manager":"op","operation":"Patch","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{}},
		{"manager":"type","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV2","fieldsV1":{}},
		{"manager":"fields","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{"x":{}}}},
		{"manager":"value","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":1}},
		{"manager":"time","operation":"Update","apiVersion":"v1","time":"yesterday","fieldsType":"FieldsV1"},
		{"manager":7,"operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1"},
		{"manager":"version","operation":"Update","fieldsType":"FieldsV1"},
		"text",
		{},
		{"manager":"none","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"x:future":{}}}
	]}}`))
	want := []string{
		"good: <nil> .data .data.a.b",
		`op: operation is "Patch", not Apply or Update`,
		`type: fieldsType is "FieldsV2", not FieldsV1`,
		`fields: fieldsV1: a path element without f:, k:, v: or i: in front`,
		`value: fieldsV1: path element ".a": its claims are no object`,
		`time: time "yesterday" is not an RFC 3339 time`,
		`: manager is not a string`,
		`version: apiVersion is empty`,
		`: not an object`,
		`: operation is "", not Apply or Update`,
		`none: <nil>`,
	}
	got := []string{}
	for _, e := range o.Entries {
		line := e.Manager + ": <nil>"
		if e.Err != nil {
			line = e.Manager + ": " + e.Err.Error()
		}
		for _, p := range (Owners{Entries: []Entry{e}}).Paths() {
			line += " " + p.Field
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if at := o.Entries[0].Time; at == nil || !at.Equal(time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("time %v", at)
	}
	if len(o.Readable()) != 2 || len(o.Broken()) != 9 {
		t.Errorf("%d readable, %d broken", len(o.Readable()), len(o.Broken()))
	}
}

// What cannot be read may quote a Secret.
func TestErrorsQuoteNoValues(t *testing.T) {
	for fields, want := range map[string]string{
		`{"v:hunter2":{}}`:                 "a path element v:… is no value in JSON",
		`{"k:{hunter2}":{}}`:               "a path element k:… is no object in JSON that has the keys of a list item",
		`{"i:hunter2":{}}`:                 "a path element i:… is no index",
		`{"hunter2":{}}`:                   "a path element without f:, k:, v: or i: in front",
		`{"v:\"hunter2\"":1}`:              "a path element of a list: its claims are no object",
		`{"k:{\"name\":\"hunter2\"}":"x"}`: "a path element of a list: its claims are no object",
		`"hunter2"`:                        "not an object",
	} {
		o := Of(
			parse(
				t,
				`{"metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":`+fields+`}]}}`,
			),
		)
		if err := o.Entries[0].Err; err == nil || err.Error() != "fieldsV1: "+want {
			t.Errorf("%s: %v, want %s", fields, err, want)
		}
	}
}

func TestOfNothing(t *testing.T) {
	for _, s := range []string{`{}`, `{"metadata":null}`, `{"metadata":[]}`, `{"metadata":{"managedFields":null}}`, `{"metadata":{"managedFields":[]}}`} {
		if o := Of(parse(t, s)); len(o.Entries) > 0 || o.Err != nil || !o.Set().Empty() {
			t.Errorf("%s: %+v", s, o)
		}
	}
	if o := Of(parse(t, `{"metadata":{"managedFields":"x"}}`)); o.Err == nil {
		t.Error("managedFields that are no list have no error")
	}
	if o := Of(nil); len(o.Paths()) > 0 {
		t.Error("nil has owners")
	}
}

func TestEncode(t *testing.T) {
	entry := parse(
		t,
		`{"manager":"m","operation":"Update","subresource":"status","apiVersion":"v1","time":"2024-05-01T10:00:00Z","fieldsType":"FieldsV1",
		"fieldsV1":{"f:status":{".":{},"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:type":{}}},"f:list":{"v:1":{},"i:0":{}}}}}`,
	)
	o := Of(map[string]any{"metadata": map[string]any{"managedFields": []any{entry}}})
	got, err := o.Entries[0].Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(entry, got); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
}
