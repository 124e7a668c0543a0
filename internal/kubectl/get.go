package kubectl

import "strings"

// Client is how kubectl is called. The zero Client is kubectl as it is set up.
type Client struct {
	// Context and Kubeconfig are its flags of these names; empty for none.
	Context, Kubeconfig string
}

// Command gives the words of kubectl with some arguments.
func (c Client) Command(args ...string) []string {
	words := []string{"kubectl"}
	if c.Kubeconfig != "" {
		words = append(words, "--kubeconfig="+c.Kubeconfig)
	}
	if c.Context != "" {
		words = append(words, "--context="+c.Context)
	}
	return append(words, args...)
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

// Command gives the words that print the objects with their managed fields. What is
// not there is no error.
func (g Get) Command(c Client) []string {
	words := c.Command("get")
	words = append(words, g.objects()...)
	switch {
	case g.Everywhere:
		words = append(words, "--all-namespaces")
	case g.Namespace != "":
		words = append(words, "-n", g.Namespace)
	}
	return append(words, "--ignore-not-found", "--show-managed-fields", "-o", "json")
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
