package show

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/writes"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/ignore"
)

// Options are the same for every format; each takes what concerns it.
type Options struct {
	// Width is that of the terminal in columns; 0 means 80.
	Width int
	// Fit makes the tables of the text format fit the width.
	Fit bool
	// Color lets the text format use colors.
	Color bool
	// ShowManagedFields keeps metadata.managedFields in objects and diffs.
	ShowManagedFields bool
	// ShowServerFields keeps resourceVersion, uid, generation and
	// creationTimestamp in diffs. Objects always have them.
	ShowServerFields bool
	// Quiet leaves only the verdicts of the text format.
	Quiet bool
	// Verbose unfolds what the text format shortens; Whole shows each of several objects too
	// where Verbose unfolds lists only.
	Verbose, Whole bool
	// Now is what ages are counted to; zero leaves ages out.
	Now time.Time
	// Ignore are the fields that diffs show as the live object has them. The
	// report itself is to be filtered by it before it is rendered.
	Ignore ignore.Filter
	// Owners names the owners of each line in the structured diff.
	Owners bool
	// MaxBytes bounds the Markdown comment; 0 leaves it as long as it is.
	MaxBytes int
	fixes.Call
	// Files is true where the files that commands name are written too.
	Files bool
}

// Objects are the options of the formats that show objects.
func (o Options) Objects() objects.Options {
	return objects.Options{
		ShowManagedFields: o.ShowManagedFields, ShowServerFields: o.ShowServerFields, Ignore: o.Ignore,
		Owners: o.Owners, Width: o.Width, Color: o.Color, Verbose: o.Verbose,
		Document: page.ResultDocument,
		Title:    func(r report.Result) string { return text.Line(writes.WriteTitle(o.View(), r), o.Text()) },
	}
}

// objectsIn is a format that shows objects.
func objectsIn(format func(io.Writer, objects.Options) stream.Stream) func(io.Writer, Options) stream.Stream {
	return func(w io.Writer, o Options) stream.Stream { return format(w, o.Objects()) }
}

// Format is one way to show a report.
type Format struct {
	Name string
	// Summary is a few words for help and completion.
	Summary string
	// New gives a stream that writes a report to w.
	New func(w io.Writer, options Options) stream.Stream
	// Refusals is true where the format reports what is refused, and false
	// where it has accepted objects only.
	Refusals bool
}

const (
	tellsRefusals = true
	objectsOnly   = false
)

// formats is in the order of the help text.
var formats = []Format{
	{"text", "verdicts, conflicts, ownership and diff, for people", writesIn("text", onScreen), tellsRefusals},
	{"yaml", "the resulting objects as YAML", objectsIn(objects.NewYAML), objectsOnly},
	{"json", "the resulting objects as JSON", objectsIn(objects.NewJSON), objectsOnly},
	{"name", "the names of the resulting objects", objectsIn(objects.NewName), objectsOnly},
	{"diff", "a unified diff from live to result, as patch reads it", objectsIn(objects.NewDiff), objectsOnly},
	{"structured", "the changed fields by field path, for people", objectsIn(objects.NewStructured), objectsOnly},
	{"html", "one page for a browser, with filters, diffs and owners", writesIn("html", onPage), tellsRefusals},
	{"markdown", "a comment for a pull request", writesIn("markdown", inComment), tellsRefusals},
	{"github", "annotations of a GitHub workflow, and its step summary", writesIn("github", annotates), tellsRefusals},
	{"sarif", "SARIF 2.1.0, for code scanning", writesIn("sarif", atLines), tellsRefusals},
	{"junit", "JUnit XML, a test case an object", writesIn("junit", inTests), tellsRefusals},
	{"codequality", "Code Quality of GitLab, as JSON", writesIn("codequality", atLines), tellsRefusals},
	{"brief", "verdict, findings, fixes and what force takes, as short JSON for agents", writesIn("brief", inBrief), tellsRefusals},
	{"json-patch", "RFC 6902 patches from live to result", objectsIn(objects.NewJSONPatch), objectsOnly},
	{"report", "everything, as one JSON document", objectsIn(objects.NewReport), tellsRefusals},
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

// Render shows a report that is held as a whole.
func (f Format) Render(w io.Writer, doc report.Report, o Options) error {
	return stream.Play(f.New(w, o), doc)
}

// ReadingOf says who reads a format: people and the runners that read along, unless it
// is known to be another one.
func ReadingOf(format string, options Options) safetext.Reading {
	switch format {
	case "json", "report", "sarif", "codequality", "brief", "json-patch":
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
