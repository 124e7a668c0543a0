package cmd

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/suggest"
)

var unknownFlag = regexp.MustCompile(`^unknown flag: --([\w-]+)`)

// flagError explains a flag that a command does not have.
func flagError(cmd *cobra.Command, err error) error {
	see := fmt.Sprintf("See '%s --help'", cmd.CommandPath())
	if strings.HasPrefix(err.Error(), "unknown shorthand flag: 'k'") {
		return fmt.Errorf("%w: %s\n%s", err, input.Habits["kustomize"], see)
	}
	if strings.HasPrefix(err.Error(), "unknown shorthand flag: 'A'") {
		return fmt.Errorf("%w: %s\n%s", err, input.Habits["all-namespaces"], see)
	}
	if err.Error() == "flag needs an argument: --dry-run" {
		return fmt.Errorf("%w: every run is dry, and files are written only with --write; --dry-run=server answers as kubectl's dry run does\n%s", err, see)
	}
	if found := unknownFlag.FindStringSubmatch(err.Error()); found != nil {
		if habit := input.Habits[found[1]]; habit != "" {
			return fmt.Errorf("%w: %s\n%s", err, program.In(habit), see)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := suggest.Likeliest(found[1], names); near != "" {
			return fmt.Errorf("%w: did you mean --%s?\n%s", err, near, see)
		}
	}
	return fmt.Errorf("%w\n%s", err, see)
}

// acceptShown has commands whose answers always have managed fields take the flag
// that asks others for them.
func acceptShown(root *cobra.Command) {
	const name = "show-managed-fields"
	for _, cmd := range root.Commands() {
		if flags := cmd.Flags(); flags.Lookup("filename") != nil && flags.Lookup(name) == nil {
			flags.Bool(name, true, "no-op: the answer has them")
			if err := flags.MarkHidden(name); err != nil {
				panic(err)
			}
		}
	}
}
