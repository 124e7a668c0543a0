package revision

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Extracted are files of a commit in a folder.
type Extracted struct {
	dir string
	of  *Revision
	// Lacks are those of the paths that the commit does not have, as the repository names
	// them.
	Lacks []string
}

// Extract writes the files under paths, as the repository names them, into an empty folder.
func (r *Revision) Extract(ctx context.Context, paths []string, dir string) (*Extracted, error) {
	entries, err := r.list(ctx, paths)
	if err != nil {
		return nil, err
	}
	out := &Extracted{dir: dir, of: r}
	for _, p := range paths {
		if p != "." && !has(entries, p) {
			out.Lacks = append(out.Lacks, p)
		}
	}
	names := map[string][]string{}
	for name, e := range entries {
		if e.mode == modeSubmodule {
			return nil, fmt.Errorf(
				"%s of %s is a submodule, whose files are in another repository: give a folder with --base",
				name,
				r.Name,
			)
		}
		names[e.id] = append(names[e.id], name)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	links := map[string]string{}
	err = r.contents(ctx, entries, func(id string, text []byte) error {
		for _, name := range names[id] {
			if entries[name].mode == modeLink {
				links[name] = string(text)
				continue
			}
			if err := write(root, name, text); err != nil {
				return fmt.Errorf("%s of %s: %w", name, r.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, follow(root, r, entries, links)
}

// has reports whether a path is a file of a commit, or a folder with one.
func has(entries map[string]entry, name string) bool {
	if _, is := entries[name]; is {
		return true
	}
	for file := range entries {
		if slices.Contains(parents(file), name) {
			return true
		}
	}
	return false
}

func write(root *os.Root, name string, text []byte) error {
	local, err := filepath.Localize(name)
	if err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(local), 0o700); err != nil {
		return err
	}
	return root.WriteFile(local, text, 0o600)
}

// follow writes what symbolic links lead to in their place: no link of a commit leads out of
// the folder.
func follow(root *os.Root, r *Revision, entries map[string]entry, links map[string]string) error {
	names := make([]string, 0, len(links))
	for name := range links {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		to := target(name, links)
		var files []string
		for file := range entries {
			if file == to || slices.Contains(parents(file), to) {
				files = append(files, file)
			}
		}
		if len(files) == 0 || len(files) > maxFiles/100 {
			return fmt.Errorf("%s of %s is a symbolic link to %s, which is not read: give a folder with --base",
				name, r.Name, links[name])
		}
		for _, file := range files {
			if _, linked := links[file]; linked {
				continue
			}
			text, err := root.ReadFile(filepath.FromSlash(file))
			if err == nil {
				err = write(root, path.Join(name, strings.TrimPrefix(strings.TrimPrefix(file, to), "/")), text)
			}
			if err != nil {
				return fmt.Errorf("%s of %s: %w", name, r.Name, err)
			}
		}
	}
	return nil
}

// target is what a link leads to at last, as the repository names it; empty for none.
func target(name string, links map[string]string) string {
	for range 8 {
		to := path.Join(path.Dir(name), links[name])
		if path.IsAbs(links[name]) || !filepath.IsLocal(filepath.FromSlash(to)) {
			return ""
		}
		if _, again := links[to]; !again {
			return to
		}
		name = to
	}
	return ""
}

// Path is where a path of the repository is in the folder.
func (e *Extracted) Path(name string) string { return filepath.Join(e.dir, filepath.FromSlash(name)) }

// Named gives a file in the folder the name that people know it by: that of the revision, and
// the path from where it was asked for. Others stay as they are.
func (e *Extracted) Named(file string) string {
	in, err := filepath.Rel(e.dir, file)
	if err != nil || in != "." && !filepath.IsLocal(in) {
		return file
	}
	name := filepath.ToSlash(in)
	if e.of.prefix != "" {
		if rest, under := strings.CutPrefix(name+"/", e.of.prefix); under {
			name = path.Clean(rest)
		} else {
			name = "/" + name
		}
	}
	return e.of.Name + ":" + name
}
