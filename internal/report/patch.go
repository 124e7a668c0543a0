package report

// PatchOperation is one operation of a JSON patch (RFC 6902). A value that is nil is
// left out: plans give none that is null.
type PatchOperation struct {
	Op    string `json:"op" secret:"public"`
	Path  string `json:"path" secret:"pointer"`
	Value any    `json:"value,omitempty"`
}
