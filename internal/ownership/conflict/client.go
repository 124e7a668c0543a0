package conflict

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// ClientOf is the client that applies as a field manager; empty for one that is not
// known.
func ClientOf(manager string) report.Client {
	return writers.ManagerKindOf(report.Writer{Manager: manager, Operation: managedfields.Apply}, "").Client
}

// settings puts resolutions into those of a client.
type settings struct{ *session }

// place is where the manifest has a field; false where that is not one place, and
// where a segment would show a value of a Secret.
func (s settings) place(c Claim) (report.Place, bool) {
	pointers := fieldtree.Pointers(s.Shape, s.body, c.Path)
	if !c.found() || len(pointers) != 1 {
		return nil, false
	}
	positions := strings.Split(pointers[0], "/")[1:]
	var out report.Place
	for i, pe := range c.Path {
		if pe.FieldName != nil {
			out = append(out, report.Segment{Name: *pe.FieldName})
			continue
		}
		if s.Write.Kind.Group == "" && s.Write.Kind.Kind == "Secret" {
			return nil, false
		}
		out = append(out, item(pe, positions[i]))
	}
	return out, true
}

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

// unitOf reads what a client notes on the objects that it deploys.
func unitOf(of report.Client, object map[string]any) report.Unit {
	metadata, _ := object["metadata"].(map[string]any)
	text := func(in, key string) string {
		values, _ := metadata[in].(map[string]any)
		v, _ := values[key].(string)
		return v
	}
	switch of {
	case report.ArgoCD:
		name, _, _ := strings.Cut(text("annotations", "argocd.argoproj.io/tracking-id"), ":")
		if namespace, rest, other := strings.Cut(name, "_"); other {
			return report.Unit{Name: rest, Namespace: namespace}
		}
		return report.Unit{Name: name}
	case report.Flux:
		return report.Unit{
			Name:      text("labels", "kustomize.toolkit.fluxcd.io/name"),
			Namespace: text("labels", "kustomize.toolkit.fluxcd.io/namespace"),
		}
	case report.Helm:
		return report.Unit{
			Name:      text("annotations", client.ReleaseName),
			Namespace: text("annotations", client.ReleaseNamespace),
		}
	}
	return report.Unit{}
}

// inClient puts the recommended resolutions into settings of the client: one for the
// fields that others keep, and one for those that are taken. Conflicts are those of the
// first claims.
func (s settings) inClient(claims []Claim, stories []Conflict) []report.ClientFix {
	client := ClientOf(s.Write.Manager)
	fixes := map[ResolutionKind]*report.ClientFix{}
	for i, t := range stories {
		place, kind := s.settable(client, claims[i], t)
		if kind == None || t.Because.Kind == WrongManager {
			continue
		}
		if fixes[kind] == nil {
			fixes[kind] = s.clientFix(client, kind)
		}
		fix := fixes[kind]
		fix.Fields, fix.Places = append(fix.Fields, claims[i].Path.String()), append(fix.Places, place)
		for _, name := range Managers(t.Owners) {
			if !slices.Contains(fix.Managers, name) {
				fix.Managers = append(fix.Managers, name)
			}
		}
	}
	var out []report.ClientFix
	for _, kind := range []ResolutionKind{StopManaging, UseLiveValue, Force} {
		if fix := fixes[kind]; fix != nil {
			out = append(out, *fix)
		}
	}
	return out
}

// settable is the resolution that a setting of the client makes of a story, and the
// place of the field; None where there is no such setting, or where the resolution is
// not accepted.
func (s settings) settable(client report.Client, c Claim, t Conflict) (report.Place, ResolutionKind) {
	if client == "" {
		return nil, None
	}
	kind := kindIn(client, t)
	accepted := func(r Resolution) bool { return r.Kind == kind && r.Impossible.IsZero() && !r.Outcome.Refused() }
	if kind == None || !slices.ContainsFunc(t.Resolutions, accepted) {
		return nil, None
	}
	place, ok := s.place(c)
	if !ok {
		return nil, None
	}
	return place, kind
}

func (s settings) clientFix(client report.Client, kind ResolutionKind) *report.ClientFix {
	object, _ := s.body.(map[string]any)
	namespace := s.Write.Namespace
	if v := fieldtree.Value(object, "metadata", "namespace"); v != nil && v != "" {
		namespace = ""
	}
	unit := unitOf(client, s.Live)
	if client == report.Kubectl {
		unit.Name = s.Write.Kustomization
	}
	return &report.ClientFix{
		Namespace: namespace, Client: client, Kind: string(kind), Unit: unit, Applier: s.Write.Manager, Managers: []string{},
		Custom: s.Server.Resource(s.Write.Kind).Custom,
	}
}

// forcing are the clients with a setting that has them force.
var forcing = []report.Client{
	report.Flux, report.ArgoCD, report.Helm, report.Terraform, report.Pulumi, report.Kubectl,
}

// kindIn is the resolution by which a client does what is recommended; None where it
// has no setting for it, or does so anyway.
//
// Argo CD leaves a field to others by applying its live value, which is to share it: the
// manifest keeps the field, which a new object may need.
func kindIn(client report.Client, t Conflict) ResolutionKind {
	// Both have the manifest keep the line, which a new object may need.
	keepsLine := client == report.ArgoCD || client == report.Flux
	keep := t.Recommended == StopManaging || t.Recommended == UseLiveValue || keepsLine && t.lacks()
	switch {
	case client == report.ArgoCD && keep:
		return UseLiveValue
	case keep && leaves(client, t):
		return StopManaging
	case t.Recommended == Force && slices.Contains(forcing, client) &&
		(client != report.Flux || slices.ContainsFunc(t.Owners, Owner.keepsOwning)):
		return Force
	}
	return None
}

// keepsOwning reports whether an owner stays one where kustomize-controller forces: it removes
// the entries of kubectl.
func (o Owner) keepsOwning() bool {
	return o.Operation != managedfields.Apply && !strings.HasPrefix(o.Manager, "kubectl") &&
		o.Manager != managedfields.BeforeFirstApply
}

// scales reports whether an owner is an autoscaler, or has the name of one.
func (o Owner) scales() bool {
	return o.ManagerKind.Kind == writers.Autoscaler || o.Manager == writers.ControllerManager
}

// lacks reports whether no edit is safe as a new object needs the field.
func (c Conflict) lacks() bool {
	return c.Because.Kind == LeftByClient || slices.Contains(c.Because.Against, StopLacks)
}

// leftByClient is a conflict that no edit resolves safely, where a setting of the client
// does: its reason says so.
func (c Conflict) leftByClient(kind ResolutionKind) Conflict {
	if c.Because.Kind == NoneSafe && kind != None && kind != Force {
		c.Because = Reason{Kind: LeftByClient, Managers: Managers(c.Owners)}
	}
	return c
}

// leaves reports whether a client has a setting by which it leaves the field of a conflict to
// its owners. The value of a chart that Helm has makes an autoscaler.
func leaves(client report.Client, t Conflict) bool {
	switch client {
	case report.ArgoCD, report.Flux, report.Terraform, report.Pulumi:
		return true
	case report.Helm:
		return t.Field == ".spec.replicas" && slices.ContainsFunc(t.Owners, Owner.scales)
	}
	return false
}
