package atomic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// A record is what a journal says. It is written when everything is staged and
// before the first rename: from then on the transaction counts as done. The
// first folder has the record of all files, the others refer to it.
type record struct {
	// Journal is the folder whose journal has the files, of a journal that
	// has none itself.
	Journal string   `json:"journal,omitempty"`
	Files   []intent `json:"files,omitempty"`
}

// An intent is what is to become of one file. Paths are relative to the folder
// of the journal, with slashes: the files may be moved as a whole.
type intent struct {
	Target string `json:"target"`
	// Staged is the file that takes the place of the target. Where it is gone,
	// that is done.
	Staged string `json:"staged"`
	// Backup is where a folder moves before another takes its place. A file is
	// replaced in one step.
	Backup string `json:"backup,omitempty"`
	// Former and Next are the digests of the contents; Former is "" where there
	// is no file before.
	Former string `json:"former,omitempty"`
	Next   string `json:"next"`
}

// encode gives the text of a journal: the record, and a line with its digest,
// by which one that was cut short is known.
func (r record) encode() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode the journal: %w", err)
	}
	return fmt.Appendf(nil, "%s\n%s\n", text, digestOf(text)), nil
}

// decodeRecord gives the zero record for a journal that says nothing: it is
// empty, or was cut short, and nothing was renamed yet.
func decodeRecord(text []byte) record {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(rest) != digestOf(line)+"\n" {
		return record{}
	}
	var r record
	if json.Unmarshal(line, &r) != nil {
		return record{}
	}
	return r
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// relative is a path as a journal has it; absolute where there is no other way
// to it (another drive).
func relative(folder, path string) string {
	if name, err := filepath.Rel(folder, path); err == nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(path)
}

// resolved is the path that a journal means.
func resolved(folder, name string) string {
	path := filepath.FromSlash(name)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// folders are those that the transaction of a journal in a folder had locked,
// as far as the journal knows.
func (r record) folders(folder string) []string {
	if r.Journal != "" {
		return []string{resolved(folder, r.Journal)}
	}
	paths := make([]string, len(r.Files))
	for i, f := range r.Files {
		paths[i] = resolved(folder, f.Target)
	}
	return foldersOf(paths)
}
