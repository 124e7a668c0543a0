package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
)

// TestWeigh: what everybody writes has to stand in quotes, what may be a word or a name
// stands alone, and the rest is looked for anywhere.
func TestWeigh(t *testing.T) {
	for value, want := range map[string]weight{
		"": quoted, "true": quoted, "a1": quoted, "admin": quoted, "5432": quoted, "metadata": quoted, "1234567": quoted, "letters": quoted,
		"12345678": alone, "manifest": alone, "shop-db": alone, "1.27.12": alone, "hunter2": alone, "registry.example.com/shop/api:1.5.0": alone,
		"two words": alone, "Correct-Horse": alone,
		"a!b$c%d&": anywhere, "hunter2-Zq7x9": anywhere, "correct horse battery": anywhere, "abcdefghijklmnopqrstuvwxyz": anywhere, "kühlschrank": anywhere,
	} {
		if got := weigh(value); got != want {
			t.Errorf("%q weighs %d, want %d", value, got, want)
		}
	}
}

// TestSpelled: every encoder that a text may go through spells a value as it is looked for,
// within JSON in JSON too.
func TestSpelled(t *testing.T) {
	marshal := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, value := range []string{`p<"w&d'/ and more`, "two\nlines of it", "tab\tand \\ in it", "plus+and/slash="} {
		m := New()
		m.LearnPatch(value)
		for name, text := range map[string]string{
			"itself": value, "JSON": marshal(value), "JSON in JSON": marshal(marshal(value)), "Go": fmt.Sprintf("%q", value), "Go of JSON": fmt.Sprintf("%q", marshal(value)),
			"HTML": html.EscapeString(value), "HTML of JSON": html.EscapeString(marshal(value)), "a query": url.QueryEscape(value), "a path": url.PathEscape(value),
			"YAML": "'" + strings.ReplaceAll(value, "'", "''") + "'", "a shell": "'" + strings.ReplaceAll(value, "'", `'\''`) + "'",
			"base64": base64.StdEncoding.EncodeToString([]byte(value)), "base64 for URLs": base64.URLEncoding.EncodeToString([]byte(value)),
			"bare base64": base64.RawStdEncoding.EncodeToString([]byte(value)), "lines of Windows": strings.ReplaceAll(value, "\n", "\r\n"),
		} {
			if got := m.Text("x " + text + " x"); !strings.Contains(got, "*** (secret 1)") || strings.Contains(got, text) {
				t.Errorf("%s of %q: %s", name, value, got)
			}
		}
	}
}

// TestPublicNames: a value that names a Secret as well is not looked for in texts.
func TestPublicNames(t *testing.T) {
	m := New()
	m.Learn(map[string]any{"kind": "Secret", "metadata": map[string]any{
		"name": "database-login", "namespace": "shopping-cart", "labels": map[string]any{"app": "label-value"},
		"ownerReferences": []any{
			map[string]any{"apiVersion": "v1", "kind": "Owner", "name": "owner-name", "uid": "owner-uid-1"},
		},
		"managedFields": []any{map[string]any{"manager": "manager-name"}},
	}, "data": map[string]any{"key-of-data": b64("x")}})
	for _, name := range []string{"database-login", "shopping-cart", "label-value", "owner-name", "manager-name", "key-of-data"} {
		m.LearnPatch(name)
		if got := m.Text("of " + name + "."); got != "of "+name+"." {
			t.Errorf("%s is masked: %s", name, got)
		}
		masked := m.Object(map[string]any{"kind": "Secret", "stringData": map[string]any{"a": name}})["stringData"].(map[string]any)["a"]
		if !isMask(masked.(string)) {
			t.Errorf("%s is shown as a value: %s", name, masked)
		}
	}
}
