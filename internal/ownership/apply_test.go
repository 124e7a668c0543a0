package ownership_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/lab"
)

func write(live map[string]any) engine.Write {
	return engine.Write{
		Kind:       schema.GroupVersionKind{Group: "lab", Version: "v1", Kind: "Gadget"},
		Name:       "g",
		LiveObject: live,
	}
}

func object(t *testing.T, server api.Server, live map[string]any) *ownership.Object {
	t.Helper()
	w := write(live)
	o, err := ownership.Of(context.Background(), server, w)
	if err != nil {
		t.Fatal(err)
	}
	return o.In(live)
}

func last(t *testing.T, o *ownership.Object, manager string) ownership.Apply {
	t.Helper()
	for _, e := range o.Owners().Readable() {
		if e.Role == ownership.By(manager) {
			a, err := o.Last(e)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
	}
	t.Fatalf("%s has no entry", manager)
	return ownership.Apply{}
}

// TestLastIsANoOp: what was applied last, applied again, changes nothing.
func TestLastIsANoOp(t *testing.T) {
	for _, entries := range [][]string{
		{applied},
		{applied, edited, scaled},
		{applied, "other Apply lab/v1 .: spec/mode"},
		{`kubectl Apply lab/v1 .: spec/ports/k:{"port":80}/name`},
		{"kubectl Apply lab/v1 .: spec/mode spec/gone"},
	} {
		live := lab.Gadget(entries...)
		o := object(t, lab.Server{}, live)
		n := last(t, o, "kubectl").Now()
		if n.Outcome.Refused() {
			t.Errorf("%v: %s %s", entries, n.Outcome, n.Answer().Message)
		}
		if diff := cmp.Diff(live["spec"], n.Left()["spec"]); diff != "" {
			t.Errorf("%v: the object changes (-want +got):\n%s", entries, diff)
		}
	}
}

func TestNextApply(t *testing.T) {
	tests := []struct {
		name    string
		entries []string
		edit    func(ownership.Apply) ownership.Apply
		force   bool
		fill    func(map[string]any)
		outcome report.Outcome
		against []string
		mode    any
		keepers []string
	}{
		{name: "a dropped field goes", entries: []string{applied}, edit: withoutMode, outcome: report.Configured},
		{
			name: "it stays for another owner", entries: []string{applied, edited}, edit: withoutMode, outcome: report.Configured,
			mode: "fast", keepers: []string{"editor"},
		},
		{
			name: "it comes back as a default, owned by nobody", entries: []string{applied}, edit: withoutMode,
			fill:    func(o map[string]any) { o["spec"].(map[string]any)["mode"] = "default" },
			outcome: report.Configured, mode: "default",
		},
		{
			name:    "a field that no manager applied stays",
			entries: []string{"kubectl Apply lab/v1 .: spec/replicas"},
			edit:    withoutMode,
			outcome: report.Unchanged,
			mode:    "fast",
		},
		{
			name: "the live value is shared", entries: []string{"kubectl Apply lab/v1 .: spec/replicas", edited},
			edit:    func(a ownership.Apply) ownership.Apply { return a.With(mode, "fast") },
			outcome: report.Configured, mode: "fast", keepers: []string{"kubectl", "editor"},
		},
		{
			name: "another value conflicts with each owner, and the object stays", entries: []string{applied, "b Apply lab/v1 .: spec/mode", "a Apply lab/v1 .: spec/mode"},
			edit:    func(a ownership.Apply) ownership.Apply { return a.With(mode, "slow") },
			outcome: report.Conflicted, against: []string{"a", "b"}, mode: "fast", keepers: []string{"kubectl", "b", "a"},
		},
		{
			name: "force takes it", entries: []string{applied, edited}, force: true,
			edit:    func(a ownership.Apply) ownership.Apply { return a.With(mode, "slow") },
			outcome: report.Configured, mode: "slow", keepers: []string{"kubectl"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := object(t, lab.Server{Default: tt.fill}, lab.Gadget(tt.entries...))
			a := tt.edit(last(t, o, "kubectl"))
			a.Write.Force = tt.force
			n := a.Now()
			if n.Outcome != tt.outcome {
				t.Errorf("%s, want %s: %s", n.Outcome, tt.outcome, n.Answer().Message)
			}
			if diff := cmp.Diff(tt.against, n.Against()); diff != "" {
				t.Errorf("against (-want +got):\n%s", diff)
			}
			if got := fieldtree.Value(n.Left(), "spec", "mode"); !reflect.DeepEqual(got, tt.mode) {
				t.Errorf("the field is %v, want %v", got, tt.mode)
			}
			var keepers []string
			for _, e := range managedfields.Of(n.Left()).Covering()(mode) {
				keepers = append(keepers, e.Manager)
			}
			if diff := cmp.Diff(tt.keepers, keepers); diff != "" {
				t.Errorf("keepers (-want +got):\n%s", diff)
			}
			if n.Outcome.Refused() && !reflect.DeepEqual(n.Left(), o.Live) {
				t.Error("a refused apply changes the object")
			}
		})
	}
}

func withoutMode(a ownership.Apply) ownership.Apply {
	a, _ = a.Without(mode)
	return a
}

// TestTo: an apply to another state leaves the object's own alone, and to none creates one.
func TestTo(t *testing.T) {
	o := object(t, lab.Server{}, lab.Gadget(applied))
	a := last(t, o, "kubectl")
	other := a.With(mode, "slow").Now().Left()
	if n := a.To(other); n.Outcome != report.Configured || fieldtree.Value(n.Left(), "spec", "mode") != "fast" {
		t.Errorf("to another state: %s, %v", n.Outcome, n.Left())
	}
	if n := a.To(nil); n.Outcome != report.Created || fieldtree.Value(n.Left(), "spec", "size") != nil {
		t.Errorf("to none: %s, %v", n.Outcome, n.Left())
	}
	if n := a.Now(); n.Outcome.Refused() || fieldtree.Value(n.Left(), "spec", "mode") != "fast" {
		t.Errorf("the object itself: %s, %v", n.Outcome, n.Left())
	}
	if _, had := a.Without(size); had {
		t.Error("a field that the body does not have is left out")
	}
}

// TestFirst: a manager that applied nothing yet sends the object's identity; a manifest
// is sent at its own version.
func TestFirst(t *testing.T) {
	o := object(t, lab.Server{}, lab.Gadget(edited))
	first := o.First(ownership.By("new"))
	if diff := cmp.Diff(lab.Object(`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"}}`), first.Body); diff != "" {
		t.Errorf("the first apply (-want +got):\n%s", diff)
	}
	if n := first.With(mode, "fast").Now(); n.Outcome.Refused() ||
		!reflect.DeepEqual(lab.Entries(n.Left())[0], "new Apply lab/v1 .: spec/mode") {
		t.Errorf("%s, %v", n.Outcome, lab.Entries(n.Left()))
	}
	sent := o.Sending(ownership.By("new"), lab.Object(`{"apiVersion":"lab/v2","kind":"Gadget","spec":{"size":5}}`))
	if sent.Write.Kind.Version != "v2" || sent.Write.Verb != api.Apply || sent.Write.Manager != "new" {
		t.Errorf("the write is %+v", sent.Write)
	}
}

// TestSend: every write goes through the function that stands for the client.
func TestSend(t *testing.T) {
	o := object(t, lab.Server{}, lab.Gadget(applied))
	var sent []string
	o.Send = func(ctx context.Context, server api.Server, w engine.Write) report.Result {
		sent = append(sent, string(w.Verb)+" "+w.Manager)
		return engine.Simulate(ctx, server, w)
	}
	a := last(t, o, "kubectl")
	a.Now()
	a.To(o.Live)
	remove := ownership.RemoveField(
		o.Shape,
		o.Live,
		fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyByFields("port", int64(80))),
	)
	w, err := o.Patching("someone", "status", remove)
	if err != nil {
		t.Fatal(err)
	}
	if n := o.In(o.Live).Simulate(w, o.Live); fieldtree.Value(n.Left(), "spec", "ports") == nil ||
		len(fieldtree.Value(n.Left(), "spec", "ports").([]any)) > 0 {
		t.Errorf("the item is not removed: %s", n.Answer().Message)
	}
	if diff := cmp.Diff([]string{"apply kubectl", "apply kubectl", "patch-json someone"}, sent); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// counted counts the requests.
type counted struct {
	api.Server
	n *int
}

func (c counted) Do(ctx context.Context, r api.Request) (api.Response, error) {
	*c.n++
	return c.Server.Do(ctx, r)
}

func TestAt(t *testing.T) {
	v2 := lab.Object(`{"apiVersion":"lab/v2","kind":"Gadget","spec":{"size":6}}`)
	var n int
	o := object(
		t,
		counted{lab.Server{Unserved: []string{"lab/v0"}, At: map[string]map[string]any{"lab/v2": v2}}, &n},
		lab.Gadget(),
	)
	tests := []struct {
		version string
		size    any
		err     string
		asked   int
	}{
		{"lab/v1", int64(5), "", 0},
		{"lab/v2", int64(6), "", 1},
		{"lab/v2", int64(6), "", 1},
		{"lab/v0", nil, "the live object cannot be read at lab/v0", 1},
		{"a/b/c", nil, "the live object cannot be read at a/b/c", 1},
	}
	for _, tt := range tests {
		at, err := o.At(tt.version)
		var message string
		if err != nil {
			message = err.Error()
		}
		if got := fieldtree.Value(at, "spec", "size"); got != tt.size || message != tt.err || n != tt.asked {
			t.Errorf(
				"%s: %v, %q after %d requests, want %v, %q after %d", tt.version, got, message, n, tt.size,
				tt.err, tt.asked,
			)
		}
	}
}

// unknown is a server that does not know the kind.
type unknown struct{ api.Server }

func (unknown) Resource(schema.GroupVersionKind) api.Resource { return api.Resource{} }

func TestServed(t *testing.T) {
	tests := []struct {
		name    string
		server  api.Server
		version string
		served  bool
	}{
		{"the object's version", lab.Server{}, "lab/v1", true},
		{"one that is gone", lab.Server{Unserved: []string{"lab/v0"}}, "lab/v0", false},
		{"the object's own, where another is served", lab.Server{Unserved: []string{"lab/v1"}}, "lab/v1", false},
		{"any, of a kind that is not known", unknown{lab.Server{}}, "lab/v2", true},
	}
	for _, tt := range tests {
		o := object(t, tt.server, lab.Gadget())
		if got := o.Served(tt.version); got != tt.served {
			t.Errorf("%s: served %t, want %t", tt.name, got, tt.served)
		}
	}
	if as := object(t, lab.Server{}, lab.Gadget()).ServedAs(); as != "" {
		t.Errorf("a served object is served as %q", as)
	}
}

func TestOf(t *testing.T) {
	w := write(nil)
	w.Live = []byte(`{"spec":`)
	o, err := ownership.Of(context.Background(), lab.Server{}, w)
	if err == nil || errors.Unwrap(err) == nil || o == nil || o.Live != nil {
		t.Errorf("an object that cannot be parsed: %v, %v", o, err)
	}
	w.Live = []byte(`{"apiVersion":"lab/v1","kind":"Gadget","spec":{"size":5}}`)
	if o, err = ownership.Of(context.Background(), lab.Server{}, w); err != nil ||
		fieldtree.Value(o.Live, "spec", "size") != int64(5) {
		t.Errorf("%v, %v", o.Live, err)
	}
}
