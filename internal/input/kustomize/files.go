package kustomize

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// How much of files one build reads, each time counted: bases that include the
// same ones over and over multiply. A small file counts as a larger one, and a
// kustomization as a large one, for what is made of it.
const (
	maxBuildBytes     = 16 * manifest.DefaultMaxDocumentBytes
	leastCost         = 16 << 10
	kustomizationCost = 128 << 10
)

var (
	errReadOnly = errors.New("files are read here, not written")
	errTooMuch  = fmt.Errorf(
		"the build reads too much: at most %d MiB, %d files, or %d kustomizations are read, and what is included several times counts each time",
		maxBuildBytes>>20,
		maxBuildBytes/leastCost,
		maxBuildBytes/kustomizationCost,
	)
)

// files is the file system as kustomize sees it: regular files within bounds, to
// be read. What a kustomization must not ask for is noted, and the file is not
// given.
type files struct {
	filesys.FileSystem
	at     place
	limits manifest.Options
	// edit changes the text of a file; nil for none.
	edit func(path string, text []byte) []byte
	left int
	// copies: a kustomization may copy values between objects, or make two of one file. secrets: a file may have
	// a Secret.
	copies, secrets bool
	// stop, when not nil, ends the build with its error.
	stop func() error
	// learn, when not nil, is given each text that was read.
	learn func(path string, text []byte)
	// notice, when not nil, is called with remarks.
	notice func(manifest.Notice)
	// refused is the first of what no build is given for.
	refused *manifest.Problem
	// read are the files that were read, as the user would name them.
	read []string
}

func newFiles(at place, limits manifest.Options) *files {
	return &files{FileSystem: filesys.MakeFsOnDisk(), at: at, limits: limits, left: maxBuildBytes, stop: limits.Stop}
}

// ReadFile implements filesys.FileSystem.
func (f *files) ReadFile(path string) ([]byte, error) {
	text, err := f.readRegular(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var at manifest.Source
	if err == nil {
		at, err = f.check(path, text)
	}
	if err != nil {
		if at.File = f.at.named(path); f.refused == nil {
			f.refused = &manifest.Problem{Source: at, Op: "build", Err: err}
		}
		return nil, f.refused.Err
	}
	for _, word := range []string{"eplacement", "vars", "onfigMapGenerator"} {
		f.copies = f.copies || bytes.Contains(text, []byte(word))
	}
	f.secrets = f.secrets || bytes.Contains(text, []byte("ecret"))
	if f.edit != nil {
		return f.edit(path, text), nil
	}
	return text, nil
}

func (f *files) readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case f.stop != nil && f.stop() != nil:
		return nil, f.stop()
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file")
	case info.Size() > int64(f.limits.MaxDocumentBytes):
		return nil, fmt.Errorf("the file is %w of %d bytes", manifest.ErrTooLarge, f.limits.MaxDocumentBytes)
	}
	least := leastCost
	if isKustomization(path) {
		least = kustomizationCost
	}
	if f.left -= max(int(info.Size()), least); f.left < 0 {
		return nil, errTooMuch
	}
	name := f.at.named(path)
	if !slices.Contains(f.read, name) {
		f.read = append(f.read, name)
	}
	return os.ReadFile(path)
}

// check finds what kustomize must not get to see.
func (f *files) check(path string, text []byte) (manifest.Source, error) {
	if f.learn != nil {
		f.learn(path, text)
	}
	if err := manifest.CheckBounds(text, f.limits); err != nil {
		return manifest.Source{}, err
	}
	if !isKustomization(path) {
		return manifest.Source{}, nil
	}
	k := parse(text)
	f.remark(path, k)
	line, err := k.check(filepath.Dir(path))
	return manifest.Source{Line: line}, err
}

// remark reports what kustomize would print by itself of fields that are not to be used
// any more.
func (f *files) remark(path string, k kustomization) {
	if f.notice == nil {
		return
	}
	for _, text := range *k.types.CheckDeprecatedFields() {
		n := manifest.Notice{
			Source:  manifest.Source{File: f.at.named(path)},
			Message: strings.TrimPrefix(text, "# Warning: "),
		}
		_, name, _ := strings.Cut(n.Message, "'")
		name, _, _ = strings.Cut(name, "'")
		if node := k.field(name); node != nil {
			n.Source.Line = node.Line
		}
		f.notice(n)
	}
}

func isKustomization(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// Create implements filesys.FileSystem.
func (*files) Create(string) (filesys.File, error) { return nil, errReadOnly }

// Open implements filesys.FileSystem: whole files are read instead.
func (*files) Open(string) (filesys.File, error) { return nil, errReadOnly }

// Mkdir implements filesys.FileSystem.
func (*files) Mkdir(string) error { return errReadOnly }

// MkdirAll implements filesys.FileSystem.
func (*files) MkdirAll(string) error { return errReadOnly }

// RemoveAll implements filesys.FileSystem.
func (*files) RemoveAll(string) error { return errReadOnly }

// WriteFile implements filesys.FileSystem.
func (*files) WriteFile(string, []byte) error { return errReadOnly }
