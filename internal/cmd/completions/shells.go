package completions

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/shell"
)

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

// fish loads a file of the program's name on demand.
func fish(program string, s System) Place {
	p := Place{File: filepath.Join(s.folder("XDG_CONFIG_HOME", ".config"), "fish", "completions", program+".fish")}
	p.Now = "source " + shell.Quote(p.File)
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
		p.Lines = []string{"fpath=(" + shell.Quote(filepath.Join(home, name)) + " $fpath)", "autoload -Uz compinit && compinit"}
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
