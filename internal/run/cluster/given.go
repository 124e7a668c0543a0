package cluster

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/custom"
	"github.com/ssactl/ssactl/internal/server/fastapply"
)

// given are the objects among the inputs that decide how others are answered:
// CustomResourceDefinitions, and what admission looks up.
type given struct {
	crds, objects [][]byte
	// defining are definitions of the live files, which are not read before an
	// object of their kind is asked about; learn is called with each that is.
	defining []liveDefinition
	learn    func(of manifest.Identity, asJSON []byte)
	// namespaces are those of live objects.
	namespaces []string
	// planned are the objects of manifests, which the cluster may not have yet.
	planned []manifest.Document
	// parameters are the kinds of objects that are given because of other inputs: admission
	// policies that take them as parameters, Services that ask for node ports.
	parameters kinds
	// listed are the kinds whose objects are all in the live files; lookedFor says where
	// those are looked for, as in server.Options.
	listed    []api.Listed
	lookedFor string
	// manifests and definitions are all that was read of them.
	manifests, definitions []manifest.Document
}

// kinds is a set of kinds.
type kinds map[schema.GroupKind]bool

// IsDefinition reports whether an object is a CustomResourceDefinition.
func IsDefinition(id manifest.Identity) bool {
	return input.KindOf(id).GroupKind() == api.CustomResourceDefinition
}

// isGiven reports whether an object is one of those, whatever policies take.
func isGiven(id manifest.Identity) bool {
	return IsDefinition(id) || server.LooksUp(input.KindOf(id).GroupKind())
}

func (g given) has(id manifest.Identity) bool {
	return isGiven(id) || g.parameters[input.KindOf(id).GroupKind()]
}

// NewGiven collects them from files of definitions, then from manifests: of
// two definitions of one name, what the cluster has counts, and then what a
// manifest is about to put there.
func NewGiven(definitions, manifests []manifest.Document) given {
	g := given{parameters: kinds{}, manifests: manifests, definitions: definitions}
	return g.taking(parametersOf(slices.Concat(manifests, definitions)))
}

// taking are the same where policies take parameters of more kinds.
func (g given) taking(parameters kinds) given {
	maps.Copy(g.parameters, parameters)
	g.crds, g.objects, g.planned = nil, nil, nil
	for _, d := range g.manifests {
		if g.has(d.Identity) && !IsDefinition(d.Identity) {
			g.planned = append(g.planned, d)
			continue
		}
		g.add(d)
	}
	for _, d := range g.definitions {
		g.add(d)
	}
	return g
}

// withLive adds what the live files have; scope says in which namespace.
func (g given) withLive(objects []*live.Object, scope *Scope) given {
	g.objects, g.defining = slices.Clip(g.objects), slices.Clip(g.defining)
	for _, o := range objects {
		if !g.has(o.Identity) || input.KindOf(o.Identity).GroupKind() == services && !holdsNodePort(o.Document) {
			continue
		}
		if IsDefinition(o.Identity) {
			g.defining = append(g.defining, newLiveDefinition(o.Document))
			continue
		}
		namespace := scope.NamespaceOf(o.Identity)
		if namespace == "" || o.Namespace != "" {
			g.add(o.Document)
			continue
		}
		// What was exported without its namespace is still looked up in it.
		if object, err := o.Decode(); err == nil {
			g.objects = append(g.objects, inNamespace(object, namespace))
		}
	}
	return g
}

func (g *given) add(d manifest.Document) {
	switch {
	case IsDefinition(d.Identity):
		// One that cannot be read defines nothing; the answer to writing it
		// says what is wrong with it.
		g.crds = append(g.crds, d.JSON())
	case g.has(d.Identity):
		g.objects = append(g.objects, d.JSON())
	}
}

// Server is the server that knows what is given; like is one of its flags. The shortcut is
// a decorator: without it, the answers are the same.
func (g given) Server(like *server.Server) (Simulated, error) {
	s, err := like.With(
		server.Options{CRDs: g.crds, Objects: g.objects, Namespaces: g.namespaces, Definitions: g.definitionsOf,
			Listed: g.listed, LookedFor: g.lookedFor},
	)
	if err != nil {
		return nil, err
	}
	return fastapply.Around(s), nil
}

// definitionsOf are the live definitions that may be of a kind.
func (g given) definitionsOf(kind schema.GroupKind) [][]byte {
	var texts [][]byte
	for _, d := range g.defining {
		if !d.mayDefine(kind) || d.Unread() != nil {
			continue
		}
		if d.Deferred() {
			g.learn(d.Identity, d.JSON())
		}
		texts = append(texts, d.JSON())
	}
	return texts
}

// unserved is what keeps a definition that can be read from being served.
func unserved(d manifest.Document) error {
	if d.Unread() != nil {
		return nil
	}
	if err := custom.CheckDefinition(d.JSON()); err != nil {
		return &manifest.Problem{Source: d.Source, Item: d.Item, Op: "read", Err: err}
	}
	return nil
}

// liveDefinition is a live CustomResourceDefinition. Its kind is found once.
type liveDefinition struct {
	manifest.Document
	kind func() schema.GroupKind
}

func newLiveDefinition(d manifest.Document) liveDefinition {
	return liveDefinition{d, sync.OnceValue(func() schema.GroupKind { return DefinedBy(d) })}
}

// mayDefine reports whether it may be of a kind; one that cannot be read may be of any of
// its group. The server takes none whose name does not end with its group
// (ValidateCustomResourceDefinition), so that others are not looked into.
func (d liveDefinition) mayDefine(kind schema.GroupKind) bool {
	if kind.Group == "" || !strings.HasSuffix(d.Name, "."+kind.Group) {
		return false
	}
	return d.kind() == kind || d.kind().Empty() && d.Unread() != nil
}

// services are the kind whose objects hold node ports.
var services = schema.GroupKind{Kind: "Service"}

// asksNodePort reports whether a document is a Service that asks for a node port: others may hold it.
func asksNodePort(d manifest.Document) bool {
	return input.KindOf(d.Identity).GroupKind() == services && holdsNodePort(d)
}

// holdsNodePort reports whether a Service may have a node port.
func holdsNodePort(d manifest.Document) bool {
	text := d.JSON()
	return bytes.Contains(text, []byte(`"nodePort"`)) || bytes.Contains(text, []byte(`"healthCheckNodePort"`))
}

// parametersOf are the kinds of objects that admission policies among documents
// take as parameters, but for those that are looked up anyway.
func parametersOf(documents []manifest.Document) kinds {
	found := kinds{}
	for _, d := range documents {
		if kind, takes := parameterKind(d); takes && !server.LooksUp(kind) {
			found[kind] = true
		}
	}
	return found
}

// parameterKind reads spec.paramKind of an admission policy.
func parameterKind(d manifest.Document) (schema.GroupKind, bool) {
	if d.Group() != "admissionregistration.k8s.io" ||
		d.Kind != "ValidatingAdmissionPolicy" && d.Kind != "MutatingAdmissionPolicy" {
		return schema.GroupKind{}, false
	}
	// One that cannot be read takes none; the server's answers say so.
	policy, _ := jsontree.Decode(d.JSON())
	apiVersion, _ := fieldtree.Value(policy, "spec", "paramKind", "apiVersion").(string)
	kind, _ := fieldtree.Value(policy, "spec", "paramKind", "kind").(string)
	return schema.FromAPIVersionAndKind(apiVersion, kind).GroupKind(), kind != ""
}

// sameSchemas reports whether two definitions have the same schemas of the same versions.
// Most have the same text of them, which then is not decoded.
func sameSchemas(a, b manifest.Document) bool {
	was, known := jsontree.Texts(a.JSON(), "spec", "versions")
	is, alike := jsontree.Texts(b.JSON(), "spec", "versions")
	if known && alike && slices.EqualFunc(was, is, bytes.Equal) {
		return true
	}
	return reflect.DeepEqual(schemasOf(a), schemasOf(b))
}

// schemasOf are the schemas of a definition by version; versions that are not served
// define nothing, and neither does one that cannot be read.
func schemasOf(d manifest.Document) map[string]any {
	out := map[string]any{}
	object, _ := jsontree.Decode(d.JSON())
	versions, _ := fieldtree.Value(object, "spec", "versions").([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if name, _ := version["name"].(string); version["served"] == true {
			out[name] = version["schema"]
		}
	}
	return out
}

// DefinedBy is the kind that a CustomResourceDefinition defines. Of one that was not read,
// its versions are left out where they come last: they are nearly all of it.
func DefinedBy(d manifest.Document) schema.GroupKind {
	if kind := namesIn(d.Until("versions:")); !kind.Empty() {
		return kind
	}
	if kind := namesIn(d.JSON()); !kind.Empty() {
		return kind
	}
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	// One that cannot be read defines nothing.
	_ = json.Unmarshal(d.JSON(), &crd)
	return schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
}

// namesIn is the kind that the JSON of a definition names in plain words; empty for none.
func namesIn(asJSON []byte) schema.GroupKind {
	group, certain := jsontree.Name(asJSON, "spec", "group")
	kind, ok := jsontree.Name(asJSON, "spec", "names", "kind")
	if !ok || !certain {
		return schema.GroupKind{}
	}
	return schema.GroupKind{Group: group, Kind: kind}
}

// inNamespace is an object as JSON, in its namespace though it may not say so; nil
// for none.
func inNamespace(object map[string]any, namespace string) []byte {
	if _, is := object["metadata"].(map[string]any); !is {
		return nil
	}
	object = placedIn(object, namespace)
	// What was decoded from JSON can be written as JSON.
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return text
}

// placedIn is an object in its namespace, though it may not say so.
func placedIn(object map[string]any, namespace string) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil || namespace == "" || metadata["namespace"] != nil {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	metadata["namespace"], object["metadata"] = namespace, metadata
	return object
}

// KindsOf are the kinds of documents.
func KindsOf(documents []manifest.Document) kinds {
	out := kinds{}
	for _, d := range documents {
		out[input.KindOf(d.Identity).GroupKind()] = true
	}
	return out
}
