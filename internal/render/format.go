package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/engine/ignore"
)

// Options are the same for every format; each takes what concerns it.
type Options struct {
	// Width is that of the terminal in columns; 0 means 80.
	Width int
	// Fit makes the tables of the text format fit the width.
	Fit bool
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
	// Repeated are the flags and values without which a suggested command
	// would answer something else, such as -n and a namespace.
	Repeated []string
	// Built is true where Repeated says of what the manifests are built: commands
	// name no file of theirs.
	Built bool
	// Files is true where the files that commands name are written too.
	Files bool
}

// Format is one way to show a report.
type Format struct {
	Name string
	// Summary is a few words for help and completion.
	Summary string
	// New gives a stream that writes a report to w.
	New func(w io.Writer, options Options) Stream
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
	{"text", "verdicts, conflicts, ownership and diff, for people", newText, tellsRefusals},
	{"yaml", "the resulting objects as YAML", newYAML, objectsOnly},
	{"json", "the resulting objects as JSON", newJSON, objectsOnly},
	{"name", "the names of the resulting objects", newName, objectsOnly},
	{"diff", "a unified diff from live to result, as patch reads it", newDiff, objectsOnly},
	{"structured", "the changed fields by field path, for people", newStructured, objectsOnly},
	{"html", "one page for a browser, with filters, diffs and owners", newHTML, tellsRefusals},
	{"markdown", "a comment for a pull request", newMarkdown, tellsRefusals},
	{"github", "annotations of a GitHub workflow, and its step summary", newGitHub, tellsRefusals},
	{"sarif", "SARIF 2.1.0, for code scanning", newSARIF, tellsRefusals},
	{"junit", "JUnit XML, a test case an object", newJUnit, tellsRefusals},
	{"json-patch", "RFC 6902 patches from live to result", newJSONPatch, objectsOnly},
	{"report", "everything, as one JSON document", newReport, tellsRefusals},
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
