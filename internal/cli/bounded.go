package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// readBounded reads a small file as a whole: one with a patch, or with settings
// of ours. A device may have no end.
func readBounded(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readAll(file, name, manifest.DefaultMaxDocumentBytes)
}

// readAll reads all there is, and gives an error for more than so many bytes.
func readAll(r io.Reader, name string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, fmt.Errorf("read %s: it has more than %d bytes", name, limit)
	}
	return text, err
}
