package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cmd/completions"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/output"
)

// addCompletion adds the command that prints completions, and with it the one that
// installs them. Settings of a repository are none of theirs.
func addCompletion(a *app.App, root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err)
	}
	cmd.Short = "Show or install completions for a shell"
	cmd.Long = `Show the script that completes commands, flags and their values in a shell, or write
it to where the shell loads it from.`
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error { return nil }
	cmd.AddCommand(newCompletionInstallCmd(a))
}

type completionInstallOptions struct{ dryRun bool }

func newCompletionInstallCmd(a *app.App) *cobra.Command {
	o := &completionInstallOptions{}
	cmd := &cobra.Command{
		Use:   "install [SHELL]",
		Short: "Write completions to where your shell loads them from",
		Long: `Write completions to where your shell loads them from, and print what was written
and what is left to do. Without SHELL it is the one that the variable SHELL
names. Files that your shell reads when it starts, such as .zshrc, are not
changed: where one has to be, the lines to add are printed.

As a plug-in of kubectl, the program that kubectl asks for completions is
written next to the plug-in instead.`,
		Example: `  ssactl completion install
  ssactl completion install zsh --dry-run`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: completions.Shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCompletionInstall(a, o, cmd.Root(), strings.Join(args, ""))
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "print what would be written, and write nothing")
	return cmd
}

func runCompletionInstall(a *app.App, o *completionInstallOptions, root *cobra.Command, shell string) error {
	if program.OfKubectl() && shell == "" {
		return installForKubectl(a, o)
	}
	system, err := system(a)
	if err != nil {
		return err
	}
	if shell == "" {
		shell = completions.Detect(system)
	}
	place, err := completions.Of(shell, root.Name(), system)
	if err != nil {
		return fmt.Errorf("%w\n'%s completion --help' shows how each is loaded", err, program.Called())
	}
	script, err := completionScript(root, place.File)
	if err != nil {
		return err
	}
	if err := install(a, o, place.File, script, 0o644); err != nil {
		return err
	}
	sayNext(a, place)
	return nil
}

// system is that of the user who runs the command.
func system(a *app.App) (completions.System, error) {
	home, err := os.UserHomeDir()
	return completions.System{
		Getenv: a.Streams.Getenv, Home: home, GOOS: runtime.GOOS,
		Read: func(file string) string {
			text, _ := os.ReadFile(file)
			return string(text)
		},
		Exists: func(path string) bool {
			_, err := os.Stat(path)
			return err == nil
		},
	}, err
}

// completionScript is what the shell that loads a file reads in it.
func completionScript(root *cobra.Command, file string) (string, error) {
	var b bytes.Buffer
	var err error
	switch base := filepath.Base(file); {
	case strings.HasSuffix(base, ".fish"):
		err = root.GenFishCompletion(&b, true)
	case strings.HasSuffix(base, ".ps1"):
		err = root.GenPowerShellCompletionWithDesc(&b)
	case strings.HasPrefix(base, "_"):
		err = root.GenZshCompletion(&b)
	default:
		err = root.GenBashCompletionV2(&b, true)
	}
	return b.String(), err
}

// install writes a file, with the folders that it is in, unless somebody else wrote
// it, and says so.
func install(a *app.App, o *completionInstallOptions, file, text string, mode fs.FileMode) error {
	is, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	say := func(done string) { fmt.Fprintf(a.Streams.Out, "%s %s\n", done, glyph.Visible(file)) }
	switch {
	case !completions.Owned(string(is), text):
		return fmt.Errorf("%s %w: move it away, and run the command again", file, completions.ErrForeign)
	case string(is) == text:
		say("up to date:")
		return nil
	case o.dryRun:
		say("would write")
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	out, err := output.CreateFile(file)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := out.Write([]byte(text)); err != nil {
		return err
	}
	if err := errors.Join(out.Commit(), os.Chmod(file, mode)); err != nil {
		return err
	}
	say("wrote")
	return nil
}

// sayNext prints what has to be done for the completions to be there.
func sayNext(a *app.App, p completions.Place) {
	out := a.Streams.Out
	if p.First != "" {
		fmt.Fprintf(out, "To load it, %s\n", glyph.Visible(p.First))
	}
	for _, line := range p.Lines {
		fmt.Fprintf(out, "  %s\n", glyph.Visible(line))
	}
	if p.First == "" {
		fmt.Fprintf(out, "New shells load it; this one does with\n  %s\n", glyph.Visible(p.Now))
	}
}

// installForKubectl writes the program that kubectl asks: it finds it, as it finds
// the plug-in, by its name in PATH. A plug-in may be a link there to elsewhere.
func installForKubectl(a *app.App, o *completionInstallOptions) error {
	file, err := exec.LookPath(os.Args[0])
	if err != nil {
		return err
	}
	name := "kubectl_complete-" + strings.TrimPrefix(program.File(), "kubectl-")
	text := "#!/bin/sh\n# Completions of " + program.Called() + ", which kubectl asks for.\nexec " +
		program.Called() + " __complete \"$@\"\n"
	if runtime.GOOS == "windows" {
		name, text = name+".cmd", "@rem Completions of "+program.Called()+".\r\n@"+program.Called()+" __complete %*\r\n"
	}
	if err := install(a, o, filepath.Join(filepath.Dir(file), name), text, 0o755); err != nil {
		return err
	}
	fmt.Fprintln(a.Streams.Out, "kubectl finds it where this folder is in PATH, and its own completions are loaded.")
	return nil
}
