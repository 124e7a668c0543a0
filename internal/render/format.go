package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ignore"
)

// Options are the same for every format; each takes what concerns it.
type Options struct {
	// Width is that of the terminal in columns; 0 means 80.
	Width int
	// Color lets the text format use colours.
	Color bool
	// ShowManagedFields keeps metadata.managedFields in objects and diffs.
	ShowManagedFields bool
	// ShowServerFields keeps resourceVersion, uid, generation and
	// creationTimestamp in diffs. Objects always have them.
	ShowServerFields bool
	// Quiet leaves only the verdicts of the text format.
	Quiet bool
	// Verbose unfolds what the text format shortens.
	Verbose bool
	// Now is what ages are counted to; zero leaves ages out.
	Now time.Time
	// Ignore are the fields that diffs show as the live object has them. The
	// report itself is to be filtered by it before it is rendered.
	Ignore ignore.Filter
	// Owners names the owners of each line in the structured diff.
	Owners bool
	// MaxBytes bounds the Markdown comment; 0 leaves it as long as it is.
	MaxBytes int
	// LiveFile is the live file to name in hints; empty leaves them general.
	LiveFile string
}

// Format is one way to show a report.
type Format struct {
	Name string
	// Summary is a few words for help and completion.
	Summary string
	// Render writes the report; an error is one of w, or of a value that the
	// format cannot carry.
	Render func(w io.Writer, report engine.Report, options Options) error
	// Refusals is true where the format tells what is refused, and false
	// where it has accepted objects only.
	Refusals bool
}

const (
	tellsRefusals = true
	objectsOnly   = false
)

// formats is in the order of the help text.
var formats = []Format{
	{"text", "verdicts, conflicts, ownership and diff, for people", Text, tellsRefusals},
	{"yaml", "the resulting objects as YAML", YAML, objectsOnly},
	{"json", "the resulting objects as JSON", JSON, objectsOnly},
	{"name", "the names of the resulting objects", Name, objectsOnly},
	{"diff", "a unified diff from live to result, as patch reads it", Diff, objectsOnly},
	{"structured", "the changed fields by field path, for people", Structured, objectsOnly},
	{"html", "one page for a browser, with filters, diffs and owners", HTML, tellsRefusals},
	{"markdown", "a comment for a pull request", Markdown, tellsRefusals},
	{"github", "annotations of a GitHub workflow, and its step summary", GitHub, tellsRefusals},
	{"sarif", "SARIF 2.1.0, for code scanning", SARIF, tellsRefusals},
	{"junit", "JUnit XML, a test case an object", JUnit, tellsRefusals},
	{"json-patch", "RFC 6902 patches from live to result", JSONPatch, objectsOnly},
	{"report", "everything, as one JSON document", Report, tellsRefusals},
}

// Formats lists the formats in the order of the help text. The slice is the
// caller's own.
func Formats() []Format { return append([]Format(nil), formats...) }

// Lookup finds a format by name; the error lists the names there are.
func Lookup(name string) (Format, error) {
	var names []string
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown output format %q: use one of %s", name, strings.Join(names, ", "))
}
