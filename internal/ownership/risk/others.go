package risk

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Others are the objects of the inputs as far as a deletion of one of them concerns others: who owns whom,
// who calls which Service, and whose Pods use what. The zero value has none.
type Others struct {
	// owned are objects by the uid of each of their owners.
	owned map[string][]dependent
	// uids are those of all objects.
	uids map[string]bool
	// callers are by the Service that they call.
	callers map[[2]string][]caller
	// users are by what their Pods use.
	users map[used][]user
}

// Going reports whether a run deletes an object.
type Going func(kind schema.GroupKind, namespace, name string) bool

// dependent is an object with owners.
type dependent struct {
	kind         schema.GroupKind
	name, uid    string
	owners       []string
	data, silent bool
}

// caller is an object that has the API server call a Service.
type caller struct {
	kind schema.GroupKind
	name string
	says text.Text
}

// Add adds an object, decoded: only what owns, calls or uses.
func (o *Others) Add(kind schema.GroupKind, object map[string]any) {
	name := objects.Text(object, "metadata", "name")
	one := dependent{kind: kind, name: name, uid: objects.Text(object, "metadata", "uid"), silent: remade[kind],
		data: kind == schema.GroupKind{Kind: "PersistentVolumeClaim"} && objects.Text(object, "spec", "volumeName") != ""}
	for _, ref := range objects.Maps(objects.List(object, "metadata", "ownerReferences")) {
		if uid := objects.Text(ref, "uid"); uid != "" {
			one.owners = append(one.owners, uid)
		}
	}
	if o.owned == nil {
		o.owned, o.callers, o.users = map[string][]dependent{}, map[[2]string][]caller{}, map[used][]user{}
	}
	for _, uid := range one.owners {
		o.owned[uid] = append(o.owned[uid], one)
	}
	for service, says := range calls(kind, object) {
		o.callers[service] = append(o.callers[service], caller{kind, name, says})
	}
	for _, one := range usesOf(kind, object) {
		o.users[one] = append(o.users[one], user{kind, one.namespace, name})
	}
}

// Has notes that the inputs have an object of a uid.
func (o *Others) Has(uid string) {
	if o.uids == nil {
		o.uids = map[string]bool{}
	}
	o.uids[uid] = true
}

// Concerns reports whether the text of an object may have what Add takes.
func Concerns(kind schema.GroupKind, asJSON []byte) bool {
	return bytes.Contains(asJSON, []byte(`"ownerReferences"`)) ||
		Calls(kind) && bytes.Contains(asJSON, []byte(`"service"`)) || Uses(asJSON)
}

// Uses reports whether the text of an object may be of one that makes Pods.
func Uses(asJSON []byte) bool {
	return bytes.Contains(asJSON, []byte(`"containers"`)) && bytes.Contains(asJSON, []byte(`"template"`))
}

// Calls reports whether objects of a kind have the API server call Services.
func Calls(kind schema.GroupKind) bool { return callerKinds[kind] }

// remade are kinds of objects that are expected to go with their owner: the controllers of Kubernetes
// make them of it.
var remade = map[schema.GroupKind]bool{
	{Kind: "Pod"}: true, {Kind: "Endpoints"}: true, {Kind: "Event"}: true,
	{Group: "apps", Kind: "ReplicaSet"}: true, {Group: "apps", Kind: "ControllerRevision"}: true,
	{Group: "batch", Kind: "Job"}: true, {Group: "discovery.k8s.io", Kind: "EndpointSlice"}: true,
	{Group: "coordination.k8s.io", Kind: "Lease"}: true, {Group: "events.k8s.io", Kind: "Event"}: true,
	{Group: "resource.k8s.io", Kind: "ResourceClaim"}: true,
}

// collected are the objects that the garbage collector deletes with one: those all of whose owners are
// deleted, and so on; those with data first, then by kind and name.
func (o *Others) collected(uid string) []dependent {
	if uid == "" {
		return nil
	}
	gone, seen := map[string]bool{uid: true}, map[string]bool{}
	var out []dependent
	for next := []string{uid}; len(next) > 0; next = next[1:] {
		for _, d := range o.owned[next[0]] {
			stays := func(owner string) bool { return !gone[owner] }
			key := d.kind.String() + "/" + d.uid + "/" + d.name
			if seen[key] || slices.ContainsFunc(d.owners, stays) {
				continue
			}
			seen[key] = true
			if d.uid != "" && !gone[d.uid] {
				gone[d.uid] = true
				next = append(next, d.uid)
			}
			if !d.silent {
				out = append(out, d)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b dependent) int {
		switch {
		case a.data && !b.data:
			return -1
		case b.data && !a.data:
			return 1
		}
		return cmp.Or(cmp.Compare(a.kind.String(), b.kind.String()), cmp.Compare(a.name, b.name))
	})
	return out
}

// Taking adds to the risks of a result what others of the inputs lose by a deletion of the object; going
// reports whether the run deletes another one too.
func Taking(
	risks []report.Finding, r report.Result, others *Others, going Going,
) []report.Finding {
	f := finder{Result: r}
	says := f.ownedGo(others).And("; ", f.callersFail(others, going)).And("; ", f.usersFail(others, going))
	if says.IsZero() {
		return risks
	}
	for i, k := range risks {
		if k.Rule == DeletesMore && k.Field == "" {
			risks[i].Message, risks[i].Severity = k.Message.And("; ", says), report.SeverityError
			return risks
		}
	}
	return settled(append(risks, f.risk(DeletesMore, "", f.Manager, says)))
}

// Deletes reports whether a result deletes its live object, to create it again or not.
func Deletes(r report.Result) bool {
	f := finder{Result: r}
	deletes := r.Operation == report.Delete && r.Outcome == report.Configured
	return r.Live != nil && (deletes || r.Deleted || r.Recreated || marked(r.Object) && !marked(f.Live))
}

// ownedGo says what the garbage collector deletes with the object. Where it is created again, that is
// said of data alone: the rest is made anew.
func (f *finder) ownedGo(others *Others) text.Text {
	if slices.Contains(finalizersOf(f.Object), "orphan") {
		return text.Text{}
	}
	var data, rest []string
	for _, d := range others.collected(objects.Text(f.Live, "metadata", "uid")) {
		name := strings.ToLower(d.kind.Kind) + "/" + d.name
		switch {
		case d.data:
			data = append(data, name)
		case !f.Recreated:
			rest = append(rest, name)
		}
	}
	var says text.Text
	if len(data) > 0 {
		says = text.New(
			"deleting the object deletes %v, which it owns, with %v data, unless the reclaim policy of the volume is Retain",
			text.List(data, maxNamed, text.Name),
			text.Agree(len(data), "its", "their"),
		)
	}
	if len(rest) > 0 {
		says = says.And("; ", text.New("deleting the object deletes %v, which it owns", text.List(rest, maxNamed, text.Name)))
	}
	return says
}

// maxNamed is how many objects of one sort a message names.
const maxNamed = 8
