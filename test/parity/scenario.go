package parity

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Scenario is one recorded story.
type Scenario struct {
	Name          string    `json:"name"`
	Note          string    `json:"note"`
	ServerVersion string    `json:"serverVersion"`
	Namespace     string    `json:"namespace"`
	RecordedAt    time.Time `json:"recordedAt"`
	// CRDs are the CustomResourceDefinitions that were installed before the
	// first step.
	CRDs []json.RawMessage `json:"crds,omitempty"`
	// ServerFlags are the flags, as name=value, that the server was run with
	// beside those of all recordings.
	ServerFlags []string `json:"serverFlags,omitempty"`
	Steps       []Step   `json:"steps"`
}

// Step is one request and what the server answered.
type Step struct {
	Index           int         `json:"index"`
	Note            string      `json:"note,omitempty"`
	Op              string      `json:"op"`
	Manager         string      `json:"manager,omitempty"`
	UserAgent       string      `json:"userAgent,omitempty"`
	Force           bool        `json:"force,omitempty"`
	Subresource     string      `json:"subresource,omitempty"`
	FieldValidation string      `json:"fieldValidation,omitempty"`
	Target          Target      `json:"target"`
	Request         HTTPRequest `json:"request"`
	StartedAt       time.Time   `json:"startedAt"`
	FinishedAt      time.Time   `json:"finishedAt"`
	// LiveBefore is the object before, managedFields included; absent or JSON
	// null when there was none.
	LiveBefore json.RawMessage `json:"liveBefore"`
	// Stored is a merge patch of the object that was made in the server's storage
	// before the request: so the server of another release may have left it.
	Stored json.RawMessage `json:"stored,omitempty"`
	Status int             `json:"status"`
	// Warnings are the Warning headers, either in full (299 - "text") or as
	// their texts.
	Warnings []string        `json:"warnings,omitempty"`
	Response json.RawMessage `json:"response"`
	// LiveAfter is the object after; absent or JSON null when there is none.
	LiveAfter json.RawMessage `json:"liveAfter"`
	// Beside are other objects of the scenario that the request changed, as they
	// are after it: quotas that count what was written.
	Beside []json.RawMessage `json:"beside,omitempty"`
	// Again is how often the request was sent again, with the order changed in
	// which the server has its policies. Others are what else it answered: which
	// of the answers it gives is chance, and each of them is right.
	Again  int      `json:"again,omitempty"`
	Others []Answer `json:"others,omitempty"`
}

// Answer is what the server answered to a request that changes nothing.
type Answer struct {
	Status   int             `json:"status"`
	Warnings []string        `json:"warnings,omitempty"`
	Response json.RawMessage `json:"response"`
}

// Target is the object that a step writes.
type Target struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
}

// HTTPRequest is a request as it was sent. At most one of Body and BodyText is
// set.
type HTTPRequest struct {
	Method      string              `json:"method"`
	Path        string              `json:"path"`
	Query       map[string][]string `json:"query,omitempty"`
	ContentType string              `json:"contentType,omitempty"`
	Body        json.RawMessage     `json:"body,omitempty"`
	BodyText    string              `json:"bodyText,omitempty"`
}

// Bytes gives the body as it was sent; nil when there was none. A Body was sent
// with U+2028, U+2029, <, > and & escaped, whether the recording escapes them
// or not: how the server reads an escape is part of its answer.
func (r HTTPRequest) Bytes() []byte {
	if r.BodyText != "" {
		return []byte(r.BodyText)
	}
	if len(r.Body) == 0 {
		return nil
	}
	var sent bytes.Buffer
	json.HTMLEscape(&sent, r.Body)
	return sent.Bytes()
}

// Scenarios reads one scenario a line, in their order. Empty lines are passed
// over.
func Scenarios(r io.Reader) ([]Scenario, error) {
	reader := bufio.NewReader(r)
	var scenarios []Scenario
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var scenario Scenario
			if err := json.Unmarshal(line, &scenario); err != nil {
				return nil, fmt.Errorf("parse scenario, line %d: %w", number, err)
			}
			scenarios = append(scenarios, scenario)
		}
		if errors.Is(err, io.EOF) {
			return scenarios, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read scenarios, line %d: %w", number, err)
		}
	}
}

// ReadFile reads the scenarios of a file; one whose name ends in .gz is
// decompressed.
func ReadFile(name string) ([]Scenario, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open scenarios: %w", err)
	}
	defer file.Close()
	if !strings.HasSuffix(name, ".gz") {
		return Scenarios(file)
	}
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("decompress %s: %w", name, err)
	}
	return Scenarios(unzipped)
}

// Write writes one scenario a line; HTTPRequest.Bytes is the same for what
// Scenarios reads of it.
func Write(w io.Writer, scenarios []Scenario) error {
	encoder := json.NewEncoder(w)
	for _, scenario := range scenarios {
		if err := encoder.Encode(scenario); err != nil {
			return fmt.Errorf("write scenario %s: %w", scenario.Name, err)
		}
	}
	return nil
}
