package risk

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// used names an object of the core group that Pods cannot do without.
type used struct{ kind, namespace, name string }

// user is an object that makes such Pods.
type user struct {
	kind            schema.GroupKind
	namespace, name string
}

// usesOf are what the Pods of an object cannot start without: the ConfigMaps, Secrets, claims and the
// ServiceAccount that its template names, but for optional ones. Pods themselves run on.
func usesOf(kind schema.GroupKind, object map[string]any) []used {
	spec, _ := fieldtree.Value(object, "spec", "template", "spec").(map[string]any)
	if kind == (schema.GroupKind{Group: "batch", Kind: "CronJob"}) {
		spec, _ = fieldtree.Value(object, "spec", "jobTemplate", "spec", "template", "spec").(map[string]any)
	}
	if objects.List(spec, "containers") == nil || fieldtree.Value(object, "metadata", "ownerReferences") != nil {
		return nil
	}
	u := uses{namespace: objects.Text(object, "metadata", "namespace")}
	u.add("ServiceAccount", spec, "serviceAccountName")
	for _, volume := range objects.Maps(objects.List(spec, "volumes")) {
		u.add("PersistentVolumeClaim", volume["persistentVolumeClaim"], "claimName")
		u.add("ConfigMap", volume["configMap"], "name")
		u.add("Secret", volume["secret"], "secretName")
		projected, _ := volume["projected"].(map[string]any)
		for _, source := range objects.Maps(objects.List(projected, "sources")) {
			u.add("ConfigMap", source["configMap"], "name")
			u.add("Secret", source["secret"], "name")
		}
	}
	for _, c := range objects.Maps(slices.Concat(objects.List(spec, "initContainers"), objects.List(spec, "containers"))) {
		for _, from := range objects.Maps(objects.List(c, "envFrom")) {
			u.add("ConfigMap", from["configMapRef"], "name")
			u.add("Secret", from["secretRef"], "name")
		}
		for _, env := range objects.Maps(objects.List(c, "env")) {
			from, _ := env["valueFrom"].(map[string]any)
			u.add("ConfigMap", from["configMapKeyRef"], "name")
			u.add("Secret", from["secretKeyRef"], "name")
		}
	}
	return u.all
}

// uses collects what Pods of a namespace use, each once.
type uses struct {
	namespace string
	all       []used
}

// add adds the object that a reference names, unless it is optional.
func (u *uses) add(kind string, reference any, field string) {
	ref, _ := reference.(map[string]any)
	one := used{kind, u.namespace, objects.Text(ref, field)}
	if one.name != "" && ref["optional"] != true && !slices.Contains(u.all, one) {
		u.all = append(u.all, one)
	}
}

// usersFail says of a deleted object whose new Pods do not start without it.
func (f *finder) usersFail(others *Others, going Going) text.Text {
	kind := f.kind()
	if kind.Group != "" || f.Recreated || f.Operation != report.Delete && !f.Deleted {
		return text.Text{}
	}
	var names []string
	for _, u := range others.users[used{kind.Kind, f.Target.Namespace, f.Target.Name}] {
		if !going(u.kind, u.namespace, u.name) {
			names = append(names, strings.ToLower(u.kind.Kind)+"/"+u.name)
		}
	}
	if len(names) == 0 {
		return text.Text{}
	}
	slices.Sort(names)
	return text.New("%v still %v it: new Pods do not start",
		text.List(names, maxNamed, text.Name), text.Agree(len(names), "uses", "use"))
}
