package render

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// caveat is one with what can be done about it.
type caveat struct {
	report.Caveat
	// cure says what to do; empty where nothing can be done.
	cure string
	// command does it; empty where no line of a shell can.
	command string
}

// sentence is all of it in one line.
func (c caveat) sentence() string {
	s := c.Message
	for _, part := range []string{c.cure, c.command} {
		if part != "" {
			s += " " + part
		}
	}
	return s
}

// inFront are the caveats that are told before anything else: what was given may
// not be what the cluster has, so that all the rest may be of something else.
func inFront(r report.Result) []caveat {
	var out []caveat
	for _, c := range r.Confidence.Reasons {
		if inputCaveat(c) {
			cure, command := cureOf(c, r.Target)
			out = append(out, caveat{c, cure, command})
		}
	}
	return out
}

// inputCaveat reports whether something can be done about a caveat.
func inputCaveat(c report.Caveat) bool { return c.Rule != "" }

// behind are the caveats that are told after the answer.
func behind(reasons []report.Caveat) []report.Caveat {
	return slices.DeleteFunc(slices.Clone(reasons), inputCaveat)
}

// cureOf says what to do about a caveat, and the command that does it.
func cureOf(c report.Caveat, t report.Target) (cure, command string) {
	group, _ := groupVersion(t.APIVersion)
	switch c.Rule {
	case report.RuleAssumedSchema:
		return "Give its CustomResourceDefinition with --crds:", "kubectl get crd " + shell.Quote(definitionOf(t)) + " -o yaml > crds.yaml"
	case report.RuleNoManagedFields:
		return "Fetch it with its managed fields:", fetch(resourceArgument(t.Kind, group), t.Namespace, t.Name, "live.yaml")
	case report.RuleNoLiveKind, report.RuleIncompleteList:
		return "Fetch all of them:", fetch(resourceArgument(t.Kind, group), "", "", strings.ToLower(plural(t.Kind))+".yaml")
	case report.RuleNoLiveFiles:
		return "Give the live objects with --live:", fetch(resourceArgument(t.Kind, group), t.Namespace, t.Name, "live.yaml")
	case report.RuleNoLiveObject:
		return meant(c.Nearest, t), ""
	}
	return "", ""
}

// meant asks for what is nearest to a name: its namespace, or its name.
func meant(nearest string, t report.Target) string {
	namespace, name, namespaced := strings.Cut(nearest, "/")
	switch {
	case nearest == "":
		return ""
	case namespaced && name == t.Name:
		return "Did you mean -n " + shell.Quote(namespace) + "?"
	case namespaced:
		return "Did you mean " + name + "?"
	}
	return "Did you mean " + nearest + "?"
}

// fetch is the command that gets live objects as they are needed: one, or all of
// a kind where no name is given.
func fetch(resource, namespace, name, file string) string {
	words := []string{"kubectl", "get", resource}
	switch {
	case name == "":
		words = append(words, "-A")
	case namespace == "":
		words = append(words, name)
	default:
		words = append(words, name, "-n", namespace)
	}
	return shell.Command(append(words, "-o", "yaml", "--show-managed-fields")...) + " > " + shell.Quote(file)
}

// resourceArgument names a kind as kubectl takes it.
func resourceArgument(kind, group string) string {
	if group == "" {
		return strings.ToLower(kind)
	}
	return strings.ToLower(kind) + "." + group
}

// definitionOf is the name that a kind's CustomResourceDefinition most likely has.
func definitionOf(t report.Target) string {
	group, _ := groupVersion(t.APIVersion)
	return strings.ToLower(plural(t.Kind)) + "." + group
}

// caveats are told in lines of their own, and so is what to do.
func (p *printer) caveats(r report.Result, indent string) {
	for _, c := range inFront(r) {
		if c.Rule == report.RuleNoLiveFiles {
			// The run tells it once.
			continue
		}
		text := c.Message
		if c.cure != "" {
			text += " " + c.cure
		}
		p.paragraph(indent+"Caution: ", text)
		if c.command != "" {
			p.line(indent + "  " + p.cyan(c.command))
		}
	}
}
