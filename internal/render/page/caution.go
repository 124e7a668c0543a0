package page

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/kubectl"
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
		if reason.Rule == "" || reason.Rule == report.RuleNotGiven {
			continue
		}
		cure, command := cureOf(reason, t)
		same := func(c Caution) bool {
			return c.Rule == reason.Rule && c.Message == reason.Message && c.Command == command
		}
		if i := slices.IndexFunc(out, same); i >= 0 && reason.Field != "" {
			out[i].Field += ", " + reason.Field
			continue
		}
		out = append(out, Caution{reason, cure, command})
	}
	return out
}

// CautionBlocks are the same as blocks, each with the command that helps.
func CautionBlocks(c report.Confidence, t report.Target) []model.Block {
	var out []model.Block
	for _, caution := range Cautions(c, t) {
		out = append(out, BlocksOf(caution)...)
	}
	return out
}

// BlocksOf are one of them.
func BlocksOf(c Caution) []model.Block {
	text := c.Message
	if c.Field != "" {
		text = c.Field + ": " + text
	}
	if c.Cure != "" {
		text += " " + c.Cure
	}
	out := []model.Block{model.Paragraph{Label: model.Text{model.Strong.Of("Caution:")}, Text: model.Say(text)}}
	if c.Command != "" {
		out = append(out, model.Command{Line: c.Command})
	}
	return out
}

// Assumed is what a run assumes, as the first answer that depends on it says it.
type Assumed string

// Add notes what an answer assumes.
func (a *Assumed) Add(c report.Confidence) {
	for _, reason := range c.Reasons {
		if *a == "" && reason.Rule == report.RuleNotGiven {
			*a = Assumed(reason.Message)
		}
	}
}

// Tell adds a line; none where nothing is assumed.
func (a Assumed) Tell(t *model.Tail) {
	if a != "" {
		t.Assumed = string(a)
		t.Blocks = append(t.Blocks, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of(t.Assumed)}})
	}
}

// cureOf says what to do about a caveat, and the command that does it.
func cureOf(c report.Caveat, t report.Target) (cure, command string) {
	group, _ := words.GroupVersion(t.APIVersion)
	switch c.Rule {
	case report.RuleAssumedSchema:
		return Cured("Give its CustomResourceDefinition with --crds:", Fetch(kubectl.Get{Selections: Named("crd", DefinitionOf(t))}, "crds.yaml"))
	case report.RuleNoManagedFields:
		return Cured("Fetch it with its managed fields:", FetchObject(t))
	case report.RuleNoLiveKind:
		return Cured("Fetch all of them:", Fetch(kubectl.Get{Everywhere: true, Selections: Named(ResourceArgument(t.Kind, group))}, strings.ToLower(words.Plural(t.Kind))+".yaml"))
	case report.RuleNoRelease:
		return "Give the Secret of the release with --live, or --release-manifest FILE.", ""
	case report.RuleNotBuilt:
		return "Give what 'flux build kustomization' prints.", ""
	case report.RuleDigests:
		return "--snapshot-key FILE compares them.", ""
	case report.RuleUnknownManager:
		if c.Nearest != "" {
			return "Did you mean " + shell.Value("--field-manager", c.Nearest).String() + "?", ""
		}
	case report.RuleOtherRelease:
		if c.Nearest != "" {
			return "Add " + shell.Value("--kubernetes-version", c.Nearest).String() + ".", ""
		}
	case report.RuleNoLiveObject:
		return Meant(c.Nearest, t), ""
	}
	return "", ""
}

// Cured is what to do with the command that does it; nothing where there is none.
func Cured(cure, command string) (string, string) {
	if command == "" {
		return "", ""
	}
	return cure, command
}

// Meant asks for what is nearest to a name: its namespace, or its name.
func Meant(nearest string, t report.Target) string {
	namespace, name, namespaced := strings.Cut(nearest, "/")
	switch {
	case nearest == "":
		return ""
	case namespaced && name == t.Name:
		return "Did you mean " + shell.Value("-n", namespace).String() + "?"
	case namespaced:
		return "Did you mean " + name + "?"
	}
	return "Did you mean " + nearest + "?"
}

// Fetch is the command that gets live objects as they are needed, into a file.
func Fetch(get kubectl.Get, file string) string { return get.YAML().To(file).String() }

// FetchObject is the same of one object.
func FetchObject(t report.Target) string {
	group, _ := words.GroupVersion(t.APIVersion)
	return Fetch(kubectl.Get{Namespace: t.Namespace, Selections: Named(ResourceArgument(t.Kind, group), t.Name)}, "live.yaml")
}

// Named are objects of one type; all of them without names.
func Named(resource string, names ...string) []kubectl.Selection {
	return []kubectl.Selection{{Type: resource, Names: names}}
}

// ResourceArgument names a kind as kubectl takes it.
func ResourceArgument(kind, group string) string {
	if group == "" {
		return strings.ToLower(kind)
	}
	return strings.ToLower(kind) + "." + group
}

// DefinitionOf is the name that a kind's CustomResourceDefinition most likely has.
func DefinitionOf(t report.Target) string {
	group, _ := words.GroupVersion(t.APIVersion)
	return strings.ToLower(words.Plural(t.Kind)) + "." + group
}
