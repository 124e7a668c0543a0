package scenario

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/test/parity"
)

func TestReadFileGivesRequests(t *testing.T) {
	scenarios, err := ReadFile(filepath.Join("..", "scenarios", "thin.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want := parity.Step{
		Op: "apply", Manager: "alice",
		Target: parity.Target{APIVersion: "v1", Kind: "Pod", Namespace: "s-pod-subresources", Name: "p"},
		Request: parity.HTTPRequest{
			Method:      "PATCH",
			Path:        "/api/v1/namespaces/s-pod-subresources/pods/p",
			Query:       map[string][]string{"fieldManager": {"alice"}},
			ContentType: "application/apply-patch+yaml",
		},
	}
	got := scenarios[0].Steps[0]
	if !json.Valid(got.Request.Body) {
		t.Errorf("body is not JSON: %s", got.Request.Body)
	}
	got.Request.Body = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first step (-want +got):\n%s", diff)
	}
}

func TestRenames(t *testing.T) {
	const (
		oldUID   = "00000000-0000-0000-0000-00000000000a"
		freshUID = "00000000-0000-0000-0000-00000000000b"
	)
	names := Renames{}
	names.learn(
		json.RawMessage(
			`{"metadata":{"uid":"`+oldUID+`","resourceVersion":"7"},"spec":{"clusterIP":"10.0.0.1","ports":[{"nodePort":30001}],"uid":"1"}}`,
		),
		json.RawMessage(
			`{"metadata":{"uid":"`+freshUID+`","resourceVersion":"9"},"spec":{"clusterIP":"10.0.0.2","ports":[{"nodePort":30002}],"uid":"2"}}`,
		),
	)
	old := `{"uid":"` + oldUID + `","resourceVersion":"7","clusterIP":"10.0.0.1","clusterIPs":["10.0.0.1"],"nodePort":30001,"n":"7","v1":1}`
	fresh := `{"uid":"` + freshUID + `","resourceVersion":"9","clusterIP":"10.0.0.2","clusterIPs":["10.0.0.2"],"nodePort":30002,"n":"7","v1":1}`
	request := names.request(parity.HTTPRequest{Body: json.RawMessage(old)})
	if diff := cmp.Diff(fresh, string(request.Body)); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(old, string(names.Old([]byte(fresh)))); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}
