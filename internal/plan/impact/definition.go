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
		s.find(change{rule: KindRemoved, fact: report.Fact{Kind: OldOnly, Is: s.GroupKind.String()}})
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
		s.find(change{rule: DefinitionRejected, fact: report.Fact{Kind: ServerAnswers, Count: r.Code, Text: r.Status.Message}})
	}
	for _, c := range r.Causes {
		s.find(change{rule: DefinitionRejected, fact: report.Fact{Kind: Faulty, Text: strings.TrimPrefix(c.Field+": "+c.Message, ": ")}, source: c.Source})
	}
}

func (s *subject) storage() {
	was, is := s.Old.Storage(), s.New.Storage()
	if was == is || was == "" || is == "" {
		return
	}
	v, _ := s.New.version(is)
	s.find(change{rule: StorageChanged, fact: report.Fact{Kind: StoredAt, Version: was, At: is}, source: s.line(v.at("storage"))})
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
			s.find(change{rule: NamesChanged, fact: report.Fact{Kind: NamesGone, Text: key, Others: gone}, source: s.line(names("spec", "names", key))})
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
	s.find(change{rule: ConversionChanged, fact: report.Fact{Kind: Converted, Want: was, Is: is}, source: s.line(names("spec", "conversion", "strategy"))})
}

func (d *Definition) strategy() string {
	if s, ok := fieldtree.Value(d.Object, "spec", "conversion", "strategy").(string); ok {
		return s
	}
	return "None"
}

// Conversion is what a webhook does to an object: Written is the version at which it is
// written, Stored that at which it is stored.
type Conversion struct{ Written, Stored string }

// Conversion is that of an object which is written at a version; empty where it is
// stored at that, or no webhook converts.
func (d *Definition) Conversion(version string) Conversion {
	if d.strategy() != "Webhook" || d.Storage() == version {
		return Conversion{}
	}
	return Conversion{version, d.Storage()}
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
		kind := SubresourceMoved
		switch {
		case was == nil && is != nil:
			kind = SubresourceNew
		case was != nil && is == nil:
			kind = SubresourceGone
		case reflect.DeepEqual(was, is):
			continue
		}
		s.find(change{rule: SubresourceChanged, fact: report.Fact{Kind: kind, Text: sub}, versions: []string{name}, source: s.line(after.at("subresources", sub))})
	}
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
			s.find(change{rule: VersionAdded, fact: report.Fact{Kind: VersionNew, Version: s.at(v)}, source: s.line(n.at())})
		}
	}
	return nil
}

// removedKind is a built-in kind.
func (s *subject) removedKind(versions []string) {
	s.find(change{rule: KindRemoved, fact: report.Fact{Kind: NotInRelease, Is: s.GroupKind.String()}, versions: versions})
}

// unasked reports whether a server serves a built-in version only if a flag enables it.
func unasked(version string) bool {
	return strings.Contains(version, "alpha") || strings.Contains(version, "beta")
}

func (s *subject) removedVersion(name string, after []string) {
	c := change{rule: VersionRemoved, fact: report.Fact{Kind: VersionGone, Version: s.at(name)}}
	if len(after) > 0 {
		c.fact.At = s.at(after[0])
	}
	if s.builtin() && unasked(name) {
		c.severity = findings.Note
	} else if v, there := s.New.version(name); there {
		c.fact.Kind, c.source = VersionUnserved, s.line(v.at("served"))
	}
	s.find(c)
}

// at is a version of the kind as an API version.
func (s *subject) at(version string) string {
	return gvk.GroupVersion{Group: s.Group, Version: version}.String()
}
