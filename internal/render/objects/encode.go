package objects

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/yamlout"
)

// YAML writes a value as kubectl does, with invisible characters, and those
// that make a line a command to the runner of a CI system, in escapes, which
// YAML has in double quotes only. They are wrapped in control
// characters, which make the encoder choose these quotes, and put right
// afterwards. What the encoder refuses (keys of more than 1,024 characters, in
// custom resources) is written as JSON.
func YAML(v any) (string, error) {
	b, err := yamlout.Marshal(mapStrings(v, wrapHidden, wrapHiddenKey))
	if err != nil {
		s, err := JSON(v, "  ")
		return s + "\n", err
	}
	return unwrapped(string(b)), nil
}

// JSON writes a value with escapes for whatever does not show itself,
// without a final newline.
func JSON(v any, indent string) (string, error) {
	return JSONAt(v, "", indent)
}

// JSONAt writes a value that stands in another one: each line but the
// first starts with the prefix.
func JSONAt(v any, prefix, indent string) (string, error) {
	b, err := json.MarshalIndent(v, prefix, indent)
	if err != nil {
		return "", fmt.Errorf("encode as JSON: %w", err)
	}
	s := string(b)
	if glyph.IsVisible(strings.ReplaceAll(s, "\n", "")) {
		return s, nil
	}
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || glyph.Harmless(r):
			out.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String(), nil
}

// YAMLItem writes a value as an item of a block sequence. Of what the
// encoder refuses, the long keys are marked, without which JSON is no YAML.
func YAMLItem(v any) (string, error) {
	b, err := yamlout.Marshal(mapStrings([]any{v}, wrapHidden, wrapHiddenKey))
	if err != nil {
		s, err := JSONAt(v, "  ", "  ")
		return "- " + longKey().ReplaceAllString(s, "$1? $2") + "\n", err
	}
	return unwrapped(string(b)), nil
}

// longKey is a key that may be too long to be one without a mark, on a line of
// indented JSON.
var longKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(\s*)("(?:[^"\\]|\\.){500,}":)`)
})

var wrapped = regexp.MustCompile(`\\x01([0-9a-f]+)\\x02`)

// unwrapped is what the encoder wrote with its wrappings put right.
func unwrapped(text string) string {
	if !strings.Contains(text, `\x01`) {
		return text
	}
	return wrapped.ReplaceAllStringFunc(text, func(token string) string {
		n, err := strconv.ParseInt(wrapped.FindStringSubmatch(token)[1], 16, 32)
		switch {
		case err != nil:
			return token
		case n == '\\':
			return `\\`
		}
		return glyph.Escaped(rune(n))
	})
}

var withoutSpacing = strings.NewReplacer("\n", "", "\t", "")

// runnerCommand is what runners take commands by, where a line of YAML may begin
// (see safetext), with the character that is to be an escape.
var runnerCommand = regexp.MustCompile(`(?:^|\s)(:):|##[A-Za-z]*(\[)`)

// wrapHiddenKey is wrapHidden for a key, which a line begins with.
func wrapHiddenKey(s string) string {
	if !strings.Contains(s, "##") && !strings.Contains(s, ":") {
		return wrapRunes(s, nil)
	}
	return wrapRunes(s, runnerCommand.FindAllStringSubmatchIndex(s, -1))
}

// wrapHidden wraps what does not show itself. A value without spaces stands
// behind its key.
func wrapHidden(s string) string {
	if !strings.Contains(s, "##") && (!strings.Contains(s, "::") || !strings.ContainsAny(s, " \t\n")) {
		return wrapRunes(s, nil)
	}
	return wrapHiddenKey(s)
}

// wrapRunes wraps, with the first characters of the groups of matches, also the
// backslashes of a text that already looks like the encoder's escape of a
// wrapping, so that only wrappings are put right.
func wrapRunes(s string, commands [][]int) string {
	mimics := strings.Contains(s, `\x01`)
	if !mimics && len(commands) == 0 && glyph.IsVisible(withoutSpacing.Replace(s)) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		acts := len(commands) > 0 && i == max(commands[0][2], commands[0][4])
		if acts {
			commands = commands[1:]
		}
		if !acts && (r == '\n' || r == '\t' || glyph.Harmless(r) && !(mimics && r == '\\')) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "\x01%x\x02", r)
	}
	return b.String()
}

// mapStrings copies a JSON value with f applied to its strings, and key to its
// keys.
func mapStrings(v any, f, key func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[key(k)] = mapStrings(item, f, key)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = mapStrings(item, f, key)
		}
		return out
	}
	return v
}
