package owners

import (
	"path"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/suggest"
)

// Filter says which fields are asked for. The zero value asks for all.
type Filter struct {
	// Managers are names of field managers, or patterns with * as those of
	// files: a field is asked for when one of them claims it.
	Managers []string
	// Fields are prefixes of field paths, cut at path elements: the leading
	// dot and the quotes in keys may be left out.
	Fields []string
	// States are kinds of fields; a field must be of one of them.
	States []Kind
}

// Kind is a kind of fields that a filter asks for.
type Kind string

// The kinds of fields.
const (
	SharedFields  Kind = "shared"
	UnownedFields Kind = "unowned"
	StaleFields   Kind = "stale"
)

// Empty reports whether the filter asks for everything.
func (f Filter) Empty() bool {
	return len(f.Managers)+len(f.Fields)+len(f.States) == 0
}

// Select gives the object with the fields that the filter asks for, and those
// above them as Context. The given object is not changed; Entries and Counts
// stay those of the whole object.
func (o *Object) Select(f Filter) *Object {
	if f.Empty() {
		return o
	}
	out := *o
	out.Root = o.prune(o.Root, f)
	if out.Root == nil {
		out.Root = &Field{Context: true}
	}
	out.Stale = slices.DeleteFunc(slices.Clone(o.Stale), func(s *Field) bool { return !o.asked(s, f) })
	return &out
}

// prune is nil where nothing is asked for.
func (o *Object) prune(field *Field, f Filter) *Field {
	out := *field
	out.Fields = nil
	out.Context = !o.asked(field, f)
	kept := !out.Context
	for _, below := range field.Fields {
		if pruned := o.prune(below, f); pruned != nil {
			out.Fields = append(out.Fields, pruned)
			kept = true
		} else if below.End && field.Item && names(field.Path[len(field.Path)-1], below.Key()) {
			// Without its keys nobody knows which item it is.
			key := *below
			key.Context = true
			out.Fields = append(out.Fields, &key)
		}
	}
	if !kept {
		return nil
	}
	return &out
}

func (o *Object) asked(field *Field, f Filter) bool {
	ofManager := func(c Claim) bool { return matchesAny(f.Managers, o.Entries[c.Entry].Manager) }
	under := func(prefix string) bool { return hasPrefix(field.Name, prefix) || field.encloses(prefix) }
	ofKind := func(k Kind) bool {
		return k == SharedFields && field.State == Owned && o.Shared(field) ||
			k == UnownedFields && field.State == Unowned || k == StaleFields && field.State == Stale
	}
	return (len(f.Managers) == 0 || slices.ContainsFunc(field.Claims, ofManager)) &&
		(len(f.Fields) == 0 || slices.ContainsFunc(f.Fields, under)) &&
		(len(f.States) == 0 || slices.ContainsFunc(f.States, ofKind))
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if pattern == name {
			return true
		}
		// A bad pattern is a name, and matches itself only. Names may hold
		// slashes, which patterns of files do not match.
		ok, err := path.Match(noSlash(pattern), noSlash(name))
		return err == nil && ok
	})
}

func noSlash(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

// encloses reports whether the field is one as a whole, with name inside of it.
func (f *Field) encloses(name string) bool {
	return f.Whole && spelling(f.Name) != spelling(name) && hasPrefix(name, f.Name)
}

// Enclosing is the field that is owned as a whole and has the name inside of
// it; nil where there is none.
func (o *Object) Enclosing(name string) *Field {
	var found *Field
	o.Root.Each(func(f *Field) {
		if found == nil && f.encloses(name) {
			found = f
		}
	})
	return found
}

// hasPrefix reports whether prefix is name, or ends where a path element of it
// ends.
func hasPrefix(name, prefix string) bool {
	name, prefix = spelling(name), spelling(prefix)
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && (rest == "" || prefix == "" || rest[0] == '.' || rest[0] == '[')
}

// spelling is a field path without what may be left out.
func spelling(field string) string {
	field = strings.ReplaceAll(strings.TrimSpace(field), `"`, "")
	if field != "" && field[0] != '.' && field[0] != '[' {
		field = "." + field
	}
	return strings.TrimSuffix(field, ".")
}

// Unmatched are the names of a filter that the object has nothing for.
type Unmatched struct {
	// Managers claim nothing; Fields are no path of the object and no claim.
	Managers, Fields []string
}

// Unmatched reports what of a filter the object does not know at all.
func (o *Object) Unmatched(f Filter) Unmatched {
	var u Unmatched
	for _, m := range f.Managers {
		if !slices.ContainsFunc(o.Managers(), func(name string) bool { return matchesAny([]string{m}, name) }) {
			u.Managers = append(u.Managers, m)
		}
	}
	names := o.Names()
	for _, prefix := range f.Fields {
		known := slices.ContainsFunc(names, func(name string) bool { return hasPrefix(name, prefix) })
		if !known && o.Enclosing(prefix) == nil {
			u.Fields = append(u.Fields, prefix)
		}
	}
	return u
}

// Managers are the names of the field managers, sorted, each once.
func (o *Object) Managers() []string {
	var out []string
	for _, e := range o.Entries {
		if e.Manager != "" {
			out = append(out, e.Manager)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Names are the fields of the object and of its claims, sorted, each once.
func (o *Object) Names() []string {
	var out []string
	o.Root.Each(func(f *Field) {
		if len(f.Path) > 0 {
			out = append(out, f.Name)
		}
	})
	for _, f := range o.Stale {
		out = append(out, f.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// maxNearest bounds the length of texts that are compared letter by letter.
const maxNearest = 256

// Nearest finds the name that was probably meant: the one with the fewest
// letters to change, or else one that ends as the given one does. It is empty
// where none is near.
func Nearest(given string, names []string) string {
	given = strings.ToLower(spelling(given))
	if len(given) > maxNearest {
		return ""
	}
	best, fewest := "", len(given)/3+1
	for _, name := range names {
		spelled := strings.ToLower(spelling(name))
		if len(spelled) > maxNearest || max(len(spelled)-len(given), len(given)-len(spelled)) >= fewest {
			continue
		}
		if n := suggest.Distance(given, spelled); n < fewest {
			best, fewest = name, n
		}
	}
	if best != "" {
		return best
	}
	at := slices.IndexFunc(names, func(name string) bool {
		return strings.HasSuffix(strings.ToLower(spelling(name)), given)
	})
	if at < 0 {
		return ""
	}
	return names[at]
}
