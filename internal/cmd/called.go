package cmd

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/program"
)

// callByName has the commands that the help shows as they are typed by who runs the
// program: as a plug-in of kubectl they begin with kubectl.
func callByName(cmd *cobra.Command) {
	cmd.Short, cmd.Long, cmd.Example = program.In(cmd.Short), program.In(cmd.Long), program.In(cmd.Example)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = program.In(f.Usage) })
	for _, below := range cmd.Commands() {
		callByName(below)
	}
}
