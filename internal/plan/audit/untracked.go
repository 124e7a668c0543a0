package audit

import (
	"slices"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
)

// untracked reports objects without managedFields: one finding for a file in
// which no object has them, since they were not fetched then.
func untracked(surveys []Survey) []Finding {
	files := map[string][]Survey{}
	without := map[string]int{}
	for _, v := range surveys {
		files[v.file] = append(files[v.file], v)
		if v.untracked != nil {
			without[v.file]++
		}
	}
	var out []Finding
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

func fileFinding(file string, objects []Survey) Finding {
	r := rules.Of(ManagedFieldsMissing)
	fact := report.Fact{Kind: FileUntracked, Count: len(objects)}
	if len(objects) == 1 {
		fact.Kind = LoneUntracked
	}
	return Finding{Rule: r.Name, Severity: r.Severity, Source: report.Source{File: file}, Fact: fact, Fixes: []Fix{fetchAgain(file, objects)}}
}

// manyResources is from how many kinds on a command names them all by "all".
const manyResources = 12

// fetchAgain is the command that fetches the objects of a file.
func fetchAgain(file string, objects []Survey) Fix {
	resources, namespaces := map[string]bool{}, map[string]bool{}
	for _, v := range objects {
		resources[v.resource] = true
		if v.namespace != "" {
			namespaces[v.namespace] = true
		}
	}
	kinds := []string{"all"}
	if len(resources) < manyResources && !resources[""] {
		kinds = sortedSet(resources)
	}
	get := kubectl.Get{Everywhere: len(namespaces) > 1}
	for _, kind := range kinds {
		get.Selections = append(get.Selections, kubectl.Selection{Type: kind})
	}
	if len(namespaces) == 1 {
		get.Namespace = sortedSet(namespaces)[0]
	}
	return Fix{Kind: FetchFile, File: file, Line: get.YAML()}
}

func sortedSet(set map[string]bool) []string {
	var out []string
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
