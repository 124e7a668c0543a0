package cli

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// misfit is the error of a live object by whose assumed merge schema nothing may be
// planned: its managed fields contradict it, or a schema is required. It is nil where
// no schema is assumed.
func (c *cluster) misfit(kind schema.GroupVersionKind, object map[string]any) error {
	if !c.assumes(kind) {
		return nil
	}
	if err := engine.Contradicted(kind.GroupKind(), object); err != nil {
		return withDefinition(err)
	}
	return withDefinition(c.schema.Refuse(kind.GroupKind()))
}

// unserved is the error of a live object at an API version that the server does not
// serve, whatever definition is given; nil elsewhere.
func (c *cluster) unserved(kind schema.GroupVersionKind) error {
	if c.server.Resource(kind).Known || c.assumes(kind) {
		return nil
	}
	text := fmt.Sprintf("the live object is at API version %s, which the server does not serve", kind.GroupVersion())
	if as := c.servedAs(kind); as != "" {
		text += ": fetch it as " + as
	}
	return errors.New(text)
}

// undefined is the error of a kind that nothing given defines where a schema is
// required.
func (c *cluster) undefined(kind schema.GroupVersionKind) error {
	if !c.assumes(kind) {
		return nil
	}
	return withDefinition(c.schema.Refuse(kind.GroupKind()))
}

// assumes reports whether nothing given defines a kind, and a definition could. None
// could add to the server's own kinds: of one that is not served, that is the answer.
func (c *cluster) assumes(kind schema.GroupVersionKind) bool {
	return c.server.Types(kind).Deduced && strings.Contains(kind.Group, ".") && c.servedAs(kind) == ""
}

// servedAs is another API version that a kind is served at; empty for none.
func (c *cluster) servedAs(kind schema.GroupVersionKind) string {
	return api.ServedAs(kind, func(k schema.GroupVersionKind) bool { return c.server.Resource(k).Known })
}

// withDefinition says how the definition is given that an answer lacks.
func withDefinition(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: give its CustomResourceDefinition with --crds", err)
}
