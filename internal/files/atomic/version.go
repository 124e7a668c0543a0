package atomic

import (
	"crypto/sha256"
	"io/fs"
	"os"
)

// A Version is what a file was when it was read: which file its name meant,
// and the bytes that it had. A Version without Info is that of any file with
// these bytes.
type Version struct {
	// Info describes the file that was open, nil where that is not known.
	Info fs.FileInfo
	// Sum is the SHA-256 digest of the bytes on disk (compressed, where they
	// are).
	Sum [sha256.Size]byte
}

// VersionOf gives the version of a file from its bytes and attributes.
func VersionOf(content []byte, info fs.FileInfo) Version {
	return Version{Info: info, Sum: sha256.Sum256(content)}
}

// Agrees reports whether a file is the one that was read, with the bytes that
// were read. A file that another one with the same bytes took the place of is
// not: its name may mean something else by now.
func (v Version) Agrees(content []byte, info fs.FileInfo) bool {
	if v.Info != nil && info != nil && !os.SameFile(v.Info, info) {
		return false
	}
	return v.Sum == sha256.Sum256(content)
}
