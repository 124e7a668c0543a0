package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// TellRecovered says what became of what killed runs had left.
func (a *App) TellRecovered(recovered []atomic.Recovery) {
	var texts []string
	for _, r := range recovered {
		switch {
		case len(r.Finished) > 0:
			texts = append(texts, fmt.Sprintf("finished what a run that was killed had begun to write: %s", shownPaths(r.Finished)))
		case len(r.Changed) > 0:
			texts = append(texts, abandoned(r))
		case r.Swept > 0:
			texts = append(texts, fmt.Sprintf("removed temporary files that a run that was killed left in %s: %d", ShownPath(r.Folder), r.Swept))
		}
	}
	a.Notice(texts)
}

// abandoned says which files are as they were, and which are not.
func abandoned(r atomic.Recovery) string {
	text := "a run was killed while it wrote files, and " + shownPaths(r.Changed) + " changed since, so the rest of it was discarded"
	if len(r.Next) > 0 {
		text += "; it had written " + shownPaths(r.Next)
	}
	if len(r.Former) > 0 {
		text += "; it had not written " + shownPaths(r.Former)
	}
	return text + "; look through them before you go on"
}

func shownPaths(paths []string) string {
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = ShownPath(path)
	}
	return strings.Join(shown, ", ")
}

// ShownPath is a path as it is typed in the working directory.
func ShownPath(path string) string {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return path
	}
	if name, err := filepath.Rel(here, path); err == nil && name != "." && filepath.IsLocal(name) {
		return name
	}
	return path
}
