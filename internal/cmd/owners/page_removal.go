package owners

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/words"
)

// DropText is what happens to the field if an owner drops it.
func DropText(a conflict.Why, d conflict.Drop) string {
	how := "its next apply without the field"
	if d.Operation != managedfields.Apply {
		how = "an update or patch that omits it"
	}
	switch d.Effect {
	case conflict.EffectUnknown:
		if d.Operation == managedfields.Apply {
			return fmt.Sprintf("What %s applied is not known: %s.", d.Manager, d.Unknown)
		}
		return fmt.Sprintf("%s owns it by updates, and the object does not have it: nothing is left to drop but the ownership.", d.Manager)
	case conflict.EffectRefused:
		return fmt.Sprintf("The server refuses %s (%d).", how, d.Code)
	case conflict.EffectRemoved:
		return removedText(a, how)
	case conflict.EffectDefault:
		if reflect.DeepEqual(d.After, a.Value) {
			return fmt.Sprintf("After %s it stays as it is: the live value is the server default.", how)
		}
		return fmt.Sprintf("%s resets it to the default%s.", words.Sentence(how), behindDefault(d.After))
	case conflict.EffectChanged:
		if a.Nature.HasParts() && len(d.KeptBy) > 0 {
			return fmt.Sprintf("%s changes parts of it; %s still %s it.", words.Sentence(how), words.And(d.KeptBy), words.Owns(len(d.KeptBy)))
		}
		return fmt.Sprintf("%s changes it to %s.", words.Sentence(how), quoted(d.After))
	}
	if len(d.KeptBy) > 0 {
		return fmt.Sprintf("After %s it stays as it is: %s still %s it.", how, words.And(d.KeptBy), words.Owns(len(d.KeptBy)))
	}
	return fmt.Sprintf("After %s it stays as it is, without an owner.", how)
}

func removedText(a conflict.Why, how string) string {
	switch {
	case a.Value.Missing:
		return fmt.Sprintf("%s only ends the ownership.", words.Sentence(how))
	case a.Whole != "":
		return fmt.Sprintf("%s removes it, with all of %s.", words.Sentence(how), a.Whole)
	}
	return words.Sentence(how) + " removes it."
}

// removalStep is one thing to do to get the field removed.
func removalStep(a conflict.Why, s conflict.Step) string {
	if s.Manager == "" {
		return "Remove it with a patch, which meets no conflict."
	}
	return fmt.Sprintf("Remove %s from the manifest of %s, and apply it.", cmp.Or(a.Whole, a.Field), s.Manager)
}

// removalText is the result of all steps; without any, why there are none.
func removalText(r conflict.Removal) string {
	none := len(r.Steps) == 0
	switch r.Effect {
	case conflict.EffectRemoved:
		if none {
			return "nothing: the object does not have it"
		}
		return "these steps (simulated)"
	case conflict.EffectDefault:
		if none {
			return "nothing: the live value is the server default, which comes back at once (simulated)"
		}
		return fmt.Sprintf("nothing; these steps reset it to the server default%s (simulated)", behindDefault(r.After))
	case conflict.EffectChanged:
		return fmt.Sprintf("nothing; after these steps it is %s (simulated)", quoted(r.After))
	case conflict.EffectRefused:
		if none {
			return "nothing: it is part of the object's identity, or the server tracks no owner of it"
		}
		return "nothing: the server refuses to be without it (simulated)"
	}
	return "nothing; after these steps it is still there (simulated)"
}

// behindDefault is a default behind the word; empty for a long one.
func behindDefault(v conflict.Value) string {
	if text := quoted(v); text != longValue {
		return ", " + text
	}
	return ""
}

// longValue stands for a value that is too long for a sentence.
const longValue = "another value"

// quoted is a value in a sentence.
func quoted(v conflict.Value) string {
	if v.Missing {
		return "nothing"
	}
	b, err := json.Marshal(v.Value)
	if err != nil || len(b) > 80 {
		return longValue
	}
	return string(b)
}
