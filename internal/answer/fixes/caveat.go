package fixes

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// Cure is what to do about a caveat on the answer for an object; its Does is empty where
// nothing can be done.
func Cure(c report.Caveat, t report.Target) report.Fix {
	switch c.Rule {
	case report.RuleAssumedSchema:
		definition := kubectl.Get{Selections: Named("crd", DefinitionOf(t))}
		return Fetching("Give its CustomResourceDefinition with --crds:", definition, "crds.yaml")
	case report.RuleNoManagedFields:
		return Fetching("Fetch it with its managed fields:", getting(t), "live.yaml")
	case report.RuleNoLiveKind:
		all := kubectl.Get{Everywhere: true, Selections: Named(ResourceArgument(t))}
		return Fetching("Fetch all of them:", all, strings.ToLower(text.Plural(t.Kind))+".yaml")
	case report.RuleNoRelease:
		return doing(text.New("Give the Secret of the release with --live, or --release-manifest FILE."))
	case report.RuleNotBuilt:
		return doing(text.New("Give what 'flux build kustomization' prints."))
	case report.RuleDigests:
		return doing(text.New("--snapshot-key FILE compares them."))
	case report.RuleUnknownManager:
		if c.Nearest != "" {
			return meant(shell.Value("--field-manager", c.Nearest).String())
		}
	case report.RuleOtherRelease:
		if c.Nearest != "" {
			return doing(text.New("Add %v.", text.Name(shell.Value("--kubernetes-version", c.Nearest).String())))
		}
	case report.RuleNoLiveObject:
		return Meant(c.Nearest, t)
	}
	return report.Fix{}
}

// CureAll is what to do about a caveat on so many objects. Each of the kinds has the
// namespaces of its objects. Does is empty if there is no more to do than for one object.
func CureAll(caveat string, objects int, kinds []report.Target) report.Fix {
	var types, definitions, namespaces []string
	once := func(list *[]string, s string) {
		if s != "" && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, t := range kinds {
		once(&types, ResourceArgument(t))
		once(&definitions, DefinitionOf(t))
		once(&namespaces, t.Namespace)
	}
	all := kubectl.Get{Everywhere: true}
	for _, t := range types {
		all.Selections = append(all.Selections, Named(t)...)
	}
	switch {
	case caveat == report.RuleNoManagedFields && objects > 1:
		if len(namespaces) == 1 {
			all.Everywhere, all.Namespace = false, namespaces[0]
		}
		return Fetching("Fetch them with their managed fields:", all, "live.yaml")
	case caveat == report.RuleNoLiveKind && len(types) > 1:
		return Fetching("Fetch all of them:", all, "more.yaml")
	case caveat == report.RuleAssumedSchema && len(types) > 1:
		return Fetching(
			"Give their CustomResourceDefinitions with --crds:",
			kubectl.Get{Selections: Named("crd", definitions...)},
			"crds.yaml",
		)
	}
	return report.Fix{}
}

func doing(does text.Text) report.Fix { return report.Fix{Does: does} }

func meant(what string) report.Fix { return doing(text.New("Did you mean %v?", text.Name(what))) }

// Meant asks for what is nearest to a name: its namespace, or its name.
func Meant(nearest string, t report.Target) report.Fix {
	namespace, name, namespaced := strings.Cut(nearest, "/")
	switch {
	case nearest == "":
		return report.Fix{}
	case namespaced && name == t.Name:
		return meant(shell.Value("-n", namespace).String())
	case namespaced:
		return meant(name)
	}
	return meant(nearest)
}

// Fetching gets live objects into a file; its Does is empty where no command can.
func Fetching(does string, get kubectl.Get, file string) report.Fix {
	if line := Fetch(get, file); !line.None() {
		return report.Fix{Does: text.Text{Format: does}, Command: line}
	}
	return report.Fix{}
}

// Fetch is the command that gets live objects as they are needed, into a file.
func Fetch(get kubectl.Get, file string) shell.Line { return get.YAML().To(file) }

// FetchObject is the same of one object.
func FetchObject(t report.Target) shell.Line { return Fetch(getting(t), "live.yaml") }

func getting(t report.Target) kubectl.Get {
	return kubectl.Get{Namespace: t.Namespace, Selections: Named(ResourceArgument(t), t.Name)}
}

// Named are objects of one type; all of them without names.
func Named(resource string, names ...string) []kubectl.Selection {
	return []kubectl.Selection{{Type: resource, Names: names}}
}

// ResourceArgument names the kind of an object as kubectl takes it.
func ResourceArgument(t report.Target) string {
	if group := t.Group(); group != "" {
		return strings.ToLower(t.Kind) + "." + group
	}
	return strings.ToLower(t.Kind)
}

// DefinitionOf is the name that a kind's CustomResourceDefinition most likely has.
func DefinitionOf(t report.Target) string {
	return strings.ToLower(text.Plural(t.Kind)) + "." + t.Group()
}
