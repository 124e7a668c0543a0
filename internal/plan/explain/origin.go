package explain

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// origin reports where the value comes from.
func (a *question) origin(n Nature) (Origin, string) {
	names := joined(a.ownedBy)
	switch {
	case managedfields.Untracked(a.path):
		return ServerWritten, "The field is part of the object's identity or the server's own bookkeeping: managedFields never track it."
	case len(a.owners.Entries) == 0:
		return UntrackedObject, "The live object has no managed fields, so that it is not known who set the field. If it has none in the cluster either, its first apply makes " + managedfields.BeforeFirstApply + " the owner of everything."
	case len(a.ownedBy) > 0 && len(a.managing) < len(a.path):
		return OwnedAbove, fmt.Sprintf("%s owns %s as a whole, and the field with it: it cannot have another owner than the whole.", names, a.managing)
	case len(a.ownedBy) > 0 && a.value.Missing:
		return Owned, fmt.Sprintf("%s owns the field, but the object does not have it: what was applied is null or empty and is not stored, or is write-only, or the field has gone since.", names)
	case len(a.ownedBy) > 1 && n.Kind != Scalar && n.Kind != AtomicMap && n.Kind != AtomicList:
		return Owned, fmt.Sprintf("%s own it together; what is in it has owners of its own.", names)
	case len(a.ownedBy) > 1:
		return Owned, fmt.Sprintf("%s own it together: each applied or wrote this very value%s.", names, a.lastWriter())
	case len(a.ownedBy) == 1:
		return Owned, fmt.Sprintf("%s set it, and nobody else owns it.", names)
	case len(a.below()) > 0:
		return OwnedBelow, fmt.Sprintf("The field itself has no owner; parts of it do: %s. Ask about one of the parts.", joined(a.below()))
	case a.value.Missing:
		return Unset, "The object does not have the field, and nobody owns it."
	}
	return a.unownedOrigin()
}

// unownedOrigin tells a default from a leftover by removing the field: what
// comes back is a default.
func (a *question) unownedOrigin() (Origin, string) {
	if strings.HasPrefix(a.field, ".status") {
		return ServerWritten, "Nobody owns it. It is in the status, which controllers report and the server resets for everybody else."
	}
	effect, after, _ := a.withoutIt("ssactl", a.live)
	switch {
	case effect == EffectDefault && reflect.DeepEqual(after, a.value):
		return Default, "Nobody asked for it: it is the default that the server fills in (simulated: removed, it comes back)."
	case effect == EffectRefused:
		return Unowned, "Nobody owns it, and the server refuses to be without it: it was filled in by the server, or its owner dropped it or was cleared."
	}
	return Unowned, "Nobody owns it, and it is no default: whoever set it dropped it when somebody else still owned it, or was cleared from managedFields, or wrote before they were tracked."
}

// lastWriter names the owner with the latest time. It is empty where one has
// no time: an owner that came to share a field and changed nothing has none.
func (a *question) lastWriter() string {
	last := a.ownedBy[0]
	for _, h := range a.ownedBy {
		if h.Time == nil {
			return ""
		}
		if h.Time.After(*last.Time) {
			last = h
		}
	}
	return ", and the last to write was " + last.Manager
}

// setters say who else may set the field, by the rules of Server-Side Apply
// (apimachinery, managedfields/internal/structuredmerge.go).
func (a *question) setters() []string {
	if managedfields.Untracked(a.path) {
		return []string{"Nobody: the server alone writes it, or it is fixed when the object is created."}
	}
	anyone := "Every client that writes with an update or patch may set it without a conflict, and owns it then; who owned it with another value loses it."
	if len(a.owners.Entries) == 0 {
		return []string{fmt.Sprintf("Without managed fields in the cluster, a manager that applies another value gets a conflict with %s; one that applies the live value shares the field.", managedfields.BeforeFirstApply), anyone}
	}
	if len(a.ownedBy) == 0 {
		return []string{"Every manager may apply it without a conflict, and owns it then.", anyone}
	}
	return []string{
		fmt.Sprintf("Another manager that applies it with another value gets a conflict with %s; with force it takes the field over.", joined(a.ownedBy)),
		"Another manager that applies the same value shares it.",
		anyone,
	}
}
