package report

// Answer is what the API server answers a write, in short.
type Answer struct {
	Outcome Outcome `json:"outcome"`
	// Code is the HTTP status that the API server answers; 0 for Failed, and for Invalid
	// where the client refuses before it sends a request.
	Code int `json:"code"`
	// Message is the server's where it refuses, word for word, or says why no
	// answer could be given; empty where the write is accepted.
	Message string `json:"message,omitempty"`
}

// Attempt is the Answer to a write that there may be none of: it is empty then,
// and documents leave it out.
type Attempt struct {
	Outcome Outcome `json:"outcome,omitempty"`
	Code    int     `json:"code,omitempty"`
	Message string  `json:"message,omitempty"`
}

// Answer is that of a result.
func (r Result) Answer() Answer {
	a := Answer{Outcome: r.Outcome, Code: r.Code, Message: r.Error}
	if r.Status != nil {
		a.Message = r.Status.Message
	}
	return a
}
