package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// clientNames are the clients in sentences.
var clientNames = map[report.Client]string{
	report.ArgoCD: "Argo CD", report.Flux: "Flux", report.Helm: "Helm", report.Terraform: "Terraform",
	report.Pulumi: "Pulumi", report.Kubectl: "kubectl",
}

// setting is a fix in a client's language, and what it does; MANAGERS stands for who
// owns the fields; FIELDS, VALUES, THEM and THOSE agree with their number. In short, it is what the client calls it.
type setting struct {
	short, language, does string
	text                  func(clientObject) string
}

// settings are those of the clients. What they rest on stands in docs/clients.md.
var settings = map[report.Client]map[conflict.ResolutionKind]setting{
	report.ArgoCD: {
		conflict.UseLiveValue: {"ignoreDifferences", "yaml",
			"Add it to the Application: each sync then applies the live VALUES, and leaves THEM to MANAGERS; a new object gets THOSE of the " +
				"manifest. managedFieldsManagers, in place of paths, ignores all that a manager owns.", argoIgnore},
		conflict.Force: {"the sync option ServerSideApply=true", "yaml",
			"Add it to the Application: with ServerSideApply=true each sync forces, which takes the FIELDS from MANAGERS.", argoForce},
	},
	report.Flux: {
		conflict.StopManaging: {"spec.ignore of the Kustomization", "yaml",
			"Add it to the Kustomization of Flux (kustomize-controller 1.9 and later): it leaves the FIELDS to MANAGERS, and new objects get " +
				"THOSE of the source. Before 1.9, spec.patches can remove THEM.", fluxIgnore},
		conflict.Force: {"--override-manager of kustomize-controller", "yaml",
			"Add the patch to the kustomization.yaml of flux-system: kustomize-controller then removes the ownership of MANAGERS from all that " +
				"it applies, beside forcing.", fluxOverride},
	},
	report.Helm: {
		conflict.StopManaging: {"the chart's value for autoscaling", "yaml",
			"Set it in the values, if the chart was made by helm create, or has the same key: its templates then leave replicas out for " +
				"MANAGERS. Other charts have a key of their own.", helmValues},
		conflict.Force: {"helm upgrade --force-conflicts", "sh",
			"Upgrade once with force, with your chart as CHART: it takes the FIELDS from MANAGERS. --take-ownership is another thing: it " +
				"adopts objects of no release.", helmForce},
	},
	report.Terraform: {
		conflict.StopManaging: {"computed_fields", "hcl",
			"Remove the FIELDS from manifest, and list THEM as computed, so that the plan accepts the VALUES of MANAGERS. Labels and " +
				"annotations are the default of the list, which has to name them.", terraformComputed},
		conflict.Force: {
			"field_manager with force_conflicts", "hcl",
			"Add the block: the next apply takes the FIELDS from MANAGERS.", terraformForce,
		},
	},
	report.Pulumi: {
		conflict.StopManaging: {
			"ignoreChanges", "yaml",
			"Add the option, in the language of the program: what it names is left to MANAGERS.",
			pulumiIgnore,
		},
		conflict.Force: {"the annotation pulumi.com/patchForce", "yaml",
			"Add the annotation, in the language of the program: the next run takes the FIELDS from MANAGERS. pulumi.com/patchFieldManager " +
				"names the field manager.", pulumiForce},
	},
	report.Kubectl: {
		conflict.Force: {"", "sh", "Applies with force: it takes the FIELDS from MANAGERS.", kubectlForce},
	},
}

// clientObject is a fix with the object that it is for.
type clientObject struct {
	report.ClientFix
	target report.Target
	// file is the manifest.
	file string
}

// Written are settings with their texts, of an object that a manifest of a file is
// applied to.
func Written(list []report.ClientFix, target report.Target, file string) []report.ClientFix {
	list = slices.Clone(list)
	for i, f := range list {
		s, known := settings[f.Client][conflict.ResolutionKind(f.Kind)]
		if !known {
			continue
		}
		list[i].Language = s.language
		list[i].Text = s.text(clientObject{f, target, file})
		list[i].Does = agreeing(s.does, f)
	}
	return list
}

// agreeing is a sentence about the fields of a setting, in their number.
func agreeing(sentence string, f report.ClientFix) string {
	n := len(f.Fields)
	return strings.NewReplacer(
		"MANAGERS", words.And(f.Managers), "FIELDS", words.Agree(n, "field", "fields"), "VALUES",
		words.Agree(n, "value", "values"), "THEM", words.Them(n), "THOSE",
		words.Agree(n, "that", "those"),
	).Replace(sentence)
}

// ResultDocument is a result with the texts of its settings.
func ResultDocument(r report.Result) report.Result {
	r.InClient = Written(r.InClient, r.Target, r.Source.File)
	r.Findings = WithTexts(r.Findings, r.Source.File)
	return r
}

// WithTexts are the findings on an object with the texts of their settings.
func WithTexts(list []report.Finding, file string) []report.Finding {
	out := []report.Finding{}
	for _, f := range list {
		f.Fixes = set(f, file)
		out = append(out, f)
	}
	return out
}

// set are the fixes of a finding with the texts of settings; a setting without a text is
// none.
func set(f report.Finding, file string) []report.Fix {
	list := []report.Fix{}
	for _, fix := range f.Fixes {
		if fix.InClient != nil {
			s := Written([]report.ClientFix{*fix.InClient}, f.Target, file)[0]
			fix.Does, fix.Setting = text.New("%v: %v", text.Name(settingTitle(s)), text.Name(s.Does)), s.Text
		}
		if fix.InClient == nil || fix.Setting != "" {
			list = append(list, fix)
		}
	}
	return list
}

// InClient names the setting by which a client makes a resolution, in a line; it is
// shown in full by explain. It is nil where there is none but the flag of a command.
func InClient(client report.Client, kind string) []model.Block {
	s := settings[client][conflict.ResolutionKind(kind)]
	if s.short == "" {
		return nil
	}
	return []model.Block{
		Paragraph("In %v: %v; %v", clientNames[client], s.short, program.In("ssactl explain prints the setting.")),
	}
}

// ClientParts show the settings, each with what it does.
func ClientParts(list []report.ClientFix) []model.Block {
	var out []model.Block
	for _, f := range list {
		if f.Text == "" {
			continue
		}
		out = append(out, Part(settingTitle(f), Paragraph("%v", f.Does), model.Quote{Text: f.Text}))
	}
	return out
}

// settingTitle says whose setting it is, and what for.
func settingTitle(f report.ClientFix) string {
	return fmt.Sprintf("In %s, to %s", clientNames[f.Client], agreeing(clientDoes[conflict.ResolutionKind(f.Kind)], f))
}

// settingBlocks show the setting of a finding: in full once a run, and of the others what it
// is called.
func settingBlocks(f report.ClientFix) []model.Block {
	switch name := settingName(f); {
	case f.Text == "" && name == "":
		return nil
	case f.Text == "":
		return []model.Block{Paragraph("In %v: %v, as above", clientNames[f.Client], name)}
	}
	return []model.Block{
		model.Paragraph{Text: model.Textf("%v: %v", settingTitle(f), model.Faint.Of(f.Does))},
		model.Quote{Text: f.Text},
	}
}

// settingName is what the client calls a setting.
func settingName(f report.ClientFix) string {
	return settings[f.Client][conflict.ResolutionKind(f.Kind)].short
}

// clientDoes are the resolutions in a title.
var clientDoes = map[conflict.ResolutionKind]string{
	conflict.StopManaging: "stop managing the FIELDS", conflict.UseLiveValue: "use the live VALUES",
	conflict.Force: "force",
}
