package page

import (
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
)

// DifferenceText says how the two values differ, where that is not seen.
func DifferenceText(s conflict.Conflict) string {
	d := s.Difference
	switch d.Kind {
	case conflict.Spelling:
		return "only another spelling: the server stores yours as " + storedText(d) + ", which is the live value; it compares what is written, not what is meant"
	case conflict.Dropped:
		return "no difference in the object: the server stores nothing for your value, as that is what the field is without it"
	case conflict.Defaulted:
		return "no difference in the object: the live value is yours with defaults filled in at " + strings.Join(FirstOf(d.Filled, 4), ", ")
	case conflict.WriteOnly:
		return "the same value is stored already, but stringData is write-only: its owner conflicts with everybody else forever"
	case conflict.Real:
		if d.Stored == nil {
			return "the values differ: another value would be stored in data; stringData itself is write-only and never seen"
		}
		if s.Live.Missing {
			return "the values differ: the field is owned without a value, as its owner applied null, {} or [], and yours would be stored"
		}
		return ""
	}
	return "not known whether the difference is real: the server refuses to store your value, see below"
}

func storedText(d conflict.Difference) string {
	if d.Stored == nil {
		return "it does"
	}
	return Short(d.Stored.Value)
}

// FirstOf shortens a list for a sentence.
func FirstOf(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(append([]string{}, list[:n]...), "…")
}

// whole says what it means to be atomic.
const whole = " has one owner and is compared and replaced as a whole, so that one differing "

// Nature says what the field is for Server-Side Apply.
func Nature(s conflict.Conflict) string {
	n := s.Nature
	what, then := map[conflict.NatureKind]string{
		conflict.Scalar:      "a single value",
		conflict.GranularMap: "a map; each key is a field of its own",
		conflict.AtomicMap:   "an atomic map",
		conflict.AtomicList:  "an atomic list",
		conflict.KeyedList:   "a list of items keyed by " + keysText(n.Keys) + ", each a field of its own",
		conflict.Set:         "a set: each value of the list is a field of its own",
		conflict.KeyedItem:   "an item of a list whose items are keyed by " + keysText(n.Keys),
		conflict.SetItem:     "one value of a set",
	}[n.Kind], map[conflict.NatureKind]string{
		conflict.AtomicMap:  ": it" + whole + "key makes all of it conflict",
		conflict.AtomicList: ": it" + whole + "item, or default in an item, makes all of it conflict",
	}[n.Kind]
	if n.List != "" && n.Kind != conflict.KeyedItem && n.Kind != conflict.SetItem {
		what += " in an item of " + n.List
		if len(n.ListKeys) > 0 {
			what += " (keyed by " + keysText(n.ListKeys) + ")"
		}
	}
	if n.Deduced {
		then += "; no schema is known for the kind, so every list counts as atomic"
	}
	return what + then
}

func keysText(keys []string) string {
	if len(keys) == 0 {
		return "their keys"
	}
	return strings.Join(keys, " and ")
}

// ManagerKind is what kind of writer owns the field, and how sure that is.
func ManagerKind(c conflict.ManagerKind) string {
	text := c.Name
	if !c.Certain {
		text = "probably " + text
	}
	return text
}
