package kubectl

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
)

// maxName is longer than any name of an object: only those of RBAC have no bound.
const maxName = 1024

// Check reports why no object of an API server is named so; nil for one that may be. It
// takes more than the server does, which has a stricter rule for most kinds. An empty
// namespace is that of a cluster-scoped object, and an empty name is left out.
func Check(kind schema.GroupVersionKind, namespace, name string) error {
	return errors.Join(checkKind(kind), checkNamespace(namespace), checkName(name))
}

func checkKind(kind schema.GroupVersionKind) error {
	switch {
	case kind.Kind != "" && validation.IsDNS1035Label(strings.ToLower(kind.Kind)) != nil:
		return fmt.Errorf("%q is no kind of an API server", kind.Kind)
	case kind.Version != "" && validation.IsDNS1035Label(kind.Version) != nil:
		return fmt.Errorf("%q is no API version of an API server", kind.Version)
	case kind.Group != "" && validation.IsDNS1123Subdomain(kind.Group) != nil:
		return fmt.Errorf("%q is no API group of an API server", kind.Group)
	}
	return nil
}

func checkNamespace(namespace string) error {
	if namespace == "" || validation.IsDNS1123Label(namespace) == nil {
		return nil
	}
	return fmt.Errorf("%q is no namespace of an API server", namespace)
}

// checkName takes what is one segment of a path. Names that begin with a dash, or do not
// show themselves, are none of any object that is served by intent.
func checkName(name string) error {
	unseen := func(r rune) bool { return !unicode.IsPrint(r) }
	if content.IsPathSegmentName(name) == nil && !strings.HasPrefix(name, "-") && utf8.ValidString(name) && !strings.ContainsFunc(name, unseen) && len(name) <= maxName {
		return nil
	}
	if len(name) > maxName {
		return fmt.Errorf("the name has %d bytes, more than any name of an API server", len(name))
	}
	return fmt.Errorf("%q is no name of an object of an API server", name)
}

// checkType takes RESOURCE.GROUP and KIND.VERSION.GROUP, whose group may be empty.
func checkType(name string) error {
	if kind, rest, _ := strings.Cut(strings.TrimSuffix(name, "."), "."); validation.IsDNS1035Label(strings.ToLower(kind)) == nil &&
		(rest == "" || validation.IsDNS1123Subdomain(rest) == nil) {
		return nil
	}
	return fmt.Errorf("%q is no resource of an API server", name)
}
