package cmd

import (
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/cmd/clear"
	"github.com/ssactl/ssactl/internal/cmd/compare"
	"github.com/ssactl/ssactl/internal/cmd/lint"
	"github.com/ssactl/ssactl/internal/cmd/resolve"
	"github.com/ssactl/ssactl/internal/cmd/snapshot"
	"github.com/ssactl/ssactl/internal/cmd/transfer"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/test/golden"
)

// documentKinds are what -o report can be, each with the kinds that it says it is.
var documentKinds = map[string]struct {
	empty any
	kinds []any
}{
	"apply":    {report.Report{}, []any{report.Kind}},
	"explain":  {conflict.Document{}, []any{conflict.ExplanationKind}},
	"why":      {conflict.Answers{}, []any{conflict.WhyKind}},
	"resolve":  {resolve.Document{}, []any{resolve.ResolutionKind}},
	"migrate":  {migration.Document{}, []any{migration.DocumentKind}},
	"transfer": {transfer.Document{}, []any{transfer.Kind}},
	"clear":    {clear.Document{}, []any{clear.Kind}},
	"owners":   {owners.Document{}, []any{owners.DocumentKind}},
	"audit":    {finding.Report{}, []any{rules.ReportKind, lint.ReportKind, impact.ReportKind}},
	"compare":  {compare.Document{}, []any{compare.Kind}},
	"schema":   {fields.Document{}, []any{fields.DocumentKind}},
	"snapshot": {snapshot.Document{}, []any{snapshot.Kind}},
}

// TestDocumentShapes pins the keys of every document, their order, and which of
// them are left out when they are empty: other programs read them. Each is
// written twice: with something everywhere, and with one empty item in each list.
func TestDocumentShapes(t *testing.T) {
	for name, document := range documentKinds {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			for _, text := range []string{"text", ""} {
				v := reflect.New(reflect.TypeOf(document.empty)).Elem()
				fill(v, text, nil)
				if err := encodeDocument(&got, v.Interface()); err != nil {
					t.Fatal(err)
				}
			}
			golden.CheckGolden(t, filepath.Join("documents", name+".json"), got.String())
		})
	}
}

// encodeDocument writes a document as -o report does: that of writes streams.
func encodeDocument(w io.Writer, document any) error {
	if r, ok := document.(report.Report); ok {
		return stream.Play(objects.NewReport(w, objects.Options{}), r)
	}
	return show.EncodeTo(w, document)
}

// fill puts a value into each place of what is empty: an item into each list, and
// nothing more where the text is empty. A type that stands in itself is left out.
func fill(v reflect.Value, text string, inside []reflect.Type) {
	for _, t := range inside {
		if t == v.Type() {
			return
		}
	}
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text, inside)
		return
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[shell.Line]() {
			v.Set(reflect.ValueOf(shell.Command("text")))
		}
		if v.Type() != reflect.TypeFor[time.Time]() {
			fillFields(v, text, append(inside, v.Type()))
		}
		return
	}
	if text != "" {
		fillOne(v, text, inside)
	}
}

func fillFields(v reflect.Value, text string, inside []reflect.Type) {
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			fill(v.Field(i), text, inside)
		}
	}
}

func fillOne(v reflect.Value, text string, inside []reflect.Type) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, inside)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]any{"key": text}))
	case reflect.Interface:
		v.Set(reflect.ValueOf(text))
	}
}
