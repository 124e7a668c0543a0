package render

import "github.com/ssactl/ssactl/internal/render/safetext"

// ReadingOf says who reads a format. Those that are none of text, JSON or markup
// (yaml, diff, github, kubectl) escape by themselves.
func ReadingOf(format string, options Options) safetext.Reading {
	switch format {
	case "text", "structured", "markdown", "name":
		if options.Color {
			return safetext.Painted
		}
		return safetext.Plain
	case "json", "report", "sarif", "json-patch":
		return safetext.JSON
	case "html", "junit":
		return safetext.Markup
	}
	return safetext.Exact
}
