package conflict

import (
	"reflect"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// origin reports where the value comes from, and of one without an owner whether
// the server needs it.
func (a *question) origin() (o Origin, needed bool) {
	switch {
	case managedfields.Untracked(a.path):
		return ServerWritten, false
	case len(a.Owners.Entries) == 0:
		return UntrackedObject, false
	case len(a.ownedBy) > 0 && len(a.managing) < len(a.path):
		return OwnedAbove, false
	case len(a.ownedBy) > 0:
		return Owned, false
	case len(a.below()) > 0:
		return OwnedBelow, false
	case a.value.Missing:
		return Unset, false
	case managedfields.Within(a.field, ".status"):
		return ServerWritten, false
	}
	effect, after, _ := a.withoutIt("ssactl", a.Live)
	if effect == EffectDefault && reflect.DeepEqual(after, a.value) {
		return Default, false
	}
	return Unowned, effect == EffectRefused
}
