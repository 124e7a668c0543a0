package schema

import (
	"testing"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// schemaOf has one of everything that a document says of a field, with a text from an
// input.
func schemaOf(text string) fields.Document {
	tcp, empty := any("TCP"), any(map[string]any{})
	return fields.Document{
		Head: report.Head{Server: report.Server{Version: "v1.36.3"}}, Of: fields.Kind{APIVersion: "v1", Kind: "Service"},
		Others: []fields.Kind{{APIVersion: "serving.knative.dev/v1", Kind: text}},
		Field: fields.Field{
			Field: ".spec.ports", Type: "list", Of: "object", Merge: fields.Keyed, Marker: "x-kubernetes-list-type: map",
			Keys: []fields.Key{
				{Name: "port", Required: true},
				{Name: "protocol", Default: &tcp},
			}, PatchKey: "port", Zero: "Dropped",
			Writers: []writers.Writer{
				{Manager: "m", Operation: "Update", Subresource: "scale", Who: text, When: "if it is so"},
				{Field: `.a["b"]`, Who: "the API server"},
			},
			Fields: []fields.Field{
				{Field: ".spec.ports[*].name", Type: "string", Merge: fields.Scalar, Required: true},
				{Field: ".spec.ports[*].protocol", Type: "string", Merge: fields.Scalar, Default: &tcp},
				{Field: ".spec.ports[*].on", Type: "boolean", Merge: fields.Scalar, Zero: "Dropped"},
				{Field: ".spec.ports[*].deep", Type: "object", Merge: fields.Granular, Default: &empty, Fields: []fields.Field{
					{Field: ".spec.ports[*].deep." + text, Type: "list", Of: "string", Merge: fields.Set},
					{Field: ".spec.ports[*].deep.again", Type: "object", Merge: fields.Granular, Recursive: true, Cut: 3},
					{Field: ".spec.ports[*].deep.more", Type: "map", Of: "quantity", Merge: fields.Atomic, Cut: 2},
				}},
			},
		},
	}
}

func TestSchema(t *testing.T) {
	inside := schemaOf("knative")
	inside.Others, inside.Field = nil, fields.Field{
		Field: ".spec.rules[*].host", Type: "quantity", Merge: fields.Scalar, Inside: ".spec.rules", Zero: "Dropped", Reset: false, Format: "byte",
	}
	status := schemaOf("knative")
	status.Others, status.Field = nil, fields.Field{Field: ".status", Type: "object", Merge: fields.Granular, Reset: true}
	formats.CheckAnswers(
		t,
		func(d []fields.Document) show.Answer { return formatsOf(d[0]) },
		[]formats.AnswerCase[fields.Document]{
			{"schema", "text", show.Options{Width: 80}, []fields.Document{schemaOf("Knative")}},
			{"schema", "markdown", show.Options{}, []fields.Document{schemaOf("Knative")}},
			{"schema", "html", show.Options{}, []fields.Document{schemaOf("Knative")}},
			{"schema", "json", show.Options{}, []fields.Document{schemaOf("Knative")}},
			{"schema_hostile", "text", show.Options{Width: 80}, []fields.Document{schemaOf(golden.Acting)}},
			{"schema_hostile", "markdown", show.Options{}, []fields.Document{schemaOf(golden.Acting)}},
			{"schema_inside", "text", show.Options{Width: 80}, []fields.Document{inside}},
			{"schema_status", "text", show.Options{Width: 80}, []fields.Document{status}},
		},
	)
}
