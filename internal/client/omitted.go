package client

import (
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// omission is a setting by which a client leaves something out of a manifest.
type omission struct {
	// setting names it, and source is where it stands; nil for no line.
	setting string
	source  *report.Source
	// covers reports whether it is about what stands at places of the manifest; nil for all
	// of it.
	covers func(at []pointer) bool
}

// omit notes settings by which something is not sent.
func (r *sequence) omit(by ...omission) { r.omitted = append(r.omitted, by...) }

// notSent are the fields of the manifest that the run leaves as they are live because of
// settings: what an apply of the whole manifest would change, and the run does not.
func (r *sequence) notSent(whole report.Result) []report.NotSent {
	if len(r.omitted) == 0 || whole.Outcome.Refused() {
		return nil
	}
	manifest := manifestOf(r.write)
	if r.write.Live == nil && r.write.LiveObject == nil {
		if len(r.steps) > 0 {
			return nil
		}
		return []report.NotSent{{Setting: r.omitted[0].setting, Source: r.omitted[0].source, Line: &r.write.Source}}
	}
	sent := map[string]any{}
	for _, c := range whole.Changes {
		sent[c.Field] = c.After
	}
	asked, paths := r.asked(manifest)
	var out []report.NotSent
	for _, c := range asked {
		if after, is := sent[c.Field]; is && reflect.DeepEqual(after, c.After) {
			continue
		}
		if o, is := r.omittedBy(manifest, paths[c.Field]); is {
			out = append(
				out,
				report.NotSent{
					Field:    c.Field,
					Live:     c.Before,
					Manifest: c.After,
					Setting:  o.setting,
					Source:   o.source,
					Line:     c.Source,
				},
			)
		}
	}
	return out
}

// omittedBy is the setting that leaves a field out; false for none.
func (r *sequence) omittedBy(manifest map[string]any, path fieldpath.Path) (omission, bool) {
	at := located(path, manifest)
	i := slices.IndexFunc(r.omitted, func(o omission) bool { return o.covers == nil || o.covers(at) })
	switch {
	case i >= 0:
		return r.omitted[i], true
	case len(at) == 0 && len(r.omitted) == 1:
		// The server stores the field in another place than the manifest has it.
		return r.omitted[0], true
	}
	return omission{}, false
}

// asked are the changes that the manifest itself asks for, and their paths: those of an
// apply that forces, or what differs from the live object where that is refused.
func (r *sequence) asked(manifest map[string]any) ([]report.Change, map[string]fieldpath.Path) {
	w := r.write
	w.Verb, w.Force, w.FieldValidation, w.Detail, w.Lines, w.Decoded = api.Apply, true, "", engine.DetailOutcome, nil, manifest
	var shape managedfields.Shape
	if t := r.server.Types(w.Kind); !t.Deduced {
		shape = managedfields.ShapeOf(t.ParseableType)
	}
	applied := engine.Simulate(r.ctx, r.server, w)
	live, err := engine.LiveAt(r.ctx, r.server, w, w.Kind)
	if err != nil {
		live = liveOf(w)
	}
	refused, after := applied.Outcome.Refused(), applied.Object
	if refused {
		after = manifest
	}
	paths := map[string]fieldpath.Path{}
	var out []report.Change
	for _, leaf := range engine.Difference(shape, live, after) {
		paths[leaf.Field] = leaf.Path
		if refused && leaf.Kind != report.Removed {
			out = append(
				out,
				report.Change{Field: leaf.Field, Before: leaf.Before, After: leaf.After, Source: w.Line(shape, leaf.Path)},
			)
		}
	}
	for _, c := range applied.Changes {
		if !refused && c.Kind != report.Removed && (c.Reason == report.ReasonApplied || c.Reason == report.ReasonNormalised) {
			out = append(out, c)
		}
	}
	return out, paths
}

// settingLine is where a field of the settings stands; nil for no line.
func (c *Client) settingLine(setting Key, path fieldpath.Path) *report.Source {
	if c.lineOf == nil || path == nil {
		return nil
	}
	return c.lineOf(setting, path)
}

// omissions are the rules of ignoreDifferences that take something out of a manifest.
func (a *argoCD) omissions(manifest, live map[string]any) (out []omission) {
	key := Key{applications.Group, applications.Kind, text(a.app, "metadata", "namespace"), a.appName()}
	for i, rule := range a.ignored {
		if !rule.matches(manifest) {
			continue
		}
		only := *a
		only.ignored = a.ignored[i : i+1]
		rest, _ := only.normalized(manifest, live)
		out = append(out, omission{
			setting: "ignoreDifferences of the Application " + key.Name,
			source:  a.settingLine(key, fieldpath.MakePathOrDie("spec", "ignoreDifferences", i)),
			covers: func(at []pointer) bool {
				return slices.ContainsFunc(at, func(p pointer) bool {
					was, _ := p.get(manifest)
					is, stays := p.get(rest)
					return !stays || !reflect.DeepEqual(was, is)
				})
			},
		})
	}
	return out
}

// appName is the name of the Application that the settings are from.
func (a *argoCD) appName() string { return text(a.app, "metadata", "name") }

// omissions are the paths of spec.ignore that are about an object.
func (f *flux) omissions(w map[string]any) (out []omission) {
	key := Key{kustomizations.Group, kustomizations.Kind, f.namespace, f.name}
	for _, rule := range f.rulesOf(w) {
		o := omission{setting: "--ignore-path"}
		if rule.at != nil {
			o = omission{setting: "spec.ignore of the Kustomization " + f.name, source: f.settingLine(key, rule.at)}
		}
		o.covers = func(at []pointer) bool {
			return slices.ContainsFunc(at, func(p pointer) bool {
				return slices.ContainsFunc(rule.paths, func(ignored pointer) bool {
					n := min(len(p), len(ignored))
					return slices.Equal(p[:n], ignored[:n])
				})
			})
		}
		out = append(out, o)
	}
	return out
}

// skipping is the label or annotation by which Flux leaves an object alone; false for none.
func skipping(w engine.Write, manifest, live map[string]any) (omission, bool) {
	for _, s := range []struct {
		key, value string
		ifLive     bool
	}{{"reconcile", "disabled", false}, {"ssa", "Ignore", false}, {"ssa", "IfNotPresent", true}} {
		values := map[string]string{fluxGroup + s.key: s.value}
		said := fluxGroup + s.key + ": " + s.value
		switch {
		case s.ifLive && live == nil:
		case anyIn(manifest, values):
			return omission{
				setting: said,
				source:  lineOfKey(w.Locator, fluxGroup+s.key, s.value, manifest, &w.Source),
				covers:  allBut(fluxGroup + s.key),
			}, true
		case !s.ifLive && anyIn(live, values):
			return omission{
				setting: said + " on the live object",
				source:  lineOfKey(w.LiveLocator, fluxGroup+s.key, s.value, live, w.LiveSource),
				covers:  allBut(fluxGroup + s.key),
			}, true
		}
	}
	return omission{}, false
}

// allBut is about all fields but the label or annotation that is the setting itself.
func allBut(key string) func([]pointer) bool {
	return func(at []pointer) bool {
		return slices.ContainsFunc(at, func(p pointer) bool {
			return !slices.Equal(p, pointer{"metadata", "annotations", key}) &&
				!slices.Equal(p, pointer{"metadata", "labels", key})
		})
	}
}

// lineOfKey is where an object has a label or annotation, or else where the object starts.
func lineOfKey(l report.Locator, key, value string, object map[string]any, start *report.Source) *report.Source {
	if l == nil {
		return start
	}
	of := "annotations"
	if strings.EqualFold(labelsOf(object)[key], value) {
		of = "labels"
	}
	if at, is := l.Line(fieldpath.MakePathOrDie("metadata", of, key)); is {
		return &at
	}
	return start
}
