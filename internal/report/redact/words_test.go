package redact

import "testing"

// TestWords: what everybody writes is masked where it stands, and in text of others in
// quotes; a word or a name not in the midst of one, and never in a sentence of ours.
func TestWords(t *testing.T) {
	m := New()
	data := map[string]any{}
	for _, value := range []string{"true", "5432", "admin", "manifest", "shop-db", "hunter2", "1.27.12", "registry.example.com/shop/api:1.5.0", "hunter2-Zq7x9", "a!b$c%d&"} {
		data[value] = b64(value)
	}
	data = map[string]any{"data": data}
	secret := map[string]any{
		"kind":     "Secret",
		"metadata": map[string]any{"name": "s", "labels": map[string]any{"version": "1.27.12"}},
	}
	for key, v := range data["data"].(map[string]any) {
		secret["stringData"] = map[string]any{"k": key}
		secret["data"] = map[string]any{"k": v}
		m.Learn(secret)
	}
	const masked = "*** (secret 1)"
	for text, want := range map[string]struct{ text, sentence string }{
		"the admin of 5432 is true":            {"", ""},
		`user "admin"`:                         {`user "` + masked + `"`, ""},
		"a manifest":                           {"a " + masked, ""},
		"manifests":                            {"", ""},
		"deployment shop-db-headless":          {"", ""},
		"shop-db.yaml":                         {"", ""},
		"to shop-db.":                          {"to " + masked + ".", ""},
		`\nhunter2`:                            {`\n` + masked, ""},
		"1.27.12":                              {"", ""},
		"registry.example.com/shop/api:1.5.0":  {masked, ""},
		"registry.example.com/shop/api:1.5.01": {"", ""},
		"is hunter2-Zq7x9x":                    {"is " + masked + "x", "is " + masked + "x"},
		"is hunter2-Zq7x9":                     {"is " + masked, "is " + masked},
		"a!b$c%d&":                             {masked, masked},
		"aHVudGVyMi1acTd4OQ==":                 {masked, masked},
		"hunter2-Zq7x…":                        {masked + "…", masked + "…"},
		"regist…":                              {"", ""},
	} {
		for name, ask := range map[string]func(string) string{"Text": m.Text, "Sentence": m.Sentence} {
			wanted := want.text
			if name == "Sentence" {
				wanted = want.sentence
			}
			if wanted == "" {
				wanted = text
			}
			if got := aMask.ReplaceAllString(ask(text), masked); got != wanted {
				t.Errorf("%s of %s: %s, want %s", name, text, got, wanted)
			}
		}
	}
}
