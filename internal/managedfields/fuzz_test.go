package managedfields

import (
	"bytes"
	"encoding/json"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

var fieldsSeeds = []string{
	`{}`,
	`{"f:spec":{".":{},"f:replicas":{}}}`,
	`{"f:a":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}},"v:\"x\"":{},"v:1":{},"v:null":{},"i:3":{}}}`,
	`{"f:":{},"f:.":{},"f:\u2028\"":{},"x:future":{"f:a":{}}}`,
	`{"k:{}":{},"k:[]":{},"k:{\"a\":{\"b\":[1]}}":{}}`,
	`{"v:":{},"v:{":{},"i:x":{},"f":{}}`,
	`{".":{}}`,
}

// FuzzFields: what is read equals what structured-merge-diff reads, and
// writing it gives it back.
func FuzzFields(f *testing.F) {
	for _, seed := range fieldsSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var decoded map[string]any
		if json.Unmarshal([]byte(text), &decoded) != nil {
			return
		}
		set, err := FromFields(decoded)
		if err != nil {
			return
		}
		canonical, err := json.Marshal(decoded)
		if err != nil {
			t.Fatal(err)
		}
		upstream := fieldpath.NewSet()
		if err := upstream.FromJSON(bytes.NewReader(canonical)); err == nil && !upstream.Equals(set) {
			t.Errorf("%s: read\n%v, structured-merge-diff reads\n%v", text, set, upstream)
		}
		fields, err := ToFields(set)
		if err != nil {
			t.Fatalf("write what was read from %s: %v", text, err)
		}
		again, err := FromFields(fields)
		if err != nil {
			t.Fatalf("read what was written for %s: %v", text, err)
		}
		if !again.Equals(set) {
			t.Errorf("%s: round trip gave\n%v, want\n%v", text, again, set)
		}
	})
}

// FuzzObject: no object and no entries make a query panic; every leaf is
// found where it is said to be, and is owned, unowned or untracked.
func FuzzObject(f *testing.F) {
	f.Add(liveService)
	f.Add(`{"metadata":{"managedFields":[{}]},"spec":{"ports":[null,1,{},{"port":{}}],"ips":[[],{},null],"selector":[]}}`)
	for _, seed := range fieldsSeeds {
		f.Add(
			`{"metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":` + seed + `}]},"spec":{"ports":{}}}`,
		)
	}
	shapes := []Shape{{}, serviceShape(f)}
	f.Fuzz(func(t *testing.T, text string) {
		var object map[string]any
		if json.Unmarshal([]byte(text), &object) != nil {
			return
		}
		o := Of(object)
		for _, shape := range shapes {
			leaves := shape.Leaves(object)
			for _, l := range leaves {
				if !shape.Has(object, l.Path) {
					t.Errorf("%s is no place in %s", l.Path, text)
				}
			}
			if n := len(o.Unowned(object, shape)); n > len(leaves) {
				t.Errorf("%d unowned of %d leaves", n, len(leaves))
			}
			for _, p := range o.Stale(object, shape) {
				if len(p.By) == 0 || len(o.Field(p.Field)) == 0 {
					t.Errorf("%s is stale, and owned by nobody", p.Field)
				}
			}
		}
	})
}
