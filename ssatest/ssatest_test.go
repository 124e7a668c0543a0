package ssatest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// recorder is a test whose failures are looked at.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// failures are the errors of an assertion.
func (c *Cluster) failures(assert func(*Cluster)) []string {
	r := &recorder{TB: c.t}
	as := *c
	as.t = r
	assert(&as)
	return r.errors
}

var web = Ref{"apps/v1", "Deployment", "shop", "web"}

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3}
`

// TestAssertions: each assertion holds where it should, and fails where it should.
func TestAssertions(t *testing.T) {
	c := Start(t, Files("testdata/shop.yaml"))
	c.AssertOwns(web, "kube-controller-manager", ".spec.replicas")
	c.AssertOwns(web, "helm", ".spec.template", `.spec.template.spec.containers[name="web"].image`)
	failed := c.failures(func(c *Cluster) { c.AssertOwns(web, "helm", ".spec.replicas") })
	want := "Deployment shop/web: helm does not own .spec.replicas: it is owned by kube-controller-manager"
	if !slices.Equal(failed, []string{want}) {
		t.Errorf("AssertOwns: %q", failed)
	}
	conflicts := c.WouldConflict(manifest, "ops")
	if !slices.Equal(conflicts, []Conflict{{".spec.replicas", "kube-controller-manager"}}) {
		t.Errorf("WouldConflict: %v", conflicts)
	}
	if conflicts := c.WouldConflict(strings.Replace(manifest, "3", "5", 1), "ops"); conflicts != nil {
		t.Errorf("WouldConflict with the live value: %v", conflicts)
	}
	c.AssertTakesNothingFrom("kube-controller-manager")
	if _, code, body := c.apply(manifest, "ops", "force=true"); code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	c.AssertTakesNothingFrom("helm")
	failed = c.failures(func(c *Cluster) { c.AssertTakesNothingFrom("kube-controller-manager") })
	want = "Deployment shop/web: .spec.replicas was taken from kube-controller-manager: it is owned by ops"
	if !slices.Equal(failed, []string{want}) {
		t.Errorf("AssertTakesNothingFrom: %q", failed)
	}
	c.AssertReapplyIsNoop(manifest, "ops")
	failed = c.failures(func(c *Cluster) { c.AssertReapplyIsNoop(strings.Replace(manifest, "3", "4", 1), "late") })
	if len(failed) != 1 || !strings.Contains(failed[0], "409") {
		t.Errorf("AssertReapplyIsNoop: %q", failed)
	}
	c.AssertManagedFields(web, "testdata/web.golden")
}

// TestReset: what the test before wrote is gone, and the server is the same.
func TestReset(t *testing.T) {
	first := Start(t, Files("testdata/shop.yaml"))
	if _, code, body := first.apply(manifest, "ops", "force=true"); code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	second := Start(t, Files("testdata/shop.yaml"))
	if first.Config.Host != second.Config.Host {
		t.Errorf("there are two servers, %s and %s", first.Config.Host, second.Config.Host)
	}
	second.AssertOwns(web, "kube-controller-manager", ".spec.replicas")
	failed := second.failures(func(c *Cluster) { c.AssertManagedFields(web, "testdata/web.golden") })
	if len(failed) != 1 || !strings.Contains(failed[0], "- ops Apply: .spec.replicas\n") {
		t.Errorf("the golden file of another state: %q", failed)
	}
}

// TestObjects: objects of a test are served, and other options have a server of their own.
func TestObjects(t *testing.T) {
	c := Start(t, Objects(map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a", "namespace": "shop"},
	}))
	if o := c.object(Ref{"v1", "ConfigMap", "shop", "a"}); o.Metadata.ResourceVersion == "" {
		t.Errorf("the object is %+v", o)
	}
}

// TestPaths: all elements of fieldsV1 have the form that the API server has in conflicts.
func TestPaths(t *testing.T) {
	got, err := paths([]byte(`{"f:metadata":{"f:finalizers":{".":{},"v:\"x/y\"":{}}},"f:spec":{"f:ports":{
		"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}},"f:list":{"i:0":{}}}}`))
	want := []string{
		`.metadata.finalizers`, `.metadata.finalizers[="x/y"]`, `.spec.list[0]`,
		`.spec.ports[port=80,protocol="TCP"]`, `.spec.ports[port=80,protocol="TCP"].port`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %q", err, got)
	}
	if _, err := paths([]byte(`{"x:y":{}}`)); err == nil {
		t.Error("an unknown element is no error")
	}
}
