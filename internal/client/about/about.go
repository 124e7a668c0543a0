// Package about describes the clients: their names, versions and options, what they send and
// what they read, in words. What they do is in the packages next to it.
package about

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Program is a client of the API server whose requests are simulated.
type Program struct {
	// Name is what --client takes; Title is what the program is called.
	Name, Title string
	// Versions are those of the upstream source that the sequence follows, by what
	// --client takes behind @, the default first.
	Versions []Version
	// Manager is the field manager where none is given.
	Manager string
	// Forces says whether it takes what others own.
	Forces string
	// Steps are the requests, in the order of the source.
	Steps []Term
	// Reads are the inputs that it takes settings from.
	Reads []Term
	// Options are the flags that it takes, but --field-manager.
	Options []string
	// Settings is the kind of the objects that it takes settings from; empty for none.
	Settings schema.GroupKind
	// Not is what is not simulated.
	Not []string
}

// Version is one of a client.
type Version struct {
	// Name is what --client takes; Source is the module and version that was read.
	Name, Source string
}

// Term is a word with what is said of it.
type Term struct{ Term, Text string }

// The kinds of the objects that clients take settings from. Of Secrets, those are settings in
// which Helm keeps releases.
var (
	Applications   = schema.GroupKind{Group: "argoproj.io", Kind: "Application"}
	Kustomizations = schema.GroupKind{Group: "kustomize.toolkit.fluxcd.io", Kind: "Kustomization"}
	Secrets        = schema.GroupKind{Kind: "Secret"}
)

// All are the clients, in the order of the help.
func All() []Program { return []Program{Kubectl, Helm, ArgoCD, Flux} }

// Find is the client of a name; false for none.
func Find(name string) (Program, bool) { return find(func(p Program) bool { return p.Name == name }) }

// Managing is the client that has a field manager where none is given; false for none.
func Managing(manager string) (Program, bool) {
	return find(func(p Program) bool { return p.Manager == manager })
}

func find(is func(Program) bool) (Program, bool) {
	for _, p := range All() {
		if is(p) {
			return p, true
		}
	}
	return Program{}, false
}

// With are the names of the clients that take an option.
func With(option string) []string {
	var out []string
	for _, p := range All() {
		if slices.Contains(p.Options, option) {
			out = append(out, p.Name)
		}
	}
	return out
}

// IsSetting reports whether a client takes settings from an object.
func (p Program) IsSetting(object map[string]any) bool {
	u := &unstructured.Unstructured{Object: object}
	return !p.Settings.Empty() && u.GroupVersionKind().GroupKind() == p.Settings
}
