package fields_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"

	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/server"
)

// published are the OpenAPI definitions of the code that is linked.
func published() map[string]common.OpenAPIDefinition {
	return generatedopenapi.GetOpenAPIDefinitions(func(name string) spec.Ref { return spec.MustCreateRef("#/" + name) })
}

// TestAgreesWithOpenAPI: field by field, for all built-in kinds, what is reported is what
// the definitions of the linked release say.
func TestAgreesWithOpenAPI(t *testing.T) {
	s, err := server.New(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := comparison{T: t, definitions: published()}
	kinds := s.Kinds()
	for _, kind := range kinds {
		document, err := fields.Ask(s, fields.Question{Kind: kind, Depth: fields.Unlimited})
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		c.at = kind.String()
		name := *s.Types(kind).TypeRef.NamedType
		c.fields(document.Field, c.definition(name))
	}
	if len(kinds) < 60 || c.seen < 10000 {
		t.Errorf("saw %d fields of %d kinds only", c.seen, len(kinds))
	}
}

type comparison struct {
	*testing.T
	definitions map[string]common.OpenAPIDefinition
	at          string
	seen        int
}

func (c *comparison) definition(name string) spec.Schema {
	d, ok := c.definitions[name]
	if !ok {
		c.Errorf("%s: no definition %s", c.at, name)
	}
	return d.Schema
}

// resolved is a schema, or the one that it refers to with what it says itself.
func (c *comparison) resolved(s spec.Schema) (of spec.Schema, named string) {
	ref := s.Ref.String()
	if ref == "" && len(s.AllOf) == 1 {
		ref = s.AllOf[0].Ref.String()
	}
	if ref == "" {
		return s, ""
	}
	name := strings.TrimPrefix(ref, "#/")
	return c.definition(name), name
}

// fields compares those below a field with the properties of its type, or of the type
// of its items.
func (c *comparison) fields(f fields.Field, s spec.Schema) {
	for i := 0; i < 3 && (s.Items != nil || s.AdditionalProperties != nil); i++ {
		if s.Items != nil {
			s, _ = c.resolved(*s.Items.Schema)
		} else {
			s, _ = c.resolved(*s.AdditionalProperties.Schema)
		}
	}
	if f.Recursive {
		return
	}
	var want, got []string
	for name := range s.Properties {
		want = append(want, name)
	}
	for _, child := range f.Fields {
		got = append(got, child.Name())
	}
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		c.Errorf("%s%s: fields (-OpenAPI +schema):\n%s", c.at, f.Field, diff)
	}
	for _, child := range f.Fields {
		property := s.Properties[child.Name()]
		c.field(child, property, contains(s.Required, child.Name()))
	}
}

func (c *comparison) field(f fields.Field, property spec.Schema, required bool) {
	c.seen++
	of, name := c.resolved(property)
	if got, want := f.Type, typeOf(of, name); got != want {
		c.Errorf("%s%s is %s, want %s", c.at, f.Field, got, want)
	}
	if f.Required != required {
		c.Errorf("%s%s: required is %v", c.at, f.Field, f.Required)
	}
	if want := or(property.Format, of.Format); f.Format != want {
		c.Errorf("%s%s: the format is %q, want %q", c.at, f.Field, f.Format, want)
	}
	// How a value of any type merges, no definition says: that the merge types are the
	// server's is a test of hack/genschema.
	if got, want := merging(f), c.merging(property, of, f.Type); got != want && f.Type != "any" {
		c.Errorf("%s%s is %s, want %s", c.at, f.Field, got, want)
	}
	if published := property.Default; published != nil && !isZero(published) {
		if f.Default == nil || asJSON(*f.Default) != asJSON(published) {
			c.Errorf("%s%s: no default %v", c.at, f.Field, published)
		}
	}
	c.fields(f, of)
}

func typeOf(s spec.Schema, name string) string {
	switch short := name[strings.LastIndex(name, ".")+1:]; short {
	case "Quantity", "Duration":
		return strings.ToLower(short)
	case "Time", "MicroTime":
		return "time"
	case "IntOrString":
		return "int-or-string"
	case "RawExtension", "FieldsV1", "JSON":
		return "any"
	}
	switch {
	case s.Type.Contains("array"):
		return "list"
	case s.Type.Contains("object") && len(s.Properties) == 0:
		return "map"
	case len(s.Type) == 0:
		return "any"
	}
	return s.Type[0]
}

// merging is how a field merges, with its marker and its keys.
func merging(f fields.Field) string {
	var keys []string
	for _, k := range f.Keys {
		keys = append(keys, k.Name)
	}
	return fmt.Sprint(f.Merge, keys, f.Marker)
}

func (c *comparison) merging(property, of spec.Schema, kind string) string {
	list := or(extension(property, "x-kubernetes-list-type"), extension(of, "x-kubernetes-list-type"))
	object := or(extension(property, "x-kubernetes-map-type"), extension(of, "x-kubernetes-map-type"))
	switch {
	case kind == "list" && list == "map":
		keys, _ := property.Extensions["x-kubernetes-list-map-keys"].([]any)
		return fmt.Sprint(fields.Keyed, keys, "x-kubernetes-list-type: map")
	case kind == "list" && list == "set":
		return fmt.Sprint(fields.Set, []string{}, "x-kubernetes-list-type: set")
	case kind == "list":
		return fmt.Sprint(fields.Atomic, []string{}, marker("x-kubernetes-list-type", list))
	case kind == "map" || kind == "object":
		merge := fields.Granular
		if object == "atomic" {
			merge = fields.Atomic
		}
		return fmt.Sprint(merge, []string{}, marker("x-kubernetes-map-type", object))
	}
	return fmt.Sprint(fields.Scalar, []string{}, "")
}

func marker(name, value string) string {
	if value == "" {
		return ""
	}
	return name + ": " + value
}

func extension(s spec.Schema, name string) string {
	text, _ := s.Extensions[name].(string)
	return text
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func isZero(v any) bool {
	switch asJSON(v) {
	case "{}", "[]", `""`, "0", "false", "null", `"0"`, `"0s"`:
		return true
	}
	return false
}

// asJSON writes a value as trees have it: whole numbers without a fraction.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var tree any
	if err := kjson.Unmarshal(text, &tree); err != nil {
		panic(err)
	}
	text, err = json.Marshal(tree)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func sorted(list []string) map[string]bool {
	out := map[string]bool{}
	for _, l := range list {
		out[l] = true
	}
	return out
}
