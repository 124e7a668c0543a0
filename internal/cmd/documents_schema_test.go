package cmd

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	reflector "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/golden"
)

// schemaFile is the JSON Schema of all documents, for those who read them: its place from testdata.
var schemaFile = filepath.Join("..", "..", "..", "docs", "report.schema.json")

const schemaID = "https://ssactl.dev/schemas/v1alpha1/report.schema.json"

// TestDocumentSchema writes the schema of every document that -o report can be
// from the types, and finds documents in it that have something everywhere. What the
// commands answer about the recordings has to fit it too: see internal/cmd.
func TestDocumentSchema(t *testing.T) {
	golden.CheckGolden(t, schemaFile, string(schemaOfDocuments(t)))
	schema := compiled(t, schemaOfDocuments(t))
	for name, document := range documentKinds {
		v := reflect.New(reflect.TypeOf(document.empty)).Elem()
		fill(v, "text", nil)
		var got bytes.Buffer
		if err := encodeDocument(&got, v.Interface()); err != nil {
			t.Fatal(err)
		}
		filled := decodedDocument(t, got.Bytes()).(map[string]any)
		filled["apiVersion"], filled["kind"] = report.APIVersion, document.kinds[0]
		if err := schema.Validate(filled); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func decodedDocument(t *testing.T, text []byte) any {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// TestDocumentSchemaRefuses keeps the schema from being one that takes everything.
func TestDocumentSchemaRefuses(t *testing.T) {
	schema := compiled(t, schemaOfDocuments(t))
	for name, text := range map[string]string{
		"another kind":    `{"apiVersion":"ssactl.dev/v1alpha1","kind":"Pod"}`,
		"without results": `{"apiVersion":"ssactl.dev/v1alpha1","kind":"Report","summary":{}}`,
		"an unknown key":  `{"apiVersion":"ssactl.dev/v1alpha1","kind":"Resolution","objects":[],"summary":{},"more":1}`,
	} {
		if schema.Validate(decodedDocument(t, []byte(text))) == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaID, decodedDocument(t, text)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// schemaOfDocuments is one schema for all kinds of documents: which of them a document
// has to fit follows from its kind.
func schemaOfDocuments(t *testing.T) []byte {
	t.Helper()
	r := &reflector.Reflector{Anonymous: true, Mapper: ownSchema, Namer: definitionName}
	for _, room := range []string{"internal/finding", "internal/report", "internal/ownership", "internal/cmd"} {
		if err := r.AddGoComments("github.com/ssactl/ssactl/"+room, filepath.Join("..", "..", room)); err != nil {
			t.Fatal(err)
		}
	}
	root := &reflector.Schema{
		Version: reflector.Version, ID: schemaID, Title: "What ssactl writes with -o report",
		Type: "object", Properties: reflector.NewProperties(), Required: []string{"apiVersion", "kind"},
		Definitions: reflector.Definitions{},
	}
	var kinds []any
	for _, name := range slices.Sorted(maps.Keys(documentKinds)) {
		one := r.Reflect(documentKinds[name].empty)
		for key, definition := range one.Definitions {
			inJSON(definition)
			root.Definitions[key] = definition
		}
		of := documentKinds[name].kinds
		kinds = append(kinds, of...)
		kind := reflector.NewProperties()
		kind.Set("kind", &reflector.Schema{Enum: of})
		root.AllOf = append(
			root.AllOf,
			&reflector.Schema{If: &reflector.Schema{Properties: kind}, Then: &reflector.Schema{Ref: one.Ref}},
		)
	}
	root.Properties.Set("apiVersion", &reflector.Schema{Const: report.APIVersion})
	root.Properties.Set("kind", &reflector.Schema{Enum: kinds})
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// inJSON has the comments of Go fields speak of JSON: of keys instead of fields, and of
// absent or null instead of nil.
func inJSON(definition *reflector.Schema) {
	if definition.Properties == nil {
		return
	}
	keys := map[string]string{}
	for p := definition.Properties.Oldest(); p != nil; p = p.Next() {
		keys[strings.ToLower(p.Key)] = p.Key
	}
	for p := definition.Properties.Oldest(); p != nil; p = p.Next() {
		none := "absent"
		if slices.Contains(definition.Required, p.Key) {
			none = "null"
		}
		text := fieldNames.ReplaceAllStringFunc(p.Value.Description, func(word string) string {
			lead := strings.TrimRight(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
			if key, ok := keys[strings.ToLower(word[len(lead):])]; ok {
				return lead + "`" + key + "`"
			}
			return word
		})
		p.Value.Description = nilWord.ReplaceAllString(text, none)
	}
}

var (
	// fieldNames are capital words where a sentence does not have them: names of fields.
	// The first word of a comment is one.
	fieldNames = regexp.MustCompile(`(^|[a-z,;:(][ \n])[A-Z][A-Za-z]+`)
	nilWord    = regexp.MustCompile(`\bnil\b`)
)

// ownSchema is the schema of types that write themselves, and of those whose JSON is
// any: nil for all others.
func ownSchema(t reflect.Type) *reflector.Schema {
	switch t {
	case reflect.TypeFor[report.Status]():
		return &reflector.Schema{Type: "object", Description: "A Status as the server answers it."}
	case reflect.TypeFor[migration.Operation]():
		return operationSchema()
	case reflect.TypeFor[time.Time](), reflect.TypeFor[text.Text](), reflect.TypeFor[shell.Line]():
		return &reflector.Schema{Type: "string"}
	}
	return nil
}

// definitionName is the name of a type's definition, with its package, as types of
// two may be called alike; that of the answers in it for one that is generic. It is
// empty for what has no name.
func definitionName(t reflect.Type) string {
	name, arguments, generic := strings.Cut(t.Name(), "[")
	from := t.PkgPath()
	if generic {
		from = arguments[:strings.LastIndexByte(arguments, '.')]
	}
	if name == "" || from == "" {
		return ""
	}
	return from[strings.LastIndexByte(from, '/')+1:] + "." + name
}

// operationSchema is that of an operation of a JSON patch: a removal has no value, and
// any other may have null.
func operationSchema() *reflector.Schema {
	properties := reflector.NewProperties()
	properties.Set("op", &reflector.Schema{Type: "string"})
	properties.Set("path", &reflector.Schema{Type: "string"})
	properties.Set("value", reflector.TrueSchema)
	return &reflector.Schema{
		Type:                 "object",
		Properties:           properties,
		Required:             []string{"op", "path"},
		AdditionalProperties: reflector.FalseSchema,
	}
}
