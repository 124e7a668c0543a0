//go:build !unix

package atomic

import "io/fs"

// newFileMode is that of a new file.
var newFileMode = fs.FileMode(0o666)

// chownLike does nothing where files have no numeric owner.
func chownLike(string, fs.FileInfo) error { return nil }
