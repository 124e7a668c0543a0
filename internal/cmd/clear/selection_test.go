package clear

import (
	"context"
	"encoding/json"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/server/api"
)

// kinds is a server that serves ConfigMaps at v1 and answers nothing.
type kinds struct{}

func (kinds) Do(context.Context, api.Request) (api.Response, error) {
	return api.Response{Code: 200, Body: []byte(`{}`)}, nil
}
func (kinds) Types(schema.GroupVersionKind) api.Type { return api.Type{Deduced: true} }
func (kinds) Resource(k schema.GroupVersionKind) api.Resource {
	return api.Resource{Known: k.Group == "" && k.Version == "v1", Resource: "configmaps", Namespaced: true}
}

const live = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","resourceVersion":"7","managedFields":[
	{"manager":"flux","operation":"Apply","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}},
	{"manager":"kubectl-edit","operation":"Update","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:b":{}}}},
	{"manager":"kubectl","operation":"Update","apiVersion":"v1","subresource":"scale","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:gone":{}}}},
	{"manager":"old","operation":"Update","apiVersion":"v1beta1","time":"2025-12-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:c":{}}}},
	{"manager":"half","operation":"Update","apiVersion":"v1","time":"2025-12-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:c":{},"f:gone":{}}}},
	{"manager":"odd","operation":"Sideways","apiVersion":"v1"}
]},"data":{"a":"1","b":"2","c":"3"}}`

func TestChoose(t *testing.T) {
	scale := "scale"
	const remove = `{"op":"remove","path":"/metadata/managedFields/%"}`
	tests := []struct {
		name      string
		selection Selection
		// want are the operations after the test on the resourceVersion.
		want   string
		spared string
	}{
		{"all", Selection{}, `{"op":"replace","path":"/metadata/managedFields","value":[{}]}`, ""},
		{"a manager", Selection{Managers: []string{"kubectl"}}, strings.ReplaceAll(remove, "%", "2"), ""},
		{"managers by pattern, from the last", Selection{Managers: []string{"kubectl*"}},
			strings.ReplaceAll(remove, "%", "2") + "," + strings.ReplaceAll(remove, "%", "1"), ""},
		{
			"a manager in one operation",
			Selection{Managers: []string{"*"}, Operation: "Apply"},
			strings.ReplaceAll(remove, "%", "0"),
			"",
		},
		{"a subresource", Selection{Subresource: &scale}, strings.ReplaceAll(remove, "%", "2"), ""},
		{"an entry that cannot be read", Selection{Managers: []string{"odd"}}, strings.ReplaceAll(remove, "%", "5"), ""},
		{
			"stale spares who applies",
			Selection{OlderThan: 24 * 365 * time.Hour},
			strings.ReplaceAll(remove, "%", "1"),
			"flux",
		},
		{
			"stale by name takes all",
			Selection{Managers: []string{"flux"}, OlderThan: 24 * 365 * time.Hour},
			strings.ReplaceAll(remove, "%", "0"),
			"",
		},
		{"unserved", Selection{Unserved: true}, strings.ReplaceAll(remove, "%", "3"), ""},
		{"missing fields", Selection{MissingFields: true},
			`{"op":"replace","path":"/metadata/managedFields/4/fieldsV1","value":{"f:data":{"f:c":{}}}},` + strings.ReplaceAll(
				remove,
				"%",
				"2",
			), ""},
		{"nobody", Selection{Managers: []string{"nobody"}}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := engine.Write{Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Name: "c", Live: []byte(live)}
			got := Clear(
				context.Background(),
				kinds{},
				Request{Object: w, Selection: tt.selection, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
			)
			want := ""
			if tt.want != "" {
				want = `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},` + tt.want + `]`
			}
			if diff := cmp.Diff(want, operations(t, got.Patch)); diff != "" {
				t.Errorf("patch (-want +got):\n%s", diff)
			}
			var spared []string
			for _, e := range got.Spared {
				spared = append(spared, e.Manager)
			}
			if diff := cmp.Diff(tt.spared, strings.Join(spared, " ")); diff != "" {
				t.Errorf("spared (-want +got):\n%s", diff)
			}
		})
	}
}

func operations(t *testing.T, patch []Operation) string {
	t.Helper()
	if patch == nil {
		return ""
	}
	b, err := json.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWithoutResourceVersion: the patch asks for the managers instead.
func TestWithoutResourceVersion(t *testing.T) {
	var object map[string]any
	if err := kjson.Unmarshal([]byte(live), &object); err != nil {
		t.Fatal(err)
	}
	delete(object["metadata"].(map[string]any), "resourceVersion")
	w := engine.Write{Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Name: "c", LiveObject: object}
	got := Clear(context.Background(), kinds{}, Request{Object: w, Selection: Selection{Managers: []string{"flux"}}})
	want := `[{"op":"test","path":"/metadata/managedFields/0/manager","value":"flux"},{"op":"remove","path":"/metadata/managedFields/0"}]`
	if diff := cmp.Diff(want, operations(t, got.Patch)); diff != "" {
		t.Errorf("patch (-want +got):\n%s", diff)
	}
}

// FuzzMatches: patterns of stars and letters match as path.Match has it.
func FuzzMatches(f *testing.F) {
	for _, seed := range [][2]string{{"*", ""}, {"kubectl*", "kubectl-edit"}, {"*a*b", "xaab"}, {"", ""}, {"a*", "b"}, {"**", "x"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if strings.ContainsAny(pattern, `?[\`) || strings.Contains(name, "/") || len(pattern)+len(name) > 200 {
			return
		}
		want, err := path.Match(pattern, name)
		if err != nil {
			return
		}
		if got := fieldpattern.Glob(pattern, name); got != want {
			t.Errorf("Glob(%q, %q) = %v, want %v", pattern, name, got, want)
		}
	})
}
