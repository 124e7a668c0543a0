package parity

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/ssactl/ssactl/internal/server/api"
)

// ClientRun is what a client did to the objects of a namespace.
type ClientRun struct {
	Name string `json:"name"`
	// Client is the client as --client takes it, Version the release that ran.
	Client  string `json:"client"`
	Version string `json:"version"`
	// Command is what was run, Flags are those that say the same to ssactl.
	Command   string   `json:"command"`
	Flags     []string `json:"flags,omitempty"`
	Namespace string   `json:"namespace"`
	// At is when it ran.
	At time.Time `json:"at"`
	// Definitions are the CustomResourceDefinitions of the server, Settings the objects
	// that the client reads and that are not on the server.
	Definitions []json.RawMessage `json:"definitions,omitempty"`
	Settings    []json.RawMessage `json:"settings,omitempty"`
	// Releases are the revisions of Helm's releases, as its Secrets have them.
	Releases []json.RawMessage `json:"releases,omitempty"`
	// Before and After are the objects of the namespace, Manifests what was applied.
	Before    []json.RawMessage `json:"before"`
	Manifests []json.RawMessage `json:"manifests"`
	After     []json.RawMessage `json:"after"`
	// Sources are the files of a chart that the manifests are of; nil without a chart.
	Sources []string `json:"sources,omitempty"`
	// Bare: the command named no namespace.
	Bare bool `json:"bare,omitempty"`
	// Failed: the client ended with an error; Output is the end of what it printed.
	Failed   bool         `json:"failed"`
	Output   string       `json:"output,omitempty"`
	Requests []ClientSent `json:"requests"`
}

// ClientSent is a request of a client that writes.
type ClientSent struct {
	// Write is Apply, Create, Update, Delete or the type of a patch: json, merge,
	// strategic.
	Write   string `json:"write"`
	Path    string `json:"path"`
	Manager string `json:"manager,omitempty"`
	Force   bool   `json:"force,omitempty"`
	DryRun  bool   `json:"dryRun,omitempty"`
	Code    int    `json:"code"`
	// Message is that of a refusal.
	Message string `json:"message,omitempty"`
}

// ReadClientRuns reads one run a line from a compressed file.
func ReadClientRuns(name string) ([]ClientRun, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open runs: %w", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("decompress %s: %w", name, err)
	}
	var runs []ClientRun
	for decoder := json.NewDecoder(bufio.NewReader(unzipped)); ; {
		var run ClientRun
		switch err := decoder.Decode(&run); {
		case errors.Is(err, io.EOF):
			return runs, nil
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		runs = append(runs, run)
	}
}

// runTime is how long a run may take: the times of an object that it leaves are in it.
const runTime = 10 * time.Second

// DiffLeft reports how an object that a run leaves differs from the recorded one; empty
// bytes stand for none.
func (r ClientRun) DiffLeft(want, got []byte) string {
	if (len(want) == 0) != (len(got) == 0) {
		return fmt.Sprintf("recorded: %s\nanswered: %s\n", presence(want), presence(got))
	}
	if len(want) == 0 {
		return ""
	}
	step := Step{Status: http.StatusOK, LiveAfter: want, StartedAt: r.At, FinishedAt: r.At.Add(runTime)}
	return DiffStored(step, api.Response{Code: http.StatusOK, Stored: got})
}

func presence(object []byte) string {
	if len(object) == 0 {
		return "absent"
	}
	return "present"
}
