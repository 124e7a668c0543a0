package render

import "github.com/ssactl/ssactl/internal/render/safetext"

// ReadingOf says who reads a format: people and the runners that read along, unless it
// is known to be another one.
func ReadingOf(format string, options Options) safetext.Reading {
	switch format {
	case "json", "report", "sarif", "json-patch":
		return safetext.JSON
	case "html", "junit":
		return safetext.Markup
	case "diff":
		return safetext.Patch
	case "github":
		return safetext.Workflow
	case "text", "structured", "markdown", "name":
		if options.Color {
			return safetext.Painted
		}
	}
	return safetext.Plain
}
