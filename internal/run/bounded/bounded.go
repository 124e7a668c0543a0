// Package bounded reads what is held as a whole, such as a patch or settings, up to a
// bound: a device may have no end.
package bounded

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// File reads a file of at most so many bytes; a larger one is an error.
func File(name string, limit int64) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return All(file, name, limit)
}

// All reads all there is, of at most so many bytes; more is an error that says the
// name.
func All(r io.Reader, name string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, fmt.Errorf("read %s: it has more than %d bytes", name, limit)
	}
	return text, err
}

// anchored is what of an error of YAML repeats the text.
var anchored = regexp.MustCompile(`anchor '.*?'`)

// Shape is an error of YAML without what it repeats of the text: a file that is no YAML may
// be another one than is thought, with secrets in it.
func Shape(err error) string {
	return anchored.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "anchor")
}
