package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
)

// otherOptions are those of the writes other than apply.
type otherOptions struct {
	inputFlags
	serverFlags
	requestFlags
	outputFlags
	writeFlags
}

func (o *otherOptions) add(cmd *cobra.Command, subresources ...string) {
	o.inputFlags.add(cmd)
	o.inputFlags.addUnmatched(cmd)
	o.serverFlags.add(cmd)
	o.serverFlags.addRequireSchema(cmd)
	o.requestFlags.add(cmd, subresources...)
	o.requestFlags.addUserAgent(cmd)
	o.outputFlags.add(cmd)
	o.writeFlags.add(cmd)
}

// targetOptions are those of a write that has no manifest: a patch, a scale, a
// delete. Its targets are the objects that -f names, those of the arguments
// (KIND/NAME), or all of the live files when neither is given; of the last two
// only those of --namespace.
type targetOptions struct{ otherOptions }

func (o *targetOptions) add(cmd *cobra.Command, subresources ...string) {
	o.otherOptions.add(cmd, subresources...)
	onlyNamespace(cmd)
}

// target answers a write for each object that the options name.
func (a *app) target(cmd *cobra.Command, o *targetOptions, args []string, fill func(*engine.Write)) error {
	if len(o.live) == 0 && len(o.filenames) == 0 {
		return errors.New("--live is needed: the file with the live object")
	}
	if len(args) > 0 && len(o.filenames) > 0 {
		return errors.New("name the objects by -f or by arguments, not by both")
	}
	wanted, err := parseNames(args)
	if err != nil {
		return err
	}
	validation, err := o.fieldValidation()
	if err != nil {
		return err
	}
	manager := o.managerOf(cmd)
	return a.simulatePairs(cmd.Context(), &o.inputFlags, &o.serverFlags, &o.outputFlags, &o.writeFlags,
		func(c *cluster) ([]pair, error) { return c.targets(wanted) },
		func(c *cluster, p pair) engine.Write {
			w := c.write(p).WithBody(nil, nil)
			w.Subresource = o.subresource
			w.Manager = manager
			w.UserAgent = o.userAgent
			w.FieldValidation = validation
			fill(&w)
			return w
		})
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
