package cmd

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/program"
)

// newManCmd writes the manual pages, for those who make packages: a page a command,
// the same from the same commit.
func newManCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Show the commands as manual pages, written into a directory",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeManual(cmd.Root(), args[0])
		},
	}
}

func writeManual(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	info, _ := debug.ReadBuildInfo()
	plainly(root)
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Manual: program.Name, Source: program.Name + " " + versionOf(info), Date: committed(info)}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return fmt.Errorf("write the manual pages: %w", err)
	}
	return nil
}

func versionOf(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	return info.Main.Version
}

// committed is when the commit was made that the binary was built from, so that its
// pages are the same whenever they are written; nil, which is now, where it is not
// known.
func committed(info *debug.BuildInfo) *time.Time {
	if info == nil {
		return nil
	}
	for _, s := range info.Settings {
		if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return &at
		}
	}
	return nil
}

// plainly escapes the texts of a command and of those below it: the library takes
// them as Markdown, in which <FILE> is a tag and * an emphasis.
func plainly(cmd *cobra.Command) {
	cmd.Short, cmd.Long = escapeMarkdown(cmd.Short), escapeMarkdown(cmd.Long)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		f.Usage = escapeMarkdown(usage)
	})
	for _, c := range cmd.Commands() {
		plainly(c)
	}
}

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "<", "\\<", "`", "\\`", "[", "\\[")

func escapeMarkdown(text string) string { return markdownEscapes.Replace(text) }
