package cli

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

// maskedPatch is the error of a patch of a Secret that has a mask; nil without.
func maskedPatch(place string, patch any) error {
	found := redact.MaskedPatch(patch)
	if found == nil {
		return nil
	}
	return fmt.Errorf("%s: %v is masked, and its value is not known: give the value, which --show-secrets prints", place, fieldpath.MakePathOrDie(found...))
}

// objectFormats are those of objects, which people give to other programs.
var objectFormats = []string{"yaml", "json"}

// maskedNote says that what is printed has masks; nil where it has none.
func maskedNote(masks map[string]bool) []string {
	switch len(masks) {
	case 0:
		return nil
	case 1:
		return []string{"1 value of a Secret is masked; --show-secrets prints it"}
	}
	return []string{fmt.Sprintf("%d values of Secrets are masked; --show-secrets prints them", len(masks))}
}

// isMasked reports whether the live object of a key was refused, as it is masked.
func (c *cluster) isMasked(key live.Key) bool {
	for _, of := range c.masked {
		if c.scope.key(of) == key {
			return true
		}
	}
	return false
}

// unreadFrom is the first problem, from one on, whose object is not known; nil for none.
func (c *cluster) unreadFrom(first int) *report.Problem {
	for i := first; i < len(c.problems); i++ {
		if _, known := c.masked[i]; !known {
			return &c.problems[i]
		}
	}
	return nil
}
