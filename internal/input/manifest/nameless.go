package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// Nameless says what a document is or has that gives no name, as the end of a sentence:
// "has no metadata.name".
func (d Document) Nameless() string {
	object, _ := jsontree.Decode(d.JSON())
	metadata, _ := object["metadata"].(map[string]any)
	switch name := metadata["name"].(type) {
	case bool, int64, float64:
		return fmt.Sprintf("has %v as its metadata.name, which is no string: put it in quotes", name)
	case []any, map[string]any:
		return "has a metadata.name that is no string"
	}
	_, items := object["items"].([]any)
	_, wraps := object["object"].(map[string]any)
	switch {
	case d.GenerateName != "":
		return "has no metadata.name, and generateName works only with create"
	case strings.HasSuffix(d.Kind, "List") && items:
		return "is a List inside of a List: put its items into the outer one"
	case strings.EqualFold(d.Kind, "List"):
		return "is a list without items: its kind is List, and its objects stand under items"
	case wraps:
		return "wraps an object: give what stands under its key object"
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key == "metadata" || !strings.EqualFold(key, "metadata") {
			continue
		}
		line, _ := Locate(d, fieldpath.MakePathOrDie(key))
		return fmt.Sprintf("has no metadata, but %s at line %d: did you mean metadata?", key, line)
	}
	return "has no metadata.name"
}
