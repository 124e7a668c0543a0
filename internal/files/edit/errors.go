package edit

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A Reason says why an edit is refused.
type Reason string

const (
	// SharedAnchor says that an alias elsewhere refers to what would change.
	SharedAnchor Reason = "an alias elsewhere refers to it"
	// ThroughAlias says that the field is written at an anchor, not here.
	ThroughAlias Reason = "it is written in another place, which an alias refers to"
	// MergeKey says that the field comes from a mapping that "<<" merges in.
	MergeKey Reason = `it is merged in by "<<"`
	// Template says that the text is a template, which says something else once
	// rendered.
	Template Reason = "the file is a template"
	// DuplicateKey says that the key stands more than once in its mapping.
	DuplicateKey Reason = "the key is repeated"
	// Ambiguous says that several list items have the key or value.
	Ambiguous Reason = "several list items match"
	// Required says that apiVersion, kind and metadata.name make the object.
	Required Reason = "no object can be without it"
	// WrongKind says that a path element asks for another kind of value than there is.
	WrongKind Reason = "the path does not fit what is written there"
	// OddLayout says that the text around the field is written in a way that is not
	// understood, such as an explicit "?" key.
	OddLayout Reason = "its layout is not understood"
	// NotProved says that the new text would say something else than intended.
	NotProved Reason = "the result would change something else"
	// NotFound says that the manifest has no such field.
	NotFound Reason = "the manifest does not have it"
)

// A RefusedError is the error of an edit that was not made; the document is as
// before.
type RefusedError struct {
	Path   fieldpath.Path
	Reason Reason
	// Line is where in the document the reason stands, from 1; 0 if unknown.
	Line int
}

func (e *RefusedError) Error() string {
	text := fmt.Sprintf("edit %s: %s", e.Path, e.Reason)
	if e.Line > 0 {
		text = fmt.Sprintf("edit %s: line %d: %s", e.Path, e.Line, e.Reason)
	}
	return text
}

// A ParseError is the error of a text that is no single document.
type ParseError struct {
	// Template is set where the text has template actions, which explain it.
	Template bool
	Err      error
}

func (e *ParseError) Error() string {
	if e.Template {
		return fmt.Sprintf("parse template: %v", e.Err)
	}
	return fmt.Sprintf("parse: %v", e.Err)
}

func (e *ParseError) Unwrap() error { return e.Err }
