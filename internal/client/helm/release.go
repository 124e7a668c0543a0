package helm

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// find finds the revisions of the release, and what the deployed one has. Helm builds its
// objects before it writes any, and fails where it cannot (pkg/action/upgrade.go,
// performUpgrade): a document that cannot be read is not one that leaves the chart.
func (h *helm) find() (err error) {
	if err := h.findRevision(); err != nil || h.deployed == nil {
		return err
	}
	if h.manifest, err = manifestsOf(h.deployed.Manifest); err != nil {
		secret := fmt.Sprintf("%s%s.v%d", client.ReleasePrefix, h.deployed.Name, h.deployed.Version)
		return &ReleaseError{types.NamespacedName{Namespace: h.deployed.Namespace, Name: secret},
			fmt.Errorf("the manifest of the release: %w", err)}
	}
	return nil
}

// ReleaseError is that of the Secret of a revision that cannot be read.
type ReleaseError struct {
	Secret types.NamespacedName
	Err    error
}

// Error implements error.
func (e *ReleaseError) Error() string {
	return fmt.Sprintf("read the Secret %s: %v; what leaves the chart is not known without it", e.Secret.Name, e.Err)
}

// Unwrap is the cause.
func (e *ReleaseError) Unwrap() error { return e.Err }

// findRevision finds the revisions of the release.
func (h *helm) findRevision() error {
	if h.ReleaseManifest != nil {
		h.deployed = &release{
			Name:        h.Release,
			Namespace:   h.Namespace,
			Manifest:    string(h.ReleaseManifest),
			ApplyMethod: "unknown",
		}
		h.last = h.deployed
		return nil
	}
	revisions, err := h.revisions()
	if err != nil {
		return err
	}
	var all []release
	unpacked := 0
	for _, secret := range revisions {
		r, err := readRelease(secret.Object)
		if err != nil {
			return &ReleaseError{types.NamespacedName{Namespace: secret.GetNamespace(), Name: secret.GetName()}, err}
		}
		if unpacked += len(r.Manifest); unpacked > maxReleases {
			return fmt.Errorf(
				"read the Secret %s: the revisions of the release have more than %d MiB",
				secret.GetName(),
				maxReleases>>20,
			)
		}
		r.Namespace = cmp.Or(r.Namespace, secret.GetNamespace())
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b release) int { return cmp.Compare(a.Version, b.Version) })
	for _, r := range all {
		h.Release, h.last = cmp.Or(h.Release, r.Name), &r
		if r.Info.Status == "deployed" {
			h.deployed = &r
		}
	}
	if h.last != nil && h.last.Info.Status == "uninstalled" {
		// helm uninstall --keep-history; an install follows.
		h.deployed, h.last, h.uninstalled = nil, nil, true
	}
	if h.deployed == nil {
		h.deployed = h.last
	}
	if h.deployed != nil {
		h.in(h.deployed.Namespace)
	}
	return nil
}

// in takes the namespace of the release from the inputs. That of -n is for documents
// without one, and need not be it.
func (h *helm) in(namespace string) {
	if namespace == "" || namespace == h.Namespace {
		return
	}
	if h.Namespace != "" {
		h.Notices = append(
			h.Notices,
			fmt.Sprintf("the release %s is in namespace %s, not %s", h.Release, namespace, h.Namespace),
		)
	}
	h.Namespace = namespace
}

// revisions are the Secrets of the release: the one that is named, or the only one, or the
// one that most live objects are of. One of another namespace than -n needs live objects
// that are of it.
func (h *helm) revisions() ([]*unstructured.Unstructured, error) {
	var names []types.NamespacedName
	all := map[types.NamespacedName][]*unstructured.Unstructured{}
	for _, secret := range client.SettingsOf(h.Objects, about.Secrets) {
		name := releaseOf(secret)
		if name.Name == "" || h.Release != "" && name.Name != h.Release {
			continue
		}
		if all[name] == nil {
			names = append(names, name)
		}
		all[name] = append(all[name], secret)
	}
	elsewhere := func(name types.NamespacedName) bool {
		return h.Namespace != "" && name.Namespace != "" && name.Namespace != h.Namespace
	}
	i := h.Most(names, ownedBy)
	if here := slices.DeleteFunc(slices.Clone(names), elsewhere); len(here) > 0 {
		names, i = here, h.Most(here, ownedBy)
	} else if i < 0 {
		return nil, nil
	}
	switch {
	case len(names) == 1:
		return all[names[0]], nil
	case i >= 0:
		return all[names[i]], nil
	case h.Release != "":
		return nil, fmt.Errorf("the inputs have Helm releases %s in several namespaces: -n says which is meant", h.Release)
	}
	return nil, errors.New("the inputs have several Helm releases: --release NAME says which is meant")
}

// keeps reports whether an object is a Secret in which Helm keeps the release.
func (h *helm) keeps(key client.Key) bool {
	ours := key.Group == "" && key.Kind == "Secret" && strings.HasPrefix(key.Name, client.ReleasePrefix+h.Release+".v")
	return ours && h.Release != "" && (h.Namespace == "" || key.Namespace == h.Namespace)
}

// ownedBy is the release that a live object says that it is of.
func ownedBy(live map[string]any) types.NamespacedName {
	if objects.Labels(live)[managedByLabel] != "Helm" {
		return types.NamespacedName{}
	}
	notes := objects.Annotations(live)
	return types.NamespacedName{Namespace: notes[client.ReleaseNamespace], Name: notes[client.ReleaseName]}
}

// guess says by the live objects what no Secret says: the release, and how it was
// applied.
func (h *helm) guess(writes []engine.Write) {
	for _, w := range writes {
		live := client.Live(w)
		if of := ownedBy(live); of.Name != "" {
			h.Release, h.Namespace = cmp.Or(h.Release, of.Name), cmp.Or(h.Namespace, of.Namespace)
		}
		if h.last == nil || h.last.ApplyMethod != "unknown" {
			continue
		}
		for _, e := range objects.Entries(live) {
			if e.Manager == h.Program.Manager && string(e.Operation) == managedfields.Apply {
				h.last.ApplyMethod = "ssa"
			}
		}
	}
	if h.last == nil && !h.uninstalled {
		h.in(h.namespaceOf(writes))
		h.infer(writes)
	}
	if h.last != nil && h.last.ApplyMethod == "unknown" {
		h.last.ApplyMethod = "csa"
	}
	h.inAny(writes)
	h.serverSide = h.method()
	h.Client.Force, h.ClientSide = h.serverSide && h.ForceConflicts, !h.serverSide
}

// inAny takes the namespace of the first object that has one for that of the release, where no
// input names it.
func (h *helm) inAny(writes []engine.Write) {
	for _, w := range writes {
		h.Namespace = cmp.Or(h.Namespace, w.Namespace)
	}
	if h.Namespace == "" && h.Release != "" {
		h.Notices = append(h.Notices, fmt.Sprintf(
			"no input names the namespace of the release %s: %s is assumed; -n names another", h.Release, h.marked(),
		))
	}
}

// marked is the namespace that objects are marked with: where all are cluster-scoped and no input
// names one, that of Helm's context.
func (h *helm) marked() string { return cmp.Or(h.Namespace, metav1.NamespaceDefault) }

// namespaceOf is the one namespace of the release that live objects say they are of; empty
// where they do not agree, or one of them is of -n's.
func (h *helm) namespaceOf(writes []engine.Write) string {
	var out types.NamespacedName
	for _, w := range writes {
		switch of := ownedBy(client.Live(w)); {
		case of.Name == "" || h.Release != "" && of.Name != h.Release:
		case out.Name != "" && of != out:
			return ""
		default:
			out = of
		}
	}
	return out.Namespace
}

// infer takes live objects that say that they are of the release, and that helm wrote, for
// those of a revision that no input has: an upgrade follows, not an install.
func (h *helm) infer(writes []engine.Write) {
	method := ""
	see := func(live map[string]any) {
		if !h.owns(live) {
			return
		}
		for _, e := range objects.Entries(live) {
			switch {
			case e.Manager != h.Program.Manager:
			case string(e.Operation) == managedfields.Apply:
				method = "ssa"
			case method == "":
				method = "csa"
			}
		}
	}
	for _, w := range writes {
		see(client.Live(w))
	}
	if h.Others != nil && h.Release != "" {
		for live := range h.Others {
			see(live)
		}
	}
	if method == "" {
		return
	}
	h.last = &release{Name: h.Release, Namespace: h.Namespace, ApplyMethod: method}
	h.deployed = h.last
	h.takeFormer()
}

// takeFormer takes the manifests before the change for those of the deployed revision.
func (h *helm) takeFormer() {
	manifests, err := manifestsOf(h.Former)
	if h.Former == "" || err != nil {
		return
	}
	h.deployed.Manifest, h.manifest = h.Former, manifests
	h.Notices = append(h.Notices, strings.TrimSpace("no revision of the Helm release "+h.Release)+
		" is given: the manifests before the change are taken for what it has deployed")
}

// keyIn is the key of an object of a release's manifest.
func (h *helm) keyIn(server api.Server, object map[string]any) client.Key {
	u := &unstructured.Unstructured{Object: object}
	kind := u.GroupVersionKind()
	key := client.KeyIn(kind.GroupKind(), cmp.Or(u.GetNamespace(), h.Namespace), u.GetName())
	if resource := server.Resource(kind); resource.Known && !resource.Namespaced {
		key.Namespace = ""
	}
	return key
}

// release is what a revision of a Helm release says.
type release struct {
	Name        string `json:"name"`
	Namespace   string `json:"namespace"`
	Version     int    `json:"version"`
	Manifest    string `json:"manifest"`
	ApplyMethod string `json:"apply_method"`
	Info        struct {
		Status string `json:"status"`
	} `json:"info"`
}

// releaseOf names the release that the revision in a Secret belongs to
// (pkg/storage/storage.go, makeKey); empty for another Secret.
func releaseOf(secret *unstructured.Unstructured) types.NamespacedName {
	name, is := strings.CutPrefix(secret.GetName(), client.ReleasePrefix)
	i := strings.LastIndex(name, ".v")
	if !is || i < 0 {
		return types.NamespacedName{}
	}
	return types.NamespacedName{Namespace: secret.GetNamespace(), Name: name[:i]}
}

// clientSide reports whether the revision was applied client-side, as all were before
// Helm 4.
func (r release) clientSide() bool { return r.ApplyMethod != "ssa" }

// maxRelease bounds what a Secret may unpack to, and maxReleases all revisions of a release.
// A Secret has at most 1 MiB. maxDocuments is how many documents a manifest may have: a
// million empty ones are 10 kB as they are stored.
const (
	maxRelease   = 64 << 20
	maxReleases  = 256 << 20
	maxDocuments = 20_000
)

// errRelease is all that is said of a Secret that has no release: its text may have
// values.
var errRelease = errors.New("it has no release that can be read")

// readRelease reads the Secret of a revision: base64 of base64 of gzip of JSON
// (helm, pkg/storage/driver/util.go, decodeRelease).
func readRelease(secret map[string]any) (release, error) {
	inner, err := base64.StdEncoding.DecodeString(objects.Text(secret, "data", "release"))
	if err != nil {
		return release{}, errRelease
	}
	raw, err := base64.StdEncoding.DecodeString(string(inner))
	if err != nil {
		return release{}, errRelease
	}
	if bytes.HasPrefix(raw, []byte{0x1f, 0x8b, 0x08}) {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return release{}, errRelease
		}
		if raw, err = io.ReadAll(io.LimitReader(z, maxRelease+1)); err != nil || len(raw) > maxRelease {
			return release{}, errRelease
		}
	}
	var r release
	if err := json.Unmarshal(raw, &r); err != nil {
		return release{}, errRelease
	}
	return r, nil
}

// manifestsOf are the objects of a release's manifest.
func manifestsOf(manifest string) ([]map[string]any, error) {
	if strings.Count(manifest, "\n---") > maxDocuments {
		return nil, fmt.Errorf("it has more than %d documents", maxDocuments)
	}
	return guard.Value(func() ([]map[string]any, error) {
		var out []map[string]any
		d := yaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
		for n := 1; ; n++ {
			var object map[string]any
			switch err := d.Decode(&object); {
			case errors.Is(err, io.EOF):
				return out, nil
			case err != nil:
				return nil, fmt.Errorf("document %d cannot be read", n)
			case len(object) == 0:
			case objects.Text(object, "kind") == "" || objects.Text(object, "apiVersion") == "":
				return nil, fmt.Errorf("document %d is no object: it has no apiVersion and kind", n)
			default:
				out = append(out, object)
			}
		}
	})
}
