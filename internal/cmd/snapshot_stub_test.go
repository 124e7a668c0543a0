package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// stubKubectl answers as kubectl does what snapshot asks it: from the objects of the file
// $STUB_OBJECTS, where $STUB_FORBIDDEN has types that nobody may get, and all others are
// served that are not in $STUB_UNSERVED. Lists of the type $STUB_CONTINUES are not whole, and
// $STUB_SAYS is what it complains of where Secrets are asked for. $STUB_LOG gets the arguments.
func stubKubectl() int {
	args := os.Args[1:]
	if log, err := os.OpenFile(os.Getenv("STUB_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(log, strings.Join(args, " "))
		_ = log.Close()
	}
	args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--context=") })
	switch strings.Join(args[:min(2, len(args))], " ") {
	case "get --raw=/version":
		fmt.Println(`{"major":"1","minor":"36","gitVersion":"v1.36.1"}`)
		return 0
	case "version --client":
		fmt.Println(`{"clientVersion":{"gitVersion":"v1.36.0"}}`)
		return 0
	case "config current-context":
		fmt.Println("prod")
		return 0
	}
	text, err := os.ReadFile(os.Getenv("STUB_OBJECTS"))
	var list struct {
		Items []map[string]any `json:"items"`
	}
	if err == nil {
		err = yaml.Unmarshal(text, &list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return stubGet(list.Items, stubAsked(args[1:]))
}

// stubAsk is what a get asks for: types, with names or all of their objects.
type stubAsk struct {
	types     []string
	names     map[string][]string
	namespace string
	all       bool
}

func stubAsked(args []string) stubAsk {
	ask := stubAsk{names: map[string][]string{}}
	for _, arg := range args {
		switch namespace, found := strings.CutPrefix(arg, "--namespace="); {
		case found:
			ask.namespace = namespace
		case arg == "--all-namespaces":
			ask.all = true
		case strings.HasPrefix(arg, "-"):
		case strings.Contains(arg, "/"):
			of, name, _ := strings.Cut(arg, "/")
			ask.types, ask.names[of] = append(ask.types, of), append(ask.names[of], name)
		case len(ask.types) == 0:
			ask.types = strings.Split(arg, ",")
		default:
			ask.names[ask.types[0]] = append(ask.names[ask.types[0]], arg)
		}
	}
	return ask
}

func stubGet(objects []map[string]any, ask stubAsk) int {
	code, found := 0, []map[string]any{}
	for _, of := range slices.Compact(ask.types) {
		switch {
		case slices.Contains(strings.Fields(os.Getenv("STUB_UNSERVED")), of):
			fmt.Fprintf(os.Stderr, "error: the server doesn't have a resource type %q\n", of)
			return 1
		case slices.Contains(strings.Fields(os.Getenv("STUB_FORBIDDEN")), of):
			fmt.Fprintf(os.Stderr, "Error from server (Forbidden): %s is forbidden: User \"jane\" cannot list it\n", of)
			code = 1
			continue
		}
		for _, o := range objects {
			if stubMatches(o, of, ask) {
				found = append(found, o)
			}
		}
	}
	if len(found) > 0 {
		metadata := map[string]any{}
		if of := os.Getenv("STUB_CONTINUES"); of != "" && slices.Contains(ask.types, of) {
			metadata["continue"] = "more"
		}
		b, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": found, "metadata": metadata})
		if err != nil {
			panic(err)
		}
		fmt.Println(string(b))
	}
	if says := os.Getenv("STUB_SAYS"); says != "" && slices.Contains(ask.types, "secrets") {
		fmt.Fprintln(os.Stderr, says)
		code = 1
	}
	return code
}

func stubMatches(o map[string]any, of string, ask stubAsk) bool {
	apiVersion, _ := o["apiVersion"].(string)
	kind, _ := o["kind"].(string)
	metadata, _ := o["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	plural, _ := meta.UnsafeGuessKindToResource(gvk)
	spelled := []string{plural.Resource + "." + gvk.Group, kind + "." + gvk.Version + "." + gvk.Group}
	if gvk.Group == "" {
		spelled = []string{plural.Resource}
	}
	return slices.Contains(spelled, of) &&
		(namespace == "" || ask.all || namespace == ask.namespace) &&
		(ask.names[of] == nil || slices.Contains(ask.names[of], name))
}
