package settle

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
)

// meshes are the webhooks of service meshes that add a sidecar to a Pod when it is created, as
// its labels and annotations ask. What they add is not known, so that there is no writer to
// simulate: known is false where the write creates such a Pod. They do not look at the
// templates of workloads, and do not write again to a Pod that there is.
//
//	Istio    sidecar.istio.io/inject, istio.io/rev   istio/istio, pkg/kube/inject
//	Linkerd  linkerd.io/inject                       linkerd/linkerd2, pkg/inject
//	Consul   consul.hashicorp.com/connect-inject     hashicorp/consul-k8s, connect-inject
func (w Write) meshes(before *ownership.Object) ([]other, bool) {
	if w.Asked.Kind.Kind != "Pod" || w.Asked.Kind.Group != "" || before.Live != nil && !w.Result.Recreated {
		return nil, true
	}
	for _, in := range []string{"labels", "annotations"} {
		marks, _ := fieldtree.Value(w.Result.Object, "metadata", in).(map[string]any)
		for _, key := range meshMarks {
			if mark, _ := marks[key].(string); mark != "" && !isOff(mark) {
				return nil, false
			}
		}
	}
	return nil, true
}

var meshMarks = []string{
	"sidecar.istio.io/inject", "istio.io/rev", "linkerd.io/inject", "consul.hashicorp.com/connect-inject",
}

// isOff reports whether a mark says that there is to be no sidecar.
func isOff(mark string) bool {
	return strings.EqualFold(mark, "false") || mark == "disabled"
}
