package load

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
)

var definitionKind = kind("apiextensions.k8s.io", "CustomResourceDefinition")

// definition is what a CustomResourceDefinition says of its objects.
type definition struct {
	resource   schema.GroupResource
	namespaced bool
	versions   []string
	stored     string
	// converts: a webhook converts between versions, and is not called.
	converts bool
}

// define stores a definition as established: its kind is served from the start.
func (e *encoding) define(o *live.Object) error {
	decoded, err := runtime.Decode(apiextensionsapiserver.Codecs.UniversalDecoder(), o.JSON())
	if err != nil {
		return err
	}
	crd, ok := decoded.(*apiextensions.CustomResourceDefinition)
	if !ok {
		return fmt.Errorf("it is a %T", decoded)
	}
	d := definition{
		resource:   schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural},
		namespaced: crd.Spec.Scope == apiextensions.NamespaceScoped,
		converts:   crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensions.WebhookConverter,
	}
	for _, v := range crd.Spec.Versions {
		d.versions = append(d.versions, v.Name)
		if v.Storage {
			d.stored = v.Name
		}
	}
	if d.stored == "" {
		return errors.New("no version of it is stored")
	}
	of := kind(crd.Spec.Group, crd.Spec.Names.Kind)
	if _, twice := e.defined[of]; twice {
		return fmt.Errorf("%s has another definition", of)
	}
	establish(crd, d.stored)
	example := &apiextensions.CustomResourceDefinition{}
	options, err := e.optionsOf(e.storages.Definitions, schema.GroupResource{
		Group: definitionKind.Group, Resource: "customresourcedefinitions",
	}, example)
	if err != nil {
		return err
	}
	if err := e.put(options, crd, options.StorageConfig.Codec); err != nil {
		return err
	}
	e.defined[of] = d
	return nil
}

func establish(crd *apiextensions.CustomResourceDefinition, stored string) {
	if apiextensions.IsCRDConditionTrue(crd, apiextensions.Established) {
		return
	}
	crd.Status.AcceptedNames = crd.Spec.Names
	if len(crd.Status.StoredVersions) == 0 {
		crd.Status.StoredVersions = []string{stored}
	}
	for _, of := range []apiextensions.CustomResourceDefinitionConditionType{
		apiextensions.NamesAccepted, apiextensions.Established,
	} {
		apiextensions.SetCRDCondition(crd, apiextensions.CustomResourceDefinitionCondition{
			Type: of, Status: apiextensions.ConditionTrue, LastTransitionTime: metav1.Now(),
			Reason: "Loaded", Message: "loaded from a dump",
		})
	}
}

// custom stores an object that a definition of the dump defines: at the storage version, or at
// its own where only a webhook could convert it.
func (e *encoding) custom(o *live.Object) error {
	d, ok := e.defined[kind(o.Key.Group, o.Key.Kind)]
	if !ok {
		return errors.New("no CustomResourceDefinition of its kind was given: add it with --crds")
	}
	decoded, err := o.Decode()
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{Object: decoded}
	version := schema.FromAPIVersionAndKind(o.APIVersion, o.Kind).Version
	switch {
	case !slices.Contains(d.versions, version):
		return fmt.Errorf("its CustomResourceDefinition has no version %s", version)
	case !d.converts:
		object.SetAPIVersion(d.resource.Group + "/" + d.stored)
	}
	switch {
	case !d.namespaced:
		object.SetNamespace("")
	case object.GetNamespace() == "":
		object.SetNamespace(defaultNamespace)
	}
	options, err := e.optionsOf(e.storages.Custom, d.resource, nil)
	if err != nil {
		return err
	}
	return e.put(options, object, unstructured.UnstructuredJSONScheme)
}
