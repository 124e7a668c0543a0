package client

import (
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Omission is a setting by which a client leaves something out of a manifest.
type Omission struct {
	// Setting names it, and source is where it stands; nil for no line.
	Setting string
	Source  *report.Source
	// Covers reports whether it is about what stands at places of the manifest; nil for all
	// of it.
	Covers func(at []objects.Pointer) bool
}

// Omit notes settings by which something is not sent.
func (r *Sequence) Omit(by ...Omission) { r.omitted = append(r.omitted, by...) }

// notSent are the fields of the manifest that the run leaves as they are live because of
// settings: what an apply of the whole manifest would change, and the run does not.
func (r *Sequence) notSent(whole report.Result) []report.NotSent {
	if len(r.omitted) == 0 || whole.Outcome.Refused() {
		return nil
	}
	manifest := Manifest(r.write)
	if r.write.Live == nil && r.write.LiveObject == nil {
		if len(r.Steps) > 0 {
			return nil
		}
		return []report.NotSent{{Setting: r.omitted[0].Setting, Source: r.omitted[0].Source, Line: &r.write.Source}}
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
					Setting:  o.Setting,
					Source:   o.Source,
					Line:     c.Source,
				},
			)
		}
	}
	return out
}

// omittedBy is the setting that leaves a field out; false for none.
func (r *Sequence) omittedBy(manifest map[string]any, path fieldpath.Path) (Omission, bool) {
	at := objects.Located(path, manifest)
	i := slices.IndexFunc(r.omitted, func(o Omission) bool { return o.Covers == nil || o.Covers(at) })
	switch {
	case i >= 0:
		return r.omitted[i], true
	case len(at) == 0 && len(r.omitted) == 1:
		// The server stores the field in another place than the manifest has it.
		return r.omitted[0], true
	}
	return Omission{}, false
}

// asked are the changes that the manifest itself asks for, and their paths: those of an
// apply that forces, or what differs from the live object where that is refused.
func (r *Sequence) asked(manifest map[string]any) ([]report.Change, map[string]fieldpath.Path) {
	w := r.write
	w.Verb, w.Force, w.FieldValidation = api.Apply, true, ""
	w.Detail, w.Lines, w.Decoded = engine.DetailOutcome, nil, manifest
	var shape managedfields.Shape
	if t := r.Server.Types(w.Kind); !t.Deduced {
		shape = managedfields.ShapeOf(t.ParseableType)
	}
	applied := engine.Simulate(r.Ctx, r.Server, w)
	live, err := engine.LiveAt(r.Ctx, r.Server, w, w.Kind)
	if err != nil {
		live = Live(w)
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

// SettingLine is where a field of the settings stands; nil for no line.
func (c *Client) SettingLine(setting Key, path fieldpath.Path) *report.Source {
	if c.lineOf == nil || path == nil {
		return nil
	}
	return c.lineOf(setting, path)
}
