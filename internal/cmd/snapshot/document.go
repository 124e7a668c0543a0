// Package snapshot plans what is to be fetched from a cluster so that an answer about
// some manifests is as exact as it can be: their live objects, the definitions of their
// kinds, what admission looks up for them, and what else writes to them. It gives data;
// who fetches is not its business.
//
//	document.go  the plan, and what came of it
//	needs.go     from manifests to fetches that one command can make, and from admission
//	             policies, once they are fetched, to their parameters
//	take.go      the fetches carried out; kubectl.go how, and what is kept of them
package snapshot

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
)

// Kind is that of the document.
const Kind = "SnapshotPlan"

// Document is a plan, and what came of it where it was carried out.
type Document struct {
	report.Head
	// Fetches are in the order in which they are made.
	Fetches []Fetch `json:"fetches"`
	Summary Summary `json:"summary"`
	// File is the bundle that was written; empty for a plan.
	File string `json:"file,omitempty" secret:"public"`
	// Context is that of kubectl; empty for the current one of a plan.
	Context string `json:"context,omitempty" secret:"public"`
	report.Ending
}

// Summary counts what is fetched.
type Summary struct {
	// Manifests are the objects that are asked about.
	Manifests int `json:"manifests"`
	// Objects are those in the bundle, and Secrets those of them whose values are
	// digests there.
	Objects int `json:"objects,omitempty"`
	Secrets int `json:"secrets,omitempty"`
	// Missing counts the fetches that answers need and that gave nothing.
	Missing int `json:"missing,omitempty"`
}

// Reason is what objects are fetched for.
type Reason string

// The reasons, in the order of the fetches.
const (
	// Definitions of custom kinds.
	Definitions Reason = "Definitions"
	// Manifests: the live objects that manifests name.
	Manifests Reason = "Manifests"
	// Admission: what admission plug-ins, policies and webhooks go by.
	Admission Reason = "Admission"
	// Writers: objects that have something written to those of the manifests.
	Writers Reason = "Writers"
	// Settings of the client.
	Settings Reason = "Settings"
	// Parameters of admission policies.
	Parameters Reason = "Parameters"
)

// Outcome is what came of a fetch.
type Outcome string

// The outcomes. A plan that was not carried out has none.
const (
	Fetched Outcome = "Fetched"
	// NotServed: the cluster has no such kind, and so no such object.
	NotServed Outcome = "NotServed"
	Forbidden Outcome = "Forbidden"
	Failed    Outcome = "Failed"
)

// Missing reports whether the objects may be there, and were not got.
func (o Outcome) Missing() bool { return o == Forbidden || o == Failed }

// Fetch is the objects that one command gets.
type Fetch struct {
	Reason Reason   `json:"reason"`
	Wanted []Wanted `json:"wanted"`
	// Namespace is empty for cluster-scoped kinds, and for all namespaces.
	Namespace     string `json:"namespace,omitempty" secret:"public"`
	AllNamespaces bool   `json:"allNamespaces,omitempty"`
	// Optional kinds are missed by no answer where the cluster does not serve them.
	Optional bool    `json:"optional,omitempty"`
	Outcome  Outcome `json:"outcome,omitempty"`
	// Message is kubectl's, where it did not get everything.
	Message string `json:"message,omitempty"`
	// Objects counts those that came.
	Objects int `json:"objects,omitempty"`
	// Command is written by who shows the document.
	Command string `json:"command,omitempty" secret:"public"`
}

// Wanted is objects of one kind.
type Wanted struct {
	Group string `json:"group,omitempty" secret:"public"`
	Kind  string `json:"kind" secret:"public"`
	// Type is the kind as an argument of kubectl.
	Type string `json:"type" secret:"public"`
	// Names are sorted; nil for all objects.
	Names []string `json:"names,omitempty" secret:"public"`
}

// GroupKind is the kind with its group.
func (w Wanted) GroupKind() schema.GroupKind {
	return schema.GroupKind{Group: w.Group, Kind: w.Kind}
}

// Get is the fetch as kubectl takes it.
func (f Fetch) Get() kubectl.Get {
	g := kubectl.Get{Namespace: f.Namespace, Everywhere: f.AllNamespaces}
	for _, w := range f.Wanted {
		g.Selections = append(g.Selections, kubectl.Selection{Type: w.Type, Names: w.Names})
	}
	return g
}

// covered is what a part of the fetch asks for.
func (f Fetch) covered(w Wanted) report.Covered {
	return report.Covered{Group: w.Group, Kind: w.Kind, Namespace: f.Namespace, Names: w.Names}
}

// Parted is the same as fetches of one kind each.
func (f Fetch) Parted() []Fetch {
	var out []Fetch
	for _, w := range f.Wanted {
		part := f
		part.Wanted = []Wanted{w}
		out = append(out, part)
	}
	return out
}
