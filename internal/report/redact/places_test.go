package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

// TestPlaces: what stands at a field path of a Secret is masked as it is within the object.
func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		path        string
		value, want any
	}{
		{".apiVersion", "v1", "v1"}, {".type", "Opaque", "Opaque"}, {".type", []any{"Opaque"}, "*** (secret 1)"},
		{".immutable", true, true}, {".immutable", "true?!", "*** (secret 1)"},
		{".data.tls.crt", b64("hunter22"), "*** (secret 1)"}, {".data.a", 5, "*** (secret 1)"}, {".data", nil, nil},
		{".data", map[string]any{"a": b64("hunter22")}, map[string]any{"a": "*** (secret 1)"}},
		{".stringData.a", "hunter22", "*** (secret 1)"}, {".unknown.a", "hunter22", "*** (secret 1)"},
		{"", map[string]any{"data": map[string]any{"a": "***"}, "kind": "Secret"}, map[string]any{"data": map[string]any{"a": "***"}, "kind": "Secret"}},
		{"", "hunter22", "*** (secret 1)"},
		{".metadata.name", "db", "db"}, {".metadata.labels.app", "db", "db"}, {".metadata.labels.app", 7, "*** (secret 1)"},
		{".metadata.annotations.note", "nothing of it", "nothing of it"}, {".metadata.annotations." + lastApplied, "hunter22", "*** (secret 1)"},
		{`.metadata.finalizers[="example.com/x"]`, "example.com/x", "example.com/x"}, {`.metadata.finalizers[="x"]`, "x", "*** (secret 1)"},
		{`.metadata.ownerReferences[uid="u"]`, map[string]any{"kind": "Pod", "name": "p", "uid": "u", "note": "x"}, map[string]any{"kind": "Pod", "name": "p", "uid": "u", "note": "*** (secret 1)"}},
		{`.metadata.ownerReferences[uid="u"].name`, "p", "p"}, {`.metadata.ownerReferences[uid="u"].name`, []any{"p"}, "*** (secret 1)"},
		{".metadata.managedFields[0].manager", "m", "m"}, {".metadata.managedFields[0].note", "hunter22", "***"},
		{".metadata.managedFields[0].fieldsV1.f:data", map[string]any{`v:"hunter22"`: map[string]any{}}, map[string]any{`v:"***"`: map[string]any{}}},
		{".metadata.managedFields[0]", map[string]any{"manager": "m", "note": "hunter22"}, map[string]any{"manager": "m", "note": "***"}},
		{".metadata.resourceVersion", "12345678", "12345678"}, {".metadata.resourceVersion", []any{"1"}, "*** (secret 1)"}, {".metadata.odd", "hunter22", "*** (secret 1)"},
	} {
		if diff := cmp.Diff(test.want, New().masking().at(test.path, test.value)); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.path, test.value, diff)
		}
	}
}

// TestStringDataThatReplacesData: a text that is base64 of a known value is that value.
func TestStringDataThatReplacesData(t *testing.T) {
	m := New()
	m.Learn(map[string]any{"kind": "Secret", "data": map[string]any{"a": b64("hunter22")}})
	first := m.masking().at(".data.a", b64("hunter22"))
	for _, same := range []string{"hunter22", b64("hunter22")} {
		if got := m.masking().at(".stringData.a", same); got != first {
			t.Errorf("%s is %v, want %v", same, got, first)
		}
	}
	if got := m.masking().at(".stringData.a", b64("another")); got == first {
		t.Errorf("another value is %v too", got)
	}
}

// TestEntriesAreLearned: what managed fields entries quote is searched for from then on,
// but for the names that are shown.
func TestEntriesAreLearned(t *testing.T) {
	m := New()
	m.Learn(
		map[string]any{
			"kind": "Secret",
			"metadata": map[string]any{"managedFields": []any{map[string]any{"fieldsV1": map[string]any{
				"f:data": map[string]any{
					`v:"in-a-set-22"`:       map[string]any{},
					`k:{"a":"in-a-key-22"}`: map[string]any{},
					"v:no-json-22!":         map[string]any{},
				},
				"f:metadata": map[string]any{
					"f:finalizers":      map[string]any{`v:"example.com/finalizer"`: map[string]any{}},
					"f:ownerReferences": map[string]any{`k:{"uid":"owner-uid-22"}`: map[string]any{}},
				},
			}}}},
		},
	)
	for text, want := range map[string]string{
		"of in-a-set-22": "of *** (secret 1)", "of in-a-key-22": "of *** (secret 2)", "of no-json-22!": "of *** (secret 3)",
		"of example.com/finalizer": "of example.com/finalizer", "of owner-uid-22": "of owner-uid-22",
	} {
		if got := aMask.ReplaceAllString(m.Text(text), "***"); got != aMask.ReplaceAllString(want, "***") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestWhole: a spelling counts where it is no part of a longer word, escapes are signs, and
// what was cut off counts by its beginning.
func TestWhole(t *testing.T) {
	m := New()
	m.LearnPatch("hunter2")
	m.LearnPatch("Zq7-hunter2-x9Kp")
	for text, found := range map[string]bool{
		"hunter2": true, "is hunter2.": true, "(hunter2)": true, "a/hunter2/b": true, `\thunter2\n`: true, `\u003chunter2`: true, "%20hunter2": true,
		"hunter21": false, "my-hunter2": false, "hunter2-x": false, "hunter2.example": false, "x.hunter2": false, "_hunter2": false,
		"Zq7-hunte…": true, "Zq7-h…": false, "Zq7-hunter2-x9Kp-more": true,
	} {
		if got := m.Text(text); strings.Contains(got, maskStart) != found {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// told is a document about an object, with lines of a file that are not to be shown.
type told struct {
	Target  report.Target
	Message string
	Lines   linesOf
	Ours    string `secret:"ours"`
	Place   string `secret:"public"`
	Raw     []byte
	Derived []string `secret:"derived"`
	Object  map[string]any
	ByName  map[string]string
}

type linesOf struct{ Text string }

func (l linesOf) Concealed() any { return linesOf{"concealed"} }

// TestDocuments: of an object that has nothing to do with Secrets all stays; of one with a
// Secret in it, texts are searched and lines concealed; what was made from values of
// Secrets is hidden without a number.
func TestDocuments(t *testing.T) {
	const value = "Zq7-hunter2-x9Kp"
	deployment := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	of := func(target report.Target, object map[string]any, derived ...string) told {
		return told{
			Target:  target,
			Message: "is " + value,
			Lines:   linesOf{value},
			Ours:    value,
			Place:   value,
			Raw:     []byte(value),
			Derived: derived,
			Object:  object,
			ByName:  map[string]string{"a": value},
		}
	}
	const mask = "*** (secret 1)"
	holding := map[string]any{"spec": map[string]any{"manifest": "kind: Secret\nstringData:\n  a: " + value + "\n"}}
	for _, test := range []struct {
		name        string
		given, want told
	}{
		{"another object", of(deployment, map[string]any{"spec": "x"}), of(deployment, map[string]any{"spec": "x"})},
		{"one with a Secret in it", of(deployment, holding), told{Target: deployment, Message: "is " + mask, Lines: linesOf{"concealed"}, Ours: mask, Place: value, Raw: []byte(mask),
			Object: map[string]any{"spec": map[string]any{"manifest": "*** (secret 2)"}}, ByName: map[string]string{"a": mask}}},
		{"one with derived fields", of(deployment, map[string]any{"spec": map[string]any{"a": "made", "b": "kept", "c": []any{"made"}}}, ".spec.a", ".spec.c"),
			of(deployment, map[string]any{"spec": map[string]any{"a": "***", "b": "kept", "c": []any{"***"}}}, ".spec.a", ".spec.c")},
		{"a Secret", of(report.Target{APIVersion: "v1", Kind: "Secret", Name: "s"}, map[string]any{"kind": "Secret", "stringData": map[string]any{"a": value}}),
			told{Target: report.Target{APIVersion: "v1", Kind: "Secret", Name: "s"}, Message: "is " + mask, Lines: linesOf{"concealed"}, Ours: mask, Place: value, Raw: []byte(mask),
				Object: map[string]any{"kind": "Secret", "stringData": map[string]any{"a": mask}}, ByName: map[string]string{"a": mask}}},
	} {
		m := New()
		m.LearnPatch(value)
		if test.name == "a Secret" || test.name == "one with a Secret in it" {
			test.given.Place, test.want.Place = "shown", "shown"
		}
		if diff := cmp.Diff(test.want, Document(m, test.given)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	shown := New()
	shown.ShowSecrets()
	secret := of(
		report.Target{APIVersion: "v1", Kind: "Secret"},
		map[string]any{"kind": "Secret", "stringData": map[string]any{"a": value}},
	)
	if diff := cmp.Diff(secret, Document(shown, secret)); diff != "" || shown.Concerns(secret) {
		t.Errorf("masked though Secrets are shown:\n%s", diff)
	}
	var none *Masker
	if diff := cmp.Diff(secret, Document(none, secret)); diff != "" {
		t.Errorf("a nil Masker masks:\n%s", diff)
	}
}

// TestApart: answers that are masked before they are shown have numbers of their own, and
// nothing is masked where nothing of the run is.
func TestApart(t *testing.T) {
	m := New()
	m.LearnPatch("hunter22")
	m.Text("hunter22")
	apart := m.Apart()
	r := Document(apart, result(nil, secret("", map[string]any{"a": b64("another")})))
	if got := r.Object["data"].(map[string]any)["a"]; got != "*** (secret 1)" {
		t.Errorf("the first value apart is %v", got)
	}
	m.ShowSecrets()
	if !m.Apart().Shows() {
		t.Error("apart, Secrets are masked that the run shows")
	}
}
