package objects

import (
	"github.com/ssactl/ssactl/internal/engine/ignore"
	"github.com/ssactl/ssactl/internal/report"
)

// Options are those of the formats that show objects; each takes what concerns
// it.
type Options struct {
	// ShowManagedFields keeps metadata.managedFields in objects and differences.
	ShowManagedFields bool
	// ShowServerFields keeps resourceVersion, uid, generation and
	// creationTimestamp in differences. Objects always have them.
	ShowServerFields bool
	// Ignore are the fields that differences show as the live object has them.
	Ignore ignore.Filter
	// Owners names the owners of each line of the structured difference.
	Owners bool
	// Width is that of the terminal in columns; 0 means 80.
	Width int
	// Color and Verbose are for the structured difference: to use colors, and to
	// shorten nothing.
	Color, Verbose bool
	// Title is the line above the structured difference of an object.
	Title func(report.Result) string
	// Document is what a report has of a result.
	Document func(report.Result) report.Result
}
