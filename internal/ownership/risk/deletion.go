package risk

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// Counts are how many live objects of each kind the inputs have in each namespace.
type Counts map[counted]int

type counted struct {
	kind      schema.GroupKind
	namespace string
}

// Add counts an object; its namespace is empty for cluster-scoped ones.
func (c Counts) Add(kind schema.GroupKind, namespace string) { c[counted{kind, namespace}]++ }

// Has reports whether there is an object of a kind.
func (c Counts) Has(kind schema.GroupKind) bool {
	n, _ := c.of(func(one counted) bool { return one.kind == kind })
	return n > 0
}

// of counts the objects that a predicate is true for, and their namespaces.
func (c Counts) of(is func(counted) bool) (objects, namespaces int) {
	in := map[string]bool{}
	for key, n := range c {
		if is(key) {
			objects += n
			in[key.namespace] = true
		}
	}
	delete(in, "")
	return objects, len(in)
}

// deleting is what a deletion takes with the object: other objects, or data.
func (f *finder) deleting(given Counts) []report.Finding {
	switch says := f.goesWith(given); {
	case f.Outcome != report.Configured:
		return nil
	case f.Operation != report.Delete && f.Hook == "":
		return f.lost(text.New("the client deletes the object, and does not create it again"), says)
	case says.IsZero() || f.Hook != "" && f.Live == nil:
		return nil
	default:
		return []report.Finding{f.risk(DeletesMore, "", f.Manager, says)}
	}
}

// gone is for a refusal that comes after the client has deleted the object; nil for
// others.
func (f *finder) gone(given Counts) []report.Finding {
	switch {
	case f.Live == nil:
		return nil
	case marked(f.Object) && !marked(f.Live):
		return f.lost(
			text.New("the client deletes the object before this refusal: it goes as soon as its finalizers are removed"),
			f.goesWith(given),
		)
	case !f.Deleted:
		return nil
	}
	return f.lost(text.New("the client deletes the object before this refusal, and it stays deleted"), f.goesWith(given))
}

// lost is an error about an object that a client deletes on its way, and what goes with it.
func (f *finder) lost(says, more text.Text) []report.Finding {
	if !more.IsZero() {
		says = says.And("; ", more)
	}
	return []report.Finding{f.risk(DeletesMore, "", f.Manager, says)}
}

// recreating is what is lost where the client deletes the object and creates it again: what
// goes with a deleted object, and what only the former one had.
func (f *finder) recreating(given Counts) []report.Finding {
	more := f.goesWith(given)
	severity := report.SeverityError
	if more.IsZero() {
		if f.Hook != "" {
			// It is to run again.
			return []report.Finding{}
		}
		more, severity = f.restarts()
	}
	r := f.risk(DeletesMore, "", f.Manager, text.New("the object is deleted and created again: %v", more))
	r.Severity = severity
	return []report.Finding{r}
}

// restarts says what the new object does anew, as it does not belong to what the former one
// had made.
func (f *finder) restarts() (text.Text, report.Severity) {
	kind := f.kind()
	switch says, known := startsAnew[kind]; {
	case kind == schema.GroupKind{Kind: "PersistentVolumeClaim"}:
		return text.New("the former claim is bound to no volume: no data is lost"), report.SeverityNote
	case known:
		return says, report.SeverityWarning
	case kind.Group == "apps":
		return podsStartAnew, report.SeverityWarning
	case strings.Contains(kind.Group, ".") && !strings.HasSuffix(kind.Group, ".k8s.io"):
		return text.New(
			"the objects that it owns are deleted with it, and are made anew by its controller",
		), report.SeverityWarning
	}
	return text.New("in between there is none"), report.SeverityNote
}

var podsStartAnew = text.New("all of its Pods are deleted at once, and started anew")

// startsAnew is what a new object of a kind does anew.
var startsAnew = map[schema.GroupKind]text.Text{
	{Group: "batch", Kind: "Job"}: text.New(
		"the Job runs a second time, and the Pods of the first run are deleted with their logs",
	),
	{Group: "batch", Kind: "CronJob"}: text.New("its Jobs are deleted, those that run too"),
	{Group: "apps", Kind: "StatefulSet"}: text.New(
		"all of its Pods are deleted, and started anew; their claims stay",
	),
	{Kind: "ReplicationController"}: podsStartAnew,
	{Kind: "Pod"}:                   text.New("its containers stop, and what they stored in the Pod is lost"),
	{Kind: "Service"}: text.New(
		"it gets another cluster IP and other node ports, and its load balancer is replaced, unless the manifest has them",
	),
}

// unscaled are replicas that a new object does not have, though an autoscaler had set them.
func (f *finder) unscaled() []report.Finding {
	c, changes := f.change(writers.Replicas)
	if f.autoscaler == "" || !changes || c.Reason != report.ReasonDefaulted {
		return nil
	}
	r := f.risk(
		FallsBackToDefault,
		c.Field,
		f.autoscaler,
		text.New("%v becomes %v, the server's default, until %v scales again: the object is a new one",
			text.ValueOf(c.Field, c.Before), text.ValueOf(c.Field, c.After), text.Name(f.autoscaler)),
	)
	r.Severity = report.SeverityError
	return []report.Finding{r}
}

// notSent are the fields of the manifest that the client leaves out. An autoscaler is what
// such settings are for.
func (f *finder) notSent() []report.Finding {
	var out []report.Finding
	for _, n := range f.NotSent {
		setting := n.Setting
		if at := n.Source; at != nil && at.Line > 0 {
			setting += fmt.Sprintf(" (%s:%d)", at.File, at.Line)
		}
		says := text.New("the manifest has this value, and it is not sent: %v", text.Name(setting))
		if n.Field == "" {
			says = text.New("the object is not created: %v", text.Name(setting))
		}
		r := f.risk(NotApplied, n.Field, f.Manager, says)
		if n.Line != nil {
			r.Source = *n.Line
		}
		keeper := f.keeper(n.Field)
		if keeper != "" || n.Field == writers.Replicas && f.autoscaler != "" {
			r.Severity = report.SeverityNote
		}
		if keeper != "" {
			r.Message = text.New("%v leaves it to %v", text.Name(setting), text.By(keeper))
		}
		out = append(out, r)
	}
	return out
}

// keeper is the autoscaler or the controller that has set a live field, and sets it again;
// empty for none.
func (f *finder) keeper(field string) string {
	if field == "" {
		return ""
	}
	for _, row := range report.OwnersOf(managedfields.Of(f.Live)) {
		if !managedfields.Within(row.Field, field) {
			continue
		}
		for _, w := range row.Managers {
			kind := writers.Judge(w, f.Manager, row.Field, f.Live).Kind
			if kind == writers.Autoscaler || kind == writers.Controller {
				return w.Manager
			}
		}
	}
	return ""
}

// goesWith says what goes with a deleted object; empty for nothing that is known.
func (f *finder) goesWith(given Counts) text.Text {
	value := func(path ...string) string {
		s, _ := fieldtree.Value(f.Live, path...).(string)
		return s
	}
	switch f.kind() {
	case about.Applications, about.Kustomizations, helmRelease:
		return f.undeployed()
	case schema.GroupKind{Kind: "Namespace"}:
		n, _ := given.of(func(c counted) bool { return c.namespace == f.Target.Name })
		return text.New("deleting the namespace %v deletes all objects in it%v", text.Name(f.Target.Name), amongThem(n, 0))
	case api.CustomResourceDefinition:
		kind := schema.GroupKind{Group: value("spec", "group"), Kind: value("spec", "names", "kind")}
		n, namespaces := given.of(func(c counted) bool { return c.kind == kind })
		return text.New(
			"deleting the definition %v deletes all objects of its kind%v",
			text.Name(f.Target.Name),
			amongThem(n, namespaces),
		)
	case schema.GroupKind{Kind: "PersistentVolumeClaim"}:
		if value("spec", "volumeName") != "" {
			return text.New("deleting the claim deletes its data, unless the reclaim policy of its volume is Retain")
		}
	case schema.GroupKind{Kind: "PersistentVolume"}:
		if policy := value("spec", "persistentVolumeReclaimPolicy"); policy == "Delete" || policy == "Recycle" {
			return text.New("deleting the volume deletes its data: its reclaim policy is %v", text.Name(policy))
		}
	case schema.GroupKind{Group: "apps", Kind: "StatefulSet"}:
		finalizers, _ := fieldtree.Value(f.Object, "metadata", "finalizers").([]any)
		if value("spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") == "Delete" &&
			!slices.Contains(finalizers, any("orphan")) {
			return text.New(
				"deleting the StatefulSet deletes the PersistentVolumeClaims of its Pods: its retention policy is Delete",
			)
		}
	}
	return text.Text{}
}

// amongThem says how many of the objects are in the live files.
func amongThem(objects, namespaces int) text.Text {
	switch {
	case objects == 0:
		return text.New("; the live files have none")
	case namespaces > 1:
		return text.New(", %v of them in the live files, in %v", text.Number(objects), text.Count(namespaces, "namespace"))
	}
	return text.New(", %v of them in the live files", text.Number(objects))
}
