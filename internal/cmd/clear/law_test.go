package clear

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/test/golden"
	"github.com/ssactl/ssactl/test/lab"
)

// TestClearingLosesOwnersOnly: whatever is cleared, the patch makes the object of the
// answer, no value changes, and each field that had an owner in a cleared entry is named:
// as unowned, or with the owners that it has still.
func TestClearingLosesOwnersOnly(t *testing.T) {
	entries := []string{
		applied, scaled, edited, "d Update lab/v1 .: spec/size spec/gone", "e Update lab/v0 .: spec/size",
		"b Apply lab/v1 .: spec/mode", "op Update lab/v1 status: spec/size",
		`c Update lab/v1 .: spec/ports/k:{"port":80}/name`,
	}
	selections := []Selection{
		{}, {Managers: []string{"kubectl*"}}, {Operation: managedfields.Update}, {MissingFields: true}, {Unserved: true, MissingFields: true},
		{OlderThan: time.Hour}, {Managers: []string{"kubectl", "b"}, Operation: managedfields.Apply},
	}
	cleared := 0
	for i, first := range entries {
		for _, second := range entries[i+1:] {
			for _, s := range selections {
				live := lab.Gadget(first, second)
				c := ask(live, s)
				if c.Patch == nil {
					continue
				}
				cleared++
				t.Run(fmt.Sprintf("%s and %s %+v", first, second, s), func(t *testing.T) { losesOwnersOnly(t, live, c) })
			}
		}
	}
	if cleared < 100 {
		t.Errorf("only %d objects are cleared", cleared)
	}
}

// losesOwnersOnly checks that a clearing changes no value, and that its patch leaves what is stored.
func losesOwnersOnly(t *testing.T, live map[string]any, c Clearing) {
	t.Helper()
	if diff := cmp.Diff(live["spec"], c.Result.Object["spec"]); diff != "" {
		t.Errorf("values change (-want +got)\n%s", diff)
	}
	var named []string
	for _, f := range c.Remaining {
		named = append(named, f.Field)
	}
	named = append(named, c.Ownerless...)
	shape, owned := managedfields.ShapeOf(lab.Type), managedfields.Of(c.Result.Object).Set()
	for _, e := range managedfields.Of(live).Readable() {
		if !slices.ContainsFunc(c.Cleared, func(o Entry) bool { return o.Index == e.Index }) {
			continue
		}
		for p := range e.Set.Leaves().All() {
			unowned := slices.Contains(c.Ownerless, p.String())
			if shape.Has(live, p) && (!slices.Contains(named, p.String()) || unowned == managedfields.Covers(owned, p)) {
				t.Errorf("%s of %s: unowned %t, named %v", p, e.Manager, unowned, named)
			}
		}
	}
	// The server drops entries at versions that it does not serve.
	after := lab.Entries(lab.Object(string(patched(t, live, c.Patch))))
	after = slices.DeleteFunc(after, func(e string) bool { return strings.Contains(e, "lab/v0") || e == "   .: " })
	stored := slices.DeleteFunc(lab.Entries(c.Result.Object), func(e string) bool { return strings.Contains(e, "lab/v0") })
	slices.Sort(after)
	slices.Sort(stored)
	if diff := cmp.Diff(after, stored); diff != "" && !c.Whole {
		t.Errorf("the patch leaves other entries than are stored (-patched +stored)\n%s", diff)
	}
}

// patched is an object after a JSON patch.
func patched(t *testing.T, object, patch any) []byte {
	t.Helper()
	text, err := json.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := jsonpatch.DecodePatch(text)
	if err != nil {
		t.Fatal(err)
	}
	before, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	after, err := decoded.Apply(before)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// TestFindings: what is to be known of the live object, and of the server's answer.
func TestFindings(t *testing.T) {
	fresh := func(edit func(metadata map[string]any), entries ...string) map[string]any {
		live := lab.Gadget(entries...)
		edit(live["metadata"].(map[string]any))
		return live
	}
	keep := func(map[string]any) {}
	for _, tt := range []struct {
		name      string
		live      map[string]any
		selection Selection
		want      []string
	}{
		{"nothing to say", fresh(keep, applied, edited), Selection{}, nil},
		{"no managedFields", fresh(func(m map[string]any) { delete(m, "managedFields") }), Selection{}, []string{"no-managed-fields"}},
		{"no resourceVersion", fresh(func(m map[string]any) { delete(m, "resourceVersion") }, applied), Selection{}, []string{"no-resource-version"}},
		{"no resourceVersion, and nothing to clear", fresh(func(m map[string]any) { delete(m, "resourceVersion") }, applied), Selection{Managers: []string{"x"}}, nil},
		{"managedFields are a text", fresh(func(m map[string]any) { m["managedFields"] = "x" }), Selection{}, []string{"unstorable-managed-fields"}},
		{"an entry that stays cannot be read", fresh(keep, edited, "odd Sideways lab/v1 .: spec/mode"), Selection{Managers: []string{"kubectl-edit"}}, []string{"unreadable-entry"}},
	} {
		c := ask(tt.live, tt.selection)
		var got []string
		for _, f := range c.Findings {
			got = append(got, f.Rule)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s %s (-want +got)\n%s\n%v", tt.name, c.Outcome, c.Message, diff, c.Findings)
		}
	}
}

// TestWith: the next apply of a manifest, without clearing and after it.
func TestWith(t *testing.T) {
	for _, tt := range []struct {
		name, manifest string
		force          bool
		clear          string
		before, after  string
	}{
		{"a conflict goes with the entry", `{"mode":"slow"}`, false, "kubectl-edit", "Conflicted kubectl-edit", "Configured .spec.mode"},
		{"another conflict stays", `{"mode":"slow","replicas":9}`, false, "kubectl-edit", "Conflicted kubectl-edit kubectl", "Conflicted kubectl"},
		{"with force there is none", `{"mode":"slow"}`, true, "kubectl-edit", "Configured .spec.mode", "Configured .spec.mode"},
		{"the live value", `{"mode":"fast"}`, false, "kubectl-edit", "Configured", "Configured"},
	} {
		body := `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":` + tt.manifest + `}`
		w := engine.Write{
			Kind:    schema.GroupVersionKind{Group: "lab", Version: "v1", Kind: "Gadget"},
			Name:    "g",
			Manager: "team",
			Force:   tt.force,
		}.WithBody(
			[]byte(body),
			nil,
		)
		live := lab.Gadget("kubectl Apply lab/v1 .: spec/replicas", edited)
		w.LiveObject = live
		c := Clear(t.Context(), lab.Server{}, Request{
			Object:    engine.Write{Kind: w.Kind, Name: "g", LiveObject: live},
			Selection: Selection{Managers: []string{tt.clear}}, With: &w,
		})
		if c.With == nil || answerSays(c.With.Before) != tt.before || answerSays(c.With.After) != tt.after {
			t.Errorf(
				"%s: %s, then %s; want %s, then %s", tt.name, answerSays(c.With.Before),
				answerSays(c.With.After), tt.before, tt.after,
			)
		}
	}
}

func answerSays(a Answer) string {
	says := string(a.Outcome)
	for _, c := range a.Conflicts {
		says += " " + c.Manager
	}
	for _, c := range a.Changes {
		says += " " + c.Field
	}
	return says
}

// TestSummary: objects are counted by what happens to them, and the run's verdict is made
// of that.
func TestSummary(t *testing.T) {
	clearing, idle := ask(
		lab.Gadget(applied, edited),
		Selection{},
	), ask(
		lab.Gadget(applied),
		Selection{Managers: []string{"x"}},
	)
	refused, with := refusedClearing("odd"), ask(lab.Gadget(applied), Selection{})
	refused.With = nil
	with.With = &With{After: Answer{Answer: report.Answer{Outcome: report.Conflicted}}}
	failed := Failure(engine.Write{Name: "g"}, errors.New("unread"))
	o := &clearOptions{}
	for _, tt := range []struct {
		objects []Clearing
		want    Summary
		verdict error
	}{
		{[]Clearing{clearing, idle}, Summary{Total: 2, Cleared: 1, Unchanged: 1, Entries: 2, Ownerless: 3}, nil},
		{[]Clearing{refused}, Summary{Total: 1, Refused: 1}, app.ErrNo},
		{[]Clearing{with}, Summary{Total: 1, Cleared: 1, Entries: 1, Ownerless: 2, WithRefused: 1}, app.ErrNo},
		{[]Clearing{refused, failed}, Summary{Total: 2, Refused: 1, Failed: 1}, app.ErrTrouble},
	} {
		d := NewDocument(report.Run{}, tt.objects)
		if diff := cmp.Diff(tt.want, d.Summary); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if err := o.inquiry().Verdict(nil, d); !errors.Is(err, tt.verdict) {
			t.Errorf("%+v: the verdict is %v, want %v", tt.want, err, tt.verdict)
		}
	}
}

// TestLongPatch: a patch that no argument can hold stands in the script.
func TestLongPatch(t *testing.T) {
	c := aClearing()
	c.Patch[1] = Operation{Op: "replace", Path: "/metadata/managedFields/1/fieldsV1", Value: strings.Repeat("x", 200_000)}
	c.Command = golden.Object.Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: []byte("[]")})
	var b strings.Builder
	if err := formatsOf(NewDocument(report.Run{}, []Clearing{c}), report.Report{}).Write(&b, "kubectl", show.Options{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "kubectl ") && len(line) > 1000 {
			t.Errorf("a command of %d bytes", len(line))
		}
	}
	if !strings.HasSuffix(b.String(), "\nEND\n") {
		t.Errorf("the script ends with %q", b.String()[max(b.Len()-80, 0):])
	}
}

// TestFlags: wrong flags are found before anything is read.
func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-f", "x", "--all"}, ""},
		{[]string{"-f", "x", "--manager", "a", "--operation", "update"}, ""},
		{[]string{"-f", "x", "--stale", "--older-than", "2y", "deployment/web"}, ""},
		{[]string{"--all"}, "-f is needed: the file with the live objects"},
		{[]string{"-f", "x"}, "nothing says which entries: name their field manager with --manager, or clear all with --all"},
		{[]string{"-f", "x", "--all", "--unserved"}, "--all clears all entries: leave it out, or the flags that select some"},
		{[]string{"-f", "x", "--operation", "Delete"}, `--operation "Delete": use Apply or Update`},
		{[]string{"-f", "x", "--older-than", "soon"}, "--older-than: "},
		{[]string{"-f", "-", "--with", "-", "--all"}, "standard input"},
	} {
		o := &clearOptions{}
		cmd := &cobra.Command{Use: "clear", RunE: func(c *cobra.Command, args []string) error {
			o.stale = o.stale || c.Flags().Changed("older-than")
			return o.check(args)
		}, SilenceErrors: true, SilenceUsage: true}
		o.add(cmd)
		cmd.SetArgs(tt.args)
		if err := cmd.Execute(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
}
