package impact

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/report"
)

// definitions compares the definitions as a whole.
func (s *subject) definitions() {
	s.rejected()
	if s.New == nil && s.Old != nil {
		s.find(change{rule: KindRemoved, what: fmt.Sprintf("%s is in the old definitions only", s.GroupKind),
			fix: "keep the definition until the last object is gone, or leave it out of what is pruned"})
		return
	}
	if s.New == nil || s.Old == nil {
		return
	}
	s.storage()
	s.names()
	s.conversion()
	for _, v := range s.New.list() {
		s.subresources(fmt.Sprint(v["name"]))
	}
}

// rejected reads why the server rejects the new definition, cause by cause.
func (s *subject) rejected() {
	r := s.Update
	if r == nil || !r.Outcome.Refused() || r.Outcome == report.Failed || r.Status == nil {
		return
	}
	if len(r.Causes) == 0 {
		s.find(change{rule: DefinitionRejected, what: fmt.Sprintf("the API server would answer %d: %s", r.Code, firstLine(r.Status.Message))})
	}
	for _, c := range r.Causes {
		s.find(change{rule: DefinitionRejected, what: strings.TrimPrefix(c.Field+": "+c.Message, ": "), source: c.Source})
	}
}

func (s *subject) storage() {
	was, is := s.Old.Storage(), s.New.Storage()
	if was == is || was == "" || is == "" {
		return
	}
	v, _ := s.New.version(is)
	s.find(change{rule: StorageChanged, what: fmt.Sprintf("objects are stored at %s instead of %s", is, was), source: s.line(v.at("storage")),
		fix: "rewrite all objects once (kubectl apply or the storage version migrator) before " + was + " is removed"})
}

// Storage is the version at which objects are stored; empty for none.
func (d *Definition) Storage() string {
	for _, v := range d.list() {
		if v["storage"] == true {
			return fmt.Sprint(v["name"])
		}
	}
	return ""
}

// names are what people type; the server rejects another kind or plural.
func (s *subject) names() {
	for _, key := range []string{"singular", "shortNames", "categories"} {
		is := listed(fieldtree.Value(s.New.Object, "spec", "names", key))
		gone := slices.DeleteFunc(listed(fieldtree.Value(s.Old.Object, "spec", "names", key)), func(name string) bool { return slices.Contains(is, name) })
		if len(gone) > 0 {
			s.find(change{rule: NamesChanged, what: fmt.Sprintf("spec.names.%s has no %s any more", key, strings.Join(gone, ", ")), source: s.line(names("spec", "names", key))})
		}
	}
}

// listed are the names of a list, or the one that there is.
func listed(v any) []string {
	list, ok := v.([]any)
	if !ok && v != nil {
		list = []any{v}
	}
	var out []string
	for _, item := range list {
		out = append(out, fmt.Sprint(item))
	}
	return out
}

func (s *subject) conversion() {
	was, is := s.Old.strategy(), s.New.strategy()
	if was == is {
		return
	}
	s.find(change{rule: ConversionChanged, what: fmt.Sprintf("versions are converted by %s instead of %s", converts[is], converts[was]),
		source: s.line(names("spec", "conversion", "strategy")), fix: "make sure that the webhook answers before objects are written"})
}

var converts = map[string]string{"None": "writing another apiVersion", "Webhook": "a webhook"}

func (d *Definition) strategy() string {
	if s, ok := fieldtree.Value(d.Object, "spec", "conversion", "strategy").(string); ok {
		return s
	}
	return "None"
}

// Conversion says which versions a webhook converts between where an object is written
// at one; empty where it is stored at that, or no webhook converts.
func (d *Definition) Conversion(version string) string {
	if d.strategy() != "Webhook" || d.Storage() == version {
		return ""
	}
	return fmt.Sprintf("%s and %s, at which it is stored", version, d.Storage())
}

// subresources compares those of a version that both sides have.
func (s *subject) subresources(name string) {
	before, had := s.Old.version(name)
	after, has := s.New.version(name)
	if !had || !has {
		return
	}
	for _, sub := range []string{"status", "scale"} {
		was, is := fieldtree.Value(before.object, "subresources", sub), fieldtree.Value(after.object, "subresources", sub)
		what := ""
		switch {
		case was == nil && is != nil:
			what = "the " + sub + " subresource is new"
		case was != nil && is == nil:
			what = "the " + sub + " subresource is removed"
		case !reflect.DeepEqual(was, is):
			what = "the " + sub + " subresource has other paths"
		default:
			continue
		}
		s.find(change{rule: SubresourceChanged, what: what, versions: []string{name}, source: s.line(after.at("subresources", sub)), fix: subresourceFix[sub]})
	}
}

var subresourceFix = map[string]string{
	"status": "update the controller that writes the status together with the definition",
	"scale":  "check the autoscalers that name the kind",
}

// versions compares what is served, version by version.
func (s *subject) versions() error {
	before, after := s.served(s.Before), s.served(s.After)
	switch {
	case len(before) == 0, len(after) == 0 && s.Old != nil && s.New == nil:
		return nil
	case len(after) == 0 && s.Old == nil:
		s.removedKind(before)
		return nil
	}
	for _, v := range before {
		if !slices.Contains(after, v) {
			s.removedVersion(v, after)
			continue
		}
		if err := s.compare(v); err != nil {
			return err
		}
	}
	for _, v := range after {
		if !slices.Contains(before, v) {
			n, _ := s.New.version(v)
			s.find(change{rule: VersionAdded, what: fmt.Sprintf("%s is new", gvk.GroupVersion{Group: s.Group, Version: v}), source: s.line(n.at())})
		}
	}
	return nil
}

// removedKind is a built-in kind.
func (s *subject) removedKind(versions []string) {
	s.find(change{rule: KindRemoved, what: fmt.Sprintf("%s is not in the new release", s.GroupKind), versions: versions})
}

// unasked reports whether a server serves a built-in version only where it is told to.
func unasked(version string) bool {
	return strings.Contains(version, "alpha") || strings.Contains(version, "beta")
}

func (s *subject) removedVersion(name string, after []string) {
	c := change{rule: VersionRemoved, what: fmt.Sprintf("%s is no longer there", gvk.GroupVersion{Group: s.Group, Version: name}),
		fix: "no version is served after the change: delete the objects before it, or go on serving one"}
	if len(after) > 0 {
		c.fix = fmt.Sprintf("write apiVersion: %s in manifests, and let each client and controller use it, before the change", gvk.GroupVersion{Group: s.Group, Version: after[0]})
	}
	if s.builtin() && unasked(name) {
		c.severity = findings.Note
	} else if v, there := s.New.version(name); there {
		c.what, c.source = fmt.Sprintf("%s is no longer served", gvk.GroupVersion{Group: s.Group, Version: name}), s.line(v.at("served"))
	}
	s.find(c)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
