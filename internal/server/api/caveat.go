package api

import (
	"errors"
	"fmt"
	"sync"

	"github.com/ssactl/ssactl/internal/guard"
)

// CaveatKind says why an answer may not be a real server's.
type CaveatKind string

// The kinds of caveat.
const (
	// ServerAssigned: a value that only a server gives is left out. It never
	// changes the verdict.
	ServerAssigned CaveatKind = "ServerAssigned"
	// Admission: a plug-in, webhook or policy was not run.
	Admission CaveatKind = "Admission"
	// Schema: no definition of the kind is known, and its merge schema is assumed.
	Schema CaveatKind = "Schema"
	// Input: what was given of the cluster may be incomplete, or may be something
	// else than what is meant.
	Input CaveatKind = "Input"
	// Version: the cluster runs another release than the one that answers.
	Version CaveatKind = "Version"
)

// NotGiven is the rule of the caveat that kinds of objects which could decide are not
// known to be absent. It is the same one in all answers of a server.
const NotGiven = "NotGiven"

// OtherRelease is the rule of an answer that is not that of the cluster's release.
const OtherRelease = "OtherRelease"

// Caveat is one thing that keeps an answer from being a real server's for certain.
type Caveat struct {
	Kind CaveatKind `json:"kind"`
	// Field is the field path that it is about; empty for the whole object.
	Field string `json:"field,omitempty"`
	// Message is a sentence.
	Message string `json:"message" secret:"ours"`
	// Rule names the caveat where something can be done about it; else empty.
	Rule string `json:"rule,omitempty" secret:"public"`
	// Nearest is what may be meant instead; empty where nothing is like it.
	Nearest string `json:"nearest,omitempty"`
}

// ErrPanicked is wrapped by errors for a panic in the server's code. A real server answers
// such a request with 500 and goes on; whether it would have panicked is not known here.
var ErrPanicked = errors.New("the API server's code panicked")

// Guarded runs the server's code, making of storages and schemas included. What
// it is asked is hostile at times, and MustXxx functions are in it.
func Guarded[T any](work func() (T, error)) (T, error) {
	value, err := guard.Value(work)
	var p *guard.Error
	if errors.As(err, &p) {
		err = fmt.Errorf("%w: %s", ErrPanicked, p.Detail())
	}
	return value, err
}

// OnceGuarded is guarded work that is done once: all who ask get its value, or its error.
func OnceGuarded[T any](work func() (T, error)) func() (T, error) {
	return sync.OnceValues(func() (T, error) { return Guarded(work) })
}

// ErrNotSimulated is wrapped by errors for a path that a server has and this one does not
// answer.
var ErrNotSimulated = errors.New("not simulated")
