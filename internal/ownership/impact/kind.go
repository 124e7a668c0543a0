package impact

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	apiversion "k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Definition is a CustomResourceDefinition of one side.
type Definition struct {
	Source  report.Source
	Locator report.Locator
	Object  map[string]any
}

// Kind is a kind that at least one side defines.
type Kind struct {
	gvk.GroupKind
	// Old and New are its definitions; nil where a side has none, and both for
	// built-in kinds.
	Old, New *Definition
	// Before and After publish what each side serves.
	Before, After fields.Server
	// Update is what the server answers to writing the new definition over the old
	// one; nil where that was not asked.
	Update *report.Result
}

// Target is what findings on the kind are about: its definition, or the kind.
func (k Kind) Target() report.Target {
	d := k.New
	if d == nil {
		d = k.Old
	}
	if d == nil {
		// The version that clients take: that of the new side, where it has one.
		gv := gvk.GroupVersion{Group: k.Group}
		if served := append(k.served(k.After), k.served(k.Before)...); len(served) > 0 {
			gv.Version = served[0]
		}
		return report.Target{APIVersion: gv.String(), Kind: k.Kind}
	}
	name, _ := fieldtree.Value(d.Object, "metadata", "name").(string)
	version, _ := d.Object["apiVersion"].(string)
	return report.Target{APIVersion: version, Kind: "CustomResourceDefinition", Name: name}
}

// builtin reports whether no definition makes the kind.
func (k Kind) builtin() bool { return k.Old == nil && k.New == nil }

// served are the versions at which a side has the kind, the one that clients prefer
// first.
func (k Kind) served(side fields.Server) []string {
	var out []string
	for _, kind := range side.Kinds() {
		if kind.GroupKind() == k.GroupKind {
			out = append(out, kind.Version)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return -apiversion.CompareKubeAwareVersionStrings(a, b) })
	return out
}

// Examine compares what the sides say of a kind. An error means that one of them says
// nothing.
func Examine(k Kind) ([]report.Finding, error) {
	s := &subject{Kind: k}
	s.definitions()
	err := s.versions()
	return s.findings(), err
}

// change is what is found, at one or more versions.
type change struct {
	rule     finding.Rule
	severity report.Severity
	// fields are those that it is about, and says how they change.
	fields []string
	says   text.Text
	// fix is what to do, where the rule does not say it.
	fix      text.Text
	versions []string
	source   *report.Source
}

// subject is a kind while it is examined.
type subject struct {
	Kind
	found []change
}

// find notes a change; the same at another version counts once.
func (s *subject) find(c change) {
	same := func(o change) bool {
		return o.rule == c.rule && reflect.DeepEqual(o.says, c.says) && slices.Equal(o.fields, c.fields) &&
			len(o.versions) > 0
	}
	if i := slices.IndexFunc(s.found, same); i >= 0 && len(c.versions) > 0 {
		s.found[i].versions = append(s.found[i].versions, c.versions...)
		return
	}
	if c.severity == "" {
		c.severity = c.rule.Severity
	}
	if s.builtin() && len(c.versions) > 0 && unasked(c.versions[0]) {
		c.severity = report.SeverityNote
	}
	s.found = append(s.found, c)
}

func (s *subject) findings() []report.Finding {
	var out []report.Finding
	for _, c := range s.found {
		out = append(out, s.finding(c))
	}
	return out
}

func (s *subject) finding(c change) report.Finding {
	f := c.rule.On(s.Target(), s.Source(), c.message())
	f.Severity = c.severity
	if !c.fix.IsZero() {
		f.Fixes = []report.Fix{{Does: c.fix}}
	}
	if s.builtin() && len(c.versions) > 0 {
		f.Target.APIVersion = gvk.GroupVersion{Group: s.Group, Version: c.versions[0]}.String()
	}
	if c.source != nil {
		f.Source = *c.source
	}
	return f.About(c.fields...)
}

// message is what a change says, at its versions.
func (c change) message() text.Text {
	at := text.Name(strings.Join(c.versions, ", "))
	switch {
	case len(c.versions) == 0:
		return c.says
	case len(c.fields) == 1:
		return text.New("%v of %v %v", text.Path(c.fields[0]), at, c.says)
	}
	return text.New("%v (%v)", c.says, at)
}

// Source is where the new definition starts, or the old one where there is no new one.
func (k Kind) Source() report.Source {
	switch {
	case k.New != nil:
		return k.New.Source
	case k.Old != nil:
		return k.Old.Source
	}
	return report.Source{}
}

// line is where the new definition has a path, or the nearest parent of it.
func (s *subject) line(path fieldpath.Path) *report.Source {
	if s.New == nil {
		return nil
	}
	return report.Nearest(s.New.Locator, path)
}

// names is a path of names.
func names(list ...string) fieldpath.Path {
	var p fieldpath.Path
	for _, name := range list {
		p = append(p, fieldpath.FieldNameElement(name))
	}
	return p
}

// Update is the write that replaces an old definition, which is
// established. Where the old one does not say at which versions objects are stored,
// it is taken to be the one that it stores at.
func Update(was, is Definition) engine.Write {
	live := inCluster(was.Object)
	status := maps.Clone(asMap(was.Object["status"]))
	if status == nil {
		status = map[string]any{}
	}
	if status["storedVersions"] == nil {
		status["storedVersions"] = []any{was.Storage()}
	}
	status["acceptedNames"] = fieldtree.Value(was.Object, "spec", "names")
	status["conditions"] = []any{holds("NamesAccepted"), holds("Established")}
	live["status"] = status
	body := inCluster(is.Object)
	name, _ := fieldtree.Value(is.Object, "metadata", "name").(string)
	w := engine.Write{
		Verb: api.Update, Kind: gvk.FromAPIVersionAndKind("apiextensions.k8s.io/v1", "CustomResourceDefinition"), Name: name,
		Manager:    probe,
		LiveObject: live, Source: is.Source,
	}
	if text, err := json.Marshal(live); err == nil {
		w.Live = text
	}
	if text, err := json.Marshal(body); err == nil {
		w = w.WithBody(text, body)
	}
	w.Locator = is.Locator
	return w
}

// inCluster is a definition as in a cluster: an update has to name its object.
func inCluster(definition map[string]any) map[string]any {
	out, metadata := maps.Clone(definition), maps.Clone(asMap(definition["metadata"]))
	for _, key := range []string{"managedFields", "creationTimestamp", "generation"} {
		delete(metadata, key)
	}
	metadata["uid"], metadata["resourceVersion"] = "00000000-0000-0000-0000-000000000001", "1"
	out["metadata"] = metadata
	delete(out, "status")
	return out
}

func holds(condition string) map[string]any {
	return map[string]any{
		"type":               condition,
		"status":             "True",
		"reason":             condition,
		"message":            "",
		"lastTransitionTime": "2026-01-01T00:00:00Z",
	}
}
