package client

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// Stop is why a client does not send what it would for an object.
type Stop struct {
	// Message are the words in which it refuses the object; empty where it does not.
	Message string
	// Notice is what there is to say of the object; empty for nothing.
	Notice string
	// After is the request that the refusal of another object keeps it from: those before are
	// sent. Empty where none is.
	After Request
	// unserved: the server does not serve the kind.
	unserved bool
}

// Refuse has the client refuse an object, before any request for it.
func (c *Client) Refuse(key Key, message string) {
	c.Stopped[key] = Stop{Message: message}
}

// RefuseUnmapped has the client refuse an object whose kind the server does not serve;
// meant is what may be meant by it.
func (c *Client) RefuseUnmapped(key Key, message, meant string) {
	c.Stopped[key] = Stop{Message: message, Notice: meant, unserved: true}
}

// Unmapped are the words of kubectl and Helm for a kind that the server does not serve
// (cli-runtime, pkg/resource/mapper.go). The namespace is that of the text.
func Unmapped(kind schema.GroupVersionKind, namespace, name, file string) string {
	return fmt.Sprintf(
		"resource mapping not found for name: %q namespace: %q from %q: no matches for kind %q in version %q\nensure CRDs are installed first",
		name,
		namespace,
		file,
		kind.Kind,
		kind.GroupVersion(),
	)
}

// Elsewhere are the words of kubectl for a manifest of another namespace than that of the
// command line (cli-runtime, pkg/resource/visitor.go, RequireNamespace).
func Elsewhere(namespace, given string) string {
	return fmt.Sprintf(
		"the namespace from the provided object %q does not match the namespace %q. You must pass '--namespace=%s' to perform this operation.",
		namespace,
		given,
		namespace,
	)
}

// Refuses reports whether a result is a refusal, which keeps the client from others. Where
// there is no answer, that is not known.
func (c *Client) Refuses(w engine.Write, r report.Result) bool {
	if r.Outcome == report.Failed {
		c.unanswered[KeyOf(w)] = true
		return false
	}
	return r.Outcome.Refused()
}
