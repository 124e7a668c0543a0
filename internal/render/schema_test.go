package render

import (
	"testing"

	"github.com/ssactl/ssactl/internal/plan/schema"
	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// schemaOf has one of everything that a document says of a field, with a text from an
// input.
func schemaOf(text string) schema.Document {
	tcp, empty := any("TCP"), any(map[string]any{})
	return schema.Document{
		Head: report.Head{Server: report.Server{Version: "v1.36.3"}}, Of: schema.Kind{APIVersion: "v1", Kind: "Service"},
		Others: []schema.Kind{{APIVersion: "serving.knative.dev/v1", Kind: text}},
		Field: schema.Field{
			Field: ".spec.ports", Type: "list", Of: "object", Merge: schema.Keyed, Marker: "x-kubernetes-list-type: map",
			Keys: []schema.Key{{Name: "port", Required: true}, {Name: "protocol", Default: &tcp}}, PatchKey: "port", Zero: "Dropped",
			Writers: []writers.Writer{{Manager: "m", Operation: "Update", Subresource: "scale", Who: text, When: "if it is so"}, {Field: `.a["b"]`, Who: "the API server"}},
			Fields: []schema.Field{
				{Field: ".spec.ports[*].name", Type: "string", Merge: schema.Scalar, Required: true},
				{Field: ".spec.ports[*].protocol", Type: "string", Merge: schema.Scalar, Default: &tcp},
				{Field: ".spec.ports[*].on", Type: "boolean", Merge: schema.Scalar, Zero: "Dropped"},
				{Field: ".spec.ports[*].deep", Type: "object", Merge: schema.Granular, Default: &empty, Fields: []schema.Field{
					{Field: ".spec.ports[*].deep." + text, Type: "list", Of: "string", Merge: schema.Set},
					{Field: ".spec.ports[*].deep.again", Type: "object", Merge: schema.Granular, Recursive: true, Cut: 3},
					{Field: ".spec.ports[*].deep.more", Type: "map", Of: "quantity", Merge: schema.Atomic, Cut: 2},
				}},
			},
		},
	}
}

func TestSchema(t *testing.T) {
	inside := schemaOf("knative")
	inside.Others, inside.Field = nil, schema.Field{
		Field: ".spec.rules[*].host", Type: "quantity", Merge: schema.Scalar, Inside: ".spec.rules", Zero: "Dropped", Reset: false, Format: "byte",
	}
	status := schemaOf("knative")
	status.Others, status.Field = nil, schema.Field{Field: ".status", Type: "object", Merge: schema.Granular, Reset: true}
	checkAnswers(t, func(d []schema.Document) Answer { return Schema(d[0]) }, []answerCase[schema.Document]{
		{"schema", "text", Options{Width: 80}, []schema.Document{schemaOf("Knative")}},
		{"schema", "markdown", Options{}, []schema.Document{schemaOf("Knative")}},
		{"schema", "html", Options{}, []schema.Document{schemaOf("Knative")}},
		{"schema", "json", Options{}, []schema.Document{schemaOf("Knative")}},
		{"schema_hostile", "text", Options{Width: 80}, []schema.Document{schemaOf(acting)}},
		{"schema_hostile", "markdown", Options{}, []schema.Document{schemaOf(acting)}},
		{"schema_inside", "text", Options{Width: 80}, []schema.Document{inside}},
		{"schema_status", "text", Options{Width: 80}, []schema.Document{status}},
	})
}
