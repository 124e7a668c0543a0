package cluster

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
)

// settingsFound are the objects that clients take settings from: those that are live, and
// those of manifests.
type settingsFound struct {
	live    []map[string]any
	brought []client.Brought
	// places are those of the live ones.
	places map[types.NamespacedName]string
	// trackers are the live ones that say what they have applied.
	trackers writers.Trackers
}

// spareMetadata gives the metadata of the live objects that no manifest names, as far as they
// are kept.
func (w *World) spareMetadata(yield func(map[string]any) bool) {
	named := map[live.Key]bool{}
	for _, d := range w.Manifests {
		named[w.Key(d.Identity)] = true
	}
	for _, o := range spareOf(w.Live) {
		if named[w.Key(o.Identity)] {
			continue
		}
		object, err := o.Metadata()
		if err != nil {
			continue
		}
		object["kind"] = o.Kind
		if !yield(object) {
			return
		}
	}
}

// foundSettings gives the objects of the inputs that clients take settings from, once they
// are asked for: live ones, whether a manifest names them or not, and those of manifests.
func (w *World) foundSettings() func() settingsFound {
	return sync.OnceValue(func() (found settingsFound) {
		seen := map[*live.Object]bool{}
		found.places = map[types.NamespacedName]string{}
		for _, o := range slices.Concat(spareOf(w.Live), w.Live.Objects(), w.Live.Kept()) {
			if seen[o] || !input.IsSetting(o.Identity) {
				continue
			}
			seen[o] = true
			if object, err := o.Decode(); err == nil {
				found.live = append(found.live, object)
				source := report.Source(o.Source)
				found.places[types.NamespacedName{Namespace: o.Namespace, Name: o.Name}] = words.Place(&source)
			}
		}
		for _, d := range slices.Concat(w.Manifests, w.Definitions) {
			if !input.IsSetting(d.Identity) {
				continue
			}
			if object, err := jsontree.Decode(d.JSON()); err == nil {
				found.brought = append(found.brought, client.Brought{Object: object, Source: report.Source(d.Source)})
			}
		}
		found.trackers = writers.TrackersOf(found.live)
		return found
	})
}

// lineOfSetting is where an object that clients take settings from has a field, a live one
// before one of the manifests; nil for no line.
func (w *World) lineOfSetting(setting client.Key, path fieldpath.Path) *report.Source {
	is := func(id manifest.Identity) bool {
		return id.Name == setting.Name && id.Kind == setting.Kind && id.Group() == setting.Group &&
			(id.Namespace == "" || setting.Namespace == "" || id.Namespace == setting.Namespace)
	}
	for _, o := range slices.Concat(spareOf(w.Live), w.Live.Objects()) {
		if is(o.Identity) {
			return lineIn(newLiveLines(o.Document, &w.reread), path, report.Source(o.Source))
		}
	}
	for _, d := range slices.Concat(w.Manifests, w.Definitions) {
		if is(d.Identity) {
			return lineIn(Locator{d}, path, report.Source(d.Source))
		}
	}
	return nil
}

// lineIn is where a document has a field, or else where it starts.
func lineIn(l report.Locator, path fieldpath.Path, start report.Source) *report.Source {
	if at := report.Nearest(l, path); at != nil {
		return at
	}
	return &start
}
