// Package resolve edits manifests so that their applies no longer conflict:
// fields stop being managed (are removed) or take the live value, and
// nothing else in the file changes.
//
//	the apply, simulated                  resolve.go
//	  -> conflicts by field, each with    session.go
//	     its place in the manifest
//	  -> what to do about each            choice.go
//	  -> one edit a field, tried          edits.go
//	     and re-applied at once
//	  -> the new text of each file,       file.go
//	     read again and re-applied
//	  -> its diff, Secrets masked         mask.go
//
// What cannot be edited or does not help is refused with the reason, and the
// other fields are resolved.
package resolve
