package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/live"
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
	o.requestFlags.add(cmd, subresources...)
	o.requestFlags.addUserAgent(cmd)
	o.outputFlags.add(cmd)
	o.writeFlags.add(cmd)
}

// targetOptions are those of a write that has no manifest: a patch, a scale, a
// delete. Its targets are the objects that -f names, those of the arguments
// (KIND/NAME), or all of the live files when neither is given.
type targetOptions struct{ otherOptions }

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
			w := c.write(p)
			w.Body, w.Decoded, w.Locator, w.MediaType = nil, nil, nil, ""
			w.Subresource = o.subresource
			w.Manager = manager
			w.UserAgent = o.userAgent
			w.FieldValidation = validation
			fill(&w)
			return w
		})
}

// objectName is KIND/NAME or KIND.GROUP/NAME, as people type it.
type objectName struct{ kind, group, name string }

func parseNames(args []string) ([]objectName, error) {
	if len(args) == 2 && !strings.Contains(args[0], "/") {
		args = []string{args[0] + "/" + args[1]}
	}
	var names []objectName
	for _, arg := range args {
		kind, name, ok := strings.Cut(arg, "/")
		if !ok || kind == "" || name == "" {
			return nil, fmt.Errorf("%q names no object: write KIND/NAME, such as deployment/web", arg)
		}
		kind, group, _ := strings.Cut(kind, ".")
		names = append(names, objectName{kind, group, name})
	}
	return names, nil
}

// matches tells whether a live object is meant: by its kind or its resource,
// in the singular or plural.
func (n objectName) matches(c *cluster, o *live.Object) bool {
	resource := c.server.Resource(kindOf(o.Identity)).Resource
	return n.name == o.Name &&
		(strings.EqualFold(n.kind, o.Kind) || strings.EqualFold(n.kind, resource)) &&
		(n.group == "" || n.group == o.Group() || strings.HasSuffix(n.group, "."+o.Group()))
}

// targets gives the pairs of a write without a manifest.
func (c *cluster) targets(wanted []objectName) ([]pair, error) {
	if len(c.manifests) > 0 {
		return c.pairs(), nil
	}
	var pairs []pair
	found := make([]bool, len(wanted))
	for _, o := range c.live.Objects() {
		if len(wanted) > 0 && !markMatches(c, wanted, found, o) {
			continue
		}
		p := pair{document: o.Document, key: o.Key}
		p.live, p.err = c.live.Get(o.Key)
		pairs = append(pairs, p)
	}
	for i, n := range wanted {
		if !found[i] {
			return nil, fmt.Errorf("the live files have no %s/%s", n.kind, n.name)
		}
	}
	return pairs, nil
}

func markMatches(c *cluster, wanted []objectName, found []bool, o *live.Object) bool {
	any := false
	for i, n := range wanted {
		if n.matches(c, o) {
			found[i], any = true, true
		}
	}
	return any
}
