package parity

import (
	"fmt"
	"strings"
)

// Path is what a request path names.
type Path struct {
	// Group is what stands before the resource, namespace aside: /api/v1 or
	// /apis/GROUP/VERSION.
	Group string
	// Namespace is empty for cluster-scoped kinds.
	Namespace string
	Resource  string
	// Name is empty for a collection.
	Name        string
	Subresource string
}

// ParsePath reads /api/v1/… and /apis/GROUP/VERSION/…, both followed by
// [namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE]].
func ParsePath(path string) (Path, error) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	groupParts := 2
	if parts[0] == "apis" {
		groupParts = 3
	} else if parts[0] != "api" {
		return Path{}, fmt.Errorf("path %s: %w", path, ErrNotACall)
	}
	if len(parts) <= groupParts {
		return Path{}, fmt.Errorf("path %s: %w", path, ErrNotACall)
	}
	p := Path{Group: "/" + strings.Join(parts[:groupParts], "/")}
	parts = parts[groupParts:]
	if parts[0] == "namespaces" && len(parts) > 2 && !namespaceSubresources[parts[2]] {
		p.Namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 3 {
		return Path{}, fmt.Errorf("path %s: %w", path, ErrNotACall)
	}
	for i, part := range parts {
		*[]*string{&p.Resource, &p.Name, &p.Subresource}[i] = part
	}
	return p, nil
}

// namespaceSubresources follow a namespace's name where a resource would.
var namespaceSubresources = map[string]bool{"status": true, "finalize": true}

// Object gives the path of the object itself: no subresource, and the given
// name where the path has none.
func (p Path) Object(name string) string {
	if p.Name != "" {
		name = p.Name
	}
	return p.Collection() + "/" + name
}

// Collection gives the path that lists the resource in its namespace.
func (p Path) Collection() string {
	if p.Namespace == "" {
		return p.Group + "/" + p.Resource
	}
	return p.Group + "/namespaces/" + p.Namespace + "/" + p.Resource
}
