// Package redact masks what is in Secrets before anything is shown.
//
// The pipeline: learn the values of every Secret as it is read, live object,
// manifest and patch (masker.go, of what secret.go finds), in every spelling in
// which a text may quote them (spellings.go, index.go); then walk each document
// that is shown by reflection (walk.go), tell of what it speaks (scope.go), mask
// what stands where a Secret keeps values (object.go, metadata.go, entries.go), and
// search all other strings for values that were learned (text.go). Standard error
// says of objects what masked documents say; the errors of the run, which may quote
// inputs, are searched there.
//
// All is masked that is not declared to be shown: a new field of a document needs
// no line here. What a document declares, it says in the tag "secret" of a
// field:
//
//	public   names and places: never a value, and not looked at
//	path     a field path: what it has in brackets is masked
//	about    a field as validation names it, which the rest is about
//	pointer  a JSON pointer; it identifies the adjacent value
//	text     a tree whose strings are sentences, such as a Status
//	derived  the fields of its objects that were made from values of Secrets
//	ours     a sentence or a command of ssactl: only what no word and no name is
//	         looks like a value in it
//
// Types that are made of string (an outcome, a kind of change) are words of the
// program and public too.
//
// Of a Secret these are shown: apiVersion, kind, type, the keys of maps, what
// names it and what a server assigns (name, namespace, uid, times), owner
// references, finalizers that are qualified names, field managers, labels, and
// annotations without the values that they quote. All else is a value, unless it is empty.
//
// What admission policies make of values is not found by a search. The server finds it,
// by other values that Disguised puts in their places.
//
// Laws: equal values have equal masks and different values different ones;
// a mask tells neither length nor content; keys stay visible; documents that
// concern no Secret are the same as before, and are not copied. A value is masked
// where it stands; in text it is searched for by its weight (spellings.go), so that
// values such as "true", "5432" and "admin" do not blacken words that have nothing to
// do with them; a value that is the name, a label or a key of a Secret as well is
// masked only where it stands. Values are searched for in what is said of Secrets, of
// objects that hold some, and of the run as a whole; a Deployment that has the same word
// for its own reasons stays as it is. A mask is no input (masked.go).
package redact
