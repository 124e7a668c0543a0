package server

import (
	"context"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

func TestHiddenFields(t *testing.T) {
	const owned = `"managedFields":[{"manager":"bob","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:internalTrafficPolicy":{},"f:externalName":{},"f:type":{}}}}]`
	service := func(metadata, spec string) []byte {
		return []byte(
			`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s","namespace":"n","uid":"u","resourceVersion":"5","creationTimestamp":"2026-01-01T00:00:00Z",` +
				metadata + `},"spec":{"sessionAffinity":"None",` + spec + `},"status":{"loadBalancer":{}}}`,
		)
	}
	server := newServer(t, Options{})
	for _, test := range []struct {
		name string
		live []byte
		told bool
	}{
		{"owned and not there", service(owned, `"type":"ExternalName","externalName":"a.example.com"`), true},
		{"not owned", service(`"labels":{"a":"b"}`, `"type":"ExternalName","externalName":"a.example.com"`), false},
		{"of another type", service(owned, `"type":"ClusterIP","clusterIP":"None","ports":[{"port":80}]`), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, err := server.Do(context.Background(), api.Request{
				Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "Service"}, Namespace: "n", Name: "s", Manager: "m", Live: test.live,
				Body: []byte(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s","labels":{"c":"d"}}}`),
			})
			if err != nil || response.Code != 200 {
				t.Fatalf("%d %v %s", response.Code, err, response.Body)
			}
			told := slices.ContainsFunc(response.Unsimulated, func(c api.Caveat) bool {
				return c.Kind == api.Input && strings.HasPrefix(c.Message, "The stored Service")
			})
			if told != test.told {
				t.Errorf("not simulated: %v", response.Unsimulated)
			}
		})
	}
}
