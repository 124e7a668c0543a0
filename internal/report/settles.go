package report

// Settles says whether an accepted write lasts: what is left of it once the same client
// and the other writers that are known have written again.
type Settles struct {
	Result SettlesResult `json:"result"`
	// Rounds is how many were simulated, the one in which nothing changed included. One is
	// the other writers and then the client, each once.
	Rounds int `json:"rounds"`
	// Cycle are the writers with the values that they set in turn, by field, in the order in
	// which they write; nil where the object comes to rest.
	Cycle []CycleStep `json:"cycle,omitempty"`
	// Refused are the writers whose next write the API server rejects at the end, sorted; nil
	// for none.
	Refused []string `json:"refused,omitempty" secret:"public"`
	// Confidence is Partial where the next value of a writer is not known, and its last one
	// stands for it.
	Confidence Level `json:"confidence"`
}

// SettlesResult is what rounds of writers come to.
type SettlesResult string

// The results.
const (
	// FixedPoint: nothing changes any more.
	FixedPoint SettlesResult = "FixedPoint"
	// Cycle: a state comes back, so that the writers undo each other for ever.
	Cycle SettlesResult = "Cycle"
	// Unknown: neither within the rounds, or nothing is known of what a writer does next.
	Unknown SettlesResult = "Unknown"
)

// CycleStep is a value that a writer sets in each turn of a cycle.
type CycleStep struct {
	// Writer is the field manager, and By the object that has it write, such as an
	// autoscaler; empty where there is none.
	Writer string `json:"writer" secret:"public"`
	By     string `json:"by,omitempty" secret:"public"`
	Field  string `json:"field" secret:"path"`
	// Value is the one set; Removed is true where the writer removes the field.
	Value   any  `json:"value"`
	Removed bool `json:"removed,omitempty"`
}

// Name is who writes, as messages say it: the object that has the manager write, or else
// the manager.
func (s CycleStep) Name() string {
	if s.By != "" {
		return s.By
	}
	return s.Writer
}

// Again is what the same write does once more, to the object that it left.
type Again struct {
	// Changes are those of values, sorted by field; bookkeeping of the server is left out.
	Changes []Change
	// Owners are the managers whose entries change, sorted; nil for none.
	Owners []string
	// Recreated: the client deletes the object each time, and creates it again.
	Recreated bool
	// Refused is the API server's answer to the second write where it rejects that; nil
	// for none.
	Refused *Status
	// Rests is true where a third write changes nothing.
	Rests bool
}
