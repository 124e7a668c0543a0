// Package revision reads files as they are in a commit, from git's object store: nothing is
// checked out, no filter and no hook runs, and nothing is fetched.
//
//	revision.go  a commit, and its files
//	extract.go   files written into a folder, for what reads folders
package revision

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// The bounds of what is read of one commit: manifests are far smaller.
const (
	maxFiles = 100_000
	maxBytes = 512 << 20
)

// Revision is a commit, as it was asked for from a folder of its repository.
type Revision struct {
	// Name is the revision as it was typed.
	Name   string
	commit string
	// top is the folder of the repository, prefix that from which it was asked for, in it.
	top, prefix string
}

// Find finds a commit by any name that git knows, in the repository of a folder.
func Find(ctx context.Context, dir, name string) (*Revision, error) {
	if name == "" || strings.HasPrefix(name, "-") || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return nil, fmt.Errorf("%q is no revision of git", name)
	}
	r := &Revision{Name: name}
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	prefix, err := git(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	commit, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf(
			"git has no commit %q here: fetch it first (a checkout of CI has often the last commit alone)",
			name,
		)
	}
	r.top, r.prefix, r.commit = line(top), line(prefix), line(commit)
	return r, nil
}

func line(b []byte) string { return strings.TrimRight(string(b), "\r\n") }

// Within gives a path of the file system as the repository names it; the top is ".".
func (r *Revision) Within(name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.top, filepath.FromSlash(r.prefix), name)
	}
	// The top of git has no symbolic links in it.
	if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(folder, filepath.Base(name))
	}
	in, err := filepath.Rel(r.top, name)
	if err != nil || in != "." && !filepath.IsLocal(in) {
		return "", fmt.Errorf("%s is not in the repository %s", name, r.top)
	}
	return filepath.ToSlash(in), nil
}

// The modes of git's trees that are no file.
const (
	modeLink      = "120000"
	modeSubmodule = "160000"
)

// entry is a file of a commit.
type entry struct {
	mode, id string
	size     int64
}

// list gives the files under paths of the repository, by their names; all for ".".
func (r *Revision) list(ctx context.Context, paths []string) (map[string]entry, error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", "--long", r.commit}
	if !contains(paths, ".") {
		// Each is taken as it is, not as a pattern.
		args = append(append(args, "--"), paths...)
	}
	out, err := git(ctx, r.top, args...)
	if err != nil {
		return nil, err
	}
	found, total := map[string]entry{}, int64(0)
	for _, text := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		about, name, ok := strings.Cut(text, "\t")
		if !ok {
			continue
		}
		words := strings.Fields(about)
		if len(words) != 4 {
			return nil, fmt.Errorf("git ls-tree printed %q", about)
		}
		e := entry{mode: words[0], id: words[2]}
		if words[3] != "-" {
			if e.size, err = strconv.ParseInt(words[3], 10, 64); err != nil {
				return nil, fmt.Errorf("git ls-tree printed %q", about)
			}
		}
		total += e.size
		found[name] = e
	}
	if len(found) > maxFiles || total > maxBytes {
		return nil, fmt.Errorf("%s has %d files of %d bytes there, and %d of %d are read at most: give a folder with --base",
			r.Name, len(found), total, maxFiles, maxBytes)
	}
	return found, nil
}

func contains(list []string, text string) bool {
	for _, one := range list {
		if one == text {
			return true
		}
	}
	return false
}

// contents gives the contents of entries, by the names of their objects.
func (r *Revision) contents(
	ctx context.Context,
	entries map[string]entry,
	each func(id string, text []byte) error,
) error {
	var ask bytes.Buffer
	asked := map[string]bool{}
	for _, e := range entries {
		if e.mode != modeSubmodule && !asked[e.id] {
			asked[e.id] = true
			ask.WriteString(e.id + "\n")
		}
	}
	if len(asked) == 0 {
		return nil
	}
	return run(ctx, r.top, &ask, func(out io.Reader) error {
		in := bufio.NewReader(out)
		for range asked {
			head, err := in.ReadString('\n')
			if err != nil {
				return fmt.Errorf("git cat-file: %w", err)
			}
			words := strings.Fields(head)
			if len(words) != 3 {
				return fmt.Errorf("%s lacks the object %s: the clone is a partial one, and nothing is fetched", r.Name, words[0])
			}
			size, err := strconv.ParseInt(words[2], 10, 64)
			if err != nil || size > maxBytes {
				return fmt.Errorf("git cat-file printed %q", head)
			}
			text := make([]byte, size+1)
			if _, err := io.ReadFull(in, text); err != nil {
				return fmt.Errorf("git cat-file: %w", err)
			}
			if err := each(words[0], text[:size]); err != nil {
				return err
			}
		}
		return nil
	}, "cat-file", "--batch")
}

// git runs git and gives what it prints.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var text []byte
	err := run(ctx, dir, nil, func(out io.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(out, maxBytes))
		return err
	}, args...)
	return text, err
}

// run runs git where it can neither ask, nor fetch, nor write, nor run another program.
func run(ctx context.Context, dir string, in io.Reader, read func(io.Reader) error, args ...string) error {
	set := []string{"--no-pager", "--literal-pathspecs", "--no-replace-objects", "-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never"}
	cmd := exec.CommandContext(ctx, "git", append(set, args...)...)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("git is needed to read a revision, and is not installed")
		}
		return err
	}
	readErr := read(out)
	// What is left unread must not keep git from ending.
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(problem.String()), "\n")
		if said == "" {
			said = err.Error()
		}
		return fmt.Errorf("git %s: %s", args[0], said)
	}
	return readErr
}

// parents are the folders of a name, the nearest first, without the top.
func parents(name string) []string {
	var out []string
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		out = append(out, dir)
	}
	return out
}
