package conflict

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// WriterKind is what kind of writer a field manager is.
type WriterKind string

// The kinds of writer.
const (
	Controller  WriterKind = "Controller"
	Autoscaler  WriterKind = "Autoscaler"
	GitOps      WriterKind = "GitOps"
	Deployer    WriterKind = "Deployer"
	Person      WriterKind = "Person"
	ClientSide  WriterKind = "ClientSideApply"
	Bookkeeping WriterKind = "Bookkeeping"
	// Self: the manager that asks, in another role.
	Self         WriterKind = "Self"
	OtherApplier WriterKind = "OtherApplier"
	OtherWriter  WriterKind = "OtherWriter"
)

// Persistence is when a writer writes again by itself.
type Persistence string

// When writers write again.
const (
	// Always: it watches the object, and corrects what it sees.
	Always Persistence = "Always"
	// OnSync: it applies its source again and again.
	OnSync Persistence = "OnSync"
	// OnRun: it writes when somebody runs it.
	OnRun Persistence = "OnRun"
	// Never: nobody writes under this name by itself.
	Never Persistence = "Never"
)

// ManagerKind is what is known of a field manager by its name, operation and
// subresource. Names are given by clients and prove nothing: Certain is false
// where only the pattern of the name speaks.
type ManagerKind struct {
	Kind WriterKind `json:"kind"`
	// Name is who that is, in words.
	Name    string      `json:"name"`
	Returns Persistence `json:"returns"`
	// Forces is true for a manager that applies with force by itself.
	Forces  bool `json:"forces,omitempty"`
	Certain bool `json:"certain"`
	// Client is the program, where it is one whose settings are known.
	Client report.Client `json:"client,omitempty"`
}

// ManagerKindOf returns the kind of an entry's manager, as an applying manager sees
// it; empty for none. Of several rows of the
// table the first that fits counts.
// The manager that applies is known: it does not fight itself.
func ManagerKindOf(w report.Writer, applier string) ManagerKind {
	if w.Manager == applier && w.Operation == managedfields.Update && w.Subresource == "" {
		return ManagerKind{Kind: Self, Returns: Never, Certain: true,
			Name: "you: the same manager name with updates or client-side writes, which count as another owner than its applies"}
	}
	for _, k := range known {
		if k.fits(w) {
			return k.ManagerKind
		}
	}
	return unknown(w)
}

// row is one known writer. Empty conditions fit everything.
type row struct {
	names                  []string
	prefix, suffix         string
	operation, subresource string
	ManagerKind
}

func (k row) fits(w report.Writer) bool {
	return k.named(w.Manager) &&
		(k.operation == "" || k.operation == w.Operation) &&
		(k.subresource == "" || k.subresource == w.Subresource)
}

func (k row) named(manager string) bool {
	for _, n := range k.names {
		if n == manager {
			return true
		}
	}
	if len(k.names) > 0 {
		return false
	}
	return strings.HasPrefix(manager, k.prefix) && strings.HasSuffix(manager, k.suffix)
}

// unknown is a manager that no row fits: what its operation says of it.
func unknown(w report.Writer) ManagerKind {
	if w.Operation == managedfields.Apply {
		return ManagerKind{Kind: OtherApplier, Returns: OnRun, Name: "somebody who applies a manifest of their own with server-side apply"}
	}
	return ManagerKind{Kind: OtherWriter, Returns: Always, Name: "a client that writes the object with updates or patches, such as a controller or a script"}
}
