package about

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Names of --client that are none of the clients.
const (
	Auto = "auto"
	None = "none"
)

// Names are the values of --client.
func Names() []string {
	names := []string{Auto, None}
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// managers are the field managers of clients that are not simulated, by the names that
// --client takes for them.
var managers = map[string]string{"terraform": "Terraform"}

// Unsimulated are the names of --client that stand for a field manager alone.
func Unsimulated() []string { return slices.Sorted(maps.Keys(managers)) }

// ManagerOf is the field manager of a client that is not simulated; false for none.
func ManagerOf(name string) (string, bool) {
	manager, is := managers[name]
	return manager, is
}

// Parse reads NAME or NAME@VERSION: the name and the version; the client's first version
// where none is given. A client that is not simulated sends the one bare request.
func Parse(text string) (name, version string, err error) {
	name, version, given := strings.Cut(text, "@")
	if (name == Auto || name == None) && !given {
		return name, "", nil
	}
	if _, is := ManagerOf(text); is {
		return None, "", nil
	}
	p, is := Find(name)
	if !is {
		return "", "", fmt.Errorf("use %s, or NAME@VERSION", strings.Join(append(Names(), Unsimulated()...), ", "))
	}
	if !given {
		return name, p.Versions[0].Name, nil
	}
	var known []string
	for _, v := range p.Versions {
		if covers(v.Name, strings.TrimPrefix(version, "v")) {
			return name, v.Name, nil
		}
		known = append(known, name+"@"+v.Name)
	}
	return "", "", fmt.Errorf("the versions that are simulated are %s", strings.Join(known, ", "))
}

// covers reports whether one of two versions is a release of the other, as 4.3.1 is of 4.
func covers(a, b string) bool {
	return a == b || strings.HasPrefix(b, a+".") || b != "" && strings.HasPrefix(a, b+".")
}
