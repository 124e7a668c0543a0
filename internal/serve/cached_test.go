package serve_test

import (
	"fmt"
	"strings"
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

// TestCacheBeginsAgain: a list and a watch after the cache of a resource has ended find what there is, and
// a watch goes on from before.
func TestCacheBeginsAgain(t *testing.T) {
	s := start(t, wire.Spec{})
	maps, ctx := s.typed(t).CoreV1().ConfigMaps("default"), t.Context()
	large := strings.Repeat("x", 900<<10)
	list := func() *corev1.ConfigMapList {
		t.Helper()
		all, err := maps.List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	// More than is kept decoded where nobody looks at it.
	for i := range 40 {
		_, err := maps.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("large-", i)}, Data: map[string]string{"a": large},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	before := list()
	for range 3 {
		if _, err := s.typed(t).CoreV1().Secrets("").List(ctx, metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := maps.Delete(ctx, before.Items[0].Name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		changes, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: before.ResourceVersion})
		if err != nil {
			t.Fatal(err)
		}
		if e := <-changes.ResultChan(); e.Type != watch.Deleted {
			t.Errorf("the watch begins with %+v", e)
		}
		changes.Stop()
		after := list()
		if len(after.Items) != len(before.Items)-1 {
			t.Errorf("of %d objects %d are listed", len(before.Items)-1, len(after.Items))
		}
		before = after
	}
}
