package cluster

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Misfit is the error of a live object by whose assumed merge schema nothing may be
// planned: its managed fields contradict it, or a schema is required. It is nil where
// no schema is assumed.
func (c *Cluster) Misfit(kind schema.GroupVersionKind, object map[string]any) error {
	if !c.assumes(kind) {
		return nil
	}
	if err := engine.Contradicted(kind.GroupKind(), object); err != nil {
		return withDefinition(err)
	}
	return withDefinition(c.schema.Refuse(kind.GroupKind()))
}

// Unserved is the error of a live object at an API version that the server does not
// serve, whatever definition is given; nil elsewhere.
func (c *Cluster) Unserved(kind schema.GroupVersionKind) error {
	if c.Server.Resource(kind).Known || c.assumes(kind) {
		return nil
	}
	text := fmt.Sprintf("the live object is at API version %s, which the server does not serve", kind.GroupVersion())
	if as := c.ServedAs(kind); as != "" {
		text += ": fetch it as " + as
	}
	return errors.New(text)
}

// Undefined is the error of a kind that nothing given defines where a schema is
// required.
func (c *Cluster) Undefined(kind schema.GroupVersionKind) error {
	if !c.assumes(kind) {
		return nil
	}
	return withDefinition(c.schema.Refuse(kind.GroupKind()))
}

// assumes reports whether nothing given defines a kind, and a definition could. None
// could add to the server's own kinds: of one that is not served, that is the answer.
func (c *Cluster) assumes(kind schema.GroupVersionKind) bool {
	return c.Server.Types(kind).Deduced && strings.Contains(kind.Group, ".") && c.ServedAs(kind) == ""
}

// ServedAs is another API version that a kind is served at; empty for none.
func (c *Cluster) ServedAs(kind schema.GroupVersionKind) string {
	return api.ServedAs(kind, func(k schema.GroupVersionKind) bool { return c.Server.Resource(k).Known })
}

// withDefinition says how the definition is given that an answer lacks.
func withDefinition(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: give its CustomResourceDefinition with --crds", err)
}

// Unanswerable says why a pair has no answer; nil when it has one.
func (c *Cluster) Unanswerable(p Pair) error {
	if p.Err == nil && p.Document.Name == "" {
		return Nameless(p.Document)
	}
	return p.Err
}
