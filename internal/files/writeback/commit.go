package writeback

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

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
		// Without a time, so that the same objects give the same bytes.
		around.compressed = &gzip.Header{OS: 255}
	}
	t.next = t.raw
	if !bytes.Equal(edited, text) || t.info == nil {
		t.next, err = around.seal(edited)
	}
	return fileError(t.file, err)
}
