package refusal

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// dropsStored finds the versions of a CustomResourceDefinition that the manifest drops though
// objects may be stored in them: the server rejects that until its status does not name them any
// more (apiextensions-apiserver, ValidateCustomResourceDefinitionStoredVersions). Kept without
// being served or stored, they are accepted.
func (s *search) dropsStored(targets []target) (report.Refusal, bool) {
	if s.Write.Kind.GroupKind() != api.CustomResourceDefinition {
		return report.Refusal{}, false
	}
	stored, _, _ := unstructured.NestedStringSlice(s.Live, "status", "storedVersions")
	versions := versionsOf(s.body)
	path := fieldpath.MakePathOrDie("spec", "versions")
	out := report.Refusal{Kind: report.Immutable, Fixes: []report.RefusalFix{{Kind: report.KeepVersion}}}
	for _, name := range stored {
		if named(versions, name) != nil {
			continue
		}
		out.Fields = append(out.Fields, report.RefusedField{
			Field: path.String(), Live: name, AppliedMissing: true, Source: s.lineNear(path), Owners: s.ownersOf(path),
		})
		versions = append(versions, unserved(named(versionsOf(s.Live), name), name))
	}
	if out.Fields == nil {
		return report.Refusal{}, false
	}
	body := runtime.DeepCopyJSON(s.body)
	if err := unstructured.SetNestedSlice(body, versions, "spec", "versions"); err != nil {
		return report.Refusal{}, false
	}
	return out, solved(s.trying(body), targets)
}

func versionsOf(definition map[string]any) []any {
	versions, _, _ := unstructured.NestedSlice(definition, "spec", "versions")
	return versions
}

// named is the version of a name; nil for none.
func named(versions []any, name string) map[string]any {
	i := slices.IndexFunc(versions, func(v any) bool {
		version, _ := v.(map[string]any)
		return version["name"] == name
	})
	if i < 0 {
		return nil
	}
	return versions[i].(map[string]any)
}

// unserved is a version as it is kept for what is stored in it. One that the live object lacks
// too gets a schema that drops nothing.
func unserved(version map[string]any, name string) map[string]any {
	if version = maps.Clone(version); version == nil {
		version = map[string]any{"name": name, "schema": map[string]any{"openAPIV3Schema": map[string]any{
			"type": "object", "x-kubernetes-preserve-unknown-fields": true,
		}}}
	}
	version["served"], version["storage"] = false, false
	return version
}
