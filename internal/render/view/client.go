package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// clientNames are the clients in sentences.
var clientNames = map[explain.Client]string{
	explain.ArgoCD: "Argo CD", explain.Flux: "Flux", explain.Helm: "Helm", explain.Terraform: "Terraform",
	explain.Pulumi: "Pulumi", explain.Kubectl: "kubectl",
}

// setting is a fix in a client's language, and what it does; MANAGERS stands for who
// owns the fields.
type setting struct {
	language, does string
	text           func(clientObject) string
}

// settings are those of the clients. What they rest on stands in docs/clients.md.
var settings = map[explain.Client]map[explain.ResolutionKind]setting{
	explain.ArgoCD: {
		explain.UseLiveValue: {"yaml", "Add it to the Application: each sync then applies the live values, and leaves them to MANAGERS; a new object gets those of the manifest. managedFieldsManagers, in place of paths, ignores all that a manager owns.", argoIgnore},
		explain.Force:        {"yaml", "Add it to the Application: with ServerSideApply=true each sync forces, which takes the fields from MANAGERS.", argoForce},
	},
	explain.Flux: {
		explain.StopManaging: {"yaml", "Add the patch to the Kustomization of Flux, where the field cannot be removed from the source: it leaves the fields to MANAGERS. kustomize.toolkit.fluxcd.io/ssa: IfNotPresent, as an annotation in the manifest, leaves the whole object to others once it is there.", fluxRemove},
		explain.Force:        {"yaml", "Add the patch to the kustomization.yaml of flux-system: kustomize-controller then removes the ownership of MANAGERS from all that it applies, beside forcing.", fluxOverride},
	},
	explain.Helm: {
		explain.StopManaging: {"yaml", "Set it in the values, if the chart was made by helm create, or has the same key: its templates then leave replicas out for MANAGERS. Other charts have a key of their own.", helmValues},
		explain.Force:        {"sh", "Upgrade once with force, with the chart in the place of CHART: it takes the fields from MANAGERS. --take-ownership is another thing: it adopts objects of no release.", helmForce},
	},
	explain.Terraform: {
		explain.StopManaging: {"hcl", "Remove the fields from manifest, and list them as computed, so that the plan accepts the values of MANAGERS. Labels and annotations are the default of the list, which has to name them.", terraformComputed},
		explain.Force:        {"hcl", "Add the block: the next apply takes the fields from MANAGERS.", terraformForce},
	},
	explain.Pulumi: {
		explain.StopManaging: {"yaml", "Add the option, in the language of the program: fields of MANAGERS are then left out of what is applied.", pulumiIgnore},
		explain.Force:        {"yaml", "Add the annotation, in the language of the program: the next run takes the fields from MANAGERS. pulumi.com/patchFieldManager names the field manager.", pulumiForce},
	},
	explain.Kubectl: {
		explain.Force: {"sh", "Applies with force: it takes the fields from MANAGERS.", kubectlForce},
	},
}

// clientObject is a fix with the object that it is for.
type clientObject struct {
	explain.ClientFix
	target report.Target
	// file is the manifest, and name the field manager that applies it.
	file, name string
}

// inClient writes the settings of fixes.
func inClient(e explain.Explanation) []explain.ClientFix {
	list := slices.Clone(e.InClient)
	for i, f := range list {
		s, known := settings[f.Client][f.Kind]
		if !known {
			continue
		}
		list[i].Language = s.language
		list[i].Text = s.text(clientObject{f, e.Target, e.Source.File, e.Manager})
		list[i].Does = strings.ReplaceAll(s.does, "MANAGERS", strings.Join(f.Managers, " and "))
	}
	return list
}

// clientParts show the settings, each with what it does.
func clientParts(list []explain.ClientFix) []model.Block {
	var out []model.Block
	for _, f := range list {
		if f.Text == "" {
			continue
		}
		title := fmt.Sprintf("In %s, to %s", clientNames[f.Client], clientDoes[f.Kind])
		out = append(out, part(title, paragraph("%v", f.Does), model.Quote{Text: f.Text}))
	}
	return out
}

// clientDoes are the resolutions of several fields, in a title.
var clientDoes = map[explain.ResolutionKind]string{
	explain.StopManaging: "stop managing the fields", explain.UseLiveValue: "use the live values", explain.Force: "force",
}
