package server

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// typeConverter is a managedfields.TypeConverter over the embedded merge
// schemas. It does what upstream's does over schemas that it parses from
// OpenAPI definitions when a server starts.
type typeConverter struct {
	schemas *mergeschema.Set
	// served are the group versions that the server has: for others it has
	// no type, and drops managed fields entries at them.
	served func(schema.GroupVersion) bool
	// latest are those of the newest release; nil where that is the one that is run.
	latest *mergeschema.Set
	// none answers for kinds without a schema: its error is the one by which
	// the field manager knows that an entry's version is no longer served.
	none managedfields.TypeConverter
	// form is how Go values are looked at.
	form valueForm
}

// valueForm is how a Go value becomes a typed one.
type valueForm int

const (
	// reflected: field by field through reflection, as upstream does it.
	reflected valueForm = iota
	// asTree: as the JSON tree that reflection sees in it, made once instead
	// of each time that the merge comes by. That is right where one of the
	// two values compared is a tree already, as in an apply. Of two Go values,
	// as in an update, reflection tells apart what their trees do not: the
	// quantities 1Gi and 1024Mi inside of a map's value, for one.
	asTree
)

var _ managedfields.TypeConverter = (*typeConverter)(nil)

func newTypeConverter(r release, served func(schema.GroupVersion) bool) (*typeConverter, error) {
	schemas, err := mergeschema.Open(r.Name())
	if err != nil {
		return nil, err
	}
	latest, err := r.latest()
	if err != nil {
		return nil, err
	}
	later := laterVersions(latest, schemas)
	none, err := managedfields.NewTypeConverter(nil, false)
	if err != nil {
		return nil, err
	}
	return &typeConverter{
		schemas: schemas,
		served:  func(gv schema.GroupVersion) bool { return served(gv) && !later[gv] },
		latest:  latest,
		none:    none,
		form:    reflected,
	}, nil
}

// as gives the converter with another form.
func (c *typeConverter) as(form valueForm) *typeConverter {
	other := *c
	other.form = form
	return &other
}

// at gives the converter of a group's endpoints. A server makes the merge types of
// the core group apart from those of all others (apiserver, InstallLegacyAPIGroup): an
// Event, which alone is served in two groups, loses at one the entries of the other.
func (c *typeConverter) at(group string) *typeConverter {
	hidden := corev1.GroupName
	if group == corev1.GroupName {
		hidden = eventsv1.GroupName
	}
	other := *c
	other.served = func(gv schema.GroupVersion) bool { return gv.Group != hidden && c.served(gv) }
	return &other
}

func (c *typeConverter) find(kind schema.GroupVersionKind) (typed.ParseableType, bool) {
	if !c.served(kind.GroupVersion()) {
		return typed.ParseableType{}, false
	}
	return c.schemas.Type(kind)
}

// ObjectToTyped follows managedfields/internal/typeconverter.go, but for the
// form.
func (c *typeConverter) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	kind := obj.GetObjectKind().GroupVersionKind()
	t, ok := c.find(kind)
	if !ok {
		return c.none.ObjectToTyped(obj, opts...)
	}
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return t.FromUnstructured(u.UnstructuredContent(), opts...)
	}
	if later := c.laterFields(kind); c.form == asTree || later != nil {
		if content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj); err == nil {
			dropEmpty(content, later)
			return t.FromUnstructured(content, opts...)
		}
	}
	return t.FromStructured(obj, opts...)
}

// TypedToObject follows managedfields/internal/typeconverter.go.
func (c *typeConverter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	return treeOf(value)
}

func treeOf(value *typed.TypedValue) (runtime.Object, error) {
	content, ok := value.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("typed value is no object but %T", value.AsValue().Unstructured())
	}
	return &unstructured.Unstructured{Object: content}, nil
}
