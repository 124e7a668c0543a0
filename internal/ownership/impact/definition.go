package impact

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var definitionRejected = finding.Rule{
	Name: "definition-rejected", Severity: report.SeverityError,
	Title: "The API server rejects the new definition.",
	Why:   "The definition in the cluster stays as it is, and with it everything below.",
}

var kindRemoved = finding.Rule{
	Name: "kind-removed", Severity: report.SeverityError,
	Title: "A kind is no longer there.",
	Why:   "With a CustomResourceDefinition all objects of its kind are deleted. Objects of a built-in kind stay in the storage, where no client can reach them.",
}

var versionRemoved = finding.Rule{
	Name: "version-removed", Severity: report.SeverityError,
	Title: "An API version is no longer served.",
	Why:   "Every request for it is answered 404: manifests, clients and controllers have to use another version first.",
}

var subresourceChanged = finding.Rule{
	Name: "subresource-changed", Severity: report.SeverityWarning,
	Title: "A subresource comes or goes.",
	Why:   "With the status subresource, writes to the object leave the status alone and own nothing of it; without, they set it. The scale subresource is how autoscalers write replicas.",
}

var conversionChanged = finding.Rule{
	Name: "conversion-changed", Severity: report.SeverityWarning,
	Title: "Versions are converted in another way.",
	Why:   "Managed fields at other versions go through the conversion. Where a webhook converts and does not answer, writes fail, or entries are lost.",
	Fix:   "make sure that the webhook answers before objects are written",
}

var storageChanged = finding.Rule{
	Name: "storage-version-changed", Severity: report.SeverityNote,
	Title: "Objects are stored at another version.",
	Why:   "Each is rewritten at its next write. The old version may be removed once none is left and it is out of status.storedVersions.",
}

var namesChanged = finding.Rule{
	Name: "names-changed", Severity: report.SeverityNote,
	Title: "The kind goes by fewer names.",
	Why:   "Scripts that use a short, singular or category name that is gone no longer find it.",
}

var versionAdded = finding.Rule{
	Name: "version-added", Severity: report.SeverityNote,
	Title: "An API version is new.",
	Why:   "Entries of managed fields stay at the version that their manager writes.",
}

// definitions compares the definitions as a whole.
func (s *subject) definitions() {
	s.rejected()
	if s.New == nil && s.Old != nil {
		s.find(change{rule: kindRemoved, says: text.New("%v is in the old definitions only", text.Name(s.GroupKind.String())),
			fix: text.New("keep the definition until the last object is gone, or leave it out of what is pruned")})
		return
	}
	if s.New == nil || s.Old == nil {
		return
	}
	s.storage()
	s.names()
	if was, is := s.Old.strategy(), s.New.strategy(); was != is {
		by := map[string]text.Arg{"None": text.Name("writing another apiVersion"), "Webhook": text.Name("a webhook")}
		s.find(
			change{
				rule:   conversionChanged,
				says:   text.New("versions are converted by %v instead of %v", by[is], by[was]),
				source: s.line(names("spec", "conversion", "strategy")),
			},
		)
	}
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
		s.find(
			change{
				rule: definitionRejected,
				says: text.New("the API server would answer %v: %v",
					text.Number(r.Code), text.Said(text.FirstLine(r.Status.Message))),
			},
		)
	}
	for _, c := range r.Causes {
		says := text.New("%v", text.Said(c.Message))
		if c.Field != "" {
			says = text.New("%v: %v", text.Path(c.Field), says)
		}
		s.find(change{rule: definitionRejected, says: says, source: c.Source})
	}
}

func (s *subject) storage() {
	was, is := s.Old.Storage(), s.New.Storage()
	if was == is || was == "" || is == "" {
		return
	}
	v, _ := s.New.version(is)
	s.find(
		change{
			rule:   storageChanged,
			says:   text.New("objects are stored at %v instead of %v", text.Name(is), text.Name(was)),
			source: s.line(v.at("storage")),
			fix: text.New(
				"rewrite all objects once (kubectl apply or the storage version migrator) before %v is removed",
				text.Name(was),
			),
		},
	)
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
		gone := slices.DeleteFunc(
			listed(fieldtree.Value(s.Old.Object, "spec", "names", key)),
			func(name string) bool { return slices.Contains(is, name) },
		)
		if len(gone) > 0 {
			s.find(
				change{
					rule:   namesChanged,
					says:   text.New("spec.names.%v has no %v any more", text.Name(key), text.Name(strings.Join(gone, ", "))),
					source: s.line(names("spec", "names", key)),
				},
			)
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

// NeedsWebhook reports whether a webhook converts an object of one version that is written at another.
func (d *Definition) NeedsWebhook(own, to string) bool {
	return d.strategy() == "Webhook" && (own != to || d.Storage() != to)
}

// Kind is the kind that it defines.
func (d *Definition) Kind() gvk.GroupKind {
	group, _ := fieldtree.Value(d.Object, "spec", "group").(string)
	kind, _ := fieldtree.Value(d.Object, "spec", "names", "kind").(string)
	return gvk.GroupKind{Group: group, Kind: kind}
}

// subresourceFixes are what to do about a change of a subresource.
var subresourceFixes = map[string]text.Text{
	"status": text.New("update the controller that writes the status together with the definition"),
	"scale":  text.New("check the autoscalers that name the kind"),
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
		how := text.New("has other paths")
		switch {
		case was == nil && is != nil:
			how = text.New("is new")
		case was != nil && is == nil:
			how = text.New("is removed")
		case reflect.DeepEqual(was, is):
			continue
		}
		s.find(
			change{
				rule:     subresourceChanged,
				says:     text.New("the %v subresource %v", text.Name(sub), how),
				fix:      subresourceFixes[sub],
				versions: []string{name},
				source:   s.line(after.at("subresources", sub)),
			},
		)
	}
}

// versions compares what is served, version by version.
func (s *subject) versions() error {
	before, after := s.served(s.Before), s.served(s.After)
	switch {
	case len(before) == 0, len(after) == 0 && s.Old != nil && s.New == nil:
		return nil
	case len(after) == 0 && s.Old == nil:
		s.find(
			change{
				rule:     kindRemoved,
				says:     text.New("%v is not in the new release", text.Name(s.GroupKind.String())),
				versions: before,
			},
		)
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
			s.find(change{rule: versionAdded, says: text.New("%v is new", text.Name(s.at(v))), source: s.line(n.at())})
		}
	}
	return nil
}

// unasked reports whether a server serves a built-in version only if a flag enables it.
func unasked(version string) bool {
	return strings.Contains(version, "alpha") || strings.Contains(version, "beta")
}

func (s *subject) removedVersion(name string, after []string) {
	c := change{rule: versionRemoved, says: text.New("%v is no longer there", text.Name(s.at(name))),
		fix: text.New("no version is served after the change: delete the objects before it, or go on serving one")}
	if len(after) > 0 {
		c.fix = text.New(
			"write apiVersion: %v in manifests, and let each client and controller use it, before the change",
			text.Name(s.at(after[0])),
		)
	}
	if s.builtin() && unasked(name) {
		c.severity = report.SeverityNote
	} else if v, there := s.New.version(name); there {
		c.says, c.source = text.New("%v is no longer served", text.Name(s.at(name))), s.line(v.at("served"))
	}
	s.find(c)
}

// at is a version of the kind as an API version.
func (s *subject) at(version string) string {
	return gvk.GroupVersion{Group: s.Group, Version: version}.String()
}
