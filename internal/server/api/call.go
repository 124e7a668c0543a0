// Package api is one call to the API server, and its answer, in plain types: the
// vocabulary between internal/engine and the questions, which ask, and
// internal/server, which answers. It imports neither.
//
//	call.go    Request, Response, and how the server serves a kind
//	field.go   what a server publishes of fields
//	caveat.go  what was not simulated, and errors that are no answers
package api

import (
	"bytes"
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/jsontree"
)

// CustomResourceDefinition is the kind of objects that define others.
var CustomResourceDefinition = schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}

// Verb is the HTTP-level operation of a call.
type Verb string

// The verbs that write.
const (
	Apply          Verb = "apply"
	Create         Verb = "create"
	Update         Verb = "update"
	MergePatch     Verb = "patch-merge"
	JSONPatch      Verb = "patch-json"
	StrategicPatch Verb = "patch-strategic"
	Delete         Verb = "delete"
)

// Media types of request bodies.
const (
	JSON = "application/json"
	YAML = "application/yaml"
)

// Request is one call to the API server against one live object.
type Request struct {
	Verb Verb
	// Kind is the group, version and kind that the request is made for (for a
	// subresource, those of the main resource).
	Kind schema.GroupVersionKind
	// Subresource is empty for the main resource.
	Subresource string
	// Namespace is empty for cluster-scoped kinds.
	Namespace string
	// Name may be empty for a create with generateName.
	Name string

	// Manager is the fieldManager parameter; empty leaves it out.
	Manager string
	// UserAgent gives the field manager where Manager is empty.
	UserAgent string
	// Force is the force parameter; a server takes it for an apply only.
	Force bool
	// FieldValidation is Strict, Warn, Ignore, or empty for the server's default.
	FieldValidation string
	// DryRun is the dryRun parameter; the only one that a server takes is
	// All. Empty leaves it out.
	DryRun string
	// PropagationPolicy and GracePeriodSeconds belong to a delete; empty and
	// nil leave them out.
	PropagationPolicy  string
	GracePeriodSeconds *int64

	// Body is sent unparsed: how the server reads it is part of its answer.
	Body []byte
	// MediaType is that of Body. Empty means the verb's own: JSON for create
	// and update, the patch's type for patches.
	MediaType string
	// JSON is Body as the server reads it, for YAML that can be read in one way only; nil
	// otherwise.
	JSON []byte
	// Distinct: no map of Body has a key twice.
	Distinct bool

	// Live is the stored object as JSON, at any version that the server
	// serves; nil when there is none.
	Live []byte
	// Trees remembers what Live says, and allows the answer to be a tree; nil for neither.
	Trees *Trees

	// Derived are fields of the body, and of Live, that were made from values of Secrets: what policies make of
	// them is masked, as what they make of a Secret. Nil for none.
	Derived []disguise.Path

	// Now is the time at which the server answers; zero means the real time.
	Now time.Time
}

// Response is what the API server answers.
type Response struct {
	// Code is the HTTP status.
	Code int
	// Body is the object, or the metav1.Status of a refusal, as JSON.
	Body []byte
	// Warnings are the texts of the Warning headers, in their order.
	Warnings []string
	// Deleted is true when the call removed the object from the storage.
	Deleted bool
	// Stored is the object after the call as JSON at the version of the request's kind; nil
	// when nothing is stored. Body is another kind for some subresources, and for a delete.
	// Where Stored is Live to the byte, the object is unchanged.
	Stored []byte
	// Object replaces Body and Stored, which are nil then, for a request with Trees. It
	// shares unchanged parts with the live object's tree: do not change it.
	Object map[string]any
	// Admission reports which fields admission set, by plug-in.
	Admission []AdmissionChange
	// Derived are the paths of fields that admission policies made from values of
	// Secrets, sorted.
	Derived []string
	// Denials are all that ValidatingAdmissionPolicies have against the object, in the
	// server's words, where any denies it. A server answers with one of them, by chance;
	// Body has the first.
	Denials []string
	// Others are other objects of the cluster as the call leaves them, as
	// JSON: a ResourceQuota with what is used of it now.
	Others [][]byte
	// Unsimulated is what a real server might do to this object that was not simulated, in a
	// stable order, without the kind ServerAssigned.
	Unsimulated []Caveat
	// ServerValues are the field paths that only a server can give and that
	// are absent from Body for that reason, sorted.
	ServerValues []string
}

// AdmissionChange is the change of one mutating admission plug-in.
type AdmissionChange struct {
	Plugin string
	Fields []string
}

// Server answers calls. Its answers to equal requests are equal.
//
// An error means that no answer could be given (a conversion by webhook, a
// body that no request can carry); what the server would refuse is a Response.
type Server interface {
	Do(context.Context, Request) (Response, error)
	// Types gives the merge types of a kind. Every kind has one: where no
	// schema is known, it is the one that the server deduces.
	Types(schema.GroupVersionKind) Type
	// Resource reports how a kind is served.
	Resource(schema.GroupVersionKind) Resource
}

// Answered is a call with what the answer says.
type Answered struct {
	Request
	// Code is the HTTP status.
	Code int
	// Live and Stored are the object before and after the call; nil for none, and Stored
	// for a refusal.
	Live, Stored map[string]any
}

// Differing is a Server that knows what the release of the cluster answers differently.
type Differing interface {
	Differences(Answered) []Caveat
}

// LiveError is the error of a call with a live object that no API server can have stored.
type LiveError struct{ Err error }

// Error implements error.
func (e *LiveError) Error() string {
	return "the live object is not as an API server stores it: " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *LiveError) Unwrap() error { return e.Err }

// Lifecycle is a Server that knows which release removed a kind at a version; empty
// for none.
type Lifecycle interface {
	RemovedIn(schema.GroupVersionKind) string
}

// Alike is a Server that knows what kinds one which it does not serve may be meant
// to be, the likeliest first.
type Alike interface {
	Alike(schema.GroupVersionKind) []schema.GroupVersionKind
}

// Type is the merge schema of one kind.
type Type struct {
	typed.ParseableType
	// Deduced is true when no schema is known for the kind: every key is a
	// field, every list atomic.
	Deduced bool
}

// Resource is how a kind is served.
type Resource struct {
	// Known is false for a kind that is neither built in nor defined by a
	// given CustomResourceDefinition.
	Known bool
	// Custom marks kinds that a CustomResourceDefinition defines, in whatever versions it
	// serves.
	Custom bool
	// Unserved is true where the server does not serve the kind at this version, and no
	// definition that was not given can change it.
	Unserved bool
	// Unestablished is why a definition serves no version of its kind; empty where it does.
	Unestablished string
	// Resource is the plural name, as in request paths.
	Resource string
	// Names are others that people may give for it, as kubectl does: the
	// singular, then the short ones.
	Names []string
	// Namespaced is the scope; for an unknown kind it is a guess from
	// the object at hand, and not to be relied on.
	Namespaced bool
	// Subresources are the names served below the resource, sorted.
	Subresources []string
}

// versions are those that kinds of Kubernetes have had, in the order in which a
// server prefers them: of autoscaling, the only group that has both, v2.
var versions = []string{
	"v2", "v1", "v1beta3", "v1beta2", "v1beta1", "v2beta2", "v2beta1", "v1alpha3", "v1alpha2",
	"v1alpha1",
}

// moved are the groups that kinds of old groups went to.
var moved = map[string][]string{"extensions": {"apps", "networking.k8s.io", "policy"}}

// ServedAs is an API version at which a kind is served, of those that kinds of
// Kubernetes have had, in its group or the one that it went to; empty for none.
func ServedAs(kind schema.GroupVersionKind, serves func(schema.GroupVersionKind) bool) string {
	for _, group := range append([]string{kind.Group}, moved[kind.Group]...) {
		for _, version := range versions {
			gv := schema.GroupVersion{Group: group, Version: version}
			if serves(gv.WithKind(kind.Kind)) {
				return gv.String()
			}
		}
	}
	return ""
}

// Disguise gives an object in which each value of a Secret is replaced by another, and
// reports whether there is any. It does not change the given object.
type Disguise func(object map[string]any, other func(plain string) string) (map[string]any, bool)

// Listed is all objects of a kind, in a namespace or, where that is empty, everywhere.
type Listed struct {
	Kind      schema.GroupKind
	Namespace string
}

// Trees remembers the decoded form of JSON texts. It is safe for concurrent use; nil
// remembers nothing.
type Trees struct {
	mu    sync.Mutex
	known []tree
}

type tree struct {
	text    []byte
	reading jsontree.Reading
	err     error
}

// Of is jsontree.Read of a text, remembered. Change neither the text nor the result.
func (t *Trees) Of(text []byte) (jsontree.Reading, error) {
	if t == nil {
		return jsontree.Read(text)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.known {
		if bytes.Equal(k.text, text) {
			return k.reading, k.err
		}
	}
	reading, err := jsontree.Read(text)
	t.known = append(t.known, tree{text, reading, err})
	return reading, err
}
