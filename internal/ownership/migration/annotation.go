package migration

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/text"
)

// LastApplied is the annotation of client-side apply.
const LastApplied = client.LastApplied

var (
	annotationsPath = fieldpath.MakePathOrDie("metadata", "annotations")
	lastAppliedPath = client.LastAppliedPath
	lastAppliedSet  = fieldpath.NewSet(client.LastAppliedPath)
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
	problem text.Text
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
	said, ok := v.(string)
	if !ok {
		return unusable(brokenAnnotation, text.New("it is no text"))
	}
	var object map[string]any
	if kjson.Unmarshal([]byte(said), &object) != nil {
		return unusable(brokenAnnotation, syntaxProblem(said))
	}
	if object == nil {
		return unusable(brokenAnnotation, text.New("it is null, no object"))
	}
	if v, _ := object["apiVersion"].(string); v == "" {
		return unusable(brokenAnnotation, text.New("it is no manifest: it has no apiVersion"))
	}
	if problem := foreign(object, live); !problem.IsZero() {
		return unusable(foreignAnnotation, problem)
	}
	// kubectl adds an empty map of annotations where the manifest has none (kubectl,
	// pkg/util/apply.go).
	if a := annotationsOf(object); a != nil && len(a) == 0 {
		object = without(object, annotationsPath)
	}
	return annotation{state: soundAnnotation, object: object}
}

func unusable(state annotationState, why text.Text) annotation {
	return annotation{state: state, problem: text.New("the last-applied annotation cannot be used: %v", why)}
}

// syntaxProblem is what is wrong in a text that is no object in JSON. It
// quotes nothing of it: that may be a Secret's.
func syntaxProblem(said string) text.Text {
	var syntax *json.SyntaxError
	var v json.RawMessage
	err := json.NewDecoder(strings.NewReader(said)).Decode(&v)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return text.New("it is cut: its JSON ends after %v bytes, inside of a value", text.Number(len(said)))
	case errors.As(err, &syntax):
		return text.New("it is not JSON: what stands at byte %v cannot be there", text.Number(int(syntax.Offset)))
	case err == nil && !strings.HasPrefix(strings.TrimSpace(said), "{"):
		return text.New("it is JSON, but no object")
	}
	return text.New("it is not JSON: something stands behind its object")
}

// foreign is why the annotation is not of the live object; empty when it is.
func foreign(object, live map[string]any) text.Text {
	m, _ := object["metadata"].(map[string]any)
	l, _ := live["metadata"].(map[string]any)
	namespace, _ := m["namespace"].(string)
	for _, part := range []struct {
		name     string
		is, want any
	}{
		{"API group", groupOf(object), groupOf(live)},
		{"kind", object["kind"], live["kind"]},
		{"name", m["name"], l["name"]},
		{"namespace", namespace, l["namespace"]},
	} {
		unsaid := part.name == "namespace" && (part.is == "" || part.want == nil)
		if part.is != part.want && !unsaid {
			return text.New("it is of another object: its %v is %v, not %v", text.Name(part.name),
				text.Said(strconv.Quote(fmt.Sprint(part.is))), text.Name(strconv.Quote(fmt.Sprint(part.want))))
		}
	}
	return text.Text{}
}

func groupOf(object map[string]any) string {
	apiVersion, _ := object["apiVersion"].(string)
	if group, _, found := strings.Cut(apiVersion, "/"); found {
		return group
	}
	return ""
}

func annotationsOf(object map[string]any) map[string]any {
	annotations, _ := fieldtree.Value(object, "metadata", "annotations").(map[string]any)
	return annotations
}

// withoutAnnotation is a copy of the object without the annotation, and
// without the map of annotations when that is empty then, as the server
// stores it.
func withoutAnnotation(object map[string]any) map[string]any { return without(object, lastAppliedPath) }

func without(object map[string]any, path fieldpath.Path) map[string]any {
	out, _ := fieldtree.Without(managedfields.Shape{}, object, path)
	return out.(map[string]any)
}

func with(object map[string]any, path fieldpath.Path, v any) map[string]any {
	return fieldtree.With(managedfields.Shape{}, object, path, v).(map[string]any)
}
