package rules

import (
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var managedFieldsMissing = finding.Rule{
	Name: "managed-fields-missing", Severity: report.SeverityWarning,
	Title: "There are no managedFields.",
	Why:   "Ownership cannot be known. If the live object has none either, its first apply makes before-first-apply own every field.",
}

// untracked is the finding on this object, where it has no managedFields; nil where it has.
func (s *examined) untracked() *finding.Finding {
	if s.owners.Err != nil || len(s.owners.Entries) > 0 {
		return nil
	}
	f := s.finding(managedFieldsMissing, "", nil, text.New("the object has no managedFields, though others of the file have: its first apply gives all fields to before-first-apply"),
		fix(s.object().Fetch(), text.New("shows whether the object has none in the cluster either")))
	return &f
}

// stored reports whether the object came out of a server's storage.
func (s *examined) stored() bool {
	metadata, _ := s.Live["metadata"].(map[string]any)
	return metadata["uid"] != nil || metadata["resourceVersion"] != nil
}

// untracked reports objects without managedFields: one finding for a file in
// which no object has them, since they were not fetched then.
func untracked(surveys []Survey) []finding.Finding {
	files := map[string][]Survey{}
	without := map[string]int{}
	for _, v := range surveys {
		files[v.file] = append(files[v.file], v)
		if v.untracked != nil {
			without[v.file]++
		}
	}
	var out []finding.Finding
	told := map[string]bool{}
	for _, v := range surveys {
		all := without[v.file] == len(files[v.file])
		switch {
		case v.untracked == nil:
		case !all && v.stored:
			out = append(out, *v.untracked)
		case all && !told[v.file]:
			told[v.file] = true
			out = append(out, fileFinding(v.file, files[v.file]))
		}
	}
	return out
}

func fileFinding(file string, objects []Survey) finding.Finding {
	says := text.New("the object of this file has no managedFields: it was probably fetched without --show-managed-fields")
	if n := len(objects); n > 1 {
		says = text.New("none of the %v objects of this file has managedFields: they were fetched without --show-managed-fields", text.Number(n))
	}
	return managedFieldsMissing.On(report.Target{}, report.Source{File: file}, says, fetchAgain(file, objects))
}

// manyResources is from how many kinds on a command names them all by "all".
const manyResources = 12

// fetchAgain is the command that fetches the objects of a file.
func fetchAgain(file string, objects []Survey) finding.Fix {
	resources, namespaces := map[string]bool{}, map[string]bool{}
	for _, v := range objects {
		resources[v.resource] = true
		if v.namespace != "" {
			namespaces[v.namespace] = true
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
	return fix(get.YAML(), text.New("fetches the objects with managedFields; write them to %v instead of these", text.Name(file)))
}
