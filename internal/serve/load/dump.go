package load

import (
	"errors"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// snapshotGroup is the group of the document that says of a snapshot when it was taken.
const snapshotGroup = "ssactl.dev"

// Dump is what files have.
type Dump struct {
	objects []*live.Object
	// definitions are CustomResourceDefinitions of other files.
	definitions []*live.Object
	// snapshots are the files that are snapshots.
	snapshots []string
	// Accounts makes the default ServiceAccounts that namespaces lack, as their controller does.
	Accounts bool
}

// Read reads dumps and definitions. The error says all that could not be read: nothing is to be
// served then. Without a path there is nothing in it.
func Read(dumps, definitions []string, options manifest.Options) (*Dump, error) {
	d := &Dump{}
	var problems []error
	for _, in := range []struct {
		paths []string
		to    *[]*live.Object
	}{{dumps, &d.objects}, {definitions, &d.definitions}} {
		if len(in.paths) == 0 {
			continue
		}
		options := options
		options.Beside = func(id manifest.Identity) bool { return id.Group() == snapshotGroup }
		options.OnBeside = func(of manifest.Document) { d.snapshots = append(d.snapshots, of.Source.File) }
		options.Refuse = refuseMasked
		index, errs := live.Load(in.paths, live.Options{Input: options, KeyOf: keyOf, HoldBytes: 16 << 20})
		problems = append(problems, errs...)
		*in.to = index.Objects()
	}
	return d, errors.Join(problems...)
}

// refuseMasked is the error of a Secret that was printed with masks instead of values: a client
// would take them for these.
func refuseMasked(d manifest.Document) (fieldpath.Path, error) {
	if !redact.MentionsMask(d.JSON()) {
		return nil, nil
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil || redact.Masked(object) == nil {
		// Decoding it for the server reports what is wrong.
		return nil, nil
	}
	return nil, errors.New("a value of the Secret is masked: fetch it with kubectl get -o yaml --show-managed-fields")
}

// Keys are those of all objects.
func (d *Dump) Keys() map[live.Key]bool {
	keys := map[live.Key]bool{}
	for _, o := range slices.Concat(d.definitions, d.objects) {
		keys[o.Key] = true
	}
	return keys
}

// keyOf is the key of an object; a built-in one without a namespace is in default, as for
// kubectl.
func keyOf(id manifest.Identity) live.Key {
	key := live.KeyOf(id)
	if !builtIn(schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)) {
		return key
	}
	switch namespaced := Namespaced(id.APIVersion, id.Kind); {
	case !namespaced:
		key.Namespace = ""
	case key.Namespace == "":
		key.Namespace = defaultNamespace
	}
	return key
}

const defaultNamespace = "default"

// ServiceCIDR is the range that the cluster of the dump has for Services: what its ServiceCIDR
// says, else the smallest with the cluster IP of the Service kubernetes as its first address
// and all others in it; empty if the dump does not say.
func (d *Dump) ServiceCIDR() string {
	var first netip.Addr
	var all []netip.Addr
	for _, o := range d.objects {
		switch o.Key {
		case live.Key{Group: "networking.k8s.io", Kind: "ServiceCIDR", Name: "kubernetes"}:
			if cidrs := textsAt(o, "cidrs"); len(cidrs) > 0 {
				return strings.Join(cidrs, ",")
			}
		case live.Key{Kind: "Service", Namespace: defaultNamespace, Name: "kubernetes"}:
			first = addressOf(o)
		}
		if o.Key.Kind == "Service" && o.Key.Group == "" {
			if ip := addressOf(o); ip.Is4() {
				all = append(all, ip)
			}
		}
	}
	if !first.Is4() {
		return ""
	}
	return rangeOf(first, all)
}

// The bits of a range of cluster IPs: kube-apiserver takes none with more than 20 for hosts.
const longest, shortest = 24, 12

// rangeOf is the longest prefix whose first address is the one before first, and that has all
// addresses; empty if there is none.
func rangeOf(first netip.Addr, all []netip.Addr) string {
	base := first.Prev()
next:
	for bits := longest; bits >= shortest; bits-- {
		prefix := netip.PrefixFrom(base, bits)
		if prefix.Masked().Addr() != base {
			break
		}
		for _, ip := range all {
			if !prefix.Contains(ip) {
				continue next
			}
		}
		return prefix.String()
	}
	return ""
}

func addressOf(o *live.Object) netip.Addr {
	object, err := o.Decode()
	if err != nil {
		return netip.Addr{}
	}
	spec, _ := object["spec"].(map[string]any)
	text, _ := spec["clusterIP"].(string)
	ip, _ := netip.ParseAddr(text)
	return ip
}

// textsAt are the texts of a list in the spec of an object.
func textsAt(o *live.Object, name string) (texts []string) {
	object, err := jsontree.Decode(o.JSON())
	if err != nil {
		return nil
	}
	spec, _ := object["spec"].(map[string]any)
	list, _ := spec[name].([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
