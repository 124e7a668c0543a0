// Package pasted explains what a client printed of a refused apply: an error message, or a log
// with several of them. It says which objects and fields they are about, who the field
// managers are, and what to give for the whole answer.
//
//	text -> refusals that it quotes   engine/causes
//	     -> the object of each        about.go
//	     -> findings                  findings.go
//	     -> explanations about them   mentions.go
package pasted

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/bounded"
)

// MaxBytes is how much of a log is read.
const MaxBytes = 64 << 20

// Refusal is a refusal that a text quotes, with what the text says of it.
type Refusal struct {
	causes.Quoted
	// File is the text's, as it was given.
	File string
	// Client is who printed it, by the name that --client takes; empty where the text does
	// not say so.
	Client string
	// Times is how often the text has it.
	Times int
}

// Source is where the refusal stands.
func (r Refusal) Source() report.Source { return report.Source{File: r.File, Line: r.Line} }

// Read reads the refusals of a file, or of standard input for "-", each once, in their
// order. A text without any is an error.
func Read(in io.Reader, name string) ([]Refusal, error) {
	text, err := contents(in, name)
	if err != nil {
		return nil, fmt.Errorf("--error: %w", err)
	}
	var out []Refusal
	at := map[string]int{}
	by := clientOf(string(text))
	for _, q := range causes.Quotes(string(text)) {
		r := Refusal{Quoted: q, File: name, Client: by, Times: 1}
		r.Target = targetOf(q)
		key := r.key()
		if i, known := at[key]; known {
			out[i].Times++
			continue
		}
		at[key] = len(out)
		out = append(out, r)
	}
	if out == nil {
		return nil, fmt.Errorf(
			"--error: %s has no message of a refused apply: give what the client printed, such as %q",
			shownName(name),
			"Apply failed with 1 conflict: …",
		)
	}
	return out, nil
}

func contents(in io.Reader, name string) ([]byte, error) {
	if name == "-" {
		return bounded.All(in, "standard input", MaxBytes)
	}
	if name == "" {
		return nil, errors.New("give a file, or - for standard input")
	}
	return bounded.File(name, MaxBytes)
}

func shownName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// key is the same for refusals that say the same.
func (r Refusal) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", r.Target)
	for _, c := range r.Conflicts {
		fmt.Fprintf(&b, " %q %q", c.Field, c.Writer)
	}
	for _, c := range r.Causes {
		fmt.Fprintf(&b, " %q %q", c.Field, c.Message)
	}
	return b.String()
}
