// Package faithful makes answers those that a real server of the release would give: it
// repairs and orders what the server's code, run here, leaves to chance or to a cluster.
//
//	synthetic.go     values that only a server can give: placeholders, and how they leave
//	                 the answer; placeholders.go those of Services
//	clock.go         a fixed time of answering
//	types.go         the merge types of built-in kinds, and what feature gates do not emulate
//	                 of an older release; quantity.go refuses numbers that no server can read
//	unseen.go        what no file has of a stored object: JSON that is kept to the letter, and
//	                 what no client can see
//	order.go         the order of causes
package faithful

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// TypeConverter is a managedfields.TypeConverter over the embedded merge
// schemas. It does what upstream's does over schemas that it parses from
// OpenAPI definitions when a server starts.
type TypeConverter struct {
	Schemas *mergeschema.Set
	// Served are the group versions that the server has: for others it has
	// no type, and drops managed fields entries at them.
	Served func(schema.GroupVersion) bool
	// latest are those of the newest release; nil where that is the one that is run.
	latest *mergeschema.Set
	// None answers for kinds without a schema: its error is the one by which
	// the field manager knows that an entry's version is no longer served.
	None managedfields.TypeConverter
	// asTree has Go values looked at as JSON trees, made once instead of at each step of the
	// merge. That is right where one of the compared values is a tree already, as in an apply.
	// In updates, reflection distinguishes values with equal trees, such as the quantities 1Gi
	// and 1024Mi in a map.
	asTree bool
}

var _ managedfields.TypeConverter = (*TypeConverter)(nil)

// NewTypeConverter makes the converter of a release for the group versions that are served.
func NewTypeConverter(r mergeschema.Release, served func(schema.GroupVersion) bool) (*TypeConverter, error) {
	schemas, err := mergeschema.Open(r.Name())
	if err != nil {
		return nil, err
	}
	// later are the group versions that came after the release: the newest merge schemas have
	// kinds of them, its own have none.
	later := map[schema.GroupVersion]bool{}
	var latest *mergeschema.Set
	if r != mergeschema.Newest() {
		if latest, err = mergeschema.Open(mergeschema.Newest().Name()); err != nil {
			return nil, err
		}
		for _, kind := range latest.Kinds() {
			later[kind.GroupVersion()] = true
		}
		for _, kind := range schemas.Kinds() {
			delete(later, kind.GroupVersion())
		}
	}
	none, err := managedfields.NewTypeConverter(nil, false)
	if err != nil {
		return nil, err
	}
	return &TypeConverter{
		Schemas: schemas,
		Served:  func(gv schema.GroupVersion) bool { return served(gv) && !later[gv] },
		latest:  latest,
		None:    none,
	}, nil
}

// AsTree gives the converter for applies, which looks at Go values as trees.
func (c *TypeConverter) AsTree() *TypeConverter {
	other := *c
	other.asTree = true
	return &other
}

// At gives the converter of a group's endpoints. A server separates the merge types of the
// core group from all others (apiserver, InstallLegacyAPIGroup): an Event, which both
// serve, loses at one the entries of the other.
func (c *TypeConverter) At(group string) *TypeConverter {
	hidden := corev1.GroupName
	if group == corev1.GroupName {
		hidden = eventsv1.GroupName
	}
	other := *c
	other.Served = func(gv schema.GroupVersion) bool { return gv.Group != hidden && c.Served(gv) }
	return &other
}

// Find gives the merge type of a kind that is served.
func (c *TypeConverter) Find(kind schema.GroupVersionKind) (typed.ParseableType, bool) {
	if !c.Served(kind.GroupVersion()) {
		return typed.ParseableType{}, false
	}
	return c.Schemas.Type(kind)
}

// ServesGroup reports whether a built-in group is served, in any version.
func (c *TypeConverter) ServesGroup(name string) bool {
	return slices.ContainsFunc(c.Schemas.Kinds(), func(kind schema.GroupVersionKind) bool {
		return kind.Group == name && c.Served(kind.GroupVersion())
	})
}

// ObjectToTyped follows managedfields/internal/typeconverter.go.
func (c *TypeConverter) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	kind := obj.GetObjectKind().GroupVersionKind()
	t, ok := c.Find(kind)
	if !ok {
		return c.None.ObjectToTyped(obj, opts...)
	}
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return t.FromUnstructured(u.UnstructuredContent(), opts...)
	}
	if later := c.LaterFields(kind); c.asTree || later != nil {
		if content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj); err == nil {
			dropEmpty(content, later)
			return t.FromUnstructured(content, opts...)
		}
	}
	return t.FromStructured(obj, opts...)
}

// TypedToObject follows managedfields/internal/typeconverter.go.
func (c *TypeConverter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	return treeOf(value)
}

func treeOf(value *typed.TypedValue) (runtime.Object, error) {
	content, ok := value.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("typed value is no object but %T", value.AsValue().Unstructured())
	}
	return &unstructured.Unstructured{Object: content}, nil
}

// KindConverter is a converter for the one kind of a custom resource.
type KindConverter struct{ typed.ParseableType }

// ObjectToTyped takes trees and Go values.
func (c KindConverter) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	if tree, ok := obj.(*unstructured.Unstructured); ok {
		return c.FromUnstructured(tree.UnstructuredContent(), opts...)
	}
	return c.FromStructured(obj, opts...)
}

// TypedToObject gives a tree.
func (KindConverter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	return treeOf(value)
}

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
