package page

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
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
		conflict.StopManaging: {"a patch that removes the field", "yaml",
			"Add the patch to the Kustomization of Flux, where the field cannot be removed from the source: it leaves the FIELDS to MANAGERS. " +
				"kustomize.toolkit.fluxcd.io/ssa: IfNotPresent, as an annotation in the manifest, leaves the whole object to others once it is " +
				"there.", fluxRemove},
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
		conflict.Force: {"field_manager with force_conflicts", "hcl", "Add the block: the next apply takes the FIELDS from MANAGERS.",
			terraformForce},
	},
	report.Pulumi: {
		conflict.StopManaging: {"ignoreChanges", "yaml", "Add the option, in the language of the program: what it names is left to MANAGERS.",
			pulumiIgnore},
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
		"MANAGERS", words.And(f.Managers), "FIELDS", words.Agree(n, "field", "fields"), "VALUES", words.Agree(n, "value", "values"),
		"THEM", words.Them(n), "THOSE", words.Agree(n, "that", "those"),
	).Replace(sentence)
}

// ResultDocument is a result with the texts of its settings.
func ResultDocument(r report.Result) report.Result {
	r.InClient = Written(r.InClient, r.Target, r.Source.File)
	return r
}

// InClient names the setting by which a client makes a resolution, in a line; it is
// shown in full by explain. It is nil where there is none but the flag of a command.
func InClient(client report.Client, kind string) []model.Block {
	s := settings[client][conflict.ResolutionKind(kind)]
	if s.short == "" {
		return nil
	}
	return []model.Block{Paragraph("In %v: %v; %v", clientNames[client], s.short, program.In("ssactl explain prints the setting."))}
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
	return []model.Block{model.Paragraph{Text: model.Textf("%v: %v", settingTitle(f), model.Faint.Of(f.Does))}, model.Quote{Text: f.Text}}
}

// settingName is what the client calls a setting.
func settingName(f report.ClientFix) string {
	return settings[f.Client][conflict.ResolutionKind(f.Kind)].short
}

// clientDoes are the resolutions in a title.
var clientDoes = map[conflict.ResolutionKind]string{
	conflict.StopManaging: "stop managing the FIELDS", conflict.UseLiveValue: "use the live VALUES", conflict.Force: "force",
}

// argoIgnore is an Application that leaves fields as they are live.
func argoIgnore(c clientObject) string {
	group, _ := words.GroupVersion(c.target.APIVersion)
	ignored := map[string]any{"kind": c.target.Kind, "name": c.target.Name}
	for key, v := range map[string]string{"group": group, "namespace": c.target.Namespace} {
		if v != "" {
			ignored[key] = v
		}
	}
	var pointers, paths []any
	for _, p := range c.Places {
		if slices.ContainsFunc(p, func(s report.Segment) bool { return s.Item }) {
			paths = append(paths, jq(p))
		} else {
			pointers = append(pointers, pointer(p))
		}
	}
	if pointers != nil {
		ignored["jsonPointers"] = pointers
	}
	if paths != nil {
		ignored["jqPathExpressions"] = paths
	}
	return application(c, map[string]any{"ignoreDifferences": []any{ignored}}, "ServerSideApply=true", "RespectIgnoreDifferences=true")
}

func argoForce(c clientObject) string {
	return application(c, map[string]any{}, "ServerSideApply=true")
}

func application(c clientObject, spec map[string]any, options ...any) string {
	spec["syncPolicy"] = map[string]any{"syncOptions": options}
	return yamlOf(map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": spec,
		"metadata": map[string]any{"name": cmp.Or(c.Unit.Name, "APPLICATION"), "namespace": cmp.Or(c.Unit.Namespace, "argocd")},
	})
}

// fluxRemove is a Kustomization of Flux that takes fields out of what it applies: of
// a list the last items first, so that the others keep their positions.
func fluxRemove(c clientObject) string {
	var operations []any
	places := slices.Clone(c.Places)
	slices.SortStableFunc(places, func(a, b report.Place) int {
		return slices.CompareFunc(b, a, func(a, b report.Segment) int {
			return cmp.Or(cmp.Compare(a.Index, b.Index), strings.Compare(a.Name, b.Name))
		})
	})
	for _, p := range places {
		operations = append(operations, map[string]any{"op": "remove", "path": pointer(p)})
	}
	target := map[string]any{"kind": c.target.Kind, "name": c.target.Name}
	if group, _ := words.GroupVersion(c.target.APIVersion); group != "" {
		target["group"] = group
	}
	if c.target.Namespace != "" {
		target["namespace"] = c.target.Namespace
	}
	return yamlOf(map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": cmp.Or(c.Unit.Name, "KUSTOMIZATION"), "namespace": cmp.Or(c.Unit.Namespace, "flux-system")},
		"spec":     map[string]any{"patches": []any{map[string]any{"patch": yamlOf(operations), "target": target}}},
	})
}

func fluxOverride(c clientObject) string {
	var operations []any
	for _, m := range c.Managers {
		operations = append(operations, map[string]any{"op": "add", "path": "/spec/template/spec/containers/0/args/-",
			"value": "--override-manager=" + m})
	}
	return yamlOf(map[string]any{
		"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization",
		"resources": []any{"gotk-components.yaml", "gotk-sync.yaml"},
		"patches": []any{map[string]any{"patch": yamlOf(operations), "target": map[string]any{"kind": "Deployment",
			"name": "kustomize-controller"}}},
	})
}

func helmValues(clientObject) string {
	return yamlOf(map[string]any{"autoscaling": map[string]any{"enabled": true}})
}

func helmForce(c clientObject) string {
	line := shell.Command("helm", "upgrade")
	if namespace := cmp.Or(c.Unit.Namespace, c.target.Namespace); namespace != "" {
		line = line.With(shell.Value("--namespace", namespace))
	}
	return line.With(shell.Switch("--reuse-values"), shell.Switch("--server-side=true"),
		shell.Switch("--force-conflicts")).On(cmp.Or(c.Unit.Name, "RELEASE"), "CHART").String()
}

func kubectlForce(c clientObject) string {
	a := Asked{manifests: []shell.Flag{shell.File("-f", cmp.Or(c.file, "-"))}, namespace: c.Namespace, Manager: c.Applier,
		subresource: c.target.Subresource}
	if folder := c.Unit.Name; folder != "" {
		a.manifests = []shell.Flag{shell.File("-k", folder)}
	}
	return a.Force()
}

// terraformComputed is a resource whose fields may become something else than the
// plan says.
func terraformComputed(c clientObject) string {
	fields := []string{hcl("metadata.annotations"), hcl("metadata.labels")}
	for _, p := range c.Places {
		fields = append(fields, hcl(terraformPath(p)))
	}
	return terraform(c, "  computed_fields = ["+strings.Join(fields, ", ")+"]\n")
}

func terraformForce(c clientObject) string {
	return terraform(c, "  field_manager {\n    name            = "+hcl(c.Applier)+"\n    force_conflicts = true\n  }\n")
}

var identifier = regexp.MustCompile(`^[A-Za-z_]`)

var notIdentifier = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

func terraform(c clientObject, setting string) string {
	name := notIdentifier.ReplaceAllString(c.target.Name, "_")
	if !identifier.MatchString(name) {
		name = "_" + name
	}
	return "resource \"kubernetes_manifest\" " + hcl(name) + " {\n  # manifest = { ... } stays\n" + setting + "}\n"
}

// hcl is a text in the language of Terraform, in which ${ and %{ begin templates.
func hcl(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(literal(text))
}

func pulumiIgnore(c clientObject) string {
	var ignored []any
	for _, p := range c.Places {
		ignored = append(ignored, terraformPath(p))
	}
	return pulumi(c, map[string]any{}, map[string]any{"options": map[string]any{"ignoreChanges": ignored}})
}

func pulumiForce(c clientObject) string {
	return pulumi(c, map[string]any{"annotations": map[string]any{"pulumi.com/patchForce": "true"}}, map[string]any{})
}

func pulumi(c clientObject, metadata, resource map[string]any) string {
	metadata["name"] = c.target.Name
	if c.target.Namespace != "" {
		metadata["namespace"] = c.target.Namespace
	}
	properties := map[string]any{"metadata": metadata}
	version := c.target.APIVersion
	if !strings.Contains(version, "/") {
		version = "core/" + version
	}
	resource["type"], resource["properties"] = "kubernetes:"+version+":"+c.target.Kind, properties
	if c.Custom {
		// The provider's schema has one type for all of them.
		resource["type"] = "kubernetes:apiextensions.k8s.io:CustomResource"
		properties["apiVersion"], properties["kind"] = c.target.APIVersion, c.target.Kind
	}
	return yamlOf(map[string]any{"resources": map[string]any{c.target.Name: resource}})
}

// pointer is a place as a JSON pointer (RFC 6901).
func pointer(p report.Place) string {
	var b strings.Builder
	for _, s := range p {
		if s.Item {
			fmt.Fprintf(&b, "/%d", s.Index)
		} else {
			b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s.Name))
		}
	}
	return b.String()
}

// plainKey is a key that paths write without quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// jq is a place as a path of jq, in which items are known by their keys.
func jq(p report.Place) string {
	out := ""
	for _, s := range p {
		if !s.Item {
			out += jqKey(s.Name)
			continue
		}
		conditions := []string{". == " + literal(s.Value)}
		if s.Keys != nil {
			conditions = nil
		}
		for _, key := range s.Keys {
			conditions = append(conditions, jqKey(key.Name)+" == "+literal(key.Value))
		}
		out += "[] | select(" + strings.Join(conditions, " and ") + ") | "
	}
	return strings.TrimSuffix(out, " | ")
}

func jqKey(name string) string {
	if plainKey.MatchString(name) {
		return "." + name
	}
	return ".[" + literal(name) + "]"
}

// terraformPath is a place with positions, as Terraform and Pulumi write it.
func terraformPath(p report.Place) string {
	out := ""
	for _, s := range p {
		switch {
		case s.Item:
			out += "[" + strconv.Itoa(s.Index) + "]"
		case plainKey.MatchString(s.Name):
			out += "." + s.Name
		default:
			out += "[" + literal(s.Name) + "]"
		}
	}
	return strings.TrimPrefix(out, ".")
}

// literal is a value as JSON writes it.
func literal(v any) string {
	text, err := objects.JSON(v, "")
	if err != nil {
		return `""`
	}
	return text
}

func yamlOf(v any) string {
	text, err := objects.YAML(v)
	if err != nil {
		return ""
	}
	return text
}
