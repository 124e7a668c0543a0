package writeback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// Commit carries the plan out, for all files or for none. It gives the files
// that were written, as the plan named them and sorted; a file whose bytes
// would not change is not written and not among them. A symbolic link stays
// one, and the file it means is written. Mode and, where the system allows it,
// owner stay; further names of the same file (hard links) keep the former
// content. The files are locked from before they are compared with what was
// read until they are in place.
//
// Errors before the first rename, a canceled ctx among them, leave everything
// as it was. They are PlaceErrors and can be joined; a failed rename is an
// atomic.SwapError. After the first rename ctx is not asked any more.
func (p *Plan) Commit(ctx context.Context, files atomic.FileSystem) ([]string, error) {
	if p.Empty() {
		return nil, nil
	}
	tx, err := atomic.Begin(ctx, files, p.meant(files))
	if err != nil {
		return nil, placed(err)
	}
	defer tx.Close()
	if p.OnRecovery != nil {
		p.OnRecovery(tx.Recovered)
	}
	targets, err := p.prepare(ctx, files)
	if err != nil {
		return nil, err
	}
	written := make([]string, len(targets))
	for i, t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := tx.Replace(atomic.Target{Name: t.file, Path: t.path}, t.next, t.info, t.raw); err != nil {
			return nil, placed(err)
		}
		written[i] = t.file
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, placed(err)
	}
	slices.Sort(written)
	return written, nil
}

// placed is an error of a transaction as one about a place.
func placed(err error) error {
	var swap *atomic.SwapError
	var target *atomic.TargetError
	switch {
	case errors.As(err, &swap):
		swap.Err = placed(swap.Err)
		return swap
	case errors.As(err, &target):
		return fileError(target.Target, target.Err)
	}
	return err
}

// meant are the files that the plan may write. What cannot be resolved is an
// error of prepare.
func (p *Plan) meant(files atomic.FileSystem) []atomic.Target {
	names := slices.Collect(maps.Keys(p.contents))
	for _, c := range p.changes {
		names = append(names, c.at.File)
	}
	if len(p.created) > 0 {
		names = append(names, p.NewFile)
	}
	slices.Sort(names)
	byPath := map[string]bool{}
	var targets []atomic.Target
	for _, name := range slices.Compact(names) {
		path, ok := p.path(files, name)
		if ok && !byPath[path] {
			byPath[path] = true
			targets = append(targets, atomic.Target{Name: name, Path: path})
		}
	}
	return targets
}

// path is that of a file which can be written; false of any other.
func (p *Plan) path(files atomic.FileSystem, name string) (string, bool) {
	if name == "-" || name == "" {
		return "", false
	}
	path, err := files.Resolve(name)
	if errors.Is(err, fs.ErrNotExist) && name == p.NewFile {
		path, err = filepath.Abs(name)
		return path, err == nil
	}
	if err != nil {
		return "", false
	}
	info, err := files.Lstat(path)
	return path, err == nil && info.Mode().IsRegular()
}

// prepare works out the new bytes of every file and gives the targets whose
// bytes change. Errors of several files are reported together.
func (p *Plan) prepare(ctx context.Context, files atomic.FileSystem) ([]*target, error) {
	targets, err := p.targets(files)
	if err != nil {
		return nil, err
	}
	var changed []*target
	var errs []error
	for _, t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.rewrite(); err != nil {
			errs = append(errs, err)
			continue
		}
		if t.info == nil || !bytes.Equal(t.next, t.raw) {
			changed = append(changed, t)
		}
	}
	return changed, errors.Join(errs...)
}

// rewrite works out the new bytes of one file.
func (t *target) rewrite() error {
	text, around, err := open(t.raw)
	if err != nil {
		return fileError(t.file, err)
	}
	edited := text
	if t.renew {
		edited = bytes.TrimPrefix(t.content, byteOrderMark)
	}
	if edited, err = rewrite(edited, t.changes); err != nil {
		return err
	}
	if edited, err = appendObjects(t.file, edited, t.created); err != nil {
		return fileError(t.file, err)
	}
	if t.info == nil && filepath.Ext(t.file) == ".gz" {
		around.compressed = newGzipHeader()
	}
	t.next = t.raw
	if !bytes.Equal(edited, text) || t.info == nil {
		t.next, err = around.seal(edited)
	}
	return fileError(t.file, err)
}

// targets groups the plan by the files that are meant, sorted: two names of
// one file are one target.
func (p *Plan) targets(files atomic.FileSystem) ([]*target, error) {
	g := grouping{files: files, versions: p.Read, byPath: map[string]*target{}}
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
	g.remember(file, t)
	return t
}

func (g *grouping) remember(file string, t *target) {
	if g.named == nil {
		g.named = map[string]*target{}
	}
	g.named[file] = t
}

func (g *grouping) load(file string) (*target, error) {
	if file == "-" {
		return nil, ErrStandardInput
	}
	path, err := g.files.Resolve(file)
	if err != nil {
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
