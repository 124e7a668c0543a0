package stories

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/ssactl/ssactl/internal/story"
)

// watch runs the stories, and again those whose files change, until it is interrupted: the
// verdict is that of the last run. A file that changes while a run goes on is found after it.
func (o *options) watch(ctx context.Context, args []string) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("--watch: %w", err)
	}
	defer watcher.Close()
	var last error
	changed := map[string]bool(nil)
	for {
		tests, err := o.tests(args)
		if err != nil && changed == nil {
			return err
		}
		if err != nil {
			// What is being edited may be whole again after the next change.
			fmt.Fprintln(o.app.Streams.Err, "error:", err)
		}
		for _, folder := range folders(args, tests) {
			// A folder that has gone has nothing more to watch.
			_ = watcher.Add(folder)
		}
		if changed != nil {
			tests = slices.DeleteFunc(tests, func(t *test) bool { return !touched(t, changed) })
		}
		if len(tests) > 0 {
			if last = o.run(ctx, tests); ctx.Err() == nil {
				fmt.Fprintln(o.app.Streams.Err, "watching for changes; interrupt to end")
			}
		}
		if changed = next(ctx, watcher); changed == nil {
			return last
		}
	}
}

// settled is how long files are left alone before a run: editors write several at once.
const settled = 50 * time.Millisecond

// next waits for files to change, and gives them; nil at an interrupt.
func next(ctx context.Context, watcher *fsnotify.Watcher) map[string]bool {
	changed := map[string]bool{}
	var quiet <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-watcher.Errors:
			// Too many changes to list, or a folder that cannot be watched any more.
		case event := <-watcher.Events:
			if event.Op != fsnotify.Chmod {
				changed[absolutePath(event.Name)] = true
				quiet = time.After(settled)
			}
		case <-quiet:
			return changed
		}
	}
}

// uses are the files and folders of a story, as absolute paths.
func uses(t *test) (out []string) {
	file := t.At.File
	if file == "" {
		file = placeOf(t.problem).File
	}
	folder := filepath.Dir(file)
	add := func(path string) {
		if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		if path != "" {
			out = append(out, absolutePath(path))
		}
	}
	out = append(out, absolutePath(file))
	for _, path := range slices.Concat(t.CRDs, t.Policy) {
		add(path)
	}
	bodies := t.Live
	for _, s := range t.Steps {
		bodies = slices.Concat(bodies, s.Apply, s.Create, s.Update, s.Migrate)
		add(s.Kustomization)
	}
	for _, b := range bodies {
		add(b.Path)
	}
	return out
}

// placeOf is where a story is that cannot be read; zero where nothing says it.
func placeOf(problem error) story.Place {
	if p := (*story.Problem)(nil); errors.As(problem, &p) {
		return p.Place
	}
	return story.Place{}
}

// touched reports whether a story uses one of the files that changed, or a folder with one.
func touched(t *test, changed map[string]bool) bool {
	return slices.ContainsFunc(uses(t), func(path string) bool {
		for file := range changed {
			if file == path || strings.HasPrefix(file, path+string(filepath.Separator)) {
				return true
			}
		}
		return false
	})
}

// folders are those to watch: of the arguments, and of all that stories use, with the folders
// in them. Files are watched by their folders, as editors replace them.
func folders(args []string, tests []*test) []string {
	found := map[string]bool{}
	add := func(path string) {
		found[filepath.Dir(path)] = true
		for _, folder := range foldersIn(path) {
			found[folder] = true
		}
	}
	for _, arg := range args {
		add(absolutePath(arg))
	}
	for _, t := range tests {
		for _, path := range uses(t) {
			add(path)
		}
	}
	var out []string
	for folder := range found {
		out = append(out, folder)
	}
	slices.Sort(out)
	return out[:min(len(out), mostFolders)]
}

// mostFolders bounds how many folders are watched.
const mostFolders = 1000

func absolutePath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
