package report

// The identity of the documents.
const (
	APIVersion = "ssactl.dev/v1alpha1"
	// Kind is that of a Report.
	Kind = "Report"
)

// Document is what a command answers about several objects: an answer of type T
// for each, in their order, which S counts. Every document has a Head and an
// Ending; those that have more between them are types of their own.
type Document[S, T any] struct {
	Head
	Summary S   `json:"summary"`
	Objects []T `json:"objects"`
	Ending
}

// Head says what a document is.
type Head struct {
	APIVersion string `json:"apiVersion" secret:"public"`
	Kind       string `json:"kind" secret:"public"`
	// Server is zero where none was simulated.
	Server Server `json:"server,omitzero"`
	// Snapshots say when the live objects were fetched, the oldest first; nil where
	// that is not known.
	Snapshots []Snapshot `json:"snapshots,omitempty"`
}

// Server is the API server whose behavior was simulated.
type Server struct {
	Version string `json:"version" secret:"public"`
}

// Ending says what a document lacks.
type Ending struct {
	// Problems are inputs that gave no object at all, in input order.
	Problems []Problem `json:"problems,omitempty"`
	// Interrupted is nil for a run that came to its end.
	Interrupted *Interruption `json:"interrupted,omitempty"`
	// FailOn is what risks or findings make the exit code 1; nil where none can.
	FailOn *FailOn `json:"failOn,omitempty"`
}

// Problem is an input that could not be read as an object.
type Problem struct {
	Source  Source `json:"source"`
	Message string `json:"message"`
}

// Interruption reports how far a run came that was stopped: the results are
// those of the first objects.
type Interruption struct {
	Answered int `json:"answered"`
	Total    int `json:"total"`
}

// Run is what a document says of the run that it is of.
type Run struct {
	// Version is that of the simulated server; empty without one.
	Version string
	// Snapshots are those of the live objects, the oldest first.
	Snapshots []Snapshot
	Ending
}

// Head is that of a document of a kind.
func (r Run) Head(kind string) Head {
	return Head{APIVersion: APIVersion, Kind: kind, Server: Server{Version: r.Version}, Snapshots: r.Snapshots}
}

// NewDocument counts objects, one by one, and keeps them in their order.
func NewDocument[S, T any](kind string, run Run, objects []T, count func(*S, T)) Document[S, T] {
	d := Document[S, T]{Head: run.Head(kind), Objects: List(objects), Ending: run.Ending}
	for _, o := range objects {
		count(&d.Summary, o)
	}
	return d
}

// List is a list that is written also where it is empty.
func List[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
