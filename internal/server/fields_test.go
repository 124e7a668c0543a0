package server

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

func knownFields(t *testing.T, s *Server, kind schema.GroupVersionKind) kindFields {
	t.Helper()
	fields, err := s.Fields(kind)
	if err != nil {
		t.Fatal(err)
	}
	return fields.(kindFields)
}

func TestKnownFields(t *testing.T) {
	s := newServer(t, Options{})
	deployment, service := kindOfGroup("apps", "Deployment"), kindOfGroup("", "Service")
	for _, c := range []struct {
		kind schema.GroupVersionKind
		path []string
		want api.Field
	}{
		{deployment, []string{"spec", "replicas"}, api.Field{Type: "integer", Format: "int32", Default: int64(1), HasDefault: true, Zero: api.KeptZero}},
		{deployment, []string{"spec", "strategy", "rollingUpdate", "maxSurge"}, api.Field{Format: "int-or-string", Default: "25%", HasDefault: true, Zero: api.KeptZero}},
		{deployment, []string{"spec", "template", "spec", "hostNetwork"}, api.Field{Zero: api.DroppedZero}},
		{deployment, []string{"spec", "template", "spec", "volumes", "*", "emptyDir"}, api.Field{Default: map[string]any{}, HasDefault: true}},
		{deployment, []string{"spec", "template", "spec", "containers", "*", "args"}, api.Field{ListType: "atomic", Zero: api.DroppedZero}},
		{deployment, []string{"spec", "template", "spec", "containers", "*", "ports"}, api.Field{ListType: "map", PatchKey: "containerPort", PatchStrategy: "merge", Zero: api.DroppedZero}},
		{deployment, []string{"spec", "selector"}, api.Field{MapType: "atomic", Required: true}},
		{deployment, []string{"status"}, api.Field{Zero: api.UnknownZero, Reset: true}},
		{service, []string{"spec", "selector"}, api.Field{MapType: "atomic", Zero: api.DroppedZero}},
		{service, []string{"spec", "ports", "*", "protocol"}, api.Field{Default: "TCP", HasDefault: true, Zero: api.DroppedZero}},
	} {
		if diff := cmp.Diff(c.want, knownFields(t, s, c.kind).Field(c.path)); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", c.kind.Kind, c.path, diff)
		}
	}
}

func kindOfGroup(group, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
}

// TestDefaultsOfAllKinds: what the server publishes as a default, and is not the zero
// value, it fills in; and it tells something of each kind.
func TestDefaultsOfAllKinds(t *testing.T) {
	s := newServer(t, Options{})
	seen := 0
	for _, kind := range s.Kinds() {
		fields := knownFields(t, s, kind)
		if len(fields.tried.zeros) == 0 {
			t.Errorf("%s: nothing could be tried out", kind)
		}
		eachField(fields.merge.Schema, fields.merge.TypeRef, nil, nil, func(path []string, f smdschema.StructField) {
			if f.Default == nil || isZero(f.Default) {
				return
			}
			seen++
			if got := fields.Field(path); !got.HasDefault || !cmp.Equal(got.Default, jsonOf(f.Default)) {
				t.Errorf("%s %v: the default is %v, and %v is published", kind, path, got.Default, f.Default)
			}
		})
	}
	if seen < 100 {
		t.Errorf("saw %d published defaults only", seen)
	}
}

// jsonOf is a default as it is in a tree.
func jsonOf(v any) any {
	if f, ok := v.(float64); ok {
		return int64(f)
	}
	return v
}

// eachField visits the fields of a type, each once on a way that does not go through
// a type twice.
func eachField(
	s *smdschema.Schema,
	ref smdschema.TypeRef,
	path, in []string,
	visit func([]string, smdschema.StructField),
) {
	name := typeName(ref)
	for _, n := range in {
		if n == name && name != "" {
			return
		}
	}
	atom, ok := s.Resolve(ref)
	if !ok {
		return
	}
	in = append(append([]string(nil), in...), name)
	at := func(element string) []string { return append(append([]string(nil), path...), element) }
	if atom.List != nil {
		eachField(s, atom.List.ElementType, at(api.Each), in, visit)
	}
	if atom.Map != nil {
		for _, f := range atom.Map.Fields {
			visit(at(f.Name), f)
			eachField(s, f.Type, at(f.Name), in, visit)
		}
	}
}
