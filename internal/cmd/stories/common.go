package stories

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/story"
)

// common are the commonest tests, which need no story of their own.
type common struct {
	twice, upgrade bool
	keeps, from    string
	filenames      []string
	live           []string
	crds           []string
	client         string
	manager        string
	namespace      string
	// writes: the story is printed, not run.
	writes bool
}

func (c *common) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&c.twice, "twice", false, "install the manifests of -f, and then again: the second time nothing changes")
	flags.BoolVar(&c.upgrade, "upgrade", false, "upgrade the manifests OLD to NEW, the arguments, as each client does")
	flags.StringVar(
		&c.keeps,
		"keeps",
		"",
		"the `field` that stays with the manager of --from when the manifests of -f are applied again",
	)
	flags.StringVar(&c.from, "from", "", "`name` of the field manager of --keeps, such as kube-controller-manager")
	flags.StringArrayVarP(&c.filenames, "filename", "f", nil, "manifest `file` or directory (repeatable)")
	flags.StringArrayVar(&c.live, "live", nil, "`file` with live objects at the beginning (repeatable)")
	flags.StringArrayVar(&c.crds, "crds", nil, "`file` or directory with CustomResourceDefinitions (repeatable)")
	flags.StringVar(&c.client, "client", "", "`client` whose requests are simulated, with @VERSION (default kubectl)")
	flags.StringVar(&c.manager, "field-manager", "", "`name` of the field manager (default that of --client)")
	flags.StringVarP(&c.namespace, "namespace", "n", "", "`namespace` of documents without one")
	flags.BoolVar(&c.writes, "write-story", false, "print the story that the test is, and do not run it")
}

func (c *common) given() bool { return c.twice || c.upgrade || c.keeps != "" }

// tests are the stories of the flags.
func (c *common) tests(args []string) ([]*test, error) {
	if c.client != "" {
		if _, _, err := about.Parse(c.client); err != nil {
			return nil, fmt.Errorf("--client %q: %w", c.client, err)
		}
	}
	switch {
	case c.upgrade:
		if len(args) != 2 {
			return nil, errors.New("--upgrade needs two arguments: the manifests before, and those after")
		}
		tests := c.upgrades(args[0], args[1])
		if len(tests) == 0 {
			return nil, fmt.Errorf("--upgrade has no upgrade by --client %s: use kubectl, helm, argocd or flux", c.client)
		}
		return tests, nil
	case len(args) > 0:
		return nil, errors.New("stories, or --twice and --keeps with -f: not both")
	case len(c.filenames) == 0:
		return nil, errors.New("-f is needed: the manifests to install")
	}
	for _, path := range slices.Concat(c.filenames, c.live, c.crds) {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	if c.keeps != "" {
		one, err := c.kept()
		return []*test{one}, err
	}
	s := c.begin("The second install changes nothing")
	s.Steps = []story.Step{
		c.applying("install", c.filenames),
		c.expecting(c.applying("install again", c.filenames), func(e *story.Expect) {
			e.Outcome = "Unchanged"
		}),
	}
	return []*test{{Story: s}}, nil
}

// begin is a story of the flags.
func (c *common) begin(name string) story.Story {
	s := story.Story{
		At: story.Place{File: "story.yaml", Line: 1, Column: 1}, APIVersion: story.APIVersion, Kind: story.Kind, Name: name,
		Namespace: c.namespace, CRDs: absolute(c.crds),
	}
	for _, path := range absolute(c.live) {
		s.Live = append(s.Live, story.Body{Path: path})
	}
	return s
}

// absolute are paths that stay the same wherever the story is.
func absolute(paths []string) []string {
	var out []string
	for _, path := range paths {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		out = append(out, path)
	}
	return out
}

// applying applies manifests as the client of the flags.
func (c *common) applying(name string, paths []string) story.Step {
	step := story.Step{Name: name, As: c.manager, Client: c.client}
	if c.client == "" {
		step.Client = "kubectl"
	}
	for _, path := range absolute(paths) {
		step.Apply = append(step.Apply, story.Body{Path: path})
	}
	return step
}

// expecting is a step with an expectation of each object of its manifests.
func (c *common) expecting(step story.Step, expect func(*story.Expect)) story.Step {
	for _, b := range step.Apply {
		documents, _ := manifest.Load([]string{b.Path}, manifest.Options{Recursion: manifest.Recursive})
		for _, d := range documents {
			if d.Name == "" {
				continue
			}
			e := story.Expect{Object: objectOf(d)}
			expect(&e)
			step.Expect = append(step.Expect, e)
		}
	}
	return step
}

// objectOf names the object of a document: KIND.GROUP/NAME.
func objectOf(d manifest.Document) string {
	name := d.Kind
	if group := d.Group(); group != "" {
		name += "." + group
	}
	name += "/" + d.Name
	if d.Namespace != "" {
		return d.Namespace + "/" + name
	}
	return name
}

// by reports whether a client is the one of --client; all are without it. A name without a
// version is of all versions.
func (c *common) by(client string) bool {
	if c.client == "" {
		return true
	}
	name, version, _ := about.Parse(client)
	wanted, of, _ := about.Parse(c.client)
	return name == wanted && (version == of || !strings.Contains(c.client, "@"))
}

// upgrades are the ways in which clients upgrade, or the one of --client, a story each.
func (c *common) upgrades(before, after string) []*test {
	var out []*test
	for _, way := range []struct{ name, install, upgrade, serverSide string }{
		{"kubectl, server-side", "kubectl", "kubectl", "true"},
		{"kubectl, client-side", "kubectl", "kubectl", "false"},
		{"kubectl, client-side and then server-side", "kubectl", "kubectl", "then"},
		{"Helm 4", "helm@4", "helm@4", ""},
		{"Helm 3", "helm@3", "helm@3", ""},
		{"Helm 3 and then Helm 4", "helm@3", "helm@4", ""},
		{"Argo CD", "argocd", "argocd", ""},
		{"Flux", "flux", "flux", ""},
	} {
		if !c.by(way.upgrade) {
			continue
		}
		s := c.begin("Upgrade by " + way.name)
		step := func(name, client, path string) story.Step {
			one := c.applying(name, []string{path})
			if one.Client = client; way.serverSide == "true" || way.serverSide == "false" {
				one.ServerSide = story.Text(way.serverSide)
			}
			return one
		}
		install, upgrade := step("install", way.install, before), step("upgrade", way.upgrade, after)
		if way.serverSide == "then" {
			install.ServerSide = "false"
		}
		again := c.expecting(step("upgrade again", way.upgrade, after), func(e *story.Expect) { e.Outcome = "Unchanged" })
		accepted := c.expecting(upgrade, func(e *story.Expect) { e.Conflicts = map[string][]string{} })
		s.Steps = []story.Step{install, accepted, again}
		out = append(out, &test{Story: s})
	}
	return out
}

// kept is the test whether a field stays with another manager.
func (c *common) kept() (*test, error) {
	if c.from == "" {
		return nil, errors.New("--keeps needs --from, the field manager that keeps the field")
	}
	s := c.begin(fmt.Sprintf("%s stays with %s", c.keeps, c.from))
	install := c.applying("install", c.filenames)
	again := c.applying("install again", c.filenames)
	var writes []story.Step
	for _, b := range install.Apply {
		documents, _ := manifest.Load([]string{b.Path}, manifest.Options{Recursion: manifest.Recursive})
		for _, d := range documents {
			var object map[string]any
			if err := kjson.Unmarshal(d.JSON(), &object); err != nil || d.Name == "" {
				continue
			}
			value, has := story.Lookup(object, c.keeps)
			if !has && !scales[d.Kind] {
				continue
			}
			step, wrote := c.writing(d, value)
			writes = append(writes, step)
			again.Expect = append(again.Expect, story.Expect{
				Object: objectOf(d), Conflicts: map[string][]string{}, Values: map[string]any{c.keeps: wrote},
			})
		}
	}
	if len(writes) == 0 {
		return nil, fmt.Errorf("--keeps %s: no manifest has the field, and none is of a kind that scales", c.keeps)
	}
	s.Steps = append(append([]story.Step{install}, writes...), again)
	return &test{Story: s}, nil
}

var scales = map[string]bool{"Deployment": true, "StatefulSet": true, "ReplicaSet": true}

const replicas = ".spec.replicas"

// writing has the other manager write the field of an object, to another value than the
// manifest's, and gives that value.
func (c *common) writing(d manifest.Document, value any) (story.Step, any) {
	object := objectOf(d)
	if c.keeps == replicas {
		n := int64(5)
		if value == n || value == float64(n) {
			n++
		}
		return story.Step{Name: fmt.Sprintf("%s scales to %d", c.from, n), Scale: object, Replicas: &n, As: c.from}, n
	}
	wrote := any("written-by-" + c.from)
	switch v := value.(type) {
	case bool:
		wrote = !v
	case int64:
		wrote = v + 1
	}
	return story.Step{
		Name: c.from + " writes " + c.keeps, Patch: object, Type: "merge", With: story.Nested(c.keeps, wrote), As: c.from,
	}, wrote
}

// read reads stories that flags make as those of a file, so that one that is printed is the one
// that is run.
func read(made []*test) ([]*test, error) {
	var out []*test
	for _, t := range made {
		text, err := story.Print(t.Story)
		if err != nil {
			return nil, err
		}
		stories, err := story.Read(t.At.File, text)
		if err != nil {
			return nil, err
		}
		for _, s := range stories {
			out = append(out, &test{Story: s})
		}
	}
	return out, nil
}
