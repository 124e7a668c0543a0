package conflict

import (
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// place is where the manifest has a field; false where that is not one place, and
// where a segment would show a value of a Secret.
func (s *session) place(c claim) (report.Place, bool) {
	pointers := fieldtree.Pointers(s.Shape, s.body, c.path)
	if !c.found || len(pointers) != 1 {
		return nil, false
	}
	positions := strings.Split(pointers[0], "/")[1:]
	var out report.Place
	for i, pe := range c.path {
		if pe.FieldName != nil {
			out = append(out, report.Segment{Name: *pe.FieldName})
			continue
		}
		if s.secret() {
			return nil, false
		}
		out = append(out, item(pe, positions[i]))
	}
	return out, true
}

func (s *session) secret() bool { return s.Write.Kind.Group == "" && s.Write.Kind.Kind == "Secret" }

func item(pe fieldpath.PathElement, position string) report.Segment {
	segment := report.Segment{Item: true}
	segment.Index, _ = strconv.Atoi(position)
	switch {
	case pe.Key != nil:
		for _, f := range *pe.Key {
			segment.Keys = append(segment.Keys, report.Key{Name: f.Name, Value: f.Value.Unstructured()})
		}
	case pe.Value != nil:
		segment.Value = (*pe.Value).Unstructured()
	}
	return segment
}

// unit is what a client deploys the object with, as the live object tells; of kubectl,
// the folder that it builds.
func (s *session) unit(client report.Client) report.Unit {
	if client == report.Kubectl {
		return report.Unit{Name: s.Write.Kustomization}
	}
	return unitOf(client, s.Live)
}

// unitOf reads what a client notes on the objects that it deploys.
func unitOf(client report.Client, object map[string]any) report.Unit {
	metadata, _ := object["metadata"].(map[string]any)
	text := func(in, key string) string {
		values, _ := metadata[in].(map[string]any)
		v, _ := values[key].(string)
		return v
	}
	switch client {
	case report.ArgoCD:
		name, _, _ := strings.Cut(text("annotations", "argocd.argoproj.io/tracking-id"), ":")
		if namespace, rest, other := strings.Cut(name, "_"); other {
			return report.Unit{Name: rest, Namespace: namespace}
		}
		return report.Unit{Name: name}
	case report.Flux:
		return report.Unit{Name: text("labels", "kustomize.toolkit.fluxcd.io/name"), Namespace: text("labels", "kustomize.toolkit.fluxcd.io/namespace")}
	case report.Helm:
		return report.Unit{Name: text("annotations", "meta.helm.sh/release-name"), Namespace: text("annotations", "meta.helm.sh/release-namespace")}
	}
	return report.Unit{}
}
