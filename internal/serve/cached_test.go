package serve_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/ssactl/ssactl/internal/serve/wire"
)

// TestWatchBeforeCache: a watch that goes on from a revision before the watch cache of its resource
// began sees all that happened since.
func TestWatchBeforeCache(t *testing.T) {
	s := start(t, wire.Spec{})
	maps, ctx := s.typed(t).CoreV1().ConfigMaps("default"), t.Context()
	var from string
	for _, name := range []string{"a", "b"} {
		made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if from == "" {
			from = made.ResourceVersion
		}
	}
	for range 2 {
		changes, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: from})
		if err != nil {
			t.Fatal(err)
		}
		if e := <-changes.ResultChan(); e.Type != watch.Added || e.Object.(*corev1.ConfigMap).Name != "b" {
			t.Errorf("the watch begins with %+v", e)
		}
		changes.Stop()
	}
	// One from before all history is refused as a watch cache does.
	changes, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	if e := <-changes.ResultChan(); e.Type != watch.Error ||
		e.Object.(*metav1.Status).Reason != metav1.StatusReasonExpired {
		t.Errorf("the watch from the first revision begins with %+v", e)
	}
}
