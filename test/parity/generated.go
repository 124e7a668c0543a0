package parity

import (
	"bytes"
	"encoding/json"
	"strings"
)

// generatedMark stands for the random end of a name.
const generatedMark = "<generated>"

// withoutGeneratedName replaces the name that a server made of generateName,
// wherever a document has it (a Job's labels, the message of a refusal). A
// document without a name is left as it is.
func (d *differ) withoutGeneratedName(document []byte) []byte {
	if d.known.generateName == "" || d.known.named {
		return document
	}
	var answer struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Details struct {
			Name string `json:"name"`
		} `json:"details"`
	}
	// What is no object has no name.
	_ = json.Unmarshal(document, &answer)
	name := answer.Metadata.Name
	if name == "" {
		name = answer.Details.Name
	}
	if name == d.known.generateName || !strings.HasPrefix(name, d.known.generateName) {
		return document
	}
	return bytes.ReplaceAll(document, []byte(name), []byte(d.known.generateName+generatedMark))
}

// isGenerated reports whether a value contains a generated name, which only a
// server can give: it may be absent from an answer.
func isGenerated(value any) bool {
	text, ok := value.(string)
	return ok && strings.Contains(text, generatedMark)
}
