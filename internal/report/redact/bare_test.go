package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBareObjects(t *testing.T) {
	claims := func(text string, data map[string]any) []any {
		return []any{
			text,
			map[string]any{"manager": "m", "fieldsV1": map[string]any{"f:data": data, "f:type": map[string]any{}}},
		}
	}
	given := func() map[string]any {
		object := secret("no json", map[string]any{"user": b64("admin"), "password": b64("hunter22")})
		object["metadata"].(map[string]any)["managedFields"] = claims("text", map[string]any{
			"f:user": map[string]any{}, `v:"hunter22"`: map[string]any{}, `k:{"a":"hunter22"}`: map[string]any{".": map[string]any{}},
		})
		return object
	}
	object := given()
	want := secret("*** (secret 3)", map[string]any{"user": "*** (secret 2)", "password": "*** (secret 1)"})
	want["metadata"].(map[string]any)["managedFields"] = claims("***", map[string]any{
		"f:user": map[string]any{}, `v:"***"`: map[string]any{}, `k:{"***":"***"}`: map[string]any{".": map[string]any{}},
	})
	masks := New()
	if diff := cmp.Diff(want, masks.Object(object)); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(given(), object); diff != "" {
		t.Errorf("the given object was changed (-want +got):\n%s", diff)
	}
	second := map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"again": b64("admin")}}
	if got := masks.Object(second)["data"].(map[string]any)["again"]; got != "*** (secret 2)" {
		t.Errorf("an equal value of another object is masked as %v", got)
	}
	other := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"k": "v"}}
	if diff := cmp.Diff(other, masks.Object(other)); diff != "" {
		t.Errorf("a ConfigMap is masked (-want +got):\n%s", diff)
	}
	if masks.Object(nil) != nil {
		t.Error("nil is masked")
	}
}

// TestDifferentValues: what is a line of another value, or encodes one, is a value
// of its own where it stands.
func TestDifferentValues(t *testing.T) {
	m := New()
	got := m.Object(map[string]any{"kind": "Secret", "data": map[string]any{
		"a": b64("first line\nsecond line"), "b": b64("first line"), "c": b64("c3dvcmRmaXNo"), "d": b64("swordfish"),
	}, "stringData": map[string]any{"b": "first line"}})
	want := map[string]any{"kind": "Secret", "data": map[string]any{
		"a": "*** (secret 1)", "b": "*** (secret 2)", "c": "*** (secret 3)", "d": "*** (secret 4)",
	}, "stringData": map[string]any{"b": "*** (secret 2)"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got, want := m.Text("is first line, not second line"), "is *** (secret 2), not *** (secret 1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTexts: a value is found as encoders write it, and common words stay.
func TestTexts(t *testing.T) {
	secret := map[string]any{
		"kind":     "Secret",
		"metadata": map[string]any{"name": "login", "labels": map[string]any{"a": "login"}},
		"data": map[string]any{
			"password": b64(
				`p<"w&d'/`,
			), "short": b64("abc"), "word": b64("true"), "port": b64("8080"), "key": b64("password"), "long": b64(strings.Repeat("long", 9)), "none": "",
		},
	}
	for text, want := range map[string]string{
		`it is p<"w&d'/.`:                       "it is *** (secret 1).",
		`it is "p<\"w&d'/"`:                     `it is "*** (secret 1)"`,
		`{"a":"p\u003c\"w\u0026d'/"}`:           `{"a":"*** (secret 1)"}`,
		`"{\"a\":\"p\\u003c\\\"w\\u0026d'/\"}"`: `"{\"a\":\"*** (secret 1)\"}"`,
		"p&lt;&#34;w&amp;d&#39;/":               "*** (secret 1)",
		"?p=p%3C%22w%26d%27%2F":                 "?p=*** (secret 1)",
		b64(`p<"w&d'/`):                         "*** (secret 1)",
		`abc is true: "abc", 'true', 80801`:     `abc is true: "*** (secret 1)", '*** (secret 2)', 80801`,
		`"8080" at 8080`:                        `"*** (secret 1)" at 8080`,
		`password of login`:                     `password of login`,
		`longlonglong…`:                         `*** (secret 1)…`,
	} {
		m := New()
		m.Learn(secret)
		if got := m.Text(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestMentions: no text with a Secret is passed over.
func TestMentions(t *testing.T) {
	for text, want := range map[string]bool{
		"kind: Secret": true, `{"kind":"Secret"}`: true, `{"kind" :"SecretList"}`: true, "kind: secret\n": true, "kind:\n  SECRET": true,
		"x: &k Secret\nkind: *k": true, `"kind": "\u0053ecret"`: true, `"{\"kind\":\"Secret\"}"`: true, `a\nkind: Secret\n`: true,
		"kind: Pod\nmetadata: {name: a-name-that-is-long-enough, namespace: shop}\nvolumes: [{secret: {secretName: s}}]": false, "imagePullSecrets: []": false, "resources: [secrets]": false, "": false,
	} {
		if got := Mentions([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestAnyOrder: which masks a text has does not depend on the order in which values were
// learned, where several are spelled alike.
func TestAnyOrder(t *testing.T) {
	values := []string{
		"shared line\nfirst line", "shared line\nlast line", "two words\n", "two words", "two  words",
		"two%20words",
	}
	text := "first line, shared line, last line, two words, two%20words, dHdvIHdvcmRz."
	want := "*** (secret 1), *** (secret 2), *** (secret 2), *** (secret 3), *** (secret 4), *** (secret 3)."
	for from := range values {
		for _, turn := range [][]int{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}} {
			m := New()
			for _, i := range turn {
				m.Learn(map[string]any{"kind": "Secret", "stringData": map[string]any{"a": values[(from+i)%len(values)]}})
			}
			if got := m.Text(text); got != want {
				t.Errorf("from %d, %v: %s, want %s", from, turn, got, want)
			}
		}
	}
}
