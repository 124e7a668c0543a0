// Package redact masks what is in Secrets before anything is shown.
//
// The pipeline: learn the values of every Secret as it is read, live object,
// manifest and patch (learn.go, of what secret.go finds), in every spelling in
// which a text may quote them (spellings.go, index.go); then walk each document
// that is shown by reflection (walk.go), tell of what it speaks (scope.go), mask
// what stands where a Secret keeps values (object.go, metadata.go, entries.go), and
// search all other strings for values that were learned (text.go). Standard error
// says of objects what masked documents say; the errors of the run, which may quote
// inputs, are searched there.
//
// Masked is what nobody declares to be shown: a new field of a document needs
// no line here. What a document declares, it says in the tag "secret" of a
// field:
//
//	public   names and places: never a value, and not looked at
//	path     a field path: what it has in brackets is masked
//	about    a field as validation names it, of which the rest speaks
//	pointer  a JSON pointer; it identifies the adjacent value
//	text     a tree of which the strings are sentences, as a Status
//	derived  the fields of the objects beside it that were made from values of Secrets
//
// Types that are made of string (an outcome, a kind of change) are words of the
// program and public too.
//
// Of a Secret these are shown: apiVersion, kind, type, the keys of maps, what
// names it and what a server assigns (name, namespace, uid, times), owner
// references, finalizers that are qualified names, and field managers. All
// else is a value, labels and annotations included.
//
// What admission policies make of values is not found by a search. The server finds it,
// by other values that Disguised puts in their places.
//
// Laws: equal values have equal masks and different values different ones;
// a mask tells neither length nor content; keys stay visible; documents that
// concern no Secret are the same as before, and are not copied. A value of
// fewer than four bytes, a number and a word such as "true" are masked where
// they stand and where a text has them in quotes, not in the midst of words; a
// value that is the name or a key of a Secret as well is masked only where it
// stands. Values are searched for in what is said of Secrets, of objects that
// hold some, and of the run as a whole; a Deployment that has the same word for
// its own reasons stays as it is.
package redact
