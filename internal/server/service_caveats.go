package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/faithful"
)

// serviceSpec is what of a Service the allocators of a cluster decide.
type serviceSpec struct {
	Spec struct {
		ClusterIPs []string `json:"clusterIPs"`
		Ports      []struct {
			NodePort int `json:"nodePort"`
		} `json:"ports"`
	} `json:"spec"`
}

// serviceCaveats say what only the cluster's allocators know about the addresses
// and ports that a Service asks for: whether they are free and, where the range
// is not set, whether there is such an address or IP family at all.
func (s *Server) serviceCaveats(call api.Request, r api.Response) []api.Caveat {
	if !faithful.Allocates(call.Kind.GroupKind()) || call.Verb == api.Delete {
		return nil
	}
	if !s.rangesKnown() && (r.Code >= http.StatusMultipleChoices && asksFamily(r.Body) || r.Code == http.StatusCreated && asksFamily(r.Stored)) {
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
	return append(s.addressCaveats(before, after), portCaveats(before, after)...)
}

// asksFamily reports whether an answer depends on the IP families of the cluster.
func asksFamily(object []byte) bool {
	return bytes.Contains(object, []byte("DualStack")) || bytes.Contains(object, []byte("configured on this cluster"))
}

func (s *Server) addressCaveats(before, after serviceSpec) []api.Caveat {
	for _, address := range after.Spec.ClusterIPs {
		if address == "None" || slices.Contains(before.Spec.ClusterIPs, address) {
			continue
		}
		message := fmt.Sprintf("Whether the cluster IP %s is free is not known.", address)
		if !s.rangesKnown() {
			message = fmt.Sprintf("Whether the cluster IP %s is free, and within the cluster's range, is not known.", address)
		}
		return []api.Caveat{{Kind: api.Input, Field: ".spec.clusterIPs", Message: message}}
	}
	return nil
}

func portCaveats(before, after serviceSpec) []api.Caveat {
	for _, port := range after.Spec.Ports {
		if port.NodePort != 0 && !slices.Contains(before.Spec.Ports, port) {
			return []api.Caveat{{Kind: api.Input, Field: ".spec.ports",
				Message: fmt.Sprintf("Whether the node port %d is free is not known.", port.NodePort)}}
		}
	}
	return nil
}
