package cluster

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// others are the objects of the inputs, as far as a deletion of one of them concerns others. The live
// files are read once more, since few runs delete anything. What is wrong with them was reported when they
// were read first.
func (l *liveReading) others() *risk.Others {
	out := &risk.Others{}
	written := map[live.Key]bool{}
	add := func(d manifest.Document) {
		kind, asJSON := input.KindOf(d.Identity).GroupKind(), d.JSON()
		if uid, ok := jsontree.Name(asJSON, "metadata", "uid"); ok && uid != "" {
			out.Has(uid)
		}
		if !risk.Concerns(kind, asJSON) {
			return
		}
		if object, err := jsontree.Decode(asJSON); err == nil {
			out.Add(kind, placedIn(object, l.Key(d.Identity).Namespace))
		}
	}
	for _, d := range l.Manifests {
		if risk.Calls(input.KindOf(d.Identity).GroupKind()) || risk.Uses(d.JSON()) {
			// What calls a Service, and what Pods use, is what the run leaves.
			written[l.Key(d.Identity)] = true
			add(d)
		}
	}
	for d := range l.documentsAgain() {
		if !written[l.Key(d.Identity)] {
			add(d)
		}
	}
	return out
}

// taking adds to the risks of an answer what others of the inputs lose where it deletes the object, and
// that its owners are not among them.
func (a *Answering) taking(risks []report.Finding, w engine.Write, r report.Result) []report.Finding {
	switch {
	case a.others == nil:
		return risks
	case risk.NamesOwners(r):
		risks = risk.Ownerless(risks, r, a.others())
	}
	if !risk.Deletes(r) {
		return risks
	}
	deletes := w.Verb == api.Delete && a.sender.Client == nil
	return risk.Taking(risks, r, a.others(), func(kind schema.GroupKind, namespace, name string) bool {
		key := live.Key{Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Name: name}
		return a.going[key] || deletes && a.named[key]
	})
}
