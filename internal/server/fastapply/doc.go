// Package fastapply answers plain applies without upstream's field manager, which
// is most of the work of a server. It wraps the server: without it, every answer is the
// same, and takes longer.
//
// An apply is plain where the configuration only sets leaves and adds fields and
// items, the manager applies again all that it applied last, and no other manager owns
// what changes, or force takes it. Then what a server does (upstream's names; merge
// is structured-merge-diff's) comes to this:
//
//	merge Updater.Apply    the configuration is laid over the live object
//	Updater.prune          each item that pruning takes out is owned, and put back
//	Updater.update         all entries are at the version of the request, so that
//	                       there is one comparison, and nothing is removed: others
//	                       that own what changes lose that by force, and without
//	                       force the full path finds the conflict
//	reconcile…Changes      no entry disagrees with the schema
//	FieldManager           the other entries come out as they went in: known types,
//	                       not empty, in order; the manager's own has the time of
//	                       now where a value changed
//	lastApplied…           does nothing but for the manager "kubectl"
//	Store.Update           runs, with conversion, defaults, validation and admission
//
// The steps, a file each:
//
//	fastapply.go   Around, the decorator, and which applies are plain by what they are
//	overlay.go     the configuration over the live object
//	mergetype.go   what a merge schema says of each place of an object, and whether the
//	               object is valid for it
//	step.go        the way to a field, what is claimed on it, path elements of list items
//	entries.go     the managed fields entries, before and after
//	sets.go        field sets, read once for all objects that have them
//	update.go      the merged object, stored, and whether all of the live one was
//
// Whatever is not proved to be alike, and every refusal and warning, is left to the
// server.
package fastapply
