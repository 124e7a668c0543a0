package conflict

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// isMost reports whether an entry that owns so many of all fields of a manifest, and of
// its own, owns nearly all of the object: two thirds of what is applied. What the server
// filled in belongs to the entry too, so that a quarter of its own fields is enough.
func isMost(owned, all, own int) bool { return owned > 0 && 3*owned >= 2*all && 4*owned >= own }

// TakenOver is the Update entry of a tool that applies whole manifests, where another
// manager applies its object: the entry owns most of the fields of the new manifest.
// It is false where there is none.
func TakenOver(applier string, manifest *fieldpath.Set, live managedfields.Owners) (report.Writer, bool) {
	for _, e := range live.Readable() {
		if e.Operation != managedfields.Update || e.Subresource != "" || e.Manager == applier {
			continue
		}
		w := report.WriterOf(e)
		if kind := ManagerKindOf(w, applier).Kind; kind != Deployer && kind != GitOps {
			continue
		}
		owned, all := managedfields.Share(e.Set, manifest)
		if isMost(owned, all, e.Set.Leaves().Size()) {
			return w, true
		}
	}
	return report.Writer{}, false
}

// takeover reports whether a field is nothing but a part of a takeover.
func (s *session) takeover(t Conflict) bool {
	if !s.looked {
		s.looked = true
		s.former, _ = TakenOver(s.Write.Manager, s.manifest(), s.Owners)
	}
	for _, o := range t.Owners {
		if s.former.Manager == "" || o.Manager != s.former.Manager || o.Operation != managedfields.Update || o.Subresource != "" {
			return false
		}
	}
	return len(t.Owners) > 0
}

// takingOver is what is recommended for a field of a takeover.
func takingOver(t Conflict) (ResolutionKind, Reason) {
	return Migrate, Reason{Kind: Takeover, Managers: Managers(t.Owners)}
}

// manifest are the fields of the manifest.
func (s *session) manifest() *fieldpath.Set {
	set := fieldpath.NewSet()
	object, _ := s.body.(map[string]any)
	for _, leaf := range s.Shape.Leaves(object) {
		if !managedfields.Untracked(leaf.Path) {
			set.Insert(leaf.Path.Copy())
		}
	}
	return set
}
