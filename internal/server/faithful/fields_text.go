package faithful

import (
	"bytes"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
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

// stored is a fieldsV1 as a server stores it; what it could not read stays, and
// what is no object.
func (f *fieldsTexts) stored(text []byte) []byte {
	if text[0] != '{' {
		return text
	}
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
	live, _ = jsontree.Replace(live, knownFieldsTexts.stored, "metadata", "managedFields", "*", "fieldsV1")
	return live
}
