package server

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

const gadget = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"gadgets.lab.example.com"},
"spec":{"group":"lab.example.com","scope":"Namespaced","names":{"kind":"Gadget","plural":"gadgets","singular":"gadget","listKind":"GadgetList"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{
"cpu":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
"interval":{"type":"string","format":"duration"},"since":{"type":"string","format":"date-time"},"day":{"type":"string","format":"date"},
"data":{"type":"string","format":"byte"},"ratio":{"type":"number","format":"double"},"on":{"type":"boolean"},"count":{"type":"integer","format":"int32"},
"list":{"type":"array","items":{"type":"string"}},"map":{"type":"object","additionalProperties":{"type":"string"}},
"mode":{"type":"string","default":"fast"}}}}}}}]}}`

// TestCustomValuesAreStoredAsWritten: of a custom resource a server stores every value in
// the spelling that it is applied with, zero values included, and adds defaults only.
func TestCustomValuesAreStoredAsWritten(t *testing.T) {
	s := newServer(t, Options{CRDs: [][]byte{[]byte(gadget)}})
	for _, spec := range []map[string]any{
		{"cpu": "1000m"}, {"cpu": int64(1)}, {"cpu": "1e3"}, {"interval": "60s"}, {"interval": "4h"},
		{"since": "2026-01-01T12:00:00+02:00"}, {"since": "2026-01-01T12:00:00.5Z"}, {"day": "2026-01-01"}, {"data": "YQ=="},
		{"ratio": int64(1)}, {"ratio": 1.5}, {"on": false}, {"count": int64(0)}, {"list": []any{}}, {"map": map[string]any{}}, {"interval": "0s", "mode": "slow"},
	} {
		body, err := json.Marshal(
			map[string]any{
				"apiVersion": "lab.example.com/v1",
				"kind":       "Gadget",
				"metadata":   map[string]any{"name": "one"},
				"spec":       spec,
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := s.Do(t.Context(), api.Request{
			Verb: api.Apply, Kind: schema.GroupVersionKind{Group: "lab.example.com", Version: "v1", Kind: "Gadget"},
			Namespace: "default", Name: "one", Manager: "test", Body: body,
		})
		if err != nil || answer.Code != 201 {
			t.Errorf("%s is answered %d: %s, %v", body, answer.Code, answer.Body, err)
			continue
		}
		if spec["mode"] == nil {
			spec["mode"] = "fast"
		}
		var stored struct{ Spec map[string]any }
		if err := json.Unmarshal(answer.Stored, &stored); err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(spec)
		got, _ := json.Marshal(stored.Spec)
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is stored otherwise (-sent +stored):\n%s", body, diff)
		}
	}
}
