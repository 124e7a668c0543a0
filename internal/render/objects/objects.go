// Package objects writes documents and Kubernetes objects as YAML and JSON, as
// kubectl does, with escapes for whatever does not show itself.
package objects

import (
	"io"
	"maps"
	"reflect"
	"strings"

	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/ignore"
)

// withoutMetadata drops keys of the metadata from a copy that shares the rest.
func withoutMetadata(object map[string]any, keys ...string) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	kept := maps.Clone(metadata)
	for _, k := range keys {
		delete(kept, k)
	}
	out := maps.Clone(object)
	out["metadata"] = kept
	return out
}

// ServerFields are those of the metadata that the server writes itself, whatever is asked for.
var ServerFields = []string{"resourceVersion", "uid", "generation", "creationTimestamp"}

// forDiff leaves out what the server alone keeps, and a status that is the
// same on both sides. Nil stays nil: there is no object.
func forDiff(live, result map[string]any, o Options) (old, new map[string]any) {
	var noise []string
	if !o.ShowManagedFields {
		noise = append(noise, "managedFields")
	}
	if !o.ShowServerFields {
		noise = append(noise, ServerFields...)
	}
	if live != nil {
		old = withoutMetadata(live, noise...)
	}
	if result != nil {
		new = withoutMetadata(result, noise...)
	}
	if old != nil && new != nil && reflect.DeepEqual(old["status"], new["status"]) {
		old, new = maps.Clone(old), maps.Clone(new)
		delete(old, "status")
		delete(new, "status")
	}
	return old, new
}

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

// NewYAML writes the resulting objects as kubectl prints them: one as it is,
// several as a v1 List, none as nothing.
func NewYAML(w io.Writer, o Options) stream.Stream {
	return &objectList{Sink: stream.Sink{W: w}, o: o, form: listForm{
		alone: YAML,
		item:  YAMLItem,
		open:  "apiVersion: v1\nitems:\n",
		end:   "kind: List\nmetadata: {}\n",
	}}
}

// NewJSON writes the resulting objects as YAML does, indented by four spaces.
func NewJSON(w io.Writer, o Options) stream.Stream {
	const indent = indent + indent
	return &objectList{Sink: stream.Sink{W: w}, o: o, form: listForm{
		alone: func(v any) (string, error) {
			s, err := JSON(v, indent)
			return s + "\n", err
		},
		item:    func(v any) (string, error) { return JSONAt(v, indent+indent, indent) },
		open:    "{\n" + indent + `"apiVersion": "v1",` + "\n" + indent + `"items": [` + "\n" + indent + indent,
		between: ",\n" + indent + indent,
		end:     "\n" + indent + "],\n" + indent + `"kind": "List",` + "\n" + indent + `"metadata": {}` + "\n}\n",
	}}
}

// listForm is how objects are written alone, and as items of a List.
type listForm struct {
	alone, item        func(any) (string, error)
	open, between, end string
}

// objectList writes objects as they come. The first waits for the second, as
// only then it is one of a List.
type objectList struct {
	stream.Sink
	o     Options
	form  listForm
	first listItem
	n     int
}

// listItem is an object with its text as an item; both empty for none.
type listItem struct {
	object map[string]any
	text   string
}

// Begin implements Stream.
func (l *objectList) Begin(stream.Start) error { return nil }

// Part implements Stream.
func (l *objectList) Part(r report.Result) (stream.Part, error) {
	if r.Object == nil || r.Outcome.Refused() {
		return listItem{}, nil
	}
	object := r.Object
	if !l.o.ShowManagedFields {
		object = withoutMetadata(object, "managedFields")
	}
	text, err := l.form.item(object)
	return listItem{object, text}, err
}

// Add implements Stream.
func (l *objectList) Add(part stream.Part) error {
	item := part.(listItem)
	if item.object == nil {
		return nil
	}
	before := l.form.between
	switch l.n++; l.n {
	case 1:
		l.first = item
		return nil
	case 2:
		before = l.form.open + l.first.text + before
		l.first = listItem{}
	}
	return l.Write(before + item.text)
}

// End implements Stream.
func (l *objectList) End(stream.Ending) error {
	switch l.n {
	case 0:
		return nil
	case 1:
		s, err := l.form.alone(l.first.object)
		if err != nil {
			return err
		}
		return l.Write(s)
	}
	return l.Write(l.form.end)
}

// NewName writes the names of the accepted writes, a line each, as kubectl's
// -o name.
func NewName(w io.Writer, _ Options) stream.Stream {
	return &stream.Texts{Sink: stream.Sink{W: w}, Text: func(r report.Result) (string, error) {
		if r.Outcome.Refused() {
			return "", nil
		}
		return words.Object(r.Target) + "\n", nil
	}}
}

// ShowsSettings implements stream.Ruled.
func (s *reportStream) ShowsSettings() bool { return true }

// NewReport writes the whole report as one JSON document, what counts and
// groups its results behind them. Its lists are present also where they are
// empty.
func NewReport(w io.Writer, o Options) stream.Stream {
	return &reportStream{Sink: stream.Sink{W: w}, document: o.Document}
}

type reportStream struct {
	stream.Sink
	n        int
	document func(report.Result) report.Result
}

// indent is that of documents.
const indent = "  "

// Begin implements Stream.
func (s *reportStream) Begin(start stream.Start) error {
	head, err := JSON(struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Server     report.Server     `json:"server"`
		Snapshots  []report.Snapshot `json:"snapshots,omitempty"`
	}{report.APIVersion, report.Kind, start.Server, start.Snapshots}, indent)
	if err != nil {
		return err
	}
	return s.Write(strings.TrimSuffix(head, "\n}") + ",\n" + indent + `"results": [`)
}

// Part implements Stream.
func (s *reportStream) Part(r report.Result) (stream.Part, error) {
	if s.document != nil {
		r = s.document(r)
	}
	r.Warnings, r.Conflicts, r.Changes = report.List(r.Warnings), report.List(r.Conflicts), report.List(r.Changes)
	r.Ownership, r.Transfers = report.List(r.Ownership), report.List(r.Transfers)
	text, err := JSONAt(r, indent+indent, indent)
	return indent + indent + text, err
}

// Add implements Stream.
func (s *reportStream) Add(part stream.Part) error {
	before := ",\n"
	if s.n == 0 {
		before = "\n"
	}
	s.n++
	return s.Write(before + part.(string))
}

// End implements Stream.
func (s *reportStream) End(e stream.Ending) error {
	end := "]"
	if s.n > 0 {
		end = "\n" + indent + "]"
	}
	r := e.Report
	tail, err := JSON(struct {
		Settings    []report.Setting     `json:"settings,omitempty"`
		Summary     report.Summary       `json:"summary"`
		Overview    *report.Overview     `json:"overview,omitempty"`
		Problems    []report.Problem     `json:"problems,omitempty"`
		Unmatched   []report.Target      `json:"unmatched,omitempty"`
		FailOn      *report.FailOn       `json:"failOn,omitempty"`
		Interrupted *report.Interruption `json:"interrupted,omitempty"`
	}{r.Settings, r.Summary, r.Overview, r.Problems, r.Unmatched, r.FailOn, r.Interrupted}, indent)
	if err != nil {
		return err
	}
	return s.Write(end + "," + strings.TrimPrefix(tail, "{") + "\n")
}
