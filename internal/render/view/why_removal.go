package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/words"
)

// dropText is what happens to the field if an owner drops it.
func dropText(a explain.Why, d explain.Drop) string {
	how := "its next apply without the field"
	if d.Operation != managedfields.Apply {
		how = "an update or patch that leaves it out"
	}
	switch d.Effect {
	case explain.EffectUnknown:
		if d.Operation == managedfields.Apply {
			return fmt.Sprintf("What %s applied is not known: %s.", d.Manager, d.Unknown)
		}
		return fmt.Sprintf("%s owns it by updates, and the object does not have it: nothing is left to drop but the ownership.", d.Manager)
	case explain.EffectRefused:
		return fmt.Sprintf("The server refuses %s (%d).", how, d.Code)
	case explain.EffectRemoved:
		return removedText(a, how)
	case explain.EffectDefault:
		if reflect.DeepEqual(d.After, a.Value) {
			return "It stays as it is: the live value is the default, which the server fills in again at once."
		}
		return fmt.Sprintf("It goes back to the default%s by %s.", behindDefault(d.After), how)
	case explain.EffectChanged:
		if a.Nature.HasParts() && len(d.KeptBy) > 0 {
			return fmt.Sprintf("It stays, as %s still %s it, but parts of it change by %s.", words.And(d.KeptBy), words.Owns(len(d.KeptBy)), how)
		}
		return fmt.Sprintf("It becomes %s by %s.", quoted(d.After), how)
	}
	if len(d.KeptBy) > 0 {
		return fmt.Sprintf("It stays as it is: after %s, %s still %s it.", how, words.And(d.KeptBy), words.Owns(len(d.KeptBy)))
	}
	return fmt.Sprintf("It stays as it is after %s, without an owner.", how)
}

func removedText(a explain.Why, how string) string {
	switch {
	case a.Value.Missing:
		return fmt.Sprintf("Nothing changes in the object: %s only ends the ownership.", how)
	case a.Whole != "":
		return fmt.Sprintf("It is removed (with all of %s) by %s.", a.Whole, how)
	}
	return fmt.Sprintf("It is removed by %s.", how)
}

// removalStep is one thing to do to get the field removed.
func removalStep(a explain.Why, s explain.Step) string {
	if s.Manager == "" {
		return "remove it with a patch, which asks no owner"
	}
	return fmt.Sprintf("take %s out of the manifest of %s, and apply it", cmp.Or(a.Whole, a.Field), s.Manager)
}

// removalText is the result of all steps; without any, why there are none.
func removalText(r explain.Removal) string {
	none := len(r.Steps) == 0
	switch r.Effect {
	case explain.EffectRemoved:
		if none {
			return "There is nothing to remove."
		}
		return "Simulated: then the field is gone."
	case explain.EffectDefault:
		if none {
			return "It cannot be removed: the live value is the server's default, which comes back at once (simulated)."
		}
		return fmt.Sprintf("Simulated: then it has the server's default%s, which always comes back.", behindDefault(r.After))
	case explain.EffectChanged:
		return fmt.Sprintf("Simulated: then it is %s.", quoted(r.After))
	case explain.EffectRefused:
		if none {
			return "It cannot be removed: it is part of the object's identity or of the server's bookkeeping."
		}
		return "Simulated: the server refuses to be without it."
	}
	return "Simulated: it is still there then."
}

// behindDefault is a default behind the word; empty for a long one.
func behindDefault(v explain.Value) string {
	if text := quoted(v); text != longValue {
		return " " + text
	}
	return ""
}

// longValue stands for a value that is too long for a sentence.
const longValue = "another value"

// quoted is a value in a sentence.
func quoted(v explain.Value) string {
	if v.Missing {
		return "nothing"
	}
	b, err := json.Marshal(v.Value)
	if err != nil || len(b) > 80 {
		return longValue
	}
	return string(b)
}
