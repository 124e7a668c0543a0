package explain

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
)

// ClientFix is a resolution of conflicts as a setting of the client that applies.
type ClientFix struct {
	Client Client `json:"client"`
	// Kind is the resolution that the setting makes, as it is simulated for each of
	// the fields.
	Kind ResolutionKind `json:"kind"`
	// Unit is what the client knows the object by.
	Unit Unit `json:"unit"`
	// Fields are the field paths that it is about, sorted, and Managers who owns
	// them; Places are where the manifest has the fields, in their order.
	Fields   []string `json:"fields" secret:"path"`
	Managers []string `json:"managers" secret:"public"`
	Places   []Place  `json:"-"`
	// Language is that of the setting (yaml, hcl, sh), Text the setting, and Does says
	// where it goes and what it does. They are written where the document is.
	Language string `json:"language"`
	Text     string `json:"text"`
	Does     string `json:"does"`
}

// Unit is what a client deploys together: an Application of Argo CD, a Kustomization
// of Flux, a release of Helm. Its name is empty where the object does not tell it.
type Unit struct {
	Name      string `json:"name,omitempty" secret:"public"`
	Namespace string `json:"namespace,omitempty" secret:"public"`
}

// Place is where a manifest has a field: the segments from the root.
type Place []Segment

// Segment is a key of a map, or an item of a list, at a position, with its keys or its
// value.
type Segment struct {
	Name  string
	Item  bool
	Index int
	Keys  map[string]any
	Value any
}

// inClient puts the recommended resolutions into settings of the client: one for the
// fields that others keep, and one for those that are taken.
func (s *session) inClient(claims []claim, stories []Story) []ClientFix {
	client := ClientOf(s.write.Manager)
	if client == "" {
		return nil
	}
	fixes := map[ResolutionKind]*ClientFix{}
	for i, t := range stories {
		kind := kindIn(client, t)
		place, ok := s.place(claims[i])
		if kind == None || !ok || !accepted(t, kind) {
			continue
		}
		fix := fixes[kind]
		if fix == nil {
			fix = &ClientFix{Client: client, Kind: kind, Unit: unitOf(client, s.live), Managers: []string{}}
			fixes[kind] = fix
		}
		fix.add(t, claims[i].path.String(), place)
	}
	var out []ClientFix
	for _, kind := range []ResolutionKind{StopManaging, UseLiveValue, Force} {
		if fix := fixes[kind]; fix != nil {
			out = append(out, *fix)
		}
	}
	return out
}

func (f *ClientFix) add(t Story, field string, place Place) {
	f.Fields, f.Places = append(f.Fields, field), append(f.Places, place)
	for _, o := range t.Owners {
		if !slices.Contains(f.Managers, o.Manager) {
			f.Managers = append(f.Managers, o.Manager)
		}
	}
}

// kindIn is the resolution by which a client does what is recommended; None where it
// has no setting for it, or does so anyway.
//
// Argo CD leaves a field to others by applying its live value, which is to share it.
func kindIn(client Client, t Story) ResolutionKind {
	keep := t.Recommended == StopManaging || t.Recommended == UseLiveValue
	replicas := t.Field == ".spec.replicas"
	switch {
	case client == ArgoCD && keep:
		return UseLiveValue
	case keep && (client == Flux || client == Terraform || client == Pulumi || client == Helm && replicas):
		return StopManaging
	case t.Recommended != Force:
		return None
	case client == Flux && slices.ContainsFunc(t.Owners, func(o Owner) bool { return !overriddenByFlux(o) }), client == ArgoCD,
		client == Helm, client == Terraform, client == Pulumi, client == Kubectl:
		return Force
	}
	return None
}

// overriddenByFlux reports whether kustomize-controller takes the fields of an owner
// by itself: it forces, and removes the entries of kubectl.
func overriddenByFlux(o Owner) bool {
	return o.Operation == managedfields.Apply || strings.HasPrefix(o.Manager, "kubectl") || o.Manager == managedfields.BeforeFirstApply
}

// accepted reports whether the simulated resolution is.
func accepted(t Story, kind ResolutionKind) bool {
	return slices.ContainsFunc(t.Resolutions, func(r Resolution) bool {
		return r.Kind == kind && r.Impossible == "" && !r.Outcome.Refused()
	})
}

// place is where the manifest has a field; false where that is not one place, and
// where a segment would show a value of a Secret.
func (s *session) place(c claim) (Place, bool) {
	pointers := fieldtree.Pointers(s.shape, s.body, c.path)
	if !c.found || len(pointers) != 1 {
		return nil, false
	}
	positions := strings.Split(pointers[0], "/")[1:]
	var out Place
	for i, pe := range c.path {
		if pe.FieldName != nil {
			out = append(out, Segment{Name: *pe.FieldName})
			continue
		}
		if s.secret() {
			return nil, false
		}
		out = append(out, item(pe, positions[i]))
	}
	return out, true
}

func (s *session) secret() bool { return s.write.Kind.Group == "" && s.write.Kind.Kind == "Secret" }

func item(pe fieldpath.PathElement, position string) Segment {
	segment := Segment{Item: true}
	segment.Index, _ = strconv.Atoi(position)
	switch {
	case pe.Key != nil:
		segment.Keys = map[string]any{}
		for _, f := range *pe.Key {
			segment.Keys[f.Name] = f.Value.Unstructured()
		}
	case pe.Value != nil:
		segment.Value = (*pe.Value).Unstructured()
	}
	return segment
}

// unitOf reads what a client notes on the objects that it deploys.
func unitOf(client Client, object map[string]any) Unit {
	metadata, _ := object["metadata"].(map[string]any)
	text := func(in, key string) string {
		values, _ := metadata[in].(map[string]any)
		v, _ := values[key].(string)
		return v
	}
	switch client {
	case ArgoCD:
		name, _, _ := strings.Cut(text("annotations", "argocd.argoproj.io/tracking-id"), ":")
		if namespace, rest, other := strings.Cut(name, "_"); other {
			return Unit{Name: rest, Namespace: namespace}
		}
		return Unit{Name: name}
	case Flux:
		return Unit{Name: text("labels", "kustomize.toolkit.fluxcd.io/name"), Namespace: text("labels", "kustomize.toolkit.fluxcd.io/namespace")}
	case Helm:
		return Unit{Name: text("annotations", "meta.helm.sh/release-name"), Namespace: text("annotations", "meta.helm.sh/release-namespace")}
	}
	return Unit{}
}
