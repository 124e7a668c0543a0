package load

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
)

// clusterScoped are the built-in kinds without a namespace. A test compares them with the
// discovery of a running server.
var clusterScoped = sets.New(
	kind("", "ComponentStatus"), kind("", "Namespace"), kind("", "Node"), kind("", "PersistentVolume"),
	kind("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
	kind("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
	kind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
	kind("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
	kind("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
	kind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
	kind("apiextensions.k8s.io", "CustomResourceDefinition"), kind("apiregistration.k8s.io", "APIService"),
	kind("certificates.k8s.io", "CertificateSigningRequest"),
	kind("certificates.k8s.io", "ClusterTrustBundle"), kind("flowcontrol.apiserver.k8s.io", "FlowSchema"),
	kind("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
	kind("internal.apiserver.k8s.io", "StorageVersion"), kind("networking.k8s.io", "IPAddress"),
	kind("networking.k8s.io", "IngressClass"), kind("networking.k8s.io", "ServiceCIDR"),
	kind("node.k8s.io", "RuntimeClass"), kind("rbac.authorization.k8s.io", "ClusterRole"),
	kind("rbac.authorization.k8s.io", "ClusterRoleBinding"), kind("resource.k8s.io", "DeviceClass"),
	kind("resource.k8s.io", "DeviceTaintRule"), kind("resource.k8s.io", "ResourcePoolStatusRequest"),
	kind("resource.k8s.io", "ResourceSlice"), kind("scheduling.k8s.io", "PriorityClass"),
	kind("storage.k8s.io", "CSIDriver"), kind("storage.k8s.io", "CSINode"), kind("storage.k8s.io", "StorageClass"),
	kind("storage.k8s.io", "VolumeAttachment"), kind("storage.k8s.io", "VolumeAttributesClass"),
	kind("storagemigration.k8s.io", "StorageVersionMigration"),
)

// unstored are the built-in kinds that are requests or views: no server stores them.
var unstored = sets.New(
	kind("", "Binding"), kind("", "ComponentStatus"), kind("apps", "Scale"), kind("autoscaling", "Scale"),
	kind("policy", "Eviction"), kind("authentication.k8s.io", "TokenRequest"),
	kind("authentication.k8s.io", "TokenReview"), kind("authentication.k8s.io", "SelfSubjectReview"),
	kind("authorization.k8s.io", "SubjectAccessReview"), kind("authorization.k8s.io", "LocalSubjectAccessReview"),
	kind("authorization.k8s.io", "SelfSubjectAccessReview"),
	kind("authorization.k8s.io", "SelfSubjectRulesReview"), kind("imagepolicy.k8s.io", "ImageReview"),
)

func kind(group, name string) schema.GroupKind { return schema.GroupKind{Group: group, Kind: name} }

// Namespaced reports whether objects of a built-in kind are in namespaces.
func Namespaced(apiVersion, name string) bool {
	return !clusterScoped.Has(schema.FromAPIVersionAndKind(apiVersion, name).GroupKind())
}

// Resource is the plural name by which objects of a built-in kind are stored.
func Resource(apiVersion, name string) string {
	return resourceOf(schema.FromAPIVersionAndKind(apiVersion, name)).Resource
}

// resourceOf is the resource of a built-in kind. Ingresses and events are stored once, though
// two groups have them.
func resourceOf(of schema.GroupVersionKind) schema.GroupResource {
	plural, _ := meta.UnsafeGuessKindToResource(of)
	switch resource := plural.GroupResource(); {
	case resource.Group == "extensions":
		return schema.GroupResource{Group: "networking.k8s.io", Resource: resource.Resource}
	case resource == schema.GroupResource{Group: "events.k8s.io", Resource: "events"}:
		return schema.GroupResource{Resource: "events"}
	default:
		return resource
	}
}
