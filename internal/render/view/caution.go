package view

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

// Caution is a caveat with what can be done about it.
type Caution struct {
	report.Caveat
	// Cure says what to do; empty where nothing can be done.
	Cure string
	// Command does it; empty where no line of a shell can.
	Command string
}

// Cautions are the caveats that come before anything else: what was given may
// not be what the cluster has, so that all the rest may be of something else.
func Cautions(c report.Confidence, t report.Target) []Caution {
	var out []Caution
	for _, reason := range c.Reasons {
		if inputCaveat(reason) {
			cure, command := cureOf(reason, t)
			out = append(out, Caution{reason, cure, command})
		}
	}
	return out
}

// cautions are the same as blocks, each with the command that helps.
func cautions(c report.Confidence, t report.Target) []model.Block {
	var out []model.Block
	for _, caution := range Cautions(c, t) {
		out = append(out, cautionBlocks(caution)...)
	}
	return out
}

// cautionBlocks are one of them.
func cautionBlocks(c Caution) []model.Block {
	text := c.Message
	if c.Cure != "" {
		text += " " + c.Cure
	}
	out := []model.Block{model.Paragraph{Label: model.Text{model.Strong.Of("Caution:")}, Text: model.Say(text)}}
	if c.Command != "" {
		out = append(out, model.Command{Line: c.Command})
	}
	return out
}

// inputCaveat reports whether something can be done about a caveat.
func inputCaveat(c report.Caveat) bool { return c.Rule != "" }

// behind are the caveats that are reported after the answer.
func behind(reasons []report.Caveat) []report.Caveat {
	return slices.DeleteFunc(slices.Clone(reasons), inputCaveat)
}

// cureOf says what to do about a caveat, and the command that does it.
func cureOf(c report.Caveat, t report.Target) (cure, command string) {
	group, _ := words.GroupVersion(t.APIVersion)
	switch c.Rule {
	case report.RuleAssumedSchema:
		return "Give its CustomResourceDefinition with --crds:", "kubectl get crd " + shell.Quote(definitionOf(t)) + " -o yaml > crds.yaml"
	case report.RuleNoManagedFields:
		return "Fetch it with its managed fields:", fetch(resourceArgument(t.Kind, group), t.Namespace, t.Name, "live.yaml")
	case report.RuleNoLiveKind:
		return "Fetch all of them:", fetch(resourceArgument(t.Kind, group), "", "", strings.ToLower(words.Plural(t.Kind))+".yaml")
	case report.RuleUnknownManager:
		return otherManager(c.Nearest), ""
	case report.RuleNoLiveObject:
		return Meant(c.Nearest, t), ""
	}
	return "", ""
}

// otherManager asks for the manager that may be meant.
func otherManager(nearest string) string {
	if nearest == "" {
		return ""
	}
	return "Did you mean --field-manager " + shell.Quote(nearest) + "?"
}

// Meant asks for what is nearest to a name: its namespace, or its name.
func Meant(nearest string, t report.Target) string {
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
// a kind, in a namespace, where no name is given.
func fetch(resource, namespace, name, file string) string {
	command := []string{"kubectl", "get", resource}
	switch {
	case name == "" && namespace == "":
		command = append(command, "-A")
	case name == "":
		command = append(command, "-n", namespace)
	case namespace == "":
		command = append(command, name)
	default:
		command = append(command, name, "-n", namespace)
	}
	return commandLine(append(command, "-o", "yaml", "--show-managed-fields")...) + " > " + shell.Quote(file)
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
	group, _ := words.GroupVersion(t.APIVersion)
	return strings.ToLower(words.Plural(t.Kind)) + "." + group
}
