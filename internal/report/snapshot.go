package report

import (
	"slices"
	"time"
)

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
	// Key names the key of the digests that stand for the values of Secrets; empty
	// where there are none.
	Key string `json:"key,omitempty" secret:"public"`
	// Fetched are the objects that manifests named, and those that admission goes by,
	// which were asked for: those that are not in the bundle were not in the cluster.
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
