package write

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

// targetOptions are those of a write that has no manifest: a patch, a scale, a
// delete. Its targets are the objects that -f names, or those of the arguments
// (KIND/NAME). All of the live files, or all of some kinds, need --all. Of the
// last two, --namespace takes only its own.
type targetOptions struct {
	Options
	all bool
	// refuse is the error of a write to an object; nil for none.
	refuse func(cluster.Pair) error
}

// targetHelp says in the help of these commands what they write to.
const targetHelp = `The objects are those that the arguments name (KIND/NAME, or KIND NAME, as kubectl
takes them), or those in the files of -f; with --all, all live objects, or all of
the kinds that the arguments name.`

func (o *targetOptions) add(cmd *cobra.Command, subresources ...string) {
	o.Options.Add(cmd, subresources...)
	o.AddUserAgent(cmd)
	o.FileFlags.Add(cmd)
	cmd.Flags().BoolVar(&o.all, "all", false, "write to all live objects, or to all of the kinds that are named")
	input.OnlyNamespace(cmd)
}

// names are the objects that the arguments name; none for those of -f, or for
// all.
func (o *targetOptions) names(cmd *cobra.Command, args []string) ([]input.ObjectName, error) {
	switch {
	case len(args) > 0 && o.HasManifests():
		return nil, errors.New("name the objects by -f (or -k) or by arguments, not by both")
	case o.all && o.HasManifests():
		return nil, errors.New("--all means the live objects: leave it or -f out")
	case len(args) == 0 && !o.HasManifests() && !o.all:
		return nil, fmt.Errorf("nothing says which objects: name them as KIND/NAME, such as deployment/web, or by -f FILE; --all means every live object\nSee '%s --help'", cmd.CommandPath())
	case len(o.Live) == 0 && !o.HasManifests():
		return nil, errors.New("--live is needed: the file with the live object")
	case o.all:
		return input.ParseKinds(args)
	}
	return input.ParseNames(args)
}

// target answers a write for each object that the options name.
func target(a *app.App, cmd *cobra.Command, o *targetOptions, args []string, fill func(*engine.Write)) error {
	o.StandIn = input.ThePatch
	wanted, err := o.names(cmd, args)
	if err != nil {
		return err
	}
	if err := o.Check(cmd); err != nil {
		return err
	}
	return AnswerWrites(cmd.Context(), a, &Writing{
		Options: &o.Options,
		command: cmd.Name(),
		PairsOf: func(_ context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
			if o.HasManifests() {
				// None of them, too, where none could be read.
				return o.judged(c.Pairs()), nil
			}
			pairs, err := c.Targets(wanted)
			return o.judged(pairs), err
		},
		WriteOf: func(c *cluster.Cluster, p cluster.Pair) engine.Write {
			w := c.Write(p).WithBody(nil, nil)
			o.Fill(&w)
			fill(&w)
			return w
		},
	})
}

// judged are pairs with the errors of the writes to them.
func (o *targetOptions) judged(pairs []cluster.Pair) []cluster.Pair {
	for i := range pairs {
		if o.refuse != nil && pairs[i].Err == nil {
			pairs[i].Err = o.refuse(pairs[i])
		}
	}
	return pairs
}
