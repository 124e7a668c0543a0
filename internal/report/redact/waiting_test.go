package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// TestWaiting: a text is masked as if all values were spelled from the beginning, wherever
// in it a value or a line of one is, however it is written, and where it is cut off.
func TestWaiting(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 43))
	masked := 0
	for range 400 {
		var values []string
		data := map[string]any{}
		for i := range 1 + rng.IntN(4) {
			values = append(values, randomValue(rng))
			data[fmt.Sprint(i)] = b64(values[i])
		}
		if rng.IntN(3) == 0 {
			data["copy"] = b64(b64(values[0]))
		}
		secret := map[string]any{"kind": "Secret", "data": data}
		m, eager := New(), New()
		m.Learn(secret)
		eager.Learn(secret)
		for _, list := range eager.waiting.anchored {
			for _, u := range list {
				eager.spellNow(u)
			}
		}
		for range 20 {
			text := randomText(rng, values)
			got, want := m.Text(text), eager.Text(text)
			if got != want {
				t.Fatalf("%q of %q: %q, want %q", text, values, got, want)
			}
			if got != text {
				masked++
			}
		}
	}
	if masked < 2000 {
		t.Errorf("%d texts have anything masked", masked)
	}
}

// TestLargeValuesWait: large values are not spelled before something may quote them, their
// lines neither.
func TestLargeValuesWait(t *testing.T) {
	line := "-----BEGIN CERTIFICATE-----\nMIIB+x/y" + strings.Repeat("Ab3d/+", 12) + "\n"
	for name, value := range map[string]string{
		"release": base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x1f\x8b\x08zipped", 30_000))), "certificates": strings.Repeat(line, 3000), "JSON": `{"auths":{"registry.example.com":{"auth":"` + strings.Repeat("dXNlcj", 30_000) + `"}}}`,
	} {
		m := New()
		m.Learn(
			map[string]any{"kind": "Secret", "metadata": map[string]any{"name": "a"}, "data": map[string]any{"p": b64(value)}},
		)
		for _, text := range []string{"the Service web has no endpoints", "a conflict with manager-of-it", "value " + strings.Repeat("of something else ", 30) + "…"} {
			if got := m.Text(text); got != text {
				t.Errorf("%s: %s is masked", name, text)
			}
		}
		written := 0
		for spelling := range m.search.all {
			written += len(spelling)
		}
		if written > len(value)*30 && name != "JSON" || name != "JSON" && written > 2000 {
			t.Errorf("%s: %d bytes are spelled", name, written)
		}
		for _, text := range []string{value, b64(value), fmt.Sprintf("%q", value), html.EscapeString(value), value[:40] + "…"} {
			if got := m.Text("is " + text + "."); strings.Contains(got, text) || !strings.Contains(got, "*** (secret 1)") {
				t.Errorf("%s: %.200s is shown", name, got)
			}
		}
	}
}

func randomValue(rng *rand.Rand) string {
	alphabet := []string{"abcdefgh01234567", "ab-_.9Z", `a"b\c<d>&e'f`, "aé 世+/=%", "abc\n \t\r\n", "\xff\xfea"}[rng.IntN(6)]
	var b strings.Builder
	for range rng.IntN(6) {
		switch rng.IntN(4) {
		case 0:
			b.WriteString("password-of-it-")
		case 1:
			b.WriteString("\n")
		default:
			runes := []rune(alphabet)
			for range rng.IntN(24) {
				b.WriteRune(runes[rng.IntN(len(runes))])
			}
		}
	}
	return b.String()
}

// randomText quotes parts of values in the ways of encoders.
func randomText(rng *rand.Rand, values []string) string {
	var b strings.Builder
	for range 1 + rng.IntN(3) {
		s := values[rng.IntN(len(values))]
		switch rng.IntN(4) {
		case 0:
			s = strings.Join(lines(s), " ")
		case 1:
			s = b64(s)
		}
		switch rng.IntN(7) {
		case 0:
			s = fmt.Sprintf("%q", s)
		case 1:
			encoded, _ := json.Marshal(s)
			s = string(encoded)
		case 2:
			s = url.QueryEscape(s)
		case 3:
			s = html.EscapeString(s)
		case 4:
			encoded, _ := json.Marshal(s)
			s = fmt.Sprintf("%q", encoded)
		}
		if rng.IntN(3) == 0 {
			s = s[:rng.IntN(len(s)+1)] + ellipsis
		}
		b.WriteString([]string{"", " ", "x", `"`, ": "}[rng.IntN(5)] + s)
	}
	return b.String()
}
