package conflict

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// TakenOver is the entry of a tool that applies whole manifests, where another manager
// applies its object: the entry owns two thirds of the fields of the new manifest that no person has
// changed since. What the
// server filled in belongs to the entry too, so that a quarter of its own fields is enough, and
// that of a client-side apply, which writes one manifest, may have any number of others.
// It is false where there is none. An Apply entry counts where its tool applies only when
// it is run, and another known tool applies the object for the first time: afterwards the
// two share it, and two that sync undo each other. Of an applier that is not known, such as
// an installer, the entry counts where it alone owns what the manifest sets, and owns little
// else: of too few fields that says nothing.
func TakenOver(applier string, manifest *fieldpath.Set, live map[string]any) (report.Writer, bool) {
	owners := managedfields.Of(live)
	first := owners.Roles()[managedfields.Role{Manager: applier, Operation: managedfields.Apply}] == nil &&
		appliesWhole(writers.ManagerKindOf(report.Writer{Manager: applier, Operation: managedfields.Apply}, "").Kind)
	untouched := withoutPersons(manifest, owners, applier, live)
	for _, e := range owners.Readable() {
		w := report.WriterOf(e)
		kind := writers.Judge(w, applier, "", live)
		unknown := kind.Kind == writers.OtherApplier && first
		switch {
		case e.Subresource != "" || e.Manager == applier || !appliesWhole(kind.Kind) && !unknown:
			continue
		case e.Operation == managedfields.Apply && (!first || kind.Returns == writers.OnSync):
			continue
		}
		if unknown && installed(e, manifest, owners) ||
			!unknown && ownsMost(e, untouched, kind.Kind == writers.ClientSide) {
			return w, true
		}
	}
	return report.Writer{}, false
}

// withoutPersons are the fields of a manifest that no person owns.
func withoutPersons(
	manifest *fieldpath.Set, owners managedfields.Owners, applier string, live map[string]any,
) *fieldpath.Set {
	for _, e := range owners.Readable() {
		if writers.Judge(report.WriterOf(e), applier, "", live).Kind == writers.Person {
			manifest = manifest.Difference(e.Set)
		}
	}
	return manifest
}

// ownsMost reports whether an entry owns two thirds of the fields of a manifest, and these
// are a quarter of its own where it may be of more than one manifest.
func ownsMost(e managedfields.Entry, manifest *fieldpath.Set, one bool) bool {
	owned, all := managedfields.Share(e.Set, manifest)
	return owned > 0 && 3*owned >= 2*all && (one || 4*owned >= e.Set.Leaves().Size())
}

// installed reports whether an entry alone owns what a manifest sets, and owns little else.
func installed(e managedfields.Entry, manifest *fieldpath.Set, owners managedfields.Owners) bool {
	owned, _ := managedfields.Share(e.Set, manifest)
	return owned >= fewOfInstaller && 3*owned >= 2*e.Set.Leaves().Size() && ownsAlone(e, manifest, owners)
}

// fewOfInstaller is how many fields two manifests share at least that are of one object.
const fewOfInstaller = 3

// appliesWhole reports whether writers of a kind are tools that apply whole manifests.
func appliesWhole(kind writers.WriterKind) bool {
	return kind == writers.Deployer || kind == writers.GitOps || kind == writers.ClientSide
}

// ownsAlone reports whether no other entry owns a field of a manifest.
func ownsAlone(e managedfields.Entry, manifest *fieldpath.Set, owners managedfields.Owners) bool {
	for _, other := range owners.Readable() {
		if other.Index == e.Index {
			continue
		}
		if owned, _ := managedfields.Share(other.Set, manifest); owned > 0 {
			return false
		}
	}
	return true
}
