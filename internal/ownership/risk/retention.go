package risk

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var statefulSet = schema.GroupKind{Group: "apps", Kind: "StatefulSet"}

// kind is that of the object.
func (f *finder) kind() schema.GroupKind {
	return schema.FromAPIVersionAndKind(f.Target.APIVersion, f.Target.Kind).GroupKind()
}

const claimRetention = ".spec.persistentVolumeClaimRetentionPolicy"

// scaledDown is for a StatefulSet that gets fewer Pods, and whose controller deletes the claims of
// those that go (kubernetes/kubernetes, pkg/controller/statefulset).
func (f *finder) scaledDown() []report.Finding {
	if f.kind() != statefulSet || f.Live == nil {
		return nil
	}
	after := f.Object
	if fieldtree.Value(after, "spec", "selector") == nil || f.Target.Subresource != "" {
		// A Scale has the number alone; the rest is as it was.
		after = f.Live
	}
	if fieldtree.Value(after, "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled") != "Delete" {
		return nil
	}
	was, before := fieldtree.Value(f.Live, "spec", "replicas").(int64)
	is, now := fieldtree.Value(f.Object, "spec", "replicas").(int64)
	if !before || !now || is >= was {
		return nil
	}
	claims := f.claims(is, was)
	if len(claims) == 0 {
		return nil
	}
	named := text.Names(claims)
	if n := int(was-is)*len(templates(f.Live)) - len(claims); n > 0 {
		named = text.New("%v and %v more", text.Name(strings.Join(claims, ", ")), text.Number(n))
	}
	return []report.Finding{f.risk(DeletesMore, writers.Replicas, f.Manager, text.New(
		"scaling to %v deletes the claims %v with their data: "+
			"the retention policy of the StatefulSet is whenScaled: Delete",
		text.Number(int(is)),
		named,
	))}
}

// maxClaims is how many claims a sentence names.
const maxClaims = 6

// claims are the first claims of the Pods of a StatefulSet from one number up to another, as its
// controller names them.
func (f *finder) claims(from, to int64) []string {
	start, _ := fieldtree.Value(f.Live, "spec", "ordinals", "start").(int64)
	var out []string
	for i := from; i < to && len(out) < maxClaims; i++ {
		for _, template := range templates(f.Live) {
			out = append(out, fmt.Sprintf("%s-%s-%d", template, f.Target.Name, start+i))
		}
	}
	return out
}

// templates are the names of the claims of each Pod of a StatefulSet.
func templates(object map[string]any) []string {
	list, _ := fieldtree.Value(object, "spec", "volumeClaimTemplates").([]any)
	var out []string
	for _, item := range list {
		claim, _ := item.(map[string]any)
		if name, _ := fieldtree.Value(claim, "metadata", "name").(string); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// unprotected are policies that a change sets to Delete: what is deleted later takes data along, which
// the live policy would keep.
func (f *finder) unprotected() []report.Finding {
	var says text.Text
	for _, c := range f.Changes {
		if c.Kind != report.Modified || c.After != "Delete" && !managedfields.Composite(c.After) {
			continue
		}
		switch {
		case f.kind() == schema.GroupKind{Kind: "PersistentVolume"} && c.Field == ".spec.persistentVolumeReclaimPolicy":
			if fieldtree.Value(f.Live, "spec", "claimRef") == nil {
				continue
			}
			says = text.New("once its claim is deleted, the volume is deleted with its data")
		case f.kind() == statefulSet && strings.HasPrefix(c.Field, claimRetention):
			says = text.New("from now on %v deletes the claims of its Pods with their data", text.Name(f.deletesWhen(c.Field)))
			if f.deletesWhen(c.Field) == "" || len(templates(f.Live)) == 0 {
				continue
			}
		default:
			continue
		}
		return []report.Finding{f.risk(DataUnprotected, c.Field, f.Manager, says)}
	}
	return nil
}

// deletesWhen says what of a StatefulSet deletes claims by a retention policy that has changed.
func (f *finder) deletesWhen(field string) string {
	var out []string
	for _, when := range []struct{ key, does string }{
		{"whenDeleted", "deleting the StatefulSet"}, {"whenScaled", "scaling it down"},
	} {
		path := []string{"spec", "persistentVolumeClaimRetentionPolicy", when.key}
		changed := fieldtree.Value(f.Object, path...) == "Delete" && fieldtree.Value(f.Live, path...) != "Delete"
		if changed && (field == claimRetention || field == claimRetention+"."+when.key) {
			out = append(out, when.does)
		}
	}
	return strings.Join(out, ", or ")
}

// released is for a Service whose load balancer is given back with its address.
func (f *finder) released() []report.Finding {
	c, changes := f.change(".spec.type")
	if f.kind() != (schema.GroupKind{Kind: "Service"}) || !changes || c.Before != "LoadBalancer" {
		return nil
	}
	addresses := f.addresses()
	says := text.New("its load balancer is deleted, and its address is given back")
	if len(addresses) > 0 {
		says = text.New("its load balancer is deleted, and its address %v is given back", text.Names(addresses))
	}
	return []report.Finding{f.risk(AddressReleased, c.Field, f.Manager, says)}
}

// addresses are those of the load balancer of a Service.
func (f *finder) addresses() []string {
	list, _ := fieldtree.Value(f.Live, "status", "loadBalancer", "ingress").([]any)
	var out []string
	for _, item := range list {
		ingress, _ := item.(map[string]any)
		for _, key := range []string{"ip", "hostname"} {
			if address, _ := ingress[key].(string); address != "" {
				out = append(out, address)
			}
		}
	}
	return out
}
