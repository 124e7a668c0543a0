package engine

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Write is one write to simulate, with everything that it depends on. Its
// maps are read, never changed, and end up in the Result.
type Write struct {
	Verb api.Verb
	// Kind is that of the request; for a subresource, of the main resource.
	Kind        schema.GroupVersionKind
	Namespace   string
	Name        string
	Subresource string

	// Manager is the fieldManager parameter; where it is empty, the server
	// takes the field manager from UserAgent (and refuses an apply).
	Manager   string
	UserAgent string
	// Force is the force parameter; only an apply may have it.
	Force bool
	// FieldValidation is Strict, Warn, Ignore, or empty for the server's default.
	FieldValidation    string
	PropagationPolicy  string
	GracePeriodSeconds *int64
	// DryRun asks as for a dry run, which a server stores nothing of and admission can see.
	DryRun bool
	// NotKubectl: another client sends it, and what kubectl itself would warn of is left out.
	NotKubectl bool

	// Body is sent as it is; MediaType as in api.Request.
	Body      []byte
	MediaType string
	// Decoded is the body as a JSON tree: an object, a list of operations for a JSON patch.
	// Nil where it cannot be decoded: JSON is then decoded here, or a body that is JSON.
	Decoded any
	// JSON is an object that the body says; nil where it is not known.
	JSON []byte
	// Plain: the body is YAML that a server cannot read but as JSON.
	Plain bool
	// Distinct: no map of the body has a key twice, as in what is written here.
	Distinct bool
	// Source is where the body stands.
	Source report.Source
	// Template is the file of a chart that the body is from; empty for none.
	Template string
	// List is the kind of the List that the body is an item of; empty for none.
	List string
	// ListHooks are the annotations helm.sh/… of that List; nil for none.
	ListHooks map[string]string
	// Derived are the fields that a program of the user made from values of Secrets; nil for none. Nothing that
	// is said of the write shows them.
	Derived []disguise.Path
	// Kustomization is the folder whose kustomization builds the body; empty for none.
	Kustomization string
	// Locator finds the lines of the body; nil when there are none to tell.
	Locator report.Locator

	// Live is the live object as JSON; nil when there is none.
	Live []byte
	// LiveObject is Live decoded; nil to have it decoded here.
	LiveObject map[string]any
	// LiveSource is where Live was read; nil when there is none.
	LiveSource *report.Source
	// LiveLocator finds the lines of Live; nil when there are none to tell.
	LiveLocator report.Locator

	// Caveats are what is known of the inputs that the answer depends on: they
	// become the first reasons of its confidence.
	Caveats []report.Caveat
	// Schema says what is done about a kind that nothing given defines.
	Schema SchemaPolicy

	// Now is the time at which the server answers; zero means the real time.
	Now time.Time

	// Detail is how much of the Result is wanted.
	Detail Detail
	// Lines reports whether the lines of a result's changes are wanted, by what else
	// it says; nil where they always are. Finding them means reading the body again.
	Lines func(report.Result) bool
}

// Detail says which parts of a Result are wanted; what is left out is nil.
type Detail string

const (
	// DetailAll is everything.
	DetailAll Detail = ""
	// DetailOutcome leaves out Ownership, and the empty lists of an unchanged object: to
	// find them takes longer than to find the answer.
	DetailOutcome Detail = "Outcome"
	// DetailConflicts is DetailOutcome of an apply without its run with force, which Result
	// has of one that conflicts.
	DetailConflicts Detail = "Conflicts"
	// DetailRefusal is what is wrong with a write that is refused, and the outcome alone of
	// one that is accepted.
	DetailRefusal Detail = "Refusal"
)

// request is the call that this write makes.
func (w Write) request() api.Request {
	req := api.Request{
		Verb:               w.Verb,
		Kind:               w.Kind,
		Subresource:        w.Subresource,
		Namespace:          w.Namespace,
		Name:               w.Name,
		Manager:            w.Manager,
		UserAgent:          w.UserAgent,
		Force:              w.Force,
		FieldValidation:    w.FieldValidation,
		PropagationPolicy:  w.PropagationPolicy,
		GracePeriodSeconds: w.GracePeriodSeconds,
		Body:               w.Body,
		MediaType:          w.MediaType,
		Live:               w.Live,
		Now:                w.Now,
		Derived:            w.Derived,
	}
	if w.Plain {
		req.JSON = w.JSON
	}
	req.Distinct = w.Plain || w.Distinct
	if w.DryRun {
		req.DryRun = metav1.DryRunAll
	}
	return req
}

// Object is the body as an object; nil where it is none, or cannot be decoded.
func (w Write) Object() map[string]any {
	body := w.Decoded
	if body == nil && w.JSON != nil {
		body = decodeBody(w.JSON)
	} else if body == nil {
		body = decodeBody(w.Body)
	}
	object, _ := body.(map[string]any)
	return object
}

// WithBody is the same write with another body in the verb's default media type, and
// without lines. Decoded may be nil: it only says what is asked for.
func (w Write) WithBody(body []byte, decoded any) Write {
	w.Body, w.Decoded, w.JSON, w.Plain, w.Distinct, w.MediaType, w.Locator = body, decoded, nil, false, false, "", nil
	return w
}

// Target is what is written to.
func (w Write) Target() report.Target {
	apiVersion, kind := w.Kind.ToAPIVersionAndKind()
	return report.Target{
		APIVersion:   apiVersion,
		Kind:         kind,
		Namespace:    w.Namespace,
		Name:         w.Name,
		Subresource:  w.Subresource,
		GenerateName: w.generateName(),
	}
}

// generateName is that of the body; empty for an object with a name.
func (w Write) generateName() string {
	if w.Name != "" {
		return ""
	}
	object := w.Object()
	name, _, _ := unstructured.NestedString(object, "metadata", "generateName")
	return name
}

// LiveAt is where the live object was read; empty without a file.
func (w Write) LiveAt() report.Source {
	if w.LiveSource == nil {
		return report.Source{}
	}
	return *w.LiveSource
}

// manager is the field manager that the server records (apiserver,
// endpoints/handlers/create.go: managerOrUserAgent).
func (w Write) manager() string {
	if w.Manager != "" || w.Verb == api.Apply {
		return w.Manager
	}
	return userAgentManager(w.UserAgent)
}

// maxManager is the length in bytes at which the server cuts the manager that
// it takes from a user agent.
const maxManager = 128

func userAgentManager(agent string) string {
	product, _, _ := strings.Cut(agent, "/")
	var b strings.Builder
	for _, r := range product {
		if unicode.IsPrint(r) && b.Len()+utf8.RuneLen(r) <= maxManager {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (w Write) operation() report.Operation {
	switch w.Verb {
	case api.Apply:
		return report.Apply
	case api.Create:
		return report.Create
	case api.Update:
		return report.Update
	case api.Delete:
		return report.Delete
	default:
		return report.Patch
	}
}

// Line is the line of the manifest that asks for a field; nil where it does not. A
// shape is that of the write's kind.
func (w Write) Line(shape managedfields.Shape, path fieldpath.Path) *report.Source {
	if !shape.Has(w.Decoded, path) {
		return nil
	}
	return w.line(nil, shape, path)
}

// line is the line that asks for a path, or for the nearest parent that it has.
func (w Write) line(find *managedfields.Finder, shape managedfields.Shape, path fieldpath.Path) *report.Source {
	positions, _ := find.Positions(shape, w.Decoded, path)
	return report.Nearest(w.Locator, positions)
}
