package rules

import (
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var managedFieldsMissing = finding.Rule{
	Name: "managed-fields-missing", Severity: report.SeverityWarning,
	Title: "There are no managedFields.",
	Why:   "Ownership cannot be known. If the live object has none either, its first apply makes before-first-apply own every field.",
}

// tracking is what one object tells of how its file was fetched.
type tracking struct {
	// untracked is the finding on an object without managedFields; nil for one
	// that has them.
	untracked *report.Finding
	// stored reports whether the object came out of a storage; metrics
	// and the like never have managedFields.
	stored bool
	// bare: it has nothing that anybody could own.
	bare bool
	// file is where the object is, resource its plural name with the group.
	file, resource, namespace string
}

func trackingOf(s *examined) tracking {
	metadata, _ := s.Live["metadata"].(map[string]any)
	t := tracking{
		stored:    metadata["uid"] != nil || metadata["resourceVersion"] != nil,
		file:      s.Source.File,
		resource:  s.Resource,
		namespace: s.Target.Namespace,
	}
	if group := s.kind().Group; group != "" && t.resource != "" {
		t.resource += "." + group
	}
	t.bare = s.owners.Err == nil && len(s.owners.Entries) == 0 && managedfields.Bare(s.Live)
	if s.owners.Err == nil && len(s.owners.Entries) == 0 && !t.bare {
		f := s.finding(
			managedFieldsMissing,
			"",
			nil,
			text.New(
				"the object has no managedFields, though others of the file have: its first apply gives all fields to before-first-apply",
			),
			fix(s.object().Fetch(), text.New("shows whether the object has none in the cluster either")),
		)
		t.untracked = &f
	}
	return t
}

// untracked reports objects without managedFields: one finding for a file in
// which no object has them, since they were not fetched then.
func untracked(run []Examined) []report.Finding {
	files := map[string][]tracking{}
	without := map[string]int{}
	for _, e := range run {
		if e.tracking.bare {
			continue
		}
		files[e.tracking.file] = append(files[e.tracking.file], e.tracking)
		if e.tracking.untracked != nil {
			without[e.tracking.file]++
		}
	}
	var out []report.Finding
	told := map[string]bool{}
	for _, e := range run {
		t := e.tracking
		all := without[t.file] == len(files[t.file])
		switch {
		case t.untracked == nil:
		case !all && t.stored:
			out = append(out, *t.untracked)
		case all && !told[t.file]:
			told[t.file] = true
			says := text.New(
				"the object of this file has no managedFields: it was probably fetched without --show-managed-fields",
			)
			if n := len(files[t.file]); n > 1 {
				says = text.New(
					"none of the %v objects of this file has managedFields: they were fetched without --show-managed-fields",
					text.Number(n),
				)
			}
			out = append(
				out,
				managedFieldsMissing.On(report.Target{}, report.Source{File: t.file}, says, fetchAgain(t.file, files[t.file])),
			)
		}
	}
	return out
}

// manyResources is from how many kinds on a command names them all by "all".
const manyResources = 12

// fetchAgain is the command that fetches the objects of a file.
func fetchAgain(file string, objects []tracking) report.Fix {
	resources, namespaces := map[string]bool{}, map[string]bool{}
	for _, t := range objects {
		resources[t.resource] = true
		if t.namespace != "" {
			namespaces[t.namespace] = true
		}
	}
	kinds := []string{"all"}
	if len(resources) < manyResources && !resources[""] {
		kinds = slices.Sorted(maps.Keys(resources))
	}
	get := kubectl.Get{Everywhere: len(namespaces) > 1}
	for _, kind := range kinds {
		get.Selections = append(get.Selections, kubectl.Selection{Type: kind})
	}
	if len(namespaces) == 1 {
		get.Namespace = slices.Sorted(maps.Keys(namespaces))[0]
	}
	return fix(
		get.YAML(),
		text.New("fetches the objects with managedFields; write them to %v instead of these", text.Name(file)),
	)
}

var managedFieldsUnreadable = finding.Rule{
	Name: "managed-fields-unreadable", Severity: report.SeverityError,
	Title: "managedFields cannot be read.",
	Why:   "The API server refuses every apply to the object, and the next other write makes it forget all entries, the readable ones too.",
}

// shownBroken is how many broken entries are named.
const shownBroken = 5

// findUnreadable finds managedFields that the server cannot read.
func findUnreadable(s *examined) {
	var bad []text.Text
	if err := s.owners.Err; err != nil {
		bad = append(bad, text.New("%v", text.Said(err.Error())))
	}
	for _, e := range s.owners.Broken() {
		one := text.New("entry %v", text.Number(e.Index+1))
		if e.Manager != "" {
			one = text.New("%v (%v)", one, text.By(e.Manager))
		}
		bad = append(bad, one.And(": ", s.quoting(e.Err.Error())))
	}
	if len(bad) == 0 {
		return
	}
	says := text.Join(bad[:min(len(bad), shownBroken)], "; ")
	if more := len(bad) - shownBroken; more > 0 {
		says = says.And("; ", text.New("and %v more", text.Number(more)))
	}
	s.find(
		managedFieldsUnreadable,
		"",
		nil,
		text.New("managedFields cannot be read: %v", says),
		fix(
			s.about(clearIt, shell.Switch("--all")),
			text.New("clears managedFields, so that the API server starts to track again"),
		),
	)
}
