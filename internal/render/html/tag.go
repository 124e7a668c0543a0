package html

import (
	stdhtml "html"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// markup is text that is safe in a page: what this package wrote, or escaped.
type markup string

// escape makes a text markup.
func escape(s string) markup { return markup(stdhtml.EscapeString(glyph.Visible(s))) }

// lines is escape for a text whose newlines are meant.
func lines(s string) markup { return markup(stdhtml.EscapeString(glyph.Lines(s))) }

// element is an element with a class, which may be empty.
func element(name, class string, inner ...markup) markup {
	open := "<" + name
	if class != "" {
		open += ` class="` + class + `"`
	}
	return markup(open+">") + join(inner) + markup("</"+name+">")
}

func join(parts []markup) markup {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(string(p))
	}
	return markup(b.String())
}

// classes are those of the style sheet for the roles.
var classes = map[model.Role]string{
	model.Faint: "soft", model.Good: "good", model.Bad: "bad", model.Changed: "changed",
}

// inline is a text in a line of the page.
func inline(t model.Text) markup {
	var out []markup
	for _, s := range t {
		text := escape(s.Text)
		switch s.Role {
		case model.Plain:
			out = append(out, text)
		case model.Strong:
			out = append(out, element("b", "", text))
		case model.Field, model.Value, model.Code:
			out = append(out, element("code", "", text))
		case model.Manager:
			out = append(out, element("span", "m "+look(s.Text), text))
		default:
			out = append(out, element("span", classes[s.Role], text))
		}
	}
	return join(out)
}

// The looks of field managers: so many colors, and shapes of their mark.
const (
	colors = 8
	shapes = 4
)

// look distinguishes field managers: the same one looks the same everywhere.
func look(manager string) string {
	sum := uint32(2166136261)
	for _, c := range []byte(manager) {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return "c" + string(rune('0'+sum%colors)) + " s" + string(rune('0'+sum/colors%shapes))
}
