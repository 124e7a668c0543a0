// Package atomic replaces files, all of them or none, and loses no change that
// somebody else made.
//
// A Transaction goes through these steps:
//
//	lock    the folders of the files (the file .ssactl-journal in each), and the
//	        files themselves where the system has advisory locks
//	check   that the files are what they were when they were read (Version)
//	stage   the new content in a file beside each one, synced to disk
//	swap    rename each into place; a failure puts the earlier ones back
//	close   remove what was put beside them, and release the locks
package atomic
