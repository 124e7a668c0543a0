package report

// Value is a JSON value that may be missing, which is not null.
type Value struct {
	Value   any  `json:"value"`
	Missing bool `json:"missing,omitempty"`
}
