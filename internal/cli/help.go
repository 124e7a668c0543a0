package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
)

// The groups of commands, in the order of the help.
const (
	groupPreview = "preview"
	groupOwners  = "owners"
	groupChange  = "change"
	groupLive    = "live"
)

// groups are the commands of the help by what they are for.
func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupPreview, Title: "Preview a write:"},
		{ID: groupOwners, Title: "Understand conflicts and ownership:"},
		{ID: groupChange, Title: "Resolve conflicts and move ownership:"},
		{ID: groupLive, Title: "Fetch live objects:"},
	}
}

// grouped gives commands their group.
func grouped(id string, cmds ...*cobra.Command) []*cobra.Command {
	for _, cmd := range cmds {
		cmd.GroupID = id
	}
	return cmds
}

// advanced are the flags that few runs need. The help lists them last.
var advanced = []string{
	"dry-run",
	"grace-period",
	"jobs",
	"max-bytes",
	"max-depth",
	"max-document-bytes",
	"max-input-bytes",
	"max-objects",
	"max-values",
	"namespace-strict",
	"now",
	"server-flag",
	"server-preset",
	"server-side",
	"show-managed-fields",
	"show-server-fields",
	"snapshot-key",
	"user-agent",
	"validate",
}

// help prints the usage of commands, flags in two lists.
type help struct {
	streams *iostreams.IOStreams
}

// usage implements cobra's usage function.
func (h help) usage(cmd *cobra.Command) error {
	if cmd.HasAvailableSubCommands() {
		return defaultUsage(cmd)
	}
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	common, rare := divided(cmd.Flags())
	h.flags(w, "Flags", common)
	h.flags(w, "Advanced flags", rare)
	return nil
}

// defaultUsage is the library's, for a command with nothing to divide.
func defaultUsage(cmd *cobra.Command) error {
	return (&cobra.Command{}).UsageFunc()(cmd)
}

// divided gives the flags that most runs need, and the others.
func divided(all *pflag.FlagSet) (common, rare *pflag.FlagSet) {
	common, rare = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	all.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(advanced, f.Name) {
			rare.AddFlag(f)
		} else {
			common.AddFlag(f)
		}
	})
	return common, rare
}

// width is 0, which does not wrap, where lines are searched.
func (h help) width() int {
	if h.streams.Fits() {
		return h.streams.Width()
	}
	return 0
}

func (h help) flags(w io.Writer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(w, "\n%s:\n%s\n", title, strings.TrimRight(flags.FlagUsagesWrapped(h.width()), "\n"))
}
