package custom

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/ptr"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// CheckDefinition reports why a CustomResourceDefinition cannot be served; nil
// when it can be.
func CheckDefinition(raw []byte) error {
	_, err := decodeDefinition(raw)
	return err
}

// StoredDefinition is a CustomResourceDefinition of any version as the server stores it:
// at v1, with defaults. The error is that of CheckDefinition.
func StoredDefinition(raw []byte) (map[string]any, error) {
	return api.Guarded(func() (map[string]any, error) {
		crd, err := decodeServed(raw)
		if err != nil {
			return nil, err
		}
		crd.TypeMeta = metav1.TypeMeta{
			APIVersion: apiextensionsv1.SchemeGroupVersion.String(),
			Kind:       "CustomResourceDefinition",
		}
		text, err := json.Marshal(crd)
		if err != nil {
			return nil, err
		}
		return jsontree.Decode(text)
	})
}

// decodeDefinition reads a CustomResourceDefinition of any version, fills in
// defaults as the server does, and accepts its names as the server's naming
// controller does, unless its status says otherwise.
func decodeDefinition(raw []byte) (*apiextensionsv1.CustomResourceDefinition, error) {
	return api.Guarded(func() (*apiextensionsv1.CustomResourceDefinition, error) {
		crd, err := decodeServed(raw)
		if err != nil {
			return nil, err
		}
		return establish(crd, "defined"), nil
	})
}

// decodeServed reads a definition that can be served, at v1.
func decodeServed(raw []byte) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd, err := decodeNamed(raw)
	if err == nil {
		err = light(crd)
	}
	if err != nil {
		return nil, fmt.Errorf("read CustomResourceDefinition: %w", err)
	}
	return crd, nil
}

// decodeNamed reads a definition at v1. It refuses names that a server does not accept: what
// is made of them later relies on that.
func decodeNamed(raw []byte) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd, err := decodeAtV1(raw)
	if err != nil {
		return nil, err
	}
	for _, v := range crd.Spec.Versions {
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
		if !definable(kind) {
			return nil, fmt.Errorf("no server accepts a definition of %q", kind)
		}
	}
	return crd, nil
}

// decodeAtV1 reads a definition at v1, or at v1beta1, which is converted by way of the
// internal version.
func decodeAtV1(raw []byte) (*apiextensionsv1.CustomResourceDefinition, error) {
	as := apiextensionsv1.SchemeGroupVersion
	if said, ok := jsontree.Texts(raw, "apiVersion"); ok && len(said) == 1 &&
		string(said[0]) == `"`+apiextensionsv1beta1.SchemeGroupVersion.String()+`"` {
		as = apiextensions.SchemeGroupVersion
	}
	obj, err := runtime.Decode(apiextensionsapiserver.Codecs.UniversalDecoder(as), raw)
	if err != nil {
		return nil, err
	}
	switch obj := obj.(type) {
	case *apiextensionsv1.CustomResourceDefinition:
		return obj, nil
	case *apiextensions.CustomResourceDefinition:
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := apiextensionsapiserver.Scheme.Convert(obj, crd, nil); err != nil {
			return nil, err
		}
		apiextensionsapiserver.Scheme.Default(crd)
		return crd, nil
	}
	return nil, fmt.Errorf("it is a %T", obj)
}

// establish makes a definition as the server's controllers leave it: served, unless its
// status says otherwise. The uid distinguishes definitions of one name.
func establish(crd *apiextensionsv1.CustomResourceDefinition, uid string) *apiextensionsv1.CustomResourceDefinition {
	crd.UID = types.UID(uid)
	crd.Status.AcceptedNames = crd.Spec.Names
	crd.DeletionTimestamp = nil
	judged := apihelpers.FindCRDCondition(crd, apiextensionsv1.NamesAccepted) != nil ||
		apihelpers.FindCRDCondition(crd, apiextensionsv1.Established) != nil
	for _, needed := range []apiextensionsv1.CustomResourceDefinitionConditionType{
		apiextensionsv1.NamesAccepted, apiextensionsv1.Established,
	} {
		if apihelpers.FindCRDCondition(crd, needed) == nil {
			status := apiextensionsv1.ConditionTrue
			if judged {
				status = apiextensionsv1.ConditionFalse
			}
			crd.Status.Conditions = append(
				crd.Status.Conditions,
				apiextensionsv1.CustomResourceDefinitionCondition{Type: needed, Status: status},
			)
		}
	}
	for i := range crd.Status.Conditions {
		// The handler waits for definitions that are younger than two seconds.
		crd.Status.Conditions[i].LastTransitionTime = metav1.Unix(1, 0)
	}
	return crd
}

// unestablished is why the handler serves no object of a definition; empty where it does
// (apiextensions-apiserver, apiserver/customresource_handler.go).
func unestablished(crd *apiextensionsv1.CustomResourceDefinition) string {
	if apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.NamesAccepted) ||
		apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Established) {
		return ""
	}
	why := ""
	if c := apihelpers.FindCRDCondition(crd, apiextensionsv1.NamesAccepted); c.Message != "" {
		why = ": " + c.Message
	}
	return fmt.Sprintf("CustomResourceDefinition %q is not established%s", crd.Name, why)
}

// servedAt gives the definition that serves a version, and only that where it can: the
// rules of each served version are compiled. The warning about a deprecated one names
// another that is served.
//
// Where a webhook converts between the versions, it stores the version of the call: a
// server reads and writes the stored version by the webhook, but what it hands to the
// client is what is at hand here already, so that only another version than the call's
// needs a conversion.
func servedAt(crd *apiextensionsv1.CustomResourceDefinition, version string) *apiextensionsv1.CustomResourceDefinition {
	converts := crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
	served := ServedVersion(crd, version)
	alone := len(crd.Spec.Versions) > 1 && served != nil && !served.Deprecated
	if !converts && !alone {
		return crd
	}
	at := *crd
	at.Spec.Versions = slices.Clone(crd.Spec.Versions)
	for i := range at.Spec.Versions {
		v := &at.Spec.Versions[i]
		v.Served = v.Served && (v.Name == version || !alone)
		if converts {
			v.Storage = v.Name == version
		}
	}
	if converts {
		// The webhook cannot be called.
		at.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
			Strategy: apiextensionsv1.WebhookConverter,
			Webhook: &apiextensionsv1.WebhookConversion{
				ConversionReviewVersions: []string{"v1"},
				ClientConfig: &apiextensionsv1.WebhookClientConfig{
					Service: &apiextensionsv1.ServiceReference{Namespace: "none", Name: "none", Port: ptr.To[int32](443)},
				},
			},
		}
	}
	return &at
}

// undefined is the definition of an undefined kind: without a schema, every key is a field
// and every list atomic. It has the scope of the call, and the subresources that the live
// object's managed fields show.
func undefined(call api.Request) *apiextensionsv1.CustomResourceDefinition {
	scope := apiextensionsv1.ClusterScoped
	if call.Namespace != "" {
		scope = apiextensionsv1.NamespaceScoped
	}
	version := apiextensionsv1.CustomResourceDefinitionVersion{
		Name: call.Kind.Version, Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: ptr.To(true)},
		},
	}
	uid := []string{"undefined", call.Kind.Version, string(scope)}
	seen := witnessedSubresources(call)
	if seen["status"] || seen["scale"] {
		version.Subresources = &apiextensionsv1.CustomResourceSubresources{}
	}
	if seen["status"] {
		uid = append(uid, "status")
		version.Subresources.Status = &apiextensionsv1.CustomResourceSubresourceStatus{}
	}
	if seen["scale"] {
		uid = append(uid, "scale")
		version.Subresources.Scale = &apiextensionsv1.CustomResourceSubresourceScale{
			SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas",
		}
	}
	crd := &apiextensionsv1.CustomResourceDefinition{
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: call.Kind.Group,
			Scope: scope,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural:   guessResource(call.Kind),
				Singular: strings.ToLower(call.Kind.Kind),
				Kind:     call.Kind.Kind,
				ListKind: call.Kind.Kind + "List",
			},
			Versions:   []apiextensionsv1.CustomResourceDefinitionVersion{version},
			Conversion: &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter},
		},
	}
	crd.Name = crd.Spec.Names.Plural + "." + crd.Spec.Group
	return establish(crd, strings.Join(uid, "-"))
}

func guessResource(kind schema.GroupVersionKind) string {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.Resource
}

func witnessedSubresources(call api.Request) map[string]bool {
	seen := map[string]bool{call.Subresource: true}
	var live struct {
		Metadata struct {
			ManagedFields []struct {
				Subresource string `json:"subresource"`
			} `json:"managedFields"`
		} `json:"metadata"`
	}
	if call.Live != nil && json.Unmarshal(call.Live, &live) == nil {
		for _, entry := range live.Metadata.ManagedFields {
			seen[entry.Subresource] = true
		}
	}
	return seen
}

// An unknown kind is custom, or of an aggregated API server. The rules for names are those
// of apiextensions-apiserver (pkg/apis/apiextensions/validation) and kube-aggregator
// (pkg/apis/apiregistration/validation).

// NameableVersion reports whether any server can serve the group version.
func NameableVersion(gv schema.GroupVersion) bool {
	return len(validation.IsDNS1123Subdomain(gv.Group)) == 0 && len(validation.IsDNS1035Label(gv.Version)) == 0
}

// definable reports whether a CustomResourceDefinition can define the kind.
func definable(kind schema.GroupVersionKind) bool {
	return NameableVersion(kind.GroupVersion()) && strings.Contains(kind.Group, ".") &&
		len(validation.IsDNS1035Label(strings.ToLower(kind.Kind))) == 0
}
