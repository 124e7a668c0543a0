package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
)

// nameless reports which manifest has no name, as nothing else does, and why.
func nameless(d manifest.Document) error {
	return fmt.Errorf("the manifest (%s) %s", d.Source, withoutName(d))
}

func withoutName(d manifest.Document) string {
	object, _ := jsontree.Decode(d.JSON())
	metadata, _ := object["metadata"].(map[string]any)
	_, items := object["items"].([]any)
	switch name := metadata["name"].(type) {
	case bool, int64, float64:
		return fmt.Sprintf("has %v as its metadata.name, which is no string: put it in quotes", name)
	case []any, map[string]any:
		return "has a metadata.name that is no string"
	}
	switch {
	case d.GenerateName != "":
		return "has no metadata.name, and generateName works only with create"
	case d.Kind == "List" && items:
		return "is a List inside of a List, which kubectl does not take apart either: put its items into the outer one"
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key == "metadata" || !strings.EqualFold(key, "metadata") {
			continue
		}
		line, _ := manifest.Locate(d, fieldpath.MakePathOrDie(key))
		return fmt.Sprintf("has no metadata, but %s at line %d: did you mean metadata?", key, line)
	}
	return "has no metadata.name"
}
