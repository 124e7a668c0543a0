package load

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	admission "k8s.io/kubernetes/pkg/apis/admissionregistration"
	core "k8s.io/kubernetes/pkg/apis/core"
	netutils "k8s.io/utils/net"

	"github.com/ssactl/ssactl/internal/input/live"
)

// builtIn reports whether the API server itself has a kind.
func builtIn(of schema.GroupVersionKind) bool {
	return legacyscheme.Scheme.Recognizes(of) || aggregatorscheme.Scheme.Recognizes(of)
}

func (e *encoding) typed(o *live.Object) error {
	object, err := e.decode(o)
	if err != nil {
		return err
	}
	if err := e.store(object, schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)); err != nil {
		return err
	}
	return e.follow(o, object)
}

// decode is the object as the server has it in memory, in the namespace of its key.
func (e *encoding) decode(o *live.Object) (runtime.Object, error) {
	if unstored.Has(kind(o.Key.Group, o.Key.Kind)) {
		return nil, errors.New("the API server stores no objects of the kind")
	}
	_, codecs := e.sideOf(schema.FromAPIVersionAndKind(o.APIVersion, o.Kind))
	object, err := runtime.Decode(codecs.UniversalDecoder(), o.JSON())
	if err != nil {
		return nil, err
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		return nil, errors.New("the API server stores no objects of the kind")
	}
	metadata.SetNamespace(o.Key.Namespace)
	if service, ok := object.(*apiregistration.APIService); ok && service.Spec.Service != nil {
		return nil, fmt.Errorf(
			"it is served by the Service %s/%s, and ssactl serve opens no connection", service.Spec.Service.Namespace,
			service.Spec.Service.Name,
		)
	}
	return object, nil
}

// sideOf says which server has a built-in kind.
func (e *encoding) sideOf(of schema.GroupVersionKind) (generic.RESTOptionsGetter, serializer.CodecFactory) {
	if legacyscheme.Scheme.Recognizes(of) {
		return e.storages.Kube, legacyscheme.Codecs
	}
	return e.storages.Aggregator, aggregatorscheme.Codecs
}

func (e *encoding) store(object runtime.Object, of schema.GroupVersionKind) error {
	getter, _ := e.sideOf(of)
	options, err := e.optionsOf(getter, resourceOf(of), object)
	if err != nil {
		return err
	}
	return e.put(options, object, options.StorageConfig.Codec)
}

// follow notes what a stored object means for others.
func (e *encoding) follow(o *live.Object, object runtime.Object) error {
	switch object := object.(type) {
	case *core.Namespace:
		e.known[object.Name] = object.Status.Phase != core.NamespaceTerminating
	case *core.Service:
		return e.addresses(object)
	case *admission.MutatingWebhookConfiguration:
		for _, w := range object.Webhooks {
			e.loaded.Webhooks = append(e.loaded.Webhooks, object.Name+"/"+w.Name)
		}
	case *admission.ValidatingWebhookConfiguration:
		for _, w := range object.Webhooks {
			e.loaded.Webhooks = append(e.loaded.Webhooks, object.Name+"/"+w.Name)
		}
	}
	if o.Key.Kind == "IPAddress" && o.Key.Group == "networking.k8s.io" {
		e.ips[o.Key.Name] = true
	}
	return nil
}

// addresses makes the IPAddresses of a Service. Without them the server makes each itself, and
// says in an event of each that it was missing.
func (e *encoding) addresses(service *core.Service) error {
	for _, ip := range service.Spec.ClusterIPs {
		if ip == "" || ip == core.ClusterIPNone || e.ips[ip] {
			continue
		}
		e.ips[ip] = true
		family := "IPv4"
		if netutils.IsIPv6String(ip) {
			family = "IPv6"
		}
		if err := e.make("networking.k8s.io/v1", "IPAddress", map[string]any{
			"metadata": map[string]any{"name": ip, "labels": map[string]any{
				"ipaddress.kubernetes.io/ip-family":  family,
				"ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
			}},
			"spec": map[string]any{"parentRef": map[string]any{
				"resource": "services", "namespace": service.Namespace, "name": service.Name,
			}},
		}); err != nil {
			return err
		}
	}
	return nil
}
