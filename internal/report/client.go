package report

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Client is a program that applies manifests and has settings for it.
type Client string

// The clients.
const (
	ArgoCD    Client = "ArgoCD"
	Flux      Client = "Flux"
	Helm      Client = "Helm"
	Terraform Client = "Terraform"
	Pulumi    Client = "Pulumi"
	Kubectl   Client = "Kubectl"
)

// ClientFix is a resolution of conflicts as a setting of the client that applies.
type ClientFix struct {
	Client Client `json:"client"`
	// Kind is the resolution that the setting makes (Force, StopManaging, UseLiveValue), as it is
	// simulated for each of the fields.
	Kind string `json:"kind" secret:"public"`
	// Unit is what the client knows the object by.
	Unit Unit `json:"unit"`
	// Fields are the field paths that it is about, sorted, and Managers who owns
	// them; Places are where the manifest has the fields, in their order.
	Fields   []string `json:"fields" secret:"path"`
	Managers []string `json:"managers" secret:"public"`
	Places   []Place  `json:"-"`
	// Applier is the field manager that the client applies as.
	Applier string `json:"-" secret:"public"`
	// Namespace is that which kubectl has to be told; empty where the manifest names its own.
	Namespace string `json:"-" secret:"public"`
	// Custom is true for a kind of a CustomResourceDefinition.
	Custom bool `json:"-"`
	// Language is that of the setting (yaml, hcl, sh), Text the setting, and Does says
	// where it goes and what it does. They are written where the document is.
	Language string `json:"language" secret:"public"`
	Text     string `json:"text" secret:"ours"`
	Does     string `json:"does" secret:"ours"`
}

// On is the setting for one of its fields, which managers own; false where it is not
// about the field.
func (f ClientFix) On(field string, managers ...string) (ClientFix, bool) {
	i := slices.Index(f.Fields, field)
	if i < 0 {
		return f, false
	}
	f.Fields, f.Places, f.Managers = f.Fields[i:i+1], f.Places[i:i+1], managers
	return f, true
}

// Unit is what a client deploys together: an Application of Argo CD, a Kustomization of
// Flux, a release of Helm, the folder that kubectl builds. Its name may be empty.
type Unit struct {
	Name      string `json:"name,omitempty" secret:"public"`
	Namespace string `json:"namespace,omitempty" secret:"public"`
}

// Place is where a manifest has a field: the segments from the root.
type Place []Segment

// Segment is a key of a map, or an item of a list, at a position, with its keys or its
// value.
type Segment struct {
	Name  string
	Item  bool
	Index int
	Keys  []Key
	Value any
}

// Key is one of those that a list item is known by.
type Key struct {
	Name  string
	Value any
}

// Sequence is what a client sends for one object: requests, each on the object that the
// one before leaves.
type Sequence struct {
	Name string `json:"name" secret:"public"`
	// Version is that of the client whose behavior was simulated.
	Version string `json:"version,omitempty" secret:"public"`
	Steps   []Sent `json:"steps"`
}

// Sends reports whether the server accepts a request of the client. A nil sequence sends none.
func (s *Sequence) Sends() bool { return s.accepted(func(Sent) bool { return true }) }

// Deletes reports whether the client deletes the object on its way, or marks it for deletion. A nil sequence
// does not.
func (s *Sequence) Deletes() bool {
	return s.accepted(func(sent Sent) bool { return sent.Request == "Delete" })
}

// accepted reports whether the server accepts a request of a kind.
func (s *Sequence) accepted(is func(Sent) bool) bool {
	return s != nil && slices.ContainsFunc(s.Steps, func(sent Sent) bool { return !sent.Outcome.Refused() && is(sent) })
}

// Sent is one request of a client with its answer.
type Sent struct {
	// Request is what it is for: Apply, MoveEntries and the like.
	Request string `json:"request" secret:"public"`
	Manager string `json:"manager" secret:"public"`
	Force   bool   `json:"force"`
	Answer
}

// PatchOperation is one operation of a JSON patch (RFC 6902). Removals have no value.
type PatchOperation struct {
	Op    string `json:"op" secret:"public"`
	Path  string `json:"path" secret:"pointer"`
	Value any    `json:"value,omitempty"`
}

// MarshalJSON leaves the value out of a removal only: elsewhere nil is null. The outer
// encoder escapes HTML where it should.
func (o PatchOperation) MarshalJSON() ([]byte, error) {
	m := map[string]any{"op": o.Op, "path": o.Path}
	if o.Op != "remove" {
		m["value"] = o.Value
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(m)
	return b.Bytes(), err
}
