package serve_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/ssactl/ssactl/internal/serve"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

// served is a server that runs in the test's process, as ssactl runs it.
type served struct {
	wire.Ready
	config *rest.Config
	end    func() int
	dir    string
	tell   io.Writer
}

// run starts the program over standard streams that are pipes.
func run(t *testing.T, spec wire.Spec) (served, wire.Event) {
	t.Helper()
	spec.Dir = filepath.Join(t.TempDir(), "server")
	if err := os.Mkdir(spec.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if spec.Address == "" {
		spec.Address, spec.Webhooks = "127.0.0.1:0", "drop"
	}
	in, tell := io.Pipe()
	hear, out := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- serve.Main(in, out)
		out.Close()
	}()
	first, heard := make(chan []byte, 1), make(chan struct{})
	go func() {
		defer close(heard)
		lines := bufio.NewReader(hear)
		line, err := lines.ReadBytes('\n')
		for first <- line; err == nil; line, err = lines.ReadBytes('\n') {
			if bytes.HasPrefix(line, []byte(`{"failed"`)) {
				t.Logf("the program said %s", line)
			}
		}
	}()
	s := served{dir: spec.Dir, tell: tell, end: sync.OnceValue(func() int {
		tell.Close()
		<-heard
		return <-code
	})}
	t.Cleanup(func() { s.end() })
	if err := json.NewEncoder(tell).Encode(spec); err != nil {
		t.Fatal(err)
	}
	var event wire.Event
	if err := json.Unmarshal(<-first, &event); err != nil {
		t.Fatal(err)
	}
	if event.Ready != nil {
		s.Ready = *event.Ready
		s.config = &rest.Config{
			Host: s.URL, BearerToken: s.Token, TLSClientConfig: rest.TLSClientConfig{CAData: s.Certificate}, QPS: -1,
		}
	}
	return s, event
}

func start(t *testing.T, spec wire.Spec) served {
	t.Helper()
	s, event := run(t, spec)
	if event.Ready == nil {
		t.Fatalf("not ready: %+v", event.Failed)
	}
	return s
}

func (s served) typed(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(s.config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// TestDump serves a dump: its objects are there as they were, a conflict is a conflict, and a
// reset brings them back. Nothing is left at the end.
func TestDump(t *testing.T) {
	s := start(t, wire.Spec{Live: []string{filepath.Join("testdata", "dump.yaml")}})
	s.checkDeployment(t)
	s.checkCustom(t)
	s.checkSkipped(t)
	if code := s.end(); code != 0 {
		t.Errorf("the program ended with %d", code)
	}
	if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
		t.Errorf("its directory is left: %v", err)
	}
}

func (s served) checkDeployment(t *testing.T) {
	t.Helper()
	deployments := s.typed(t).AppsV1().Deployments("shop")
	web, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if web.UID != "11111111-2222-3333-4444-555555555555" || web.ResourceVersion != "7001" || len(web.ManagedFields) != 2 {
		t.Errorf("the dump's object is served with uid %s, resourceVersion %s and %d entries",
			web.UID, web.ResourceVersion, len(web.ManagedFields))
	}
	apply := []byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2}}`)
	options := metav1.PatchOptions{FieldManager: "ops"}
	_, err = deployments.Patch(t.Context(), "web", types.ApplyPatchType, apply, options)
	if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `"kube-controller-manager"`) {
		t.Errorf("an apply of the autoscaler's field: %v", err)
	}
	force := true
	options.Force = &force
	if _, err = deployments.Patch(t.Context(), "web", types.ApplyPatchType, apply, options); err != nil {
		t.Fatal(err)
	}
	s.reset(t)
	back, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
	if err != nil || *back.Spec.Replicas != *web.Spec.Replicas || len(back.ManagedFields) != 2 {
		t.Errorf("after the reset: %v, %v", back, err)
	}
}

// checkCustom: a custom resource of another version is served at the storage version.
func (s served) checkCustom(t *testing.T) {
	t.Helper()
	custom := dynamic.NewForConfigOrDie(s.config).Resource(
		schema.GroupVersionResource{Group: "example.com", Version: "v2", Resource: "crontabs"},
	)
	tab, err := custom.Namespace("shop").Get(t.Context(), "nightly", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if schedule, _, _ := unstructured.NestedString(tab.Object, "spec", "schedule"); schedule != "0 3 * * *" {
		t.Errorf("the custom resource is %v", tab.Object)
	}
}

// checkSkipped: what is not served is named, with the reason.
func (s served) checkSkipped(t *testing.T) {
	t.Helper()
	if diff := cmp.Diff([]string{"shop"}, s.Loaded.Namespaces); diff != "" {
		t.Errorf("namespaces that were made (-want +got):\n%s", diff)
	}
	want := map[string]string{
		"Widget.example.org shop/x":                                "no CustomResourceDefinition",
		"APIService.apiregistration.k8s.io v1beta1.metrics.k8s.io": "it is served by the Service",
		"ConfigMap shop/broken":                                    "json: cannot unmarshal",
	}
	for _, skipped := range s.Loaded.Skipped {
		reason, ok := want[skipped.Object]
		if !ok || !strings.Contains(skipped.Reason, reason) {
			t.Errorf("skipped: %s: %s", skipped.Object, skipped.Reason)
		}
		delete(want, skipped.Object)
	}
	for object := range want {
		t.Errorf("not skipped: %s", object)
	}
}

func (s served) reset(t *testing.T) {
	t.Helper()
	transport, err := rest.TransportFor(s.config)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Transport: transport}).Post(s.URL+"/ssactl/reset", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("reset answers %s", answer.Status)
	}
}

// TestControllers: a namespace has its service account, ends with what is in it, and objects go
// with their owners.
func TestControllers(t *testing.T) {
	s := start(t, wire.Spec{Controllers: true, Address: "127.0.0.1:0", Webhooks: "refuse"})
	client := s.typed(t)
	ctx := t.Context()
	if _, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: "shop"},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "default service account", func() bool {
		_, err := client.CoreV1().ServiceAccounts("shop").Get(ctx, "default", metav1.GetOptions{})
		return err == nil
	})
	maps := client.CoreV1().ConfigMaps("shop")
	owner, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "owner"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "owned", OwnerReferences: []metav1.OwnerReference{
		{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID},
	}}}
	if _, err := maps.Create(ctx, owned, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := maps.Delete(ctx, "owner", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "garbage collection", func() bool {
		_, err := maps.Get(ctx, "owned", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	if err := client.CoreV1().Namespaces().Delete(ctx, "shop", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "end of the namespace", func() bool {
		_, err := client.CoreV1().Namespaces().Get(ctx, "shop", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}
