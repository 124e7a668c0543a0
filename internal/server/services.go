package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	core "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	netutils "k8s.io/utils/net"

	admit "github.com/ssactl/ssactl/internal/server/admission"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/faithful"
)

// judgeAddresses judges the IPAddresses that a server makes for a Service, as its allocator
// of cluster IPs does (pkg/registry/core/service/storage/alloc.go): after the allocation,
// and not for a dry run.
func judgeAddresses(store *genericregistry.Store) {
	create, update := store.BeginCreate, store.BeginUpdate
	store.BeginCreate = func(
		ctx context.Context, obj runtime.Object, options *metav1.CreateOptions,
	) (genericregistry.FinishFunc, error) {
		finish, err := create(ctx, obj, options)
		if err != nil {
			return finish, err
		}
		return judged(ctx, finish, obj.(*core.Service), nil, len(options.DryRun) > 0)
	}
	store.BeginUpdate = func(
		ctx context.Context, obj, old runtime.Object, options *metav1.UpdateOptions,
	) (genericregistry.FinishFunc, error) {
		finish, err := update(ctx, obj, old, options)
		if err != nil {
			return finish, err
		}
		return judged(ctx, finish, obj.(*core.Service), old.(*core.Service), len(options.DryRun) > 0)
	}
}

// judged ends the write where an address or a port that it allocates is refused. Addresses of a dry run
// are not made.
func judged(
	ctx context.Context,
	finish genericregistry.FinishFunc,
	service, before *core.Service,
	dryRun bool,
) (genericregistry.FinishFunc, error) {
	err := error(nil)
	if !dryRun {
		err = judgeNewAddresses(ctx, service, before)
	}
	if err == nil {
		err = serverIn(ctx).judgePorts(service, before)
	}
	if err != nil {
		finish(ctx, false)
		return nil, err
	}
	return finish, nil
}

// judgeNewAddresses judges those that a Service did not have before.
func judgeNewAddresses(ctx context.Context, service, before *core.Service) error {
	for _, address := range service.Spec.ClusterIPs {
		if address == "" || address == core.ClusterIPNone ||
			before != nil && slices.Contains(before.Spec.ClusterIPs, address) {
			continue
		}
		if err := serverIn(ctx).judgeAddress(ctx, service, address); err != nil {
			return refusedAddress(service, address, err)
		}
	}
	return nil
}

// refusedAddress is the server's refusal, without placeholder addresses.
func refusedAddress(service *core.Service, address string, err error) error {
	asked := slices.Clone(service.Spec.ClusterIPs)
	for i, ip := range asked {
		if faithful.IsPlaceholderAddress(ip) {
			asked[i] = ""
		}
	}
	detail := fmt.Sprintf("failed to allocate IP %v: %v", address, err)
	if faithful.IsPlaceholderAddress(address) {
		detail = fmt.Sprintf("failed to allocate IP: %v", err)
	}
	return apierrors.NewInvalid(core.Kind("Service"), service.Name,
		field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs"), asked, detail)})
}

// apiServer is who makes IPAddresses.
var apiServer = &user.DefaultInfo{
	Name:   user.APIServerUser,
	Groups: []string{user.AllAuthenticated, user.SystemPrivilegedGroup},
}

// unknownAddress stands in a refusal for an address that only a server allocates.
const unknownAddress = "(allocated)"

// judgeAddress creates an IPAddress, where that may have an effect.
func (s *Server) judgeAddress(ctx context.Context, service *core.Service, address string) error {
	addresses := schema.GroupResource{Group: networkingv1.GroupName, Resource: "ipaddresses"}
	if !s.admit.Judges.MayMatch(addresses, admission.Create) && !s.admit.Judges.MayCall(addresses, admission.Create) {
		return nil
	}
	body, err := json.Marshal(addressOf(service, address))
	if err != nil {
		return err
	}
	answer, err := s.serve(request.WithUser(ctx, apiServer), api.Request{
		Verb: api.Create, Kind: networkingv1.SchemeGroupVersion.WithKind("IPAddress"), Name: address, Body: body,
		UserAgent: "kube-apiserver",
	})
	if err != nil {
		return err
	}
	admit.RecordIn(ctx).Add(answer.Unsimulated)
	if answer.Code < http.StatusMultipleChoices {
		return nil
	}
	var status metav1.Status
	if err := json.Unmarshal(answer.Body, &status); err != nil {
		return err
	}
	if faithful.IsPlaceholderAddress(address) {
		status.Message = strings.ReplaceAll(status.Message, address, unknownAddress)
	}
	return errors.New(status.Message)
}

// addressOf is the IPAddress of a cluster IP
// (pkg/registry/core/service/ipallocator/ipallocator.go).
func addressOf(service *core.Service, address string) *networkingv1.IPAddress {
	family := core.IPv4Protocol
	if netutils.IsIPv6String(address) {
		family = core.IPv6Protocol
	}
	return &networkingv1.IPAddress{
		TypeMeta: metav1.TypeMeta{APIVersion: networkingv1.SchemeGroupVersion.String(), Kind: "IPAddress"},
		ObjectMeta: metav1.ObjectMeta{Name: address, Labels: map[string]string{
			networkingv1.LabelIPAddressFamily: string(family),
			networkingv1.LabelManagedBy:       ipallocator.ControllerName,
		}},
		Spec: networkingv1.IPAddressSpec{
			ParentRef: &networkingv1.ParentReference{Resource: "services", Namespace: service.Namespace, Name: service.Name},
		},
	}
}

// serviceSpec is the part of a Service that allocators of a cluster decide.
type serviceSpec struct {
	Spec struct {
		ClusterIPs []string `json:"clusterIPs"`
		Ports      []struct {
			NodePort int `json:"nodePort"`
		} `json:"ports"`
	} `json:"spec"`
}

// serviceCaveats say what only the cluster's allocators know: whether the requested
// addresses and ports of a Service are free and, without the range, valid.
func (s *Server) serviceCaveats(call api.Request, r api.Response) []api.Caveat {
	if !faithful.Allocates(call.Kind.GroupKind()) || call.Verb == api.Delete {
		return nil
	}
	if !s.rangesKnown() &&
		(r.Code >= http.StatusMultipleChoices && asksFamily(r.Body) || r.Code == http.StatusCreated && asksFamily(r.Stored)) {
		return []api.Caveat{{Kind: api.Input, Field: ".spec.ipFamilyPolicy",
			Message: "The cluster's service-cluster-ip-range is not known: IPv4 is taken for its only IP family."}}
	}
	if r.Code >= http.StatusMultipleChoices || bytes.Equal(r.Stored, call.Live) {
		return nil
	}
	var before, after serviceSpec
	if json.Unmarshal(r.Stored, &after) != nil || call.Live != nil && json.Unmarshal(call.Live, &before) != nil {
		return nil
	}
	return s.freeCaveats(before, after)
}

// freeCaveats say that it is not known whether what a Service requests anew is free.
func (s *Server) freeCaveats(before, after serviceSpec) []api.Caveat {
	var out []api.Caveat
	asked := func(a string) bool { return a != "None" && !slices.Contains(before.Spec.ClusterIPs, a) }
	if i := slices.IndexFunc(after.Spec.ClusterIPs, asked); i >= 0 {
		within := ""
		if !s.rangesKnown() {
			within = ", and within the cluster's range,"
		}
		out = append(out, api.Caveat{Kind: api.Input, Field: ".spec.clusterIPs",
			Message: fmt.Sprintf("Whether the cluster IP %s is free%s is not known.", after.Spec.ClusterIPs[i], within)})
	}
	for _, port := range after.Spec.Ports {
		if port.NodePort != 0 && !slices.Contains(before.Spec.Ports, port) {
			return append(out, api.Caveat{Kind: api.Input, Field: ".spec.ports",
				Message: fmt.Sprintf("Whether the node port %d is free is not known.", port.NodePort)})
		}
	}
	return out
}

// asksFamily reports whether an answer depends on the IP families of the cluster.
func asksFamily(object []byte) bool {
	return bytes.Contains(object, []byte("DualStack")) || bytes.Contains(object, []byte("configured on this cluster"))
}
