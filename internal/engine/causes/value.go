package causes

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// decoders are the types of the merge schema that are written as a scalar and
// decoded by code of their own.
var decoders = map[string]func() json.Unmarshaler{
	"io.k8s.apimachinery.pkg.api.resource.Quantity":   func() json.Unmarshaler { return &resource.Quantity{} },
	"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime":  func() json.Unmarshaler { return &metav1.MicroTime{} },
	"io.k8s.apimachinery.pkg.apis.meta.v1.Time":       func() json.Unmarshaler { return &metav1.Time{} },
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString": func() json.Unmarshaler { return &intstr.IntOrString{} },
}

// encoded are the maps whose values are written in base64.
var encoded = map[schema.GroupKind]string{secretKind: "data", {Kind: "ConfigMap"}: "binaryData"}

// undecoded are the values that cannot be decoded where the server, which gives up
// at the first, reports why but not which it is:
//
//	… quantities must match the regular expression '^([+-]?[0-9.]+)…$'
//	… illegal base64 data at input byte 4
//
// It is nil where none of them would be refused with this message.
func (q *Question) undecoded(message string) []report.Cause {
	if q.Verb != api.Apply && q.Verb != api.Create && q.Verb != api.Update {
		return nil
	}
	d := decoding{bytes: encoded[q.Kind.GroupKind()]}
	d.walk(q.Shape, q.Body, nil)
	told := false
	var out []report.Cause
	for _, f := range d.faults {
		text := f.err.Error()
		told = told || strings.Contains(message, text)
		out = append(out, report.Cause{Field: f.path.String(), Message: text, Source: q.line(f.path)})
	}
	if !told {
		return nil
	}
	return out
}

// decoding finds the values of a body that cannot be decoded.
type decoding struct {
	// bytes is the map of the root whose values are in base64; empty for none.
	bytes  string
	faults []undecodable
}

type undecodable struct {
	path fieldpath.Path
	err  error
}

func (d *decoding) walk(shape managedfields.Shape, v any, path fieldpath.Path) {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			d.walk(shape.Field(name), field, append(path, fieldpath.PathElement{FieldName: &name}))
		}
	case []any:
		for i, item := range v {
			d.walk(shape.Item(), item, append(path, fieldpath.PathElement{Index: &i}))
		}
	default:
		if err := d.scalar(shape, v, path); err != nil {
			d.faults = append(d.faults, undecodable{path.Copy(), err})
		}
	}
}

func (d *decoding) scalar(shape managedfields.Shape, v any, path fieldpath.Path) error {
	if text, ok := v.(string); ok && len(path) == 2 && path[0].FieldName != nil && *path[0].FieldName == d.bytes {
		_, err := base64.StdEncoding.DecodeString(text)
		return err
	}
	for name, decoder := range decoders {
		if shape.Is(name) {
			written, err := json.Marshal(v)
			if err != nil {
				return err
			}
			return decoder().UnmarshalJSON(written)
		}
	}
	return nil
}

// wrongType is how encoding/json tells a value of another type: with the names of
// the fields that lead to it, and no places in lists.
//
//	json: cannot unmarshal number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string
//	json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32
var wrongType = regexp.MustCompile(
	cannotDecode + `(string|bool|array|object|number)(?: (\S+))?` + intoField + `\w+\.(\S+)` + ofType + `(\S+)$`,
)

// mistyped are the values of the type that such a message tells, at its field.
func (q *Question) mistyped(message string) []report.Cause {
	found := wrongType.FindStringSubmatch(message)
	if found == nil || q.Verb != api.Create && q.Verb != api.Update {
		return nil
	}
	m := mistyping{kind: found[1], literal: found[2], scalar: !strings.ContainsAny(found[4], "[.")}
	m.walk(q.Shape, q.Body, found[3], nil)
	var out []report.Cause
	for _, path := range m.paths {
		out = append(
			out,
			report.Cause{
				Field:   path.String(),
				Message: "cannot unmarshal " + found[1] + " into type " + found[4],
				Mistake: between(found[4], found[1]),
				Source:  q.line(path),
			},
		)
	}
	return out
}

// mistyping finds values of a type by the names of fields.
type mistyping struct {
	// kind is the type as encoding/json calls it, literal a number as it is
	// written; empty for any.
	kind, literal string
	// scalar says that the field, or what is in it, was to be a scalar.
	scalar bool
	paths  []fieldpath.Path
}

func (m *mistyping) walk(shape managedfields.Shape, v any, rest string, path fieldpath.Path) {
	// A map or a list may be right where something in it is not.
	around := m.scalar && !shape.Scalar() && (m.kind == "object" || m.kind == "array")
	if rest == "" && m.is(v) && !around {
		m.paths = append(m.paths, path.Copy())
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if rest != "" {
			if name, rest, ok := firstField(rest, v); ok {
				m.walk(shape.Field(name), v[name], rest, append(path, fieldpath.PathElement{FieldName: &name}))
			}
			return
		}
		for name, field := range v {
			m.walk(shape.Field(name), field, "", append(path, fieldpath.PathElement{FieldName: &name}))
		}
	case []any:
		for i, item := range v {
			m.walk(shape.Item(), item, rest, append(path, fieldpath.PathElement{Index: &i}))
		}
	}
}

func (m *mistyping) is(v any) bool {
	switch v.(type) {
	case nil:
		return false
	case string:
		return m.kind == "string"
	case bool:
		return m.kind == "bool"
	case []any:
		return m.kind == "array"
	case map[string]any:
		return m.kind == "object"
	}
	return m.kind == "number" && (m.literal == "" || m.literal == fmt.Sprint(v))
}
