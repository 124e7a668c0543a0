package server

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

var podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// TestHugeQuantity: a quantity that a server is not done with has no answer at
// once, wherever a call has it; what only looks so is answered.
func TestHugeQuantity(t *testing.T) {
	server := newServer(t, Options{})
	pod := func(cpu string) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d","uid":"u","annotations":{"a":"1e999999999"}},
			"spec":{"containers":[{"name":"a","image":"b","resources":{"requests":{"cpu":` + cpu + `}}}]}}`
	}
	const field = ".spec.containers[0].resources.requests.cpu: "
	cases := []struct {
		name string
		call api.Request
		want string
	}{
		{"exponent", api.Request{Verb: api.Apply, Body: []byte(pod(`"1e999999999"`))}, field},
		{"negative exponent", api.Request{Verb: api.Create, Body: []byte(pod(`"-1E-2147483648"`))}, field},
		{"escaped", api.Request{Verb: api.Create, Body: []byte(pod(`"1\u0065999999999"`))}, field},
		{"digits", api.Request{Verb: api.Create, Body: []byte(pod(`"` + strings.Repeat("9", 60_000) + `"`))}, field},
		{"live", api.Request{Verb: api.MergePatch, Body: []byte(`{}`), Live: []byte(pod(`"1e999999999"`))}, field},
		{
			"merge patch",
			api.Request{
				Verb: api.MergePatch,
				Body: []byte(`{"spec":{"overhead":{"cpu":"1e999999999"}}}`),
				Live: []byte(pod("1")),
			},
			".spec.overhead.cpu: ",
		},
		{"JSON patch", api.Request{Verb: api.JSONPatch, Live: []byte(pod("1")),
			Body: []byte(
				`[{"op":"add","path":"/metadata/annotations/b","value":"1e999999999"},{"op":"add","path":"/spec/overhead","value":{"example.com~1a":"1e999999999"}}]`,
			)}, "/spec/overhead.example.com~1a: "},
		{"what fits", api.Request{Verb: api.Apply, Body: []byte(pod(`"1e1000000"`))}, ""},
		{"an annotation alone", api.Request{Verb: api.Apply, Body: []byte(pod("1"))}, ""},
		{"cut to 32 bits", api.Request{Verb: api.Apply, Body: []byte(pod(`"1e4294967296"`))}, ""},
	}
	for _, c := range cases {
		c.call.Kind, c.call.Namespace, c.call.Name, c.call.Manager = podKind, "d", "p", "m"
		if c.call.Verb == api.Create {
			c.call.Name = ""
		}
		_, err := server.Do(context.Background(), c.call)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %s…", c.name, err, c.want)
		}
	}
}

// TestGivenHugeQuantity: nor is one waited for that only admission would read.
func TestGivenHugeQuantity(t *testing.T) {
	limits := `{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l","namespace":"d"},"spec":{"limits":[{"type":"Pod","max":{"cpu":"1e999999999"}}]}}`
	server := newServer(t, Options{Objects: [][]byte{[]byte(limits)}})
	response, err := server.Do(context.Background(), api.Request{
		Verb: api.Create, Kind: podKind, Namespace: "d",
		Body: []byte(
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b"}]}}`,
		),
	})
	if err != nil || response.Code != 201 {
		t.Errorf("got %d, %v", response.Code, err)
	}
}
