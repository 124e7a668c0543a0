package cluster

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
)

// together is what the manifests of a run bring that others of them need, and that
// the cluster does not have yet.
type together struct {
	definitions map[schema.GroupKind]placed
	// redefined are the kinds with another definition in the cluster, once the manifest
	// of the new one is written.
	redefined map[schema.GroupKind]placed
	// redefining are the kinds that a manifest defines differently than the cluster.
	redefining map[schema.GroupKind]placed
	namespaces map[string]placed
	judges     []judge
	// places are those of the manifests in the order in which they are sent; nil for their
	// own.
	places []int
	// members counts the manifests of each namespace.
	members map[string]int
}

// placed is where a manifest stands, and as which of all.
type placed struct {
	source manifest.Source
	number int
}

// findTogether looks for them in a run that writes its manifests one after the other.
func findTogether(w *World) together {
	known := map[live.Key]bool{}
	for _, d := range w.Definitions {
		known[w.Key(d.Identity)] = true
	}
	t := together{definitions: map[schema.GroupKind]placed{}, redefined: map[schema.GroupKind]placed{},
		redefining: map[schema.GroupKind]placed{}, namespaces: map[string]placed{}, members: map[string]int{}}
	for i, d := range w.Manifests {
		key := w.Key(d.Identity)
		t.members[key.Namespace]++
		has, err := w.Live.Get(key)
		if has != nil && IsDefinition(d.Identity) && !sameSchemas(has.Document, d) {
			t.redefining[DefinedBy(d)] = placed{d.Source, i}
		}
		if has != nil || err != nil || known[key] {
			continue
		}
		if d.Group() == "admissionregistration.k8s.io" &&
			(strings.HasSuffix(d.Kind, "AdmissionPolicy") || strings.HasSuffix(d.Kind, "WebhookConfiguration")) {
			t.judges = append(t.judges, judge{placed{d.Source, i}, d.Kind, d.Name})
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

// place is that of a manifest in the run.
func (t *together) place(number int) int {
	if number < 0 || number >= len(t.places) {
		return number
	}
	return t.places[number]
}

// follows reports whether a manifest comes after a pair.
func (t *together) follows(at placed, p Pair) bool { return t.place(at.number) > t.place(p.Number) }

// definitionNotices say of an answer that it depends on a definition of the same run.
func (t *together) definitionNotices(p Pair, r report.Result) []string {
	var out []string
	stopped := r.Client != nil && r.Client.Name == "helm" && r.Outcome.Refused() && r.Code == 0
	if at, ok := t.definitions[groupKind(p.Key)]; ok && !stopped {
		out = append(out, at.tell("its CustomResourceDefinition", t.follows(at, p)))
	}
	if at, ok := t.redefined[groupKind(p.Key)]; ok {
		out = append(
			out,
			fmt.Sprintf(
				"its CustomResourceDefinition is changed by this run (%s), and the answer is by the new one: a server takes up to some seconds to serve it, and a dry run (--dry-run=server) answers by the former",
				at.source,
			),
		)
	}
	if at, ok := t.redefining[groupKind(p.Key)]; ok && r.Outcome.Refused() &&
		t.redefined[groupKind(p.Key)] == (placed{}) &&
		t.follows(at, p) {
		out = append(out, fmt.Sprintf(
			"its CustomResourceDefinition is changed later in this run (%s), and the answer is by the former: apply that first",
			at.source))
	}
	return out
}

// notices say of an answer that it depends on what comes in the same run.
func (t *together) notices(p Pair, r report.Result) []string {
	out := t.definitionNotices(p, r)
	if p.Before != nil {
		before := fmt.Sprintf("a manifest of the same object (%s) is applied before this one", *p.Before)
		if r.Client == nil || r.Client.Name != "helm" {
			before += ": what only that has is removed again"
		}
		out = append(out, before)
	}
	if at, ok := t.namespaces[p.Key.Namespace]; ok && r.Code == http.StatusNotFound && t.follows(at, p) {
		out = append(out, at.tell("its Namespace", true))
	}
	for _, j := range t.judges {
		if t.place(j.number) < t.place(p.Number) && j.decides(r) {
			out = append(
				out,
				fmt.Sprintf(
					"the %s %q comes first in this run (%s): a server takes up to some seconds to put it into force, and answers without it until then",
					j.kind,
					j.name,
					j.source,
				),
			)
		}
	}
	own := t.namespaces[p.Key.Name] == placed{p.Document.Source, p.Number}
	if own && t.members[p.Key.Name] > 0 && !r.Outcome.Refused() {
		out = append(
			out,
			"the cluster does not have the namespace yet: a dry run of the server (--dry-run=server) refuses what this run puts into it",
		)
	}
	return out
}

func (at placed) tell(what string, later bool) string {
	if later {
		return fmt.Sprintf(
			"%s comes later in this run (%s): a server refuses the object until it is there, so apply it first",
			what,
			at.source,
		)
	}
	return fmt.Sprintf(
		"%s comes first in this run (%s), and is not in the cluster yet: a dry run of the server (--dry-run=server) does not find it",
		what,
		at.source,
	)
}

// judge is an admission policy, or a configuration of webhooks, that comes in the
// same run.
type judge struct {
	placed
	kind, name string
}

// decides reports whether an answer names the judge, or has what only one of its kind
// sets: the server names policies where they refuse or warn, and this program the
// webhooks that a server would call.
func (j judge) decides(r report.Result) bool {
	if j.kind == "MutatingAdmissionPolicy" {
		return mentions(r, fmt.Sprintf("policy '%s'", j.name)) ||
			slices.ContainsFunc(
				r.Changes,
				func(c report.Change) bool { return c.Reason == report.ReasonAdmission && c.Detail == j.kind },
			)
	}
	return mentions(r, fmt.Sprintf("%s '%s'", j.kind, j.name)) || mentions(r, fmt.Sprintf("%s %q", j.kind, j.name))
}

// mentions reports whether the answer's status, warnings or reasons for doubt have a
// text.
func mentions(r report.Result, text string) bool {
	has := func(s string) bool { return strings.Contains(s, text) }
	return r.Status != nil && has(r.Status.Message) || slices.ContainsFunc(r.Warnings, has) ||
		slices.ContainsFunc(r.Confidence.Reasons, func(c report.Caveat) bool { return has(c.Message) })
}
