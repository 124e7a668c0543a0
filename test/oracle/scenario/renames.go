package scenario

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/test/parity"
)

// Renames says what in this recording stands for a uid, resource version,
// address or port of an earlier one. Keys and values are pieces of JSON.
type Renames map[string]string

// givenFields are what a server gives by chance.
var givenFields = map[string]bool{
	"uid": true, "resourceVersion": true, "clusterIP": true, "nodePort": true, "healthCheckNodePort": true,
}

// uidLength is that of a uid that a server made: a shorter one is a user's.
const uidLength = 36

// Old gives a document of this recording with the names of the earlier one.
func (n Renames) Old(document []byte) []byte {
	var pairs []string
	for old, fresh := range n {
		pairs = append(pairs, fresh, old)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(document)))
}

// request gives a request of the earlier recording with this one's names.
func (n Renames) request(r parity.HTTPRequest) parity.HTTPRequest {
	var pairs []string
	for old, fresh := range n {
		pairs = append(pairs, old, fresh)
	}
	replacer := strings.NewReplacer(pairs...)
	r.BodyText = replacer.Replace(r.BodyText)
	if r.Body != nil {
		r.Body = json.RawMessage(replacer.Replace(string(r.Body)))
	}
	return r
}

// learn remembers what two recordings of a document call the same.
func (n Renames) learn(old, fresh json.RawMessage) {
	var a, b any
	// What is no JSON has no names.
	if json.Unmarshal(old, &a) == nil && json.Unmarshal(fresh, &b) == nil {
		n.walk("", a, b)
	}
}

func (n Renames) walk(field string, old, fresh any) {
	switch old := old.(type) {
	case map[string]any:
		other, _ := fresh.(map[string]any)
		for key, value := range old {
			n.walk(key, value, other[key])
		}
	case []any:
		other, _ := fresh.([]any)
		for i := range min(len(old), len(other)) {
			n.walk("", old[i], other[i])
		}
	case string, float64:
		if givenFields[field] && fresh != nil && old != "" && old != "None" {
			n.add(field, old, fresh)
		}
	}
}

// add pairs uids and addresses wherever they stand, and numbers only in their
// own field.
func (n Renames) add(field string, old, fresh any) {
	switch field {
	case "uid":
		if len(fmt.Sprint(old)) < uidLength {
			return
		}
		n[fmt.Sprint(old)] = fmt.Sprint(fresh)
	case "clusterIP", "resourceVersion":
		n[fmt.Sprintf("%q:%q", field, old)] = fmt.Sprintf("%q:%q", field, fresh)
		n[fmt.Sprintf("%q:[%q", field+"s", old)] = fmt.Sprintf("%q:[%q", field+"s", fresh)
	default:
		n[fmt.Sprintf("%q:%v", field, old)] = fmt.Sprintf("%q:%v", field, fresh)
	}
}
