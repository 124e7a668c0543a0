package server

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
	core "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
)

// judgePorts refuses a Service that asks for a node port which another one of the cluster holds, as the
// allocator does (pkg/registry/core/service/storage/alloc.go). Before is nil for a new Service.
func (s *Server) judgePorts(service, before *core.Service) error {
	asked := portsOf(service)
	if before != nil {
		had := portsOf(before)
		asked = slices.DeleteFunc(asked, func(port int32) bool { return slices.Contains(had, port) })
	}
	if len(asked) == 0 {
		return nil
	}
	held, err := s.portsHeld(service.Namespace, service.Name)
	if err != nil {
		return err
	}
	for i, port := range service.Spec.Ports {
		if slices.Contains(asked, port.NodePort) && held[port.NodePort] {
			return apierrors.NewInvalid(core.Kind("Service"), service.Name, field.ErrorList{field.Invalid(
				field.NewPath("spec", "ports").Index(i).Child("nodePort"), port.NodePort, portallocator.ErrAllocated.Error(),
			)})
		}
	}
	if port := service.Spec.HealthCheckNodePort; slices.Contains(asked, port) && held[port] {
		return apierrors.NewInternalError(
			fmt.Errorf("failed to allocate requested HealthCheck NodePort %v: %w", port, portallocator.ErrAllocated))
	}
	return nil
}

// portsOf are the node ports of a Service.
func portsOf(service *core.Service) []int32 {
	var out []int32
	for _, port := range service.Spec.Ports {
		out = append(out, port.NodePort)
	}
	out = append(out, service.Spec.HealthCheckNodePort)
	return slices.DeleteFunc(out, func(port int32) bool { return port == 0 })
}

// portsHeld are the node ports of all Services that are known but one.
func (s *Server) portsHeld(namespace, name string) (map[int32]bool, error) {
	list, err := s.admit.Given.Informers.Core().V1().Services().Lister().List(labels.Everything())
	held := map[int32]bool{}
	for _, other := range list {
		if other.Namespace == namespace && other.Name == name {
			continue
		}
		for _, port := range heldBy(other) {
			held[port] = true
		}
	}
	return held, err
}

// heldBy are the node ports of a Service of the cluster: one of another type gave them back.
func heldBy(service *corev1.Service) []int32 {
	var out []int32
	if t := service.Spec.Type; t == corev1.ServiceTypeNodePort || t == corev1.ServiceTypeLoadBalancer {
		for _, port := range service.Spec.Ports {
			out = append(out, port.NodePort)
		}
		out = append(out, service.Spec.HealthCheckNodePort)
	}
	return out
}
