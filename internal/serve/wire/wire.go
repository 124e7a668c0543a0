// Package wire is what ssactl and the program of its API server say to each other: the spec of
// a server as one line of JSON on standard input, whose end ends the server, and events, each a
// line of JSON on standard output.
package wire

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Program is the name of the program.
const Program = "ssactl-serve"

// End is the line that asks for an orderly end.
const End = "end\n"

// ReadyManager is the field manager that marks workloads as rolled out.
const ReadyManager = "ssactl-serve-ready"

// Spec says what a server is.
type Spec struct {
	// Dir is a directory for files of the server; the program removes it when it ends.
	Dir string `json:"dir"`
	// Kubeconfig is a file that the program removes when it ends if it has the token of the
	// server: who wrote it may be gone. Empty for none.
	Kubeconfig string `json:"kubeconfig,omitempty"`
	// Live and Definitions are files and directories.
	Live        []string `json:"live,omitempty"`
	Definitions []string `json:"definitions,omitempty"`
	// Recursive reads the directories below directories too.
	Recursive bool `json:"recursive,omitempty"`
	// Address is where the server listens, as HOST:PORT; port 0 is any free one.
	Address string `json:"address"`
	// Webhooks is drop or refuse.
	Webhooks string `json:"webhooks"`
	// Controllers runs upstream's.
	Controllers bool `json:"controllers"`
	// Ready marks workloads as rolled out.
	Ready bool `json:"ready,omitempty"`
	// Record reports the writes of clients.
	Record bool `json:"record,omitempty"`
	// WriteBack is a file that gets the objects at the end, if the other side says End before it
	// closes standard input; empty for none.
	WriteBack string `json:"writeBack,omitempty"`
	// KubernetesVersion is the release that is emulated, as 1.36; empty for the linked one.
	KubernetesVersion string `json:"kubernetesVersion,omitempty"`
}

// Event is one of its fields.
type Event struct {
	Ready  *Ready  `json:"ready,omitempty"`
	Write  *Write  `json:"write,omitempty"`
	Failed *Failed `json:"failed,omitempty"`
}

// Ready is said once: the server answers.
type Ready struct {
	URL         string `json:"url"`
	Token       string `json:"token"`
	Certificate []byte `json:"certificate"`
	Version     string `json:"version"`
	Loaded      Loaded `json:"loaded"`
}

// Loaded says what became of a dump.
type Loaded struct {
	// Objects are stored, made ones not counted; Namespaces were made, for objects in them.
	Objects    int      `json:"objects"`
	Namespaces []string `json:"namespaces,omitempty"`
	// Snapshots are the files in which Secrets have digests instead of values.
	Snapshots []string `json:"snapshots,omitempty"`
	// Skipped are not stored.
	Skipped []Skipped `json:"skipped,omitempty"`
	// Webhooks are the admission webhooks that are not called, as CONFIGURATION/WEBHOOK.
	Webhooks []string `json:"webhooks,omitempty"`
}

// Skipped is an object that is not stored, and why.
type Skipped struct {
	Object string `json:"object"`
	Source string `json:"source"`
	Reason string `json:"reason"`
}

// Failed is said instead of Ready, or after it when the server ended by itself.
type Failed struct {
	Message string `json:"message"`
}

// Write is a request of a client that writes, and its answer.
type Write struct {
	Time      time.Time `json:"time"`
	Method    string    `json:"method"`
	Path      string    `json:"path"`
	Query     string    `json:"query,omitempty"`
	UserAgent string    `json:"userAgent,omitempty"`
	// Verb is that of the API: create, update, patch, delete or deletecollection. What follows
	// says what is written to; Name is empty for a collection.
	Verb        string `json:"verb"`
	Group       string `json:"group,omitempty"`
	Version     string `json:"version"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	// Type is the media type of the body, which is JSON where it was protobuf.
	Type string `json:"type,omitempty"`
	Body []byte `json:"body,omitempty"`
	// Before is the object before the request, After is it afterwards, as JSON; nil for none.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	// Code, Warnings and Answer are the response.
	Code     int      `json:"code"`
	Warnings []string `json:"warnings,omitempty"`
	Answer   []byte   `json:"answer,omitempty"`
}

// Writer writes events; it may be used from any goroutine.
type Writer struct {
	mu sync.Mutex
	to *json.Encoder
}

// NewWriter writes events to a stream.
func NewWriter(to io.Writer) *Writer { return &Writer{to: json.NewEncoder(to)} }

// Say writes an event.
func (w *Writer) Say(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Encode(e)
}

// Events reads events until the stream ends, or one is not of this package.
func Events(from io.Reader) func(yield func(Event, error) bool) {
	decoder := json.NewDecoder(bufio.NewReader(from))
	return func(yield func(Event, error) bool) {
		for {
			var e Event
			err := decoder.Decode(&e)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				err = fmt.Errorf("read what %s says: %w", Program, err)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}
