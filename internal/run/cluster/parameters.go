package cluster

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
)

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
	if d.Group() != "admissionregistration.k8s.io" || d.Kind != "ValidatingAdmissionPolicy" && d.Kind != "MutatingAdmissionPolicy" {
		return schema.GroupKind{}, false
	}
	// One that cannot be read takes none; the server's answers say so.
	policy, _ := jsontree.Decode(d.JSON())
	spec, _ := policy["spec"].(map[string]any)
	param, _ := spec["paramKind"].(map[string]any)
	apiVersion, _ := param["apiVersion"].(string)
	kind, _ := param["kind"].(string)
	return schema.FromAPIVersionAndKind(apiVersion, kind).GroupKind(), kind != ""
}

// withKept is what live objects add: those that were kept, and, where policies
// among them take parameters of kinds that were not, these. For that, the live
// files are read once more: nobody knew before. Whether parameters have namespaces,
// their definitions say, which may be among them.
func (c *Cluster) withKept(objects given, paths []string, kept []*live.Object, input manifest.Options) (given, error) {
	more := parametersOf(documentsOf(kept))
	maps.DeleteFunc(more, func(kind schema.GroupKind, _ bool) bool { return c.parameters[kind] })
	definitions := slices.DeleteFunc(slices.Clone(kept), func(o *live.Object) bool { return !IsDefinition(o.Identity) })
	if len(definitions) > 0 && len(more)+len(c.parameters) > 0 {
		defining, err := objects.withLive(definitions, c.Scope).Server(c.Base)
		if err != nil {
			return objects, err
		}
		c.Scope.server = defining
	}
	if len(more) > 0 {
		objects = objects.taking(more)
		kept = slices.Concat(kept, c.readAgain(more, paths, input))
	}
	return objects.withLive(kept, c.Scope), nil
}

// readAgain gives the live objects of some kinds.
func (c *Cluster) readAgain(wanted kinds, paths []string, reading manifest.Options) []*live.Object {
	again := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == "-" })
	if len(again) < len(paths) {
		c.Notices = append(c.Notices, "admission policies take parameters, which are not looked for on standard input: give a file to --live")
	}
	reading.OnNotice, reading.OnRead = nil, nil
	// What is wrong with the files was reported when they were read first.
	index, _ := live.Load(again, live.Options{
		Input: reading,
		KeyOf: c.Scope.Key,
		Want:  func(live.Key) bool { return false },
		Keep:  func(id manifest.Identity) bool { return wanted[input.KindOf(id).GroupKind()] },
	})
	return index.Kept()
}

func documentsOf(objects []*live.Object) []manifest.Document {
	var documents []manifest.Document
	for _, o := range objects {
		documents = append(documents, o.Document)
	}
	return documents
}
