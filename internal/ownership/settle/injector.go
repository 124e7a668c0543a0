package settle

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// injectors is the writer of CA bundles that an annotation of the object asks for, where the
// write sets one or takes one away.
func (w Write) injectors(before *ownership.Object) ([]other, bool) {
	injector := writers.InjectorOf(w.Result.Object)
	if injector.Name == "" || !injector.Writes(w.Asked.Kind.GroupKind()) || injector.Manager == w.Result.Manager ||
		!w.touchesBundle(before.Shape) {
		return nil, true
	}
	bundles := bundlesOf(before.Shape, before.Live)
	out := other{manager: injector.Manager, by: "", partial: len(bundles) == 0}
	out.next = func(o *ownership.Object) (ownership.Next, bool) {
		var body any = o.Live
		differs := false
		for _, path := range bundlePaths(o.Shape, o.Live) {
			want := bundles[path.String()]
			for _, any := range bundles {
				if want == "" {
					want = any
				}
			}
			has, _ := value(o.Shape, o.Live, path).(string)
			if want == "" && !isBundle(has) {
				// What it is going to be, no input says.
				want = standInFor(w.Asked.Kind.Kind)
			}
			if want != "" && has != want {
				body, differs = fieldtree.With(o.Shape, body, path, want), true
			}
		}
		object, _ := body.(map[string]any)
		if !differs {
			return ownership.Next{}, false
		}
		return update(o, injector.Manager, "", object)
	}
	return []other{out}, true
}

// standIn stands for a CA bundle that is not known.
var standIn = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte{0}})

// standInFor is it as objects of a kind have it.
func standInFor(kind string) string {
	if kind == "ConfigMap" {
		return string(standIn)
	}
	return base64.StdEncoding.EncodeToString(standIn)
}

// touchesBundle reports whether the write changes a CA bundle, owns one afterwards, or sends one,
// be it empty: the API server does not store that.
func (w Write) touchesBundle(shape managedfields.Shape) bool {
	sent := w.Asked.Object()
	for _, path := range bundlePaths(shape, sent) {
		if len(shape.Lookup(sent, path)) > 0 {
			return true
		}
	}
	if slices.ContainsFunc(w.Result.Changes, func(c report.Change) bool { return writers.IsInjected(c.Field) }) {
		return true
	}
	for _, e := range managedfields.Of(w.Result.Object).Readable() {
		if e.Manager != w.Result.Manager {
			continue
		}
		owns := false
		e.Set.Iterate(func(p fieldpath.Path) { owns = owns || writers.IsInjected(p.String()) })
		if owns {
			return true
		}
	}
	return false
}

// bundlesOf are the CA bundles of an object by their fields.
func bundlesOf(shape managedfields.Shape, object map[string]any) map[string]string {
	out := map[string]string{}
	for _, path := range bundlePaths(shape, object) {
		if text, _ := value(shape, object, path).(string); isBundle(text) {
			out[path.String()] = text
		}
	}
	return out
}

// bundlePaths are the places of CA bundles in an object, whether it has them or not.
func bundlePaths(shape managedfields.Shape, object map[string]any) []fieldpath.Path {
	if hooks, is := object["webhooks"].([]any); is {
		var out []fieldpath.Path
		for _, hook := range hooks {
			if element, ok := shape.Field("webhooks").Element(hook); ok {
				out = append(out, append(
					fieldpath.MakePathOrDie("webhooks"), element,
					fieldpath.FieldNameElement("clientConfig"), fieldpath.FieldNameElement("caBundle"),
				))
			}
		}
		return out
	}
	switch kind, _ := object["kind"].(string); {
	case kind == "ConfigMap":
		return []fieldpath.Path{fieldpath.MakePathOrDie("data", serviceCA)}
	case kind == "CustomResourceDefinition" && fieldtree.Value(object, "spec", "conversion", "webhook") != nil:
		return []fieldpath.Path{fieldpath.MakePathOrDie("spec", "conversion", "webhook", "clientConfig", "caBundle")}
	case kind == "APIService" && fieldtree.Value(object, "spec", "service") != nil:
		return []fieldpath.Path{fieldpath.MakePathOrDie("spec", "caBundle")}
	}
	return nil
}

func value(shape managedfields.Shape, object map[string]any, path fieldpath.Path) any {
	if found := shape.Lookup(object, path); len(found) == 1 {
		return found[0]
	}
	return nil
}

// serviceCA is the key of a ConfigMap under which OpenShift's service CA operator writes the
// bundle, as it is.
const serviceCA = "service-ca.crt"

// isBundle reports whether a text has anything for clients to read certificates from.
func isBundle(encoded string) bool {
	if strings.HasPrefix(encoded, "-----BEGIN CERTIFICATE-----") {
		return true
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	return err == nil && len(bytes.TrimSpace(decoded)) > 0
}
