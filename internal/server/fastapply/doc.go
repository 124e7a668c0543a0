// Package fastapply answers plain applies without upstream's field manager, which
// is most of the work of a server. It wraps the server: without it, every answer is the
// same, and takes longer.
//
// An apply is plain where the configuration only sets leaves and adds fields and
// items, and no list or map is left empty without what it no longer has. Then what a server
// does (upstream's names; merge is structured-merge-diff's) comes to this:
//
//	merge Updater.Apply    the configuration is laid over the live object
//	Updater.prune          what the manager no longer applies goes, where nobody owns it
//	                       or something in it
//	Updater.update         all entries are at the version of the request, so that
//	                       there is one comparison, and what is removed nobody owns:
//	                       others that own what changes lose that by force, and without
//	                       force conflict
//	reconcile…Changes      no entry disagrees with the schema
//	FieldManager           the other entries come out as they went in: known types,
//	                       not empty, in order; the manager's own has the time of
//	                       now where a value changed
//	lastApplied…           does nothing but for the manager "kubectl"
//	Store.Update           runs, with conversion, defaults, validation and admission
//
// An apply that creates the object is the same over an empty one: there is nothing to prune,
// nobody to conflict with, and one entry.
//
// The steps, a file each:
//
//	fastapply.go   Around, the decorator, and which applies are plain by what they are
//	overlay.go     the configuration over the live object
//	prune.go       what is no longer applied, out of it
//	mergetype.go   what a merge schema says of each place of an object, and whether the
//	               object is valid for it
//	step.go        the way to a field, what is claimed on it, path elements of list items
//	entries.go     the managed fields entries, before and after
//	sets.go        field sets, read once for all objects that have them
//	update.go      the merged object, stored, and whether all of the live one was
//	create.go      the configuration, stored as a new object
//	conflict.go    the refusal of an apply that changes fields of others
//	move.go        a JSON patch of the managed fields entries alone
//
// Whatever is not proved to be alike, every refusal but of conflicts and of new objects that are
// not valid, and every warning, is left to the server.
package fastapply
