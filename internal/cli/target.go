package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
)

// targetOptions are those of a write that has no manifest: a patch, a scale, a
// delete. Its targets are the objects that -f names, or those of the arguments
// (KIND/NAME). All of the live files, or all of some kinds, need --all. Of the
// last two, --namespace takes only its own.
type targetOptions struct {
	writeOptions
	all bool
	// refuse is the error of a write to an object; nil for none.
	refuse func(pair) error
}

// targetHelp says in the help of these commands what they write to.
const targetHelp = `The objects are those that the arguments name (KIND/NAME, or KIND NAME, as kubectl
takes them), or those in the files of -f; with --all, all live objects, or all of
the kinds that the arguments name.`

func (o *targetOptions) add(cmd *cobra.Command, subresources ...string) {
	o.writeOptions.add(cmd, subresources...)
	o.addUserAgent(cmd)
	o.writeFlags.add(cmd)
	cmd.Flags().BoolVar(&o.all, "all", false, "write to all live objects, or to all of the kinds that are named")
	onlyNamespace(cmd)
}

// names are the objects that the arguments name; none for those of -f, or for
// all.
func (o *targetOptions) names(cmd *cobra.Command, args []string) ([]objectName, error) {
	switch {
	case len(args) > 0 && o.hasManifests():
		return nil, errors.New("name the objects by -f (or -k) or by arguments, not by both")
	case o.all && o.hasManifests():
		return nil, errors.New("--all means the live objects: leave it or -f out")
	case len(args) == 0 && !o.hasManifests() && !o.all:
		return nil, fmt.Errorf("nothing says which objects: name them as KIND/NAME, such as deployment/web, or by -f FILE; --all means every live object\nSee '%s --help'", cmd.CommandPath())
	case len(o.live) == 0 && !o.hasManifests():
		return nil, errors.New("--live is needed: the file with the live object")
	case o.all:
		return parseKinds(args)
	}
	return parseNames(args)
}

// target answers a write for each object that the options name.
func (a *app) target(cmd *cobra.Command, o *targetOptions, args []string, fill func(*engine.Write)) error {
	o.standIn = thePatch
	wanted, err := o.names(cmd, args)
	if err != nil {
		return err
	}
	if err := o.check(cmd); err != nil {
		return err
	}
	return answerWrites(cmd.Context(), a, &writing{
		writeOptions: &o.writeOptions,
		command:      cmd.Name(),
		pairsOf: func(_ context.Context, c *cluster) ([]pair, error) {
			if o.hasManifests() {
				// None of them, too, where none could be read.
				return o.judged(c.pairs()), nil
			}
			pairs, err := c.targets(wanted)
			return o.judged(pairs), err
		},
		writeOf: func(c *cluster, p pair) engine.Write {
			w := c.write(p).WithBody(nil, nil)
			o.fill(&w)
			fill(&w)
			return w
		},
	})
}

// judged are pairs with the errors of the writes to them.
func (o *targetOptions) judged(pairs []pair) []pair {
	for i := range pairs {
		if o.refuse != nil && pairs[i].err == nil {
			pairs[i].err = o.refuse(pairs[i])
		}
	}
	return pairs
}

// targets gives the pairs of a write without a manifest.
func (c *cluster) targets(wanted []objectName) ([]pair, error) {
	if len(c.manifests) > 0 {
		return c.pairs(), nil
	}
	objects, err := c.named(wanted)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	for _, o := range objects {
		p := pair{document: o.Document, key: o.Key}
		p.live, p.err = c.live.Get(o.Key)
		pairs = append(pairs, p)
	}
	return pairs, nil
}
