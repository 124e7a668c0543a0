package redact

// Objects masks bare objects, numbered through all that it is given. It is not
// safe for concurrent use.
type Objects struct{ masks *masks }

// NewObjects starts the numbering.
func NewObjects() *Objects { return &Objects{masks: newMasks()} }

// Mask gives a Secret, or a list that holds some, with its values masked, and
// anything else as it is. The given object is not changed.
func (o *Objects) Mask(object map[string]any) map[string]any { return o.masks.object(object) }
