package completions

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// system is one with an environment and files; files of a folder name it too.
func system(goos string, env map[string]string, files map[string]string) System {
	return System{
		Getenv: func(name string) string { return env[name] },
		Home:   "/home/me", GOOS: goos,
		Read:   func(file string) string { return files[file] },
		Exists: func(path string) bool { _, found := files[path]; return found },
	}
}

func TestDetect(t *testing.T) {
	cases := []struct{ goos, shell, want string }{
		{"linux", "/bin/bash", "bash"},
		{"linux", "/usr/bin/zsh", "zsh"},
		{"linux", "/usr/local/bin/pwsh", "powershell"},
		{"linux", "/usr/bin/nu", "nu"},
		{"linux", "", ""},
		{"windows", "", "powershell"},
		{"windows", "/usr/bin/bash.exe", "bash"},
	}
	for _, c := range cases {
		got := Detect(system(c.goos, map[string]string{"SHELL": c.shell}, nil))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, SHELL=%q: (-want +got)\n%s", c.goos, c.shell, diff)
		}
	}
}

func TestOf(t *testing.T) {
	cases := []struct {
		name, shell, goos string
		env, files        map[string]string
		file              string
		first             bool
		lines             []string
	}{
		{name: "bash", shell: "bash", files: map[string]string{"/usr/share/bash-completion/bash_completion": ""},
			file: "/home/me/.local/share/bash-completion/completions/ssactl"},
		{name: "bash without the package", shell: "bash",
			file: "/home/me/.local/share/bash-completion/completions/ssactl", first: true},
		{name: "bash, other data folder", shell: "bash", env: map[string]string{"XDG_DATA_HOME": "/data"},
			file: "/data/bash-completion/completions/ssactl", first: true},
		{name: "bash, a relative folder is none", shell: "bash", env: map[string]string{"XDG_DATA_HOME": "data"},
			file: "/home/me/.local/share/bash-completion/completions/ssactl", first: true},
		{
			name:  "bash, own folder",
			shell: "bash",
			env:   map[string]string{"BASH_COMPLETION_USER_DIR": "/own", "XDG_DATA_HOME": "/data"},
			file:  "/own/completions/ssactl",
			first: true,
		},
		{name: "fish", shell: "fish", file: "/home/me/.config/fish/completions/ssactl.fish"},
		{name: "zsh", shell: "zsh", file: "/home/me/.zfunc/_ssactl", first: true,
			lines: []string{"fpath=(/home/me/.zfunc $fpath)", "autoload -Uz compinit && compinit"}},
		{name: "zsh that names the folder", shell: "zsh", files: map[string]string{"/home/me/.zshrc": "fpath+=~/.zfunc\n"},
			file: "/home/me/.zfunc/_ssactl"},
		{name: "Oh My Zsh", shell: "zsh", files: map[string]string{"/home/me/.oh-my-zsh/oh-my-zsh.sh": ""},
			file: "/home/me/.oh-my-zsh/custom/completions/_ssactl"},
		{
			name:  "Oh My Zsh elsewhere",
			shell: "zsh",
			env:   map[string]string{"ZSH": "/omz", "ZSH_CUSTOM": "/mine"},
			files: map[string]string{"/omz/oh-my-zsh.sh": ""},
			file:  "/mine/completions/_ssactl",
		},
		{name: "PowerShell", shell: "pwsh", file: "/home/me/.config/powershell/ssactl.completion.ps1", first: true,
			lines: []string{". '/home/me/.config/powershell/ssactl.completion.ps1'"}},
		{
			name:  "PowerShell on Windows",
			shell: "powershell",
			goos:  "windows",
			file:  "/home/me/Documents/PowerShell/ssactl.completion.ps1",
			first: true,
			lines: []string{". '/home/me/Documents/PowerShell/ssactl.completion.ps1'"},
		},
		{name: "PowerShell whose profile has it", shell: "powershell",
			files: map[string]string{
				"/home/me/.config/powershell/Microsoft.PowerShell_profile.ps1": ". ~/.config/powershell/ssactl.completion.ps1",
			},
			file: "/home/me/.config/powershell/ssactl.completion.ps1"},
	}
	for _, c := range cases {
		got, err := Of(c.shell, "ssactl", system(c.goos, c.env, c.files))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got.File != c.file || (got.First != "") != c.first || !slices.Equal(got.Lines, c.lines) {
			t.Errorf("%s: got %+v", c.name, got)
		}
	}
}

func TestOfUnknown(t *testing.T) {
	cases := map[string]string{
		"nu": "no completions can be written for nu: there are some for bash, fish, powershell, zsh",
		"":   "SHELL is not set: name the shell, one of bash, fish, powershell, zsh",
	}
	for shell, want := range cases {
		_, err := Of(shell, "ssactl", system("linux", nil, nil))
		if err == nil {
			t.Fatalf("%q has a place", shell)
		}
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", shell, diff)
		}
	}
}

func TestOwned(t *testing.T) {
	const script = "# fish completion for ssactl          -*- shell-script -*-\n\nfunction a\n"
	cases := map[string]bool{
		"": true,
		"# fish completion for ssactl -*- shell-script -*-\nolder\n":  true,
		"# fish completion for kubectl -*- shell-script -*-\nolder\n": false,
		"alias ssactl=rm\n": false,
	}
	for file, want := range cases {
		if got := Owned(file, script); got != want {
			t.Errorf("Owned(%q) = %v, want %v", file, got, want)
		}
	}
}
