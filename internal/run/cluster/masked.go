package cluster

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// maskedError is that of a mask that is read as the value of a Secret.
type maskedError struct {
	of    manifest.Identity
	field fieldpath.Path
}

// Error implements error.
func (e *maskedError) Error() string {
	return fmt.Sprintf("%v of the Secret is masked, and its value is not known: print it with --show-secrets, or fetch it with kubectl get -o yaml --show-managed-fields", e.field)
}

// refuseMasked is the error of a document with a mask instead of a value of a Secret, and
// its field.
func refuseMasked(d manifest.Document) (fieldpath.Path, error) {
	if !redact.MentionsMask(d.JSON()) {
		return nil, nil
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return nil, nil
	}
	found := redact.Masked(object)
	if found == nil {
		return nil, nil
	}
	field := fieldpath.MakePathOrDie(found...)
	return field, &maskedError{d.Identity, field}
}

// isMasked reports whether the live object of a key was refused, as it is masked.
func (c *Cluster) isMasked(key live.Key) bool {
	for _, of := range c.masked {
		if c.Scope.Key(of) == key {
			return true
		}
	}
	return false
}

// unreadFrom is the first problem, from one on, whose object is not known; nil for none.
func (c *Cluster) unreadFrom(first int) *report.Problem {
	for i := first; i < len(c.Problems); i++ {
		if _, known := c.masked[i]; !known {
			return &c.Problems[i]
		}
	}
	return nil
}
