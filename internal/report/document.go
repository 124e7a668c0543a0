package report

import (
	"slices"
	"time"
)

// The identity of the documents.
const (
	APIVersion = "ssactl.dev/v1alpha1"
	// Kind is that of a Report.
	Kind = "Report"
)

// Document is the answer of a command: one T for each object, in their order, and S, which
// counts them. Every document has a Head and an Ending.
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

// Setting rules the answers, and may be a part of the change that they are about: settings
// of a client that only a manifest has, and those of the repository that leave differences
// out or let a run pass. Every format begins with it.
type Setting struct {
	// Name is the kind of the object, or the key of the settings file.
	Name string `json:"name" secret:"public"`
	// Values are the name of the object, or what the file has.
	Values []string `json:"values"`
	// Source is where it is set; zero for a variable of the environment.
	Source Source `json:"source,omitzero"`
	// LeftOut counts the differences that are not shown, and Objects the objects with some.
	LeftOut int `json:"leftOut,omitempty"`
	Objects int `json:"objects,omitempty"`
	// Message is the sentence that formats begin with.
	Message string `json:"message"`
}

// Ending says what a document lacks.
type Ending struct {
	// Settings rule the answers, and may be a part of the change.
	Settings []Setting `json:"settings,omitempty"`
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

// Run is what a document says of its run.
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

// SnapshotKind is the kind of the object that a bundle of 'ssactl snapshot' begins with.
const SnapshotKind = "Snapshot"

// Snapshot says of a bundle of live objects when and from where they are.
type Snapshot struct {
	// File is where it was read.
	File string `json:"file,omitempty" secret:"public"`
	// Taken is when the first object was asked for.
	Taken time.Time `json:"taken"`
	// Context is that of kubectl; empty where there was none.
	Context string `json:"context,omitempty" secret:"public"`
	// Server, Kubectl and Ssactl are versions.
	Server  string `json:"server,omitempty" secret:"public"`
	Kubectl string `json:"kubectl,omitempty" secret:"public"`
	Ssactl  string `json:"ssactl,omitempty" secret:"public"`
	// Key names the key of the digests that replace the values of Secrets; empty without
	// digests.
	Key string `json:"key,omitempty" secret:"public"`
	// Fetched are the objects that were asked for: named by manifests, or needed by
	// admission. Those that are not in the bundle were not in the cluster.
	Fetched []Covered `json:"fetched,omitempty"`
	// NotServed are kinds that the cluster does not serve.
	NotServed []Covered `json:"notServed,omitempty"`
	// Missing are the objects that could not be got, though they may be there.
	Missing []Missing `json:"missing,omitempty"`
}

// Covers reports whether an object was asked for.
func (s Snapshot) Covers(group, kind, namespace, name string) bool {
	return slices.ContainsFunc(s.Fetched, func(c Covered) bool { return c.Has(group, kind, namespace, name) })
}

// Lacks is why an object is not known; empty where it is.
func (s Snapshot) Lacks(group, kind, namespace, name string) string {
	for _, m := range s.Missing {
		if m.Has(group, kind, namespace, name) {
			return m.Reason
		}
	}
	return ""
}

// Covered are objects of a kind.
type Covered struct {
	Group string `json:"group,omitempty" secret:"public"`
	Kind  string `json:"kind" secret:"public"`
	// Namespace is empty for cluster-scoped objects, and for all namespaces.
	Namespace string `json:"namespace,omitempty" secret:"public"`
	// Names are nil for all objects of the kind.
	Names []string `json:"names,omitempty" secret:"public"`
}

// Has reports whether an object is one of them. A namespace is not compared where either side
// has none: whether a custom kind has namespaces is not always known.
func (c Covered) Has(group, kind, namespace, name string) bool {
	return c.Group == group && c.Kind == kind &&
		(c.Namespace == "" || namespace == "" || c.Namespace == namespace) &&
		(len(c.Names) == 0 || slices.Contains(c.Names, name))
}

// Missing are objects of a kind that a snapshot lacks, and why.
type Missing struct {
	Covered
	Reason string `json:"reason" secret:"public"`
}
