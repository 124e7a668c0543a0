package parity

import (
	"bytes"
	"encoding/json"
)

// controllerStatusKinds have a status that controllers of the API server
// itself write a moment after a request: whether a recorded object has it
// already is chance.
var controllerStatusKinds = map[string]bool{
	"CustomResourceDefinition": true,
	"APIService":               true,
	"FlowSchema":               true,
}

// HasControllerStatus reports whether controllers of the API server itself write
// the status of a kind, so that no answer about it can be relied on.
func HasControllerStatus(kind string) bool {
	return controllerStatusKinds[kind]
}

// liveBefore gives the bytes of a step's live object; nil when there is none.
func liveBefore(step Step) []byte {
	if IsNull(step.LiveBefore) {
		return nil
	}
	return step.LiveBefore
}

// withoutControllerStatus removes the status of an object and the managed
// fields entries for it.
func withoutControllerStatus(object any) {
	fields, ok := object.(map[string]any)
	if !ok {
		return
	}
	delete(fields, "status")
	metadata, _ := fields["metadata"].(map[string]any)
	entries, ok := metadata["managedFields"].([]any)
	if !ok {
		return
	}
	var kept []any
	for _, entry := range entries {
		if e, ok := entry.(map[string]any); ok && e["subresource"] == "status" {
			continue
		}
		kept = append(kept, entry)
	}
	metadata["managedFields"] = kept
	if len(kept) == 0 {
		delete(metadata, "managedFields")
	}
}

// decode parses JSON and keeps numbers as they are written; what is absent is
// nil.
func decode(raw []byte) (any, error) {
	if IsNull(raw) {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}
