// Package atomic replaces files, all of them or none, and loses no change that
// somebody else made.
//
// A Transaction goes through these steps:
//
//	lock     the folders of the files (the file .ssactl-journal in each), and the
//	         files themselves where the system has advisory locks
//	recover  what a killed run left in these folders (Recover does only this)
//	check    that the files are what they were when they were read (Version)
//	stage    the new content in a file beside each one, synced to disk
//	journal  what is going to be renamed, where it is more than one file
//	swap     rename each into place; a failure puts the earlier ones back
//	close    remove what was put beside them, and release the locks
//
// A journal that is whole means that all files will be new, by this run or the next. Each
// file is then in one of two states, told by digests: the former content is in
// its place and the new one beside it, or the new one is in its place. A file in
// any other state was changed by somebody else, and nothing is finished.
//
// An Output is a single file that is written while a run goes on.
package atomic
