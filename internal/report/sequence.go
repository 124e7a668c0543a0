package report

// Sequence is what a client sends for one object: requests, each on the object that the
// one before leaves.
type Sequence struct {
	Name string `json:"name" secret:"public"`
	// Version is that of the client whose behavior was simulated.
	Version string `json:"version,omitempty" secret:"public"`
	Steps   []Sent `json:"steps"`
}

// Sent is one request of a client with its answer.
type Sent struct {
	// Request is what it is for: Apply, MoveEntries and the like.
	Request string `json:"request" secret:"public"`
	Manager string `json:"manager" secret:"public"`
	Force   bool   `json:"force"`
	Answer
}
