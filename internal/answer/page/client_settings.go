package page

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
)

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
	return application(
		c,
		map[string]any{"ignoreDifferences": []any{ignored}},
		"ServerSideApply=true",
		"RespectIgnoreDifferences=true",
	)
}

func argoForce(c clientObject) string {
	return application(c, map[string]any{}, "ServerSideApply=true")
}

func application(c clientObject, spec map[string]any, options ...any) string {
	spec["syncPolicy"] = map[string]any{"syncOptions": options}
	return yamlOf(map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": spec,
		"metadata": map[string]any{
			"name":      cmp.Or(c.Unit.Name, "APPLICATION"),
			"namespace": cmp.Or(c.Unit.Namespace, "argocd"),
		},
	})
}

// fluxIgnore is a Kustomization of Flux that leaves fields of an object as they are: new
// objects get those of the source.
func fluxIgnore(c clientObject) string {
	var paths []any
	for _, p := range c.Places {
		paths = append(paths, pointer(p))
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
		"metadata": map[string]any{
			"name":      cmp.Or(c.Unit.Name, "KUSTOMIZATION"),
			"namespace": cmp.Or(c.Unit.Namespace, "flux-system"),
		},
		"spec": map[string]any{"ignore": []any{map[string]any{"paths": paths, "target": target}}},
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
	from := shell.File("-f", cmp.Or(c.file, "-"))
	if folder := c.Unit.Name; folder != "" {
		from = shell.File("-k", folder)
	}
	return fixes.Forced(from, c.Namespace, c.Applier, c.target.Subresource).String()
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
			b.WriteString("/" + jsonpointer.Escape(s.Name))
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
