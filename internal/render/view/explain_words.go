package view

import (
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
)

// differenceText says how the two values differ, where that is not seen.
func differenceText(s explain.Conflict) string {
	d := s.Difference
	switch d.Kind {
	case explain.Spelling:
		return "only another spelling: the server stores yours as " + storedText(d) + ", which is the live value; it compares what is written, not what is meant"
	case explain.Dropped:
		return "no difference in the object: the server stores nothing for your value, as that is what the field is without it"
	case explain.Defaulted:
		return "no difference in the object: the live value is yours with defaults filled in at " + strings.Join(firstOf(d.Filled, 4), ", ")
	case explain.WriteOnly:
		return "the same value is stored already, but stringData is write-only: its owner conflicts with everybody else forever"
	case explain.Real:
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

func storedText(d explain.Difference) string {
	if d.Stored == nil {
		return "it does"
	}
	return short(d.Stored.Value)
}

// firstOf shortens a list for a sentence.
func firstOf(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(append([]string{}, list[:n]...), "…")
}

// whole says what it means to be atomic.
const whole = " has one owner and is compared and replaced as a whole, so that one differing "

// Nature says what the field is for Server-Side Apply.
func Nature(s explain.Conflict) string {
	n := s.Nature
	what, then := map[explain.NatureKind]string{
		explain.Scalar:      "a single value",
		explain.GranularMap: "a map; each key is a field of its own",
		explain.AtomicMap:   "an atomic map",
		explain.AtomicList:  "an atomic list",
		explain.KeyedList:   "a list of items keyed by " + keysText(n.Keys) + ", each a field of its own",
		explain.Set:         "a set: each value of the list is a field of its own",
		explain.KeyedItem:   "an item of a list whose items are keyed by " + keysText(n.Keys),
		explain.SetItem:     "one value of a set",
	}[n.Kind], map[explain.NatureKind]string{
		explain.AtomicMap:  ": it" + whole + "key makes all of it conflict",
		explain.AtomicList: ": it" + whole + "item, or default in an item, makes all of it conflict",
	}[n.Kind]
	if n.List != "" && n.Kind != explain.KeyedItem && n.Kind != explain.SetItem {
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
func ManagerKind(c explain.ManagerKind) string {
	text := c.Name
	if !c.Certain {
		text = "probably " + text
	}
	return text
}
