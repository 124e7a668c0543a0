package faithful

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// What feature gates do not emulate of an older release, and the code here does. The
// table of differences lists the rest.

// laterWarnings are warnings that the newest release gives without a feature
// gate, by the minor version that began to.
var laterWarnings = map[string]int{
	"spec.externalIPs is deprecated and may no longer be implemented in some clusters": 36,
}

// AsRelease makes an answer that of an older release, as far as it can.
func AsRelease(r mergeschema.Release, response *api.Response) {
	if r == mergeschema.Newest() {
		return
	}
	response.Warnings = slices.DeleteFunc(response.Warnings, func(text string) bool {
		return laterWarnings[text] > r.Minor
	})
}

// A later release may write a field of a kind where it is empty, as Go writes a struct that
// is no pointer (the status of a CSINode, since 1.37). An older one does not write it, and
// its merge schema has no place for it.

// LaterFields are those at the root of a kind that came after the release, so far as types
// say it; nil for none.
func (c *TypeConverter) LaterFields(kind schema.GroupVersionKind) []string {
	if c.latest == nil {
		return nil
	}
	own, known := c.Find(kind)
	latest, ok := c.latest.Type(kind)
	if !known || !ok {
		return nil
	}
	declared := rootFields(own)
	var later []string
	for _, name := range rootFields(latest) {
		if !slices.Contains(declared, name) {
			later = append(later, name)
		}
	}
	return later
}

func rootFields(t typed.ParseableType) []string {
	atom, ok := t.Schema.Resolve(t.TypeRef)
	if !ok || atom.Map == nil {
		return nil
	}
	var names []string
	for _, field := range atom.Map.Fields {
		names = append(names, field.Name)
	}
	return names
}

// dropEmpty takes those of the fields out of an object that are empty, and reports whether
// there are any.
func dropEmpty(object map[string]any, fields []string) (dropped bool) {
	for _, name := range fields {
		if value, ok := object[name].(map[string]any); ok && len(value) == 0 {
			delete(object, name)
			dropped = true
		}
	}
	return dropped
}

// DropLater makes an answer that of a release that does not write later fields.
func (c *TypeConverter) DropLater(kind schema.GroupVersionKind, r *api.Response) (err error) {
	later := c.LaterFields(kind)
	if later == nil {
		return nil
	}
	if r.Body, err = withoutLater(r.Body, kind, later); err != nil {
		return err
	}
	r.Stored, err = withoutLater(r.Stored, kind, later)
	return err
}

// withoutLater is a JSON answer without later fields, if it is an object of the kind.
func withoutLater(raw []byte, kind schema.GroupVersionKind, later []string) ([]byte, error) {
	if len(raw) == 0 {
		return raw, nil
	}
	object := map[string]any{}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	if object["apiVersion"] != apiVersion || object["kind"] != name || !dropEmpty(object, later) {
		return raw, nil
	}
	return json.Marshal(object)
}
