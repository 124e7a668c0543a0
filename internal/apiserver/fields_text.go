package apiserver

import (
	"bytes"
	gojson "encoding/json"
	"sync"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A server stores fieldsV1 as its own encoder writes it, and takes an entry for
// changed as soon as its bytes differ (apiserver, fieldmanager/equality.go).
// Files have it as their writers like it: kubectl indents JSON, and YAML sorts
// the keys of list items as texts, {"port":443} before {"port":80}.

// maxFieldsTexts bounds how many texts are remembered: many objects share one.
const maxFieldsTexts = 4096

type fieldsTexts struct {
	mu    sync.Mutex
	known map[string][]byte
}

var knownFieldsTexts fieldsTexts

// stored is a fieldsV1 as a server stores it; what it could not read stays.
func (f *fieldsTexts) stored(text []byte) []byte {
	f.mu.Lock()
	known, ok := f.known[string(text)]
	f.mu.Unlock()
	if ok {
		return known
	}
	canonical := text
	fields := fieldpath.NewSet()
	if err := fields.FromJSON(bytes.NewReader(text)); err == nil {
		if again, err := fields.ToJSON(); err == nil {
			canonical = again
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known) >= maxFieldsTexts {
		f.known = map[string][]byte{}
	}
	f.known[string(text)] = canonical
	return canonical
}

// withStoredFields writes the fieldsV1 of a live object as a server stores
// them. Entries that are none are left to the server to judge.
func withStoredFields(live []byte) []byte {
	var object struct {
		Metadata struct {
			ManagedFields gojson.RawMessage `json:"managedFields"`
		} `json:"metadata"`
	}
	var entries []struct {
		FieldsV1 gojson.RawMessage `json:"fieldsV1"`
	}
	if json.Unmarshal(live, &object) != nil || json.Unmarshal(object.Metadata.ManagedFields, &entries) != nil {
		return live
	}
	for _, entry := range entries {
		text := entry.FieldsV1
		if len(text) == 0 || text[0] != '{' {
			continue
		}
		if stored := knownFieldsTexts.stored(text); !bytes.Equal(stored, text) {
			live = bytes.ReplaceAll(live, text, stored)
		}
	}
	return live
}
