package writers

import (
	"time"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// Judge is the kind of an entry's manager in the light of a live object that has the entry:
// evidence outweighs a name that the table does not have for certain.
//
//	the name       the entry                                  it is
//	unknown        an update of a webhook's CA bundle         what serves the webhook
//	unknown        an update at the object's creation, since  its creator
//	               when the manager wrote nothing
//	of a pattern   an apply, and no controller owns the       another applier
//	               object
//
// The field is the one that is asked about; empty for none.
//
// An object that a controller owns (ownerReferences) is kept by it, whatever the name is.
func Judge(w report.Writer, applier, field string, live map[string]any) ManagerKind {
	kind := ManagerKindOf(w, applier)
	unknown := kind.Kind == OtherWriter && kind.Returns == Always
	switch {
	case kind.Certain || live == nil:
		return kind
	case (unknown || kind.Kind == Controller) && w.Operation == managedfields.Update && IsInjected(field):
		return ManagerKind{Kind: Controller, Returns: Always, Name: "a program that writes the CA bundle of its webhooks"}
	case isControlled(live):
		return kind
	case unknown && CreatedOnly(w, live):
		return ManagerKind{Kind: Creator, Returns: Never, Certain: true,
			Name: "it created the object and has not written since"}
	case kind.Kind == Controller && w.Operation == managedfields.Apply:
		return ManagerKind{Kind: OtherApplier, Returns: OnRun,
			Name: "a client that applies a manifest of its own with server-side apply: an installer, or " + kind.Name}
	}
	return kind
}

// isControlled reports whether an owner reference names a controller.
func isControlled(object map[string]any) bool {
	list, _ := fieldtree.Value(object, "metadata", "ownerReferences").([]any)
	for _, item := range list {
		if reference, _ := item.(map[string]any); reference["controller"] == true {
			return true
		}
	}
	return false
}

// atOnce is by how much the time of an entry and that of the creation may differ for one
// write: the server rounds each to seconds.
const atOnce = time.Second

// CreatedOnly reports whether all entries of a manager date from the creation of the
// object, and are of an update.
func CreatedOnly(w report.Writer, live map[string]any) bool {
	created, ok := timeOf(fieldtree.Value(live, "metadata", "creationTimestamp"))
	if !ok || w.Operation != managedfields.Update || w.Subresource != "" {
		return false
	}
	list, _ := fieldtree.Value(live, "metadata", "managedFields").([]any)
	found := false
	for _, item := range list {
		entry, _ := item.(map[string]any)
		if entry["manager"] != w.Manager {
			continue
		}
		written, ok := timeOf(entry["time"])
		if !ok || written.Sub(created).Abs() > atOnce {
			return false
		}
		found = true
	}
	return found
}

func timeOf(v any) (time.Time, bool) {
	text, _ := v.(string)
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil
}
