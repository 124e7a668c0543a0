package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func secret(annotation string, data map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "data": data,
		"metadata": map[string]any{"name": "db", "annotations": map[string]any{"team": "shop", lastApplied: annotation}},
	}
}

func result(live, object map[string]any) report.Result {
	return report.Result{
		Target: report.Target{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "db"},
		Live:   live, Object: object,
	}
}

func TestObjects(t *testing.T) {
	applied := `{"apiVersion":"v1","kind":"Secret","stringData":{"user":"admin"}}` + "\n"
	r := result(
		secret(applied, map[string]any{"user": b64("admin"), "password": b64("old-password"), "empty": nil}),
		secret("no json: old-password", map[string]any{"user": b64("admin"), "password": b64("new-password")}),
	)
	got := Document(New(), r)
	want := result(
		secret(`{"apiVersion":"v1","kind":"Secret","stringData":{"user":"*** (secret 2)"}}`+"\n",
			map[string]any{"user": "*** (secret 2)", "password": "*** (secret 1)", "empty": nil}),
		secret("*** (secret 4)", map[string]any{"user": "*** (secret 2)", "password": "*** (secret 3)"}),
	)
	if diff := cmp.Diff(want.Live, got.Live); diff != "" {
		t.Errorf("live: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want.Object, got.Object); diff != "" {
		t.Errorf("object: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(b64("admin"), r.Live["data"].(map[string]any)["user"]); diff != "" {
		t.Errorf("the given report was changed: (-want +got)\n%s", diff)
	}
}

func TestFieldsAndTexts(t *testing.T) {
	message := `failed to create typed patch object (shop/db; /v1, Kind=Secret): .data: expected map, got &{[never-seen]}`
	r := result(secret("no json", map[string]any{"password": b64("hunter22")}), nil)
	r.Conflicts = []report.Conflict{
		{Field: ".data.password", Live: b64("hunter22"), Applied: b64("hunter33")},
		{Field: ".immutable", Live: true, Applied: false},
	}
	r.Changes = []report.Change{{Field: ".stringData.password", Kind: report.Added, After: "hunter33"}}
	r.Status = &report.Status{
		Message: message,
		Raw:     map[string]any{"kind": "Status", "message": message, "code": int64(500)},
	}
	r.Warnings = []string{"value hunter22 (" + b64("hunter33") + ") is weak"}
	r.Error = `data[password]: Invalid value: "also never seen": no`
	got := Document(New(), r)
	masked := `failed to create typed patch object (shop/db; /v1, Kind=Secret): .data: expected map, got ***`
	wantConflicts := []report.Conflict{
		{Field: ".data.password", Live: "*** (secret 1)", Applied: "*** (secret 3)"},
		{Field: ".immutable", Live: true, Applied: false},
	}
	if diff := cmp.Diff([]report.Change{{Field: ".stringData.password", Kind: report.Added, After: "*** (secret 3)"}}, got.Changes); diff != "" {
		t.Errorf("changes: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(wantConflicts, got.Conflicts); diff != "" {
		t.Errorf("conflicts: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(&report.Status{Message: masked, Raw: map[string]any{"kind": "Status", "message": masked, "code": int64(500)}}, got.Status); diff != "" {
		t.Errorf("status: (-want +got)\n%s", diff)
	}
	texts := []string{"value *** (secret 1) (*** (secret 3)) is weak", `data[password]: Invalid value: ***: no`}
	if diff := cmp.Diff(texts, append(got.Warnings, got.Error)); diff != "" {
		t.Errorf("texts: (-want +got)\n%s", diff)
	}
}

// TestFaultsOfData: what the server says of a field is masked in a cause, which has
// the field apart, as in a sentence; of metadata nothing is.
func TestFaultsOfData(t *testing.T) {
	cause := func(field, message string) (report.Cause, any) {
		return report.Cause{Field: field, Message: message}, map[string]any{"field": field, "message": message}
	}
	given := func(data string) report.Result {
		ofData, rawData := cause("data[password]", "Invalid value: "+data+": no")
		ofName, rawName := cause("metadata.name", `Invalid value: "A": no`)
		r := result(secret("", nil), nil)
		r.Causes = []report.Cause{ofData, ofName}
		r.Forced = &report.Forced{Causes: r.Causes}
		r.Status = &report.Status{
			Message: "[data[password]: Invalid value: " + data + `: no, metadata.name: Invalid value: "A": no]`,
			Raw:     map[string]any{"causes": []any{rawData, rawName}},
		}
		return r
	}
	got, want := Document(New(), given(`"never seen"`)), given("***")
	if diff := cmp.Diff(want.Causes, got.Causes); diff != "" {
		t.Errorf("causes (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want.Forced.Causes, got.Forced.Causes); diff != "" {
		t.Errorf("causes with force (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want.Status, got.Status); diff != "" {
		t.Errorf("status (-want +got)\n%s", diff)
	}
}

// TestLinesOfValues: a value that is no string where one is expected is reported with
// its line ends.
func TestLinesOfValues(t *testing.T) {
	r := result(nil, nil)
	r.Error = "errors:\n  .data.a: expected string, got &{x}\n  .data: expected map, got &{one\n  .two: three\nfour}"
	want := "errors:\n  .data.a: expected string, got ***\n  .data: expected map, got ***"
	if diff := cmp.Diff(want, Document(New(), r).Error); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A field that no Secret has may hold what data was to hold.
func TestUnknownFields(t *testing.T) {
	object := secret("", map[string]any{"k": b64("value")})
	object["Data"], object["token"], object["immutable"], object["type"] = map[string]any{
		"k": "other",
	}, nil, "yes!", []any{
		"kind",
	}
	object["metadata"] = map[string]any{"name": "db", "labels": map[string]any{"team": "shop"}}
	got := Document(New(), result(object, nil)).Live
	want := map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "db", "labels": map[string]any{"team": "shop"}},
		"Data": "*** (secret 1)", "data": map[string]any{"k": "*** (secret 2)"}, "immutable": "*** (secret 3)",
		"token": nil, "type": "*** (secret 4)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// Their paths are searched for values too.
	r := result(nil, nil)
	r.Changes = []report.Change{
		{Field: `.Data.k[="other"]`, After: "other"},
		{Field: `.token[name="other"].x`, Before: 7.0},
		{Field: `.metadata.finalizers[="example.com/f"]`, After: "example.com/f"},
		{Field: `.metadata.finalizers[="f"]`, After: "f"},
	}
	changes := []report.Change{
		{
			Field: `.Data.k[=***]`,
			After: "*** (secret 1)",
		}, {Field: `.token[***]`, Before: "*** (secret 2)"}, {Field: `.metadata.finalizers[="example.com/f"]`, After: "example.com/f"},
		{Field: `.metadata.finalizers[=***]`, After: "*** (secret 3)"},
	}
	if diff := cmp.Diff(changes, Document(New(), r).Changes); diff != "" {
		t.Errorf("changes (-want +got)\n%s", diff)
	}
}

// Of a last-applied annotation only the names and the type are shown.
func TestAnnotations(t *testing.T) {
	cases := []struct{ applied, want string }{
		{
			`{"apiVersion":"v1","kind":"Secret","type":"Opaque","immutable":true,"token":"value","spec":{"a":["value"]},"none":null}`,
			`{"apiVersion":"v1","immutable":true,"kind":"Secret","none":null,"spec":"*** (secret 1)","token":"*** (secret 2)","type":"Opaque"}`,
		},
		{
			`{"metadata":{"name":"s","namespace":"shop","generateName":7,"annotations":{},"labels":{"team":"value"},"creationTimestamp":null,"managedFields":["value"]}}`,
			`{"metadata":{"annotations":{},"creationTimestamp":null,"generateName":"***","labels":{"team":"***"},"managedFields":["***"],"name":"s","namespace":"shop"}}`,
		},
		{`{"metadata":"value","kind":["value"]}`, `{"kind":"*** (secret 1)","metadata":"*** (secret 2)"}`},
		{
			`{"metadata":{"annotations":{"` + lastApplied + `":"value"}}}`,
			`{"metadata":{"annotations":{"` + lastApplied + `":"***"}}}`,
		},
		{`["value"]`, `*** (secret 1)`},
	}
	for _, c := range cases {
		got := New().masking().annotation(lastApplied, c.applied)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.applied, diff)
		}
	}
}

// Managed fields entries of a Secret that no server wrote tell nothing, and
// stay as readable as they were.
func TestEntries(t *testing.T) {
	claims := func(fields any) map[string]any { return map[string]any{"manager": "m", "fieldsV1": fields} }
	none := map[string]any{}
	cases := []struct{ entries, want any }{
		{"value", "***"},
		{[]any{"value", nil}, []any{"***", nil}},
		{
			[]any{claims("value"), claims([]any{"value"}), claims(nil)},
			[]any{claims("***"), claims([]any{"***"}), claims(nil)},
		},
		{
			[]any{
				claims(
					map[string]any{
						"f:metadata": map[string]any{"f:labels": map[string]any{"f:team": none}},
						"f:data":     map[string]any{".": none, "f:k": none},
					},
				),
			},
			[]any{
				claims(
					map[string]any{
						"f:metadata": map[string]any{"f:labels": map[string]any{"f:team": none}},
						"f:data":     map[string]any{".": none, "f:k": none},
					},
				),
			},
		},
		{
			[]any{
				claims(
					map[string]any{
						"f:data": map[string]any{
							"f:k":     map[string]any{"f:value": none},
							"v:value": none,
							"i:value": none,
							"x:value": none,
							"value":   none,
							"f:a":     "value",
						},
					},
				),
			},
			[]any{
				claims(
					map[string]any{
						"f:data": map[string]any{
							"f:k":   map[string]any{"f:***": none},
							"v:***": none,
							"i:***": none,
							"x:***": none,
							"***":   none,
							"f:a":   "***",
						},
					},
				),
			},
		},
		{[]any{claims(map[string]any{`v:"value"`: none, `k:{"a":"value"}`: none, "k:value": none})},
			[]any{claims(map[string]any{`v:"***"`: none, `k:{"***":"***"}`: none, "k:***": none})}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, New().masking().entries(c.entries)); diff != "" {
			t.Errorf("%v: (-want +got)\n%s", c.entries, diff)
		}
	}
	message := `failed to decode managed fields: error decoding versioned set from {m Apply v1 FieldsV1 {"f:data":{"v:value":{}}}}: error`
	if got, want := (walker{New()}).sentence(message), "failed to decode managed fields: error decoding versioned set from ***"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOtherKindsStay(t *testing.T) {
	cases := []map[string]any{
		{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"k": "value"}},
		{"apiVersion": "example.com/v1", "kind": "Secret", "data": map[string]any{"k": "value"}},
	}
	for _, object := range cases {
		r := report.Result{Target: report.Target{APIVersion: object["apiVersion"].(string), Kind: object["kind"].(string)},
			Live: object, Object: object, Error: "value"}
		if diff := cmp.Diff(r, Document(New(), r)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", object["kind"], diff)
		}
	}
}

func TestLists(t *testing.T) {
	item := secret("x", map[string]any{"k": b64("value")})
	for _, kind := range []string{"List", "SecretList"} {
		r := report.Result{Live: map[string]any{"apiVersion": "v1", "kind": kind, "items": []any{item}}}
		got := Document(New(), r).Live["items"].([]any)[0].(map[string]any)["data"]
		if diff := cmp.Diff(map[string]any{"k": "*** (secret 1)"}, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", kind, diff)
		}
	}
}

// FuzzNothingSurvives puts a value wherever a report of a Secret can have it.
func FuzzNothingSurvives(f *testing.F) {
	f.Add("password")
	f.Add("two\nlines and \"quotes\" \\ <&>")
	f.Add("\x00\xff\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		// The marker keeps apart the value and the report's own words.
		value := "Zq7" + strings.ToValidUTF8(s, "?") + "7qZ"
		annotation, err := json.Marshal(map[string]any{"stringData": map[string]any{"k": value}})
		if err != nil {
			t.Fatal(err)
		}
		object := secret(string(annotation), map[string]any{"k": b64(value)})
		object["stringData"] = map[string]any{"k": value, "deep": []any{value}}
		r := result(object, object)
		texts := []string{value, fmt.Sprintf("%q", value), b64(value), string(annotation), "is " + value + "."}
		r.Warnings, r.Notices, r.Confidence.Notes = texts, texts, texts
		r.Confidence.Reasons = []report.Caveat{{Message: r.Error}, {Message: strings.Join(texts, " ")}}
		r.Error = strings.Join(texts, " ")
		r.Status = &report.Status{Message: r.Error, Raw: map[string]any{"message": r.Error, "details": map[string]any{
			"causes": []any{map[string]any{"message": r.Error, "field": "data"}}}}}
		r.Causes = []report.Cause{{Field: "data", Message: r.Error}}
		r.Conflicts = []report.Conflict{
			{Field: ".data.k", Live: b64(value), Applied: b64(value)},
			{Field: ".data", Live: object["data"]},
		}
		r.Changes = []report.Change{
			{Field: ".stringData.k", After: value},
			{Field: ".metadata.annotations." + lastApplied, Before: string(annotation)},
			{
				Field: ".metadata.annotations",
				After: object["metadata"].(map[string]any)["annotations"],
			},
			{Field: ".metadata", After: object["metadata"]},
		}
		r.Forced = &report.Forced{Object: object, Changes: r.Changes, Status: r.Status}
		b, err := json.Marshal(Document(New(), r))
		if err != nil {
			t.Fatal(err)
		}
		for _, spelling := range []string{value, b64(value), jsonInner(value)} {
			if strings.Contains(string(b), spelling) {
				t.Errorf("%q survives in %s", spelling, b)
			}
		}
	})
}

// Equal values of two Secrets have one mask, in the order of the run.
func TestNumbersGoThroughTheRun(t *testing.T) {
	s := New()
	bare := func(data map[string]any) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "Secret", "data": data}
	}
	first := Document(s, result(nil, bare(map[string]any{"a": b64("one"), "b": b64("two")})))
	second := Document(s, result(nil, bare(map[string]any{"a": b64("two"), "b": b64("three")})))
	got := []any{first.Object["data"], second.Object["data"]}
	want := []any{
		map[string]any{"a": "*** (secret 1)", "b": "*** (secret 2)"},
		map[string]any{"a": "*** (secret 2)", "b": "*** (secret 3)"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// An annotation that is a copy of a value is masked, however short; one that is a common
// word, or a value that a label shows, is not.
func TestCopiesInAnnotations(t *testing.T) {
	values := map[string]any{"pw": "hunt3", "pin": "4711", "on": "true", "app": "shop"}
	secret := map[string]any{
		"apiVersion": "v1", "kind": "Secret", "stringData": values,
		"metadata": map[string]any{
			"name":        "s",
			"labels":      map[string]any{"app": "shop"},
			"annotations": map[string]any{"pw": "hunt3", "pin": "4711", "on": "true", "app": "shop", "note": "47110"},
		},
	}
	got := Document(New(), report.Result{Target: report.Target{APIVersion: "v1", Kind: "Secret", Name: "s"}, Object: secret}).Object["metadata"].(map[string]any)["annotations"].(map[string]any)
	for key, want := range map[string]string{"on": "true", "app": "shop", "note": "47110"} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	for _, key := range []string{"pw", "pin"} {
		if !isMask(got[key].(string)) {
			t.Errorf("%s is %v", key, got[key])
		}
	}
}
