package kubectl

import (
	"errors"
	"strings"

	"github.com/ssactl/ssactl/internal/shell"
)

// Client is how kubectl is called. The zero Client is kubectl as it is set up.
type Client struct {
	// Context and Kubeconfig are its flags of these names; empty for none.
	Context, Kubeconfig string
}

// Flags are those of the client.
func (c Client) Flags() []shell.Flag {
	var flags []shell.Flag
	if c.Kubeconfig != "" {
		flags = append(flags, shell.File("--kubeconfig", c.Kubeconfig))
	}
	if c.Context != "" {
		flags = append(flags, shell.Value("--context", c.Context))
	}
	return flags
}

// Selection is the objects of one type: those of the names, or all where there are
// no names.
type Selection struct {
	// Type is what kubectl is given: RESOURCE.GROUP, KIND.VERSION.GROUP, and of the
	// core group the resource alone.
	Type  string
	Names []string
}

// Get is the objects that one 'kubectl get' prints. Either all of its selections have
// names, or none has.
type Get struct {
	Selections []Selection
	// Namespace is empty for cluster-scoped types; Everywhere is all namespaces.
	Namespace  string
	Everywhere bool
}

// Command is the line that prints the objects with their managed fields. What is not
// there is no error.
func (g Get) Command(c Client) shell.Line {
	return g.line(c, shell.Switch("--ignore-not-found"), shell.Switch("--show-managed-fields"), shell.Value("--output", "json"))
}

// YAML is the line that prints the objects with their managed fields for people.
func (g Get) YAML() shell.Line {
	return g.line(Client{}, shell.Value("--output", "yaml"), shell.Switch("--show-managed-fields"))
}

func (g Get) line(c Client, flags ...shell.Flag) shell.Line {
	if err := g.check(); err != nil {
		return shell.Refused(err)
	}
	line := shell.Command("kubectl", "get").With(c.Flags()...)
	switch {
	case g.Everywhere:
		line = line.With(shell.Switch("--all-namespaces"))
	case g.Namespace != "":
		line = line.With(shell.Value("--namespace", g.Namespace))
	}
	return line.With(flags...).On(g.objects()...)
}

func (g Get) check() error {
	errs := []error{checkNamespace(g.Namespace)}
	for _, s := range g.Selections {
		errs = append(errs, checkType(s.Type))
		for _, name := range s.Names {
			errs = append(errs, checkName(name))
		}
	}
	return errors.Join(errs...)
}

// objects are the words that name what is fetched: TYPE NAME NAME of one type, TYPE/NAME
// of several, TYPE,TYPE for all objects.
func (g Get) objects() []string {
	var types, names []string
	for _, s := range g.Selections {
		types = append(types, s.Type)
		for _, name := range s.Names {
			names = append(names, s.Type+"/"+name)
		}
	}
	switch {
	case names == nil:
		return []string{strings.Join(types, ",")}
	case len(types) == 1:
		return append(types, g.Selections[0].Names...)
	}
	return names
}
