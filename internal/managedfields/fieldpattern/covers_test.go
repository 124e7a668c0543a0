package fieldpattern

import (
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

func TestTo(t *testing.T) {
	replicas := fieldpath.MakePathOrDie("spec", "replicas")
	image := fieldpath.MakePathOrDie(
		"spec",
		"containers",
		fieldpath.KeyByFields("name", "app", "port", int64(80)),
		"image",
	)
	label := fieldpath.MakePathOrDie("metadata", "labels", "app.kubernetes.io/name")
	finalizer := fieldpath.MakePathOrDie("metadata", "finalizers", value.NewValueInterface("a.b/c"))
	third := fieldpath.MakePathOrDie("spec", "list", 2)
	for _, c := range []struct {
		pattern string
		path    fieldpath.Path
		want    Relation
	}{
		{".spec", replicas, Covers}, {".spec.replicas", replicas, Covers}, {"spec.replicas", replicas, Covers},
		{".spec.replicasX", replicas, Apart}, {".spec.rep*", replicas, Covers}, {".*", replicas, Covers}, {".*.replicas", replicas, Covers},
		{".spec.replicas.deeper", replicas, Inside}, {".status", replicas, Apart}, {".spec[*]", replicas, Apart},
		{".spec.containers[*].image", image, Covers}, {`.spec.containers[name="app"]`, image, Covers}, {`.spec.containers[port=80]`, image, Covers},
		{`.spec.containers[name="other"]`, image, Apart}, {`.spec.containers[name="app",host="x"]`, image, Apart}, {".spec.containers.image", image, Apart},
		{".spec.containers[0]", image, Apart}, {`.spec.containers[="app"]`, image, Apart}, {".spec.containers[*].env[*]", image, Apart},
		{".**.image", image, Covers}, {".**", image, Covers}, {".spec.**.image", image, Covers}, {".**.containers", image, Covers}, {".**.image.tag", image, Apart},
		{".**[*].image", image, Covers}, {".**.env", image, Apart},
		{".metadata.labels.app.kubernetes.io/name", label, Covers}, {".metadata.labels.app.kubernetes.io/*", label, Covers},
		{".metadata.labels.app", label, Apart}, {`.metadata.labels["app.kubernetes.io/name"]`, label, Covers}, {`.metadata.labels["app.kubernetes.io/*"]`, label, Apart},
		{".metadata.labels.*", label, Covers}, {".metadata.labels.*.x", label, Inside},
		{`.metadata.finalizers[="a.b/c"]`, finalizer, Covers}, {`.metadata.finalizers[="x"]`, finalizer, Apart}, {`.metadata.finalizers[*]`, finalizer, Covers},
		{".spec.list[2]", third, Covers}, {".spec.list[1]", third, Apart},
	} {
		p, err := Parse(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.To(c.path); got != c.want {
			t.Errorf("%s to %s: %d, want %d", c.pattern, c.path, got, c.want)
		}
	}
}

// FuzzTo: what covers a path covers all below it, and is inside of no path that it
// covers.
func FuzzTo(f *testing.F) {
	f.Add(".spec.**.a", "spec", "b", "a")
	f.Add(".m.a.b", "m", "a.b", "c")
	f.Add(`.m["a.b"].*`, "m", "a.b", "c")
	f.Fuzz(func(t *testing.T, pattern, a, b, c string) {
		p, err := Parse(pattern)
		if err != nil || len(pattern) > 60 {
			return
		}
		path := fieldpath.MakePathOrDie(a, b, c)
		covered := false
		for n := range len(path) + 1 {
			r := p.To(path[:n])
			if covered && r != Covers {
				t.Errorf("%s covers a parent of %s, but not it", pattern, path[:n])
			}
			covered = r == Covers
		}
	})
}
