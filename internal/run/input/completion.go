package input

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// mustCompleteManagers completes --field-manager with the field managers that
// the live files name.
func mustCompleteManagers(cmd *cobra.Command) {
	Complete(cmd, "field-manager", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		paths, err := cmd.Flags().GetStringArray("live")
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return ManagersIn(paths), cobra.ShellCompDirectiveNoFileComp
	})
}

// ManagersIn lists the field managers of live files, sorted. Completion tells
// no errors: what cannot be read has no managers.
func ManagersIn(paths []string) []string {
	index, _ := live.Load(slices.DeleteFunc(slices.Clone(paths), IsStdin), live.Options{})
	names := map[string]bool{}
	for _, object := range index.Objects() {
		decoded, err := object.Decode()
		if err != nil {
			continue
		}
		for _, entry := range managedfields.Of(decoded).Entries {
			names[entry.Manager] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// IsStdin reports whether a path is standard input.
func IsStdin(path string) bool { return path == "-" }

// MustComplete completes a flag with fixed values.
func MustComplete(cmd *cobra.Command, flag string, values []string) {
	Complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

// Complete completes a flag by a function.
func Complete(cmd *cobra.Command, flag string, f func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
