package writeback

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// A target is a file that a commit writes.
type target struct {
	// file is the path of the plan, path the file that it means.
	file, path string
	// info is nil for a file that does not exist yet.
	info fs.FileInfo
	raw  []byte

	changes []change
	created []map[string]any
	content []byte
	renew   bool

	next []byte
}

// targets groups the plan by the files that are meant, sorted: two names of
// one file are one target.
func (p *Plan) targets(files atomic.FileSystem) ([]*target, error) {
	g := grouping{
		files:    files,
		given:    p.Given,
		versions: p.Read,
		byPath:   map[string]*target{},
		named:    map[string]*target{},
	}
	for _, c := range p.changes {
		if t := g.existing(c.at.File); t != nil {
			t.changes = append(t.changes, c)
		}
	}
	for file, content := range p.contents {
		if t := g.existing(file); t != nil {
			if t.renew || len(t.changes) > 0 {
				g.errs = append(g.errs, fileError(file, ErrTwice))
			}
			t.content, t.renew = content, true
		}
	}
	if len(p.created) > 0 {
		g.create(p.NewFile, p.created)
	}
	if len(g.errs) > 0 {
		slices.SortFunc(g.errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return nil, errors.Join(g.errs...)
	}
	slices.SortFunc(g.targets, func(a, b *target) int { return strings.Compare(a.path, b.path) })
	return g.targets, nil
}

// A grouping collects targets. A file with an error is reported once.
type grouping struct {
	files    atomic.FileSystem
	given    []string
	versions map[string]atomic.Version
	byPath   map[string]*target
	named    map[string]*target
	targets  []*target
	errs     []error
}

// existing gives the target of a file that must be there, and nil after an
// error.
func (g *grouping) existing(file string) *target {
	if t, seen := g.named[file]; seen {
		return t
	}
	t, err := g.load(file)
	if err != nil {
		g.errs = append(g.errs, fileError(file, err))
	}
	g.named[file] = t
	return t
}

func (g *grouping) load(file string) (*target, error) {
	if file == "-" {
		return nil, ErrStandardInput
	}
	path, err := g.files.Resolve(file)
	if err != nil {
		return nil, err
	}
	if err := g.checkLink(file, path); err != nil {
		return nil, err
	}
	if t, seen := g.byPath[path]; seen {
		return t, g.check(file, t)
	}
	t := &target{file: file, path: path}
	if t.info, err = g.files.Lstat(path); err != nil {
		return nil, err
	}
	switch mode := t.info.Mode(); {
	case !mode.IsRegular():
		return nil, fmt.Errorf("%w: %s", atomic.ErrNotRegular, mode.Type())
	case mode.Perm()&0o222 == 0:
		return nil, ErrReadOnly
	}
	if t.raw, err = g.files.ReadFile(path); err != nil {
		return nil, err
	}
	g.byPath[path] = t
	g.targets = append(g.targets, t)
	return t, g.check(file, t)
}

func (g *grouping) check(file string, t *target) error {
	if version, read := g.versions[file]; read && !version.Agrees(t.raw, t.info) {
		return atomic.ErrChanged
	}
	return nil
}

// create adds new objects to the file for them, which may not exist yet.
func (g *grouping) create(file string, objects []map[string]any) {
	if file == "" {
		for _, object := range objects {
			g.errs = append(g.errs, fmt.Errorf("create %s: %w", describe(object), ErrNoNewFile))
		}
		return
	}
	t := g.named[file]
	if t == nil {
		t = g.newFile(file)
	}
	if t != nil {
		t.created = objects
	}
}

func (g *grouping) newFile(file string) *target {
	if file == "-" {
		g.errs = append(g.errs, fileError(file, ErrStandardInput))
		return nil
	}
	if _, err := g.files.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return g.existing(file)
	}
	path, err := filepath.Abs(file)
	if err != nil {
		g.errs = append(g.errs, fileError(file, err))
		return nil
	}
	t := &target{file: file, path: path}
	g.targets = append(g.targets, t)
	return t
}

// errLeadsOut is the error of a link in a folder that leads where nobody who named the
// folder expects anything to be written.
var errLeadsOut = errors.New(
	"outside of the folder and of the repository that it is in: name the file itself to have it written",
)

// checkLink refuses a file, found in a folder that was named, that means one elsewhere.
func (g *grouping) checkLink(file, path string) error {
	if slices.Contains(g.given, file) {
		return nil
	}
	for _, given := range g.given {
		if !within(given, file) {
			continue
		}
		folder, err := g.files.Resolve(given)
		if err != nil {
			return err
		}
		if !within(repositoryOf(g.files, folder), path) {
			return fmt.Errorf("it is a link to %s, %w", path, errLeadsOut)
		}
	}
	return nil
}

// repositoryOf is the work tree of Git that a folder is in; else the folder itself.
func repositoryOf(files atomic.FileSystem, folder string) string {
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := files.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return folder
		}
	}
}

// within reports whether a path is in a folder, by its name.
func within(folder, path string) bool {
	name, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(name)
}

// maxText bounds what a compressed file may grow to, so that a small hostile
// file cannot take all memory.
const maxText = 4 << 30

var (
	byteOrderMark = []byte("\xEF\xBB\xBF")
	errTooLarge   = fmt.Errorf("more than %d bytes when decompressed", int64(maxText))
	errUTF16      = errors.New("text is UTF-16, only UTF-8 can be written")
)

// An envelope is what a file has around its text: compression, and a byte
// order mark.
type envelope struct {
	compressed *gzip.Header
	mark       bool
}

// open takes the text out of a file's bytes.
func open(raw []byte) ([]byte, envelope, error) {
	var e envelope
	if bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		text, header, err := decompress(raw)
		if err != nil {
			return nil, e, err
		}
		raw, e.compressed = text, header
	}
	if bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) || bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) {
		return nil, e, errUTF16
	}
	text, mark := bytes.CutPrefix(raw, byteOrderMark)
	e.mark = mark
	return text, e, nil
}

func decompress(raw []byte) ([]byte, *gzip.Header, error) {
	reader, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, nil, fmt.Errorf("decompress: %w", err)
	}
	header := reader.Header
	text, err := io.ReadAll(io.LimitReader(reader, maxText+1))
	if err != nil {
		return nil, nil, fmt.Errorf("decompress: %w", err)
	}
	if len(text) > maxText {
		return nil, nil, errTooLarge
	}
	return text, &header, nil
}

// seal is the inverse of open. A compressed file keeps the name, time and
// comment of its header.
func (e envelope) seal(text []byte) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(text) + len(byteOrderMark))
	if e.compressed == nil {
		e.write(&out, text)
		return out.Bytes(), nil
	}
	writer := gzip.NewWriter(&out)
	writer.Header = *e.compressed
	e.write(writer, text)
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return out.Bytes(), nil
}

// write ignores the writer's error: a bytes.Buffer has none, and a gzip.Writer
// tells it again when closed.
func (e envelope) write(w io.Writer, text []byte) {
	if e.mark {
		_, _ = w.Write(byteOrderMark)
	}
	_, _ = w.Write(text)
}
