package serve_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
)

// The clients of TestSoak, the objects of each, and how much memory the server may take, in kB.
const (
	soakClients = 8
	soakObjects = 40
	soakBound   = 1600 << 10
)

// TestSoak: clients that write as fast as they can, while others watch, get no error, and the
// memory of the server stays bounded: histories are compacted. SOAK says how long, as 10m.
func TestSoak(t *testing.T) {
	ssactl := built(t)
	lasts, err := time.ParseDuration(os.Getenv("SOAK"))
	if err != nil {
		lasts = 15 * time.Second
	}
	config, pid := startProgram(t, ssactl)
	client := kubernetes.NewForConfigOrDie(config)
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	var writes, events, peak atomic.Int64
	var all sync.WaitGroup
	for i := range soakClients {
		all.Go(func() { soak(ctx, t, client, i, &writes) })
	}
	all.Go(func() { watch(ctx, t, client, &events) })
	for ctx.Err() == nil {
		peak.Store(max(peak.Load(), memoryOf(t, pid)))
		time.Sleep(time.Second)
	}
	all.Wait()
	t.Logf("%s: %d writes, %d events, %d MB of memory at the peak, %d MB at the end",
		lasts, writes.Load(), events.Load(), peak.Load()>>10, memoryOf(t, pid)>>10)
	if writes.Load() < soakClients || events.Load() < writes.Load()/2 {
		t.Errorf("%d writes, %d events", writes.Load(), events.Load())
	}
	if peak.Load() > soakBound {
		t.Errorf("the server takes %d MB, more than %d", peak.Load()>>10, soakBound>>10)
	}
}

// soak applies objects of 5 kB anew, and deletes one now and then.
func soak(ctx context.Context, t *testing.T, client *kubernetes.Clientset, number int, writes *atomic.Int64) {
	maps := client.CoreV1().ConfigMaps("default")
	for i := 0; ctx.Err() == nil; i++ {
		name := fmt.Sprintf("soak-%d-%d", number, i%soakObjects)
		is := corev1apply.ConfigMap(name, "default").WithData(map[string]string{
			"text": strings.Repeat(strconv.Itoa(i%10), 5000), "round": strconv.Itoa(i),
		})
		_, err := maps.Apply(ctx, is, metav1.ApplyOptions{FieldManager: "soak", Force: true})
		if err == nil && i%50 == 49 {
			err = maps.Delete(ctx, name, metav1.DeleteOptions{})
		}
		if err != nil && ctx.Err() == nil {
			t.Errorf("client %d, round %d: %v", number, i, err)
			return
		}
		writes.Add(1)
	}
}

// watch counts what happens.
func watch(ctx context.Context, t *testing.T, client *kubernetes.Clientset, events *atomic.Int64) {
	for ctx.Err() == nil {
		w, err := client.CoreV1().ConfigMaps("default").Watch(ctx, metav1.ListOptions{})
		if err != nil {
			if ctx.Err() == nil {
				t.Errorf("watch: %v", err)
			}
			return
		}
		for range w.ResultChan() {
			events.Add(1)
		}
	}
}

// memoryOf is the resident memory of a process in kB.
func memoryOf(t *testing.T, pid string) int64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", pid, "status"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kB, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kB
}
