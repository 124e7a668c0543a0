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

	"github.com/ssactl/ssactl/internal/shell"
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
func Of(name, program string, s System) (Place, error) {
	switch canonical(name) {
	case "bash":
		return bash(program, s), nil
	case "fish":
		// It loads a file of the program's name on demand.
		file := filepath.Join(s.folder("XDG_CONFIG_HOME", ".config"), "fish", "completions", program+".fish")
		return Place{File: file, Now: "source " + shell.Quote(file)}, nil
	case "powershell":
		return powershell(program, s), nil
	case "zsh":
		return zsh(program, s), nil
	case "":
		return Place{}, fmt.Errorf("SHELL is not set: name the shell, one of %s", strings.Join(Shells, ", "))
	}
	return Place{}, fmt.Errorf(
		"no completions can be written for %s: there are some for %s",
		name,
		strings.Join(Shells, ", "),
	)
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

// loaders are what loads completions on demand in bash, by where packages put it.
var loaders = []string{
	"/usr/share/bash-completion/bash_completion",
	"/usr/local/share/bash-completion/bash_completion",
	"/opt/homebrew/share/bash-completion/bash_completion",
	"/opt/local/share/bash-completion/bash_completion",
	"/usr/local/etc/profile.d/bash_completion.sh",
	"/opt/homebrew/etc/profile.d/bash_completion.sh",
}

// bash: the package bash-completion loads a file of the program's name on demand.
func bash(program string, s System) Place {
	dir := filepath.Join(s.folder("XDG_DATA_HOME", ".local", "share"), "bash-completion")
	if own := s.Getenv("BASH_COMPLETION_USER_DIR"); filepath.IsAbs(own) {
		dir = own
	}
	p := Place{File: filepath.Join(dir, "completions", program)}
	p.Now = "source " + shell.Quote(p.File)
	if !slices.ContainsFunc(loaders, s.Exists) {
		p.First = "install the package bash-completion, through which bash loads the file"
	}
	return p
}

// zsh loads what compinit finds in the folders of fpath: Oh My Zsh has one for its
// user, and without it .zshrc has to name one.
func zsh(program string, s System) Place {
	if dir := ohMyZsh(s); dir != "" {
		return Place{File: filepath.Join(dir, "completions", "_"+program), Now: "exec zsh"}
	}
	const name = ".zfunc"
	home := s.folder("ZDOTDIR")
	p := Place{File: filepath.Join(home, name, "_"+program), Now: "exec zsh"}
	rc := filepath.Join(home, ".zshrc")
	if !strings.Contains(s.Read(rc), name) {
		p.First = "add to " + rc + ", before compinit if it is there already:"
		p.Lines = []string{
			"fpath=(" + shell.Quote(filepath.Join(home, name)) + " $fpath)",
			"autoload -Uz compinit && compinit",
		}
	}
	return p
}

// ohMyZsh is the folder of its user; empty where it is not installed.
func ohMyZsh(s System) string {
	root := s.folder("ZSH", ".oh-my-zsh")
	if !s.Exists(filepath.Join(root, "oh-my-zsh.sh")) {
		return ""
	}
	if dir := s.Getenv("ZSH_CUSTOM"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(root, "custom")
}

// powershell has no folder for completions: its profile runs the file.
func powershell(program string, s System) Place {
	dir := filepath.Join(s.folder("XDG_CONFIG_HOME", ".config"), "powershell")
	if s.GOOS == "windows" {
		dir = filepath.Join(s.Home, "Documents", "PowerShell")
	}
	p := Place{File: filepath.Join(dir, program+".completion.ps1")}
	p.Now = ". '" + strings.ReplaceAll(p.File, "'", "''") + "'"
	profile := filepath.Join(dir, "Microsoft.PowerShell_profile.ps1")
	if !strings.Contains(s.Read(profile), filepath.Base(p.File)) {
		p.First, p.Lines = "add to "+profile+", or to what $PROFILE names:", []string{p.Now}
	}
	return p
}
