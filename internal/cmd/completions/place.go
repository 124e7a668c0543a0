// Package completions knows where a shell loads completions from, and what its user
// has to do for it to load them.
//
// Nothing here runs a shell: what only a running one knows, such as its fpath, is
// taken from the files that it reads when it starts.
package completions

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Shells are those that completions can be written for, sorted.
var Shells = []string{"bash", "fish", "powershell", "zsh"}

// System is what is known about a user's system.
type System struct {
	Getenv func(string) string
	// Home is the user's folder; never empty.
	Home string
	// GOOS is the operating system, as Go names it.
	GOOS string
	// Read gives a file; empty where there is none, or it cannot be read.
	Read func(file string) string
	// Exists reports whether there is a file or folder.
	Exists func(path string) bool
}

// Place is where a shell loads the completions of a program from.
type Place struct {
	// File is written with the completions.
	File string
	// Now loads them into the shell that runs, as a line to type.
	Now string
	// First has to be done for the shell to load the file; empty where it does so
	// by itself. Lines are what is to be added, in order.
	First string
	Lines []string
}

// Detect gives the user's shell; empty where nothing says which it is. PowerShell is
// taken on Windows where SHELL is not set, as programs that bring a shell there set it.
func Detect(s System) string {
	name := strings.ToLower(filepath.Base(filepath.ToSlash(s.Getenv("SHELL"))))
	switch {
	case s.Getenv("SHELL") != "":
		return canonical(name)
	case s.GOOS == "windows":
		return "powershell"
	}
	return ""
}

// canonical is a shell by the name that completions know it by.
func canonical(name string) string {
	name = strings.TrimSuffix(name, ".exe")
	if name == "pwsh" {
		return "powershell"
	}
	return name
}

// Of gives the place for the completions of a program. A shell that none can be
// written for is an error that names those that there are.
func Of(shell, program string, s System) (Place, error) {
	switch canonical(shell) {
	case "bash":
		return bash(program, s), nil
	case "fish":
		return fish(program, s), nil
	case "powershell":
		return powershell(program, s), nil
	case "zsh":
		return zsh(program, s), nil
	case "":
		return Place{}, fmt.Errorf("SHELL is not set: name the shell, one of %s", strings.Join(Shells, ", "))
	}
	return Place{}, fmt.Errorf("no completions can be written for %s: there are some for %s", shell, strings.Join(Shells, ", "))
}

// Owned reports whether a file may be overwritten: it is empty, or it begins as the
// completions of the same program do.
func Owned(file, script string) bool {
	is, _, _ := strings.Cut(file, "\n")
	to, _, _ := strings.Cut(script, "\n")
	return file == "" || slices.Equal(strings.Fields(is), strings.Fields(to))
}

// ErrForeign is that of a file that somebody else wrote.
var ErrForeign = errors.New("has something else than completions of this program")

// folder is that of an environment variable, or else one below the home folder.
func (s System) folder(variable string, otherwise ...string) string {
	if dir := s.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(append([]string{s.Home}, otherwise...)...)
}
