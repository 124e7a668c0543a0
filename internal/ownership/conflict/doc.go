// Package conflict says why an apply conflicts and what to do about it, and
// why a field of a live object is as it is, as plain data.
//
// Nothing is guessed that the server can be asked. Explain takes each conflict
// and tries the options to resolve it on the decoded manifest:
//
//	the write, simulated            explain.go
//	  -> a Conflict a field            document.go what it is (difference.go), who owns it (ownership/writers)
//	     -> what would be stored    difference.go real, or only another spelling
//	     -> three Resolutions       resolutions.go on edited bodies, shown as edits of the manifest
//	     -> what its owners do      reaction.go    their next apply (internal/ownership)
//	     -> a recommendation        recommend.go
//
// Advise, Leave and Stopping (advise.go) answer less, with fewer simulations. Ask does the
// same for one field of a live object (why.go): what happens if each owner drops it
// (drop.go), if somebody else applies another value, and how it is removed. A field as
// people type it (typed.go) is found by name.go.
package conflict
