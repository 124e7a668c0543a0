// Package writeback puts resulting objects into the files that the live
// objects were read from.
//
// A Plan collects what to replace, delete and create; Commit carries it out
// for all files or for none:
//
//	resolve   symbolic links to their targets; standard input is refused
//	rewrite   the new text of every file, checked by reading it again
//	stage     a temporary file beside each target, synced to disk
//	swap      rename each into place; a failure puts the earlier ones back
//
// Within a file only the documents and list items that the plan names change;
// every other byte stays. An object that is equal to what the file holds
// already is not written at all.
package writeback
