package impact

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// serving is a side that serves some versions of widgets, and says nothing of their fields.
type serving struct {
	side
	versions []string
}

// side is what a side is asked.
type side interface {
	fields.Server
	api.Server
}

var widget = gvk.GroupKind{Group: "example.com", Kind: "Widget"}

func (s serving) Resource(kind gvk.GroupVersionKind) api.Resource {
	return api.Resource{Known: kind.GroupKind() == widget && slices.Contains(s.versions, kind.Version)}
}

func (s serving) Kinds() []gvk.GroupVersionKind {
	out := []gvk.GroupVersionKind{{Group: "example.com", Version: "v1", Kind: "Other"}}
	for _, v := range s.versions {
		out = append(out, widget.WithVersion(v))
	}
	return out
}

// TestWritten: an object is written at its own version as long as that is served, then at
// the one that is stored, then at the one that clients prefer.
func TestWritten(t *testing.T) {
	for _, test := range []struct {
		name, own string
		served    []string
		storage   string
		want      string
	}{
		{"its own", "v1beta1", []string{"v1", "v1beta1"}, "v1", "v1beta1"},
		{"the one that is stored", "v1beta1", []string{"v1", "v2"}, "v1", "v1"},
		{"the preferred one, as the stored one is not served", "v1beta1", []string{"v1", "v1alpha1", "v2"}, "v0", "v2"},
		{"none", "v1beta1", nil, "v1", ""},
	} {
		side := serving{versions: test.served}
		kind := Kind{
			GroupKind: widget,
			After:     side,
			New:       &Definition{Object: tree(t, "{spec: {versions: [{name: "+test.storage+", storage: true}]}}")},
		}
		to, ok := kind.written(widget.WithVersion(test.own), side)
		if ok != (test.want != "") || ok && to != widget.WithVersion(test.want) {
			t.Errorf("%s: %v, %v", test.name, to, ok)
		}
	}
}

// TestServedVersions: the versions of a kind, the one that clients prefer first; of a
// built-in kind that is what findings are about.
func TestServedVersions(t *testing.T) {
	k := Kind{
		GroupKind: widget,
		Before:    serving{versions: []string{"v0"}},
		After:     serving{versions: []string{"v1beta1", "v2alpha1", "v1", "v2"}},
	}
	if diff := cmp.Diff([]string{"v2", "v1", "v1beta1", "v2alpha1"}, k.served(k.After)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := k.Target(); got != (report.Target{APIVersion: "example.com/v2", Kind: "Widget"}) {
		t.Errorf("it is about %+v", got)
	}
	k.After = serving{}
	if got := k.Target(); got.APIVersion != "example.com/v0" {
		t.Errorf("of a kind that is gone it is about %+v", got)
	}
	k.Old = &Definition{Object: tree(t, "{apiVersion: apiextensions.k8s.io/v1, metadata: {name: widgets.example.com}}")}
	if got := k.Target(); got != (report.Target{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: "widgets.example.com"}) ||
		k.builtin() {
		t.Errorf("with a definition it is about %+v", got)
	}
}

// TestVersions: what is served after the change and was not, and the reverse; an alpha or
// beta version of a built-in kind is a note, and a gone kind is reported once.
func TestVersions(t *testing.T) {
	const added = "note version-added: example.com/v2 is new"
	for _, test := range []struct {
		name          string
		before, after []string
		was, is       string
		want          []string
	}{
		{"a version is gone", []string{"v1"}, []string{"v2"}, "{}", `{spec: {versions: [{name: v2}]}}`, []string{"error version-removed: example.com/v1 is no longer there | write apiVersion: example.com/v2 in manifests, and let each client and controller use it, before the change", added}},
		{"a version is not served any more", []string{"v1"}, []string{"v2"}, "{}", `{spec: {versions: [{name: v1, served: false}, {name: v2}]}}`, []string{"error version-removed: example.com/v1 is no longer served | write apiVersion: example.com/v2 in manifests, and let each client and controller use it, before the change", added}},
		{"no version is left", []string{"v1"}, nil, "{}", `{}`, []string{"error version-removed: example.com/v1 is no longer there | no version is served after the change: delete the objects before it, or go on serving one"}},
		{"the definition is gone", []string{"v1"}, nil, "{}", "", nil},
		{"a version of both sides without schemas", []string{"v1"}, []string{"v1"}, "{}", "{}", nil},
		{"a kind is new", nil, []string{"v1"}, "", "{}", nil},
		{"a built-in kind is gone", []string{"v1"}, nil, "", "", []string{"error kind-removed: Widget.example.com is not in the new release (v1)"}},
		{"a beta of a built-in kind is gone", []string{"v1beta1"}, nil, "", "", []string{"note kind-removed: Widget.example.com is not in the new release (v1beta1)"}},
	} {
		k := kindOf(t, test.was, test.is)
		k.Before, k.After = unreadable{serving{versions: test.before}}, unreadable{serving{versions: test.after}}
		s := &subject{Kind: k}
		if err := s.versions(); (err != nil) != (test.name == "a version of both sides without schemas") {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, said(s.findings())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// unreadable says nothing of the fields of its kinds.
type unreadable struct{ serving }

func (unreadable) Fields(gvk.GroupVersionKind) (api.KindFields, error) {
	return nil, errors.New("no schema")
}

// TestConversion: a webhook converts what is written at another version than it is stored.
func TestConversion(t *testing.T) {
	for text, want := range map[string]Conversion{
		`{spec: {conversion: {strategy: Webhook}, versions: [{name: v1}, {name: v2, storage: true}]}}`: {Written: "v1", Stored: "v2"},
		`{spec: {conversion: {strategy: Webhook}, versions: [{name: v1, storage: true}]}}`:             {},
		`{spec: {conversion: {strategy: None}, versions: [{name: v1}, {name: v2, storage: true}]}}`:    {},
		`{spec: {versions: [{name: v1}, {name: v2, storage: true}]}}`:                                  {},
	} {
		if got := (&Definition{Object: tree(t, text)}).Conversion("v1"); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestAccepted: which values are accepted is compared below lists, maps and fields, but for
// metadata, and where only one side has a schema there is nothing to say.
func TestAccepted(t *testing.T) {
	for _, test := range []struct {
		name, was, is string
		want          []string
	}{
		{"a field of items", `{properties: {spec: {properties: {l: {items: {properties: {a: {}}}}}}}}`, `{properties: {spec: {properties: {l: {items: {properties: {a: {maxLength: 3}}}}}}}}`, []string{
			"warning validation-tightened: .spec.l[*].a of v1 accepts less: maxLength 3 is new | check manifests and live objects (--live)"}},
		{"values of a map", `{additionalProperties: {maximum: 3}}`, `{additionalProperties: {maximum: 2}}`, []string{
			"warning validation-tightened: [*] of v1 accepts less: maximum 2 instead of 3 | check manifests and live objects (--live)"}},
		{"the object", `{}`, `{minProperties: 2, x-kubernetes-validations: [{rule: a}, {rule: b}]}`, []string{
			"warning validation-tightened: the object of v1 accepts less: minProperties 2 is new; x-kubernetes-validations a and b are new | check manifests and live objects (--live)"}},
		{"metadata", `{properties: {metadata: {}}}`, `{properties: {metadata: {maxProperties: 1}}}`, nil},
		{"unknown fields", `{properties: {a: {x-kubernetes-preserve-unknown-fields: true}, b: {}}}`, `{properties: {a: {}, b: {x-kubernetes-preserve-unknown-fields: true}}}`, []string{
			"warning unknown-fields-pruned: .a of v1 keeps no unknown fields any more | name all fields that are in use in the schema",
			"note unknown-fields-kept: .b of v1 keeps unknown fields"}},
		{"a field that is gone", `{properties: {a: {maximum: 1}}}`, `{}`, nil},
	} {
		c := comparison{subject: &subject{Kind: kindOf(t, "{}", "{}")}, version: "v1"}
		c.accepted(tree(t, test.was), tree(t, test.is), "")
		if diff := cmp.Diff(test.want, said(c.findings())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestNeedsWebhook: a webhook is asked unless the object is written and stored at its own version.
func TestNeedsWebhook(t *testing.T) {
	const stored = "versions: [{name: v1}, {name: v2, storage: true}]"
	for _, test := range []struct {
		definition, own, to string
		want                bool
	}{
		{"{spec: {conversion: {strategy: Webhook}, " + stored + "}}", "v2", "v2", false},
		{"{spec: {conversion: {strategy: Webhook}, " + stored + "}}", "v1", "v1", true},
		{"{spec: {conversion: {strategy: Webhook}, " + stored + "}}", "v1", "v2", true},
		{"{spec: {" + stored + "}}", "v1", "v2", false},
	} {
		d := Definition{Object: tree(t, test.definition)}
		if got := d.NeedsWebhook(test.own, test.to); got != test.want {
			t.Errorf("%s from %s to %s: %t, want %t", test.definition, test.own, test.to, got, test.want)
		}
	}
}
