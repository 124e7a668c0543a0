package flux

import (
	"cmp"
	"crypto/x509"
	"encoding/base64"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
)

// normalized is a manifest as its Go type writes it (fluxcd/pkg/ssa,
// normalize/normalize.go): fields that the type lacks are gone, ports have a protocol,
// and what stringData has is in data. Kinds without a type in client-go stay. Dropped are
// the fields that are gone.
func normalized(w engine.Write, manifest map[string]any) (out map[string]any, dropped []error) {
	definition := w.Kind.Kind == "CustomResourceDefinition" && w.Kind.Group == "apiextensions.k8s.io"
	bundle := []string{"spec", "conversion", "webhook", "clientConfig", "caBundle"}
	if definition && isNoCA(objects.Text(manifest, bundle...)) {
		unstructured.RemoveNestedField(manifest, bundle...)
	}
	roles := w.Kind.GroupVersion().String() == "rbac.authorization.k8s.io/v1" &&
		(w.Kind.Kind == "Role" || w.Kind.Kind == "ClusterRole")
	if roles {
		return manifest, nil
	}
	typed, err := guard.Value(func() (map[string]any, error) {
		object, err := scheme.Scheme.New(w.Kind)
		if err != nil {
			return nil, err
		}
		err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(manifest, object, true)
		if strict, is := runtime.AsStrictDecodingError(err); is {
			dropped = strict.Errors()
		} else if err != nil {
			return nil, err
		}
		defaultProtocols(object)
		return runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	})
	if err == nil {
		manifest = typed
	}
	_ = unstructured.SetNestedField(manifest, nil, "metadata", "creationTimestamp")
	if !definition {
		delete(manifest, "status")
	}
	return manifest, dropped
}

// isNoCA reports whether a text in place of a CA bundle has no certificate (fluxcd/pkg/ssa,
// utils/cert_validation.go).
func isNoCA(bundle string) bool {
	decoded, err := base64.StdEncoding.DecodeString(bundle)
	return err != nil || len(decoded) > 0 && !x509.NewCertPool().AppendCertsFromPEM(decoded)
}

// defaultProtocols fills in what upstream fills in, and moves stringData to data.
func defaultProtocols(object runtime.Object) {
	switch o := object.(type) {
	case *corev1.Service:
		for i := range o.Spec.Ports {
			o.Spec.Ports[i].Protocol = cmp.Or(o.Spec.Ports[i].Protocol, corev1.ProtocolTCP)
		}
	case *corev1.Secret:
		if len(o.StringData) > 0 && o.Data == nil {
			o.Data = map[string][]byte{}
		}
		for key, value := range o.StringData {
			o.Data[key] = []byte(value)
		}
		o.StringData = nil
	}
	if spec := podSpecOf(object); spec != nil {
		for c := range spec.Containers {
			for i := range spec.Containers[c].Ports {
				port := &spec.Containers[c].Ports[i]
				port.Protocol = cmp.Or(port.Protocol, corev1.ProtocolTCP)
			}
		}
	}
}

// podSpecOf is the Pod spec of a workload; nil for other kinds.
func podSpecOf(object runtime.Object) *corev1.PodSpec {
	switch o := object.(type) {
	case *corev1.Pod:
		return &o.Spec
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec
	case *batchv1.Job:
		return &o.Spec.Template.Spec
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec
	}
	return nil
}
