package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
)

// LastApplied is the annotation of client-side apply.
const LastApplied = client.LastApplied

var (
	annotationsPath = fieldpath.MakePathOrDie("metadata", "annotations")
	lastAppliedPath = fieldpath.MakePathOrDie("metadata", "annotations", LastApplied)
)

// annotationState reports whether an annotation can be used.
type annotationState int

const (
	// noAnnotation: there is none. kubectl takes an empty one for none.
	noAnnotation annotationState = iota
	soundAnnotation
	brokenAnnotation
	foreignAnnotation
)

// annotation is the last-applied annotation of an object.
type annotation struct {
	state annotationState
	// problem is what is wrong, without any value of the annotation.
	problem Fact
	// object is what it holds, as the server reads JSON; nil unless sound.
	object map[string]any
}

// readAnnotation reads the annotation of a live object. It must be the
// manifest of the same object; its API version may differ.
func readAnnotation(live map[string]any) annotation {
	v, ok := annotationsOf(live)[LastApplied]
	if !ok || v == "" {
		return annotation{}
	}
	text, ok := v.(string)
	if !ok {
		return annotation{state: brokenAnnotation, problem: Fact{Kind: NoText}}
	}
	var object map[string]any
	if err := kjson.Unmarshal([]byte(text), &object); err != nil {
		return annotation{state: brokenAnnotation, problem: syntaxProblem(text)}
	}
	if object == nil {
		return annotation{state: brokenAnnotation, problem: Fact{Kind: NullObject}}
	}
	if v, _ := object["apiVersion"].(string); v == "" {
		return annotation{state: brokenAnnotation, problem: Fact{Kind: NoManifest}}
	}
	if problem := foreign(object, live); problem.Kind != "" {
		return annotation{state: foreignAnnotation, problem: problem}
	}
	return annotation{state: soundAnnotation, object: asWritten(object)}
}

// syntaxProblem is what is wrong in a text that is no object in JSON. It
// quotes nothing of it: that may be a Secret's.
func syntaxProblem(text string) Fact {
	var syntax *json.SyntaxError
	var v json.RawMessage
	err := json.NewDecoder(strings.NewReader(text)).Decode(&v)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return Fact{Kind: CutJSON, Count: len(text)}
	case errors.As(err, &syntax):
		return Fact{Kind: NotJSON, Count: int(syntax.Offset)}
	case err == nil && !strings.HasPrefix(strings.TrimSpace(text), "{"):
		return Fact{Kind: NoObject}
	}
	return Fact{Kind: MoreThanObject}
}

// foreign is why the annotation is not of the live object; without a kind when it is.
func foreign(object, live map[string]any) Fact {
	wrong := func(kind FactKind, is, want any) Fact {
		return Fact{Kind: kind, Is: fmt.Sprint(is), Want: fmt.Sprint(want)}
	}
	apiVersion, _ := object["apiVersion"].(string)
	liveVersion, _ := live["apiVersion"].(string)
	switch {
	case groupOf(apiVersion) != groupOf(liveVersion):
		return wrong(OtherGroup, groupOf(apiVersion), groupOf(liveVersion))
	case object["kind"] != live["kind"]:
		return wrong(OtherKind, object["kind"], live["kind"])
	}
	m, _ := object["metadata"].(map[string]any)
	l, _ := live["metadata"].(map[string]any)
	if m["name"] != l["name"] {
		return wrong(OtherName, m["name"], l["name"])
	}
	if namespace, ok := m["namespace"].(string); ok && namespace != "" && l["namespace"] != nil && namespace != l["namespace"] {
		return wrong(OtherNamespace, namespace, l["namespace"])
	}
	return Fact{}
}

// asWritten is the manifest behind an annotation: kubectl adds an empty map of
// annotations where the manifest has none (kubectl, pkg/util/apply.go).
func asWritten(object map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	if a, ok := metadata["annotations"].(map[string]any); ok && len(a) == 0 {
		metadata = without(metadata, "annotations")
		return with(object, "metadata", metadata)
	}
	return object
}

func annotationsOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	return annotations
}

// withoutAnnotation is a copy of the object without the annotation, and
// without the map of annotations when that is empty then, as the server
// stores it.
func withoutAnnotation(object map[string]any) map[string]any {
	annotations := annotationsOf(object)
	if _, ok := annotations[LastApplied]; !ok {
		return object
	}
	metadata, _ := object["metadata"].(map[string]any)
	if len(annotations) == 1 {
		return with(object, "metadata", without(metadata, "annotations"))
	}
	return with(object, "metadata", with(metadata, "annotations", without(annotations, LastApplied)))
}

// withAnnotation is a copy of the object with the annotation.
func withAnnotation(object map[string]any, text string) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	return with(object, "metadata", with(metadata, "annotations", with(annotationsOf(object), LastApplied, text)))
}

func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

func with(m map[string]any, key string, v any) map[string]any {
	out := without(m, key)
	out[key] = v
	return out
}

func without(m map[string]any, key string) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if k != key {
			out[k] = v
		}
	}
	return out
}
