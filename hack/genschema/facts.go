package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// factsOf reads what definitions say beyond merge types.
func factsOf(definitions map[string]*spec.Schema) mergeschema.Facts {
	facts := mergeschema.Facts{}
	for name, definition := range definitions {
		fields := map[string]mergeschema.Fact{}
		add := func(field string, fact mergeschema.Fact) {
			if fact != (mergeschema.Fact{}) {
				fields[field] = fact
			}
		}
		add("", factOf(definition))
		for field, property := range definition.Properties {
			fact := factOf(&property)
			fact.Required = slices.Contains(definition.Required, field)
			add(field, fact)
		}
		if len(fields) > 0 {
			facts[name] = fields
		}
	}
	return facts
}

func factOf(s *spec.Schema) mergeschema.Fact {
	fact := mergeschema.Fact{
		Format:        s.Format,
		ListType:      extension(s, "x-kubernetes-list-type"),
		MapType:       extension(s, "x-kubernetes-map-type"),
		PatchKey:      extension(s, "x-kubernetes-patch-merge-key"),
		PatchStrategy: extension(s, "x-kubernetes-patch-strategy"),
	}
	for _, numeric := range []string{"integer", "number"} {
		if s.Type.Contains(numeric) {
			fact.Type = numeric
		}
	}
	return fact
}

func extension(s *spec.Schema, name string) string {
	text, _ := s.Extensions.GetString(name)
	return text
}

// encodeFacts writes facts. Equal facts give equal bytes.
func encodeFacts(facts mergeschema.Facts) ([]byte, error) {
	text, err := json.Marshal(facts)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := packed.Write(text); err != nil {
		return nil, err
	}
	err = packed.Close()
	return out.Bytes(), err
}
