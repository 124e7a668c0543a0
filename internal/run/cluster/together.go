package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report"
)

// together is what the manifests of a run bring that others of them need, and that
// the cluster does not have yet.
type together struct {
	definitions map[schema.GroupKind]placed
	// redefined are the kinds with another definition in the cluster, once the manifest
	// of the new one is written.
	redefined  map[schema.GroupKind]placed
	namespaces map[string]placed
	judges     []judge
	// members counts the manifests of each namespace.
	members map[string]int
}

// placed is where a manifest stands, and as which of all.
type placed struct {
	source manifest.Source
	number int
}

// findTogether looks for them in a run that writes its manifests one after the
// other. Definitions are those of the --crds.
func (c *Cluster) findTogether(definitions []manifest.Document) together {
	known := map[live.Key]bool{}
	for _, d := range definitions {
		known[c.Scope.Key(d.Identity)] = true
	}
	t := together{definitions: map[schema.GroupKind]placed{}, redefined: map[schema.GroupKind]placed{}, namespaces: map[string]placed{}, members: map[string]int{}}
	for i, d := range c.Manifests {
		key := c.Scope.Key(d.Identity)
		t.members[key.Namespace]++
		if has, err := c.Live.Get(key); has != nil || err != nil || known[key] {
			continue
		}
		if judge, ok := judgeOf(d, placed{d.Source, i}); ok {
			t.judges = append(t.judges, judge)
		}
		switch {
		case IsDefinition(d.Identity):
			t.definitions[DefinedBy(d)] = placed{d.Source, i}
		case key.Group == "" && key.Kind == "Namespace":
			t.namespaces[key.Name] = placed{d.Source, i}
		}
	}
	return t
}

// lack says of what comes in the same run that the cluster does not have it: a dry
// run brings nothing.
func (c *Cluster) lack(t together) {
	for kind := range t.definitions {
		c.Server.LackKind(kind)
	}
	for name := range t.namespaces {
		c.Server.LackNamespace(name)
	}
}

// DefinedBy is the kind that a CustomResourceDefinition defines.
func DefinedBy(d manifest.Document) schema.GroupKind {
	group, certain := jsontree.Name(d.JSON(), "spec", "group")
	if kind, ok := jsontree.Name(d.JSON(), "spec", "names", "kind"); ok && certain {
		return schema.GroupKind{Group: group, Kind: kind}
	}
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	// One that cannot be read defines nothing.
	_ = json.Unmarshal(d.JSON(), &crd)
	return schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
}

// notices say of an answer that it depends on what comes in the same run.
func (t together) notices(p Pair, r report.Result) []string {
	var out []string
	if at, ok := t.definitions[schema.GroupKind{Group: p.Key.Group, Kind: p.Key.Kind}]; ok {
		out = append(out, at.tell(p, "its CustomResourceDefinition"))
	}
	if at, ok := t.redefined[schema.GroupKind{Group: p.Key.Group, Kind: p.Key.Kind}]; ok {
		out = append(out, fmt.Sprintf("its CustomResourceDefinition is changed by this run (%s), and the answer is by the new one: a server takes up to some seconds to serve it, and a dry run (--dry-run=server) answers by the former", at.source))
	}
	if at, ok := t.namespaces[p.Key.Namespace]; ok && r.Code == http.StatusNotFound && at.number > p.number {
		out = append(out, at.tell(p, "its Namespace"))
	}
	for _, j := range t.judges {
		out = append(out, j.notice(p, r)...)
	}
	own := t.namespaces[p.Key.Name] == placed{p.Document.Source, p.number}
	if own && t.members[p.Key.Name] > 0 && !r.Outcome.Refused() {
		out = append(out, "the cluster does not have the namespace yet: a dry run of the server (--dry-run=server) refuses what this run puts into it")
	}
	return out
}

func (at placed) tell(p Pair, what string) string {
	if at.number > p.number {
		return fmt.Sprintf("%s comes later in this run (%s): a server refuses the object until it is there, so apply it first", what, at.source)
	}
	return fmt.Sprintf("%s comes first in this run (%s), and is not in the cluster yet: a dry run of the server (--dry-run=server) does not find it", what, at.source)
}
