package admission

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// policyTypes are the merge types by which apply configurations of policies are
// merged. A server reads them from its OpenAPI documents.
type policyTypes struct{ served servedKinds }

var _ patch.TypeConverterManager = policyTypes{}

// GetTypeConverter gives nil for a kind that is not served.
func (t policyTypes) GetTypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	return t.served.TypeConverter(kind)
}

// Run has nothing to do: the types are there from the beginning.
func (policyTypes) Run(context.Context) {}

// changedFields are the fields in which two objects of a kind differ, sorted;
// nil where they cannot be compared.
func (t policyTypes) changedFields(before, after runtime.Object, a admission.Attributes, o admission.ObjectInterfaces) []string {
	converter := t.GetTypeConverter(a.GetKind())
	if converter == nil {
		return nil
	}
	as := func(object runtime.Object) (*typed.TypedValue, error) {
		if _, tree := object.(*unstructured.Unstructured); !tree {
			versioned, err := o.GetObjectConvertor().ConvertToVersion(object, a.GetKind().GroupVersion())
			if err != nil {
				return nil, err
			}
			object = versioned
		}
		return converter.ObjectToTyped(object, typed.AllowDuplicates)
	}
	old, err := as(before)
	if err != nil {
		return nil
	}
	changed, err := as(after)
	if err != nil {
		return nil
	}
	difference, err := old.Compare(changed)
	if err != nil {
		return nil
	}
	var fields []string
	difference.Added.Union(difference.Modified).Union(difference.Removed).Iterate(func(p fieldpath.Path) {
		fields = append(fields, p.String())
	})
	return fields
}
