package engine_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// TestLaws checks on every recorded step what holds for any answer.
func TestLaws(t *testing.T) {
	eachStep(t, checkLaws)
}

func checkLaws(t *testing.T, s step) {
	t.Helper()
	server := recorded{s}
	r := engine.Simulate(t.Context(), server, s.write())
	if r.Outcome == report.Failed {
		t.Fatalf("no answer: %s", r.Error)
	}
	again := engine.Simulate(t.Context(), server, s.write())
	if diff := cmp.Diff(string(marshal(t, r)), string(marshal(t, again))); diff != "" {
		t.Errorf("two runs differ (-first +second):\n%s", diff)
	}
	lawOutcome(t, s, r)
	lawConflicts(t, s, r)
	lawOwnership(t, s, r)
	lawChanges(t, s, r)
	lawTransfers(t, s, r)
}

func lawOutcome(t *testing.T, s step, r report.Result) {
	t.Helper()
	if r.Code != s.Status {
		t.Errorf("code %d, recorded %d", r.Code, s.Status)
	}
	if r.Outcome.Refused() != (s.Status >= 300) {
		t.Errorf("outcome %s of status %d", r.Outcome, s.Status)
	}
	if r.Outcome.Refused() {
		if r.Object != nil || len(r.Changes) > 0 || len(r.Transfers) > 0 {
			t.Error("a refused write changes the object")
		}
		if diff := cmp.Diff(decode(t, s.Response), r.Status.Raw); diff != "" {
			t.Errorf("status (-want +got):\n%s", diff)
		}
		return
	}
	if s.dryRun() || r.Deleted {
		return
	}
	kept := !isNull(s.LiveBefore) && version(t, s.LiveBefore) == version(t, s.Response)
	if (r.Outcome == report.Unchanged) != kept {
		t.Errorf("outcome %s, but the resourceVersion kept is %v", r.Outcome, kept)
	}
}

// lawConflicts: the conflicts are the causes that the server gave.
func lawConflicts(t *testing.T, s step, r report.Result) {
	t.Helper()
	var status struct {
		Details struct {
			Causes []struct{ Reason, Message, Field string }
		}
	}
	if err := json.Unmarshal(s.Response, &status); err != nil {
		t.Fatal(err)
	}
	want, got := []string{}, []string{}
	for _, c := range status.Details.Causes {
		if s.Status == 409 && c.Reason == "FieldManagerConflict" {
			want = append(want, c.Field+" "+c.Message)
		}
	}
	for _, c := range r.Conflicts {
		got = append(got, c.Field+" "+told(c.Writer))
		// A body in YAML is for others to decode.
		if c.AppliedMissing && s.Request.BodyText == "" {
			t.Errorf("conflict on %s: no applied value", c.Field)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	if !slices.IsSortedFunc(r.Conflicts, func(a, b report.Conflict) int { return strings.Compare(a.Field, b.Field) }) {
		t.Error("conflicts are not sorted by field")
	}
}

// told writes a writer as the server does in causes.
func told(w report.Writer) string {
	out := `conflict with "` + w.Manager + `"`
	if w.Subresource != "" {
		out += ` with subresource "` + w.Subresource + `"`
	}
	if w.Operation == "Update" {
		out += " using " + w.APIVersion
	}
	return out
}

// lawOwnership: the ownership is that of the managedFields, read by
// structured-merge-diff itself.
func lawOwnership(t *testing.T, s step, r report.Result) {
	t.Helper()
	object := r.Object
	if r.Deleted {
		// The answer shows the object once more, but nothing is stored.
		object = nil
	}
	if r.Outcome.Refused() {
		object = decode(t, s.LiveBefore)
	}
	want := map[string][]string{}
	for role, fields := range owned(t, object) {
		for f := range fields {
			want[f] = append(want[f], role)
		}
	}
	got := map[string][]string{}
	for _, f := range r.Ownership {
		for _, w := range f.Managers {
			role := w.Manager + "|" + w.Operation + "|" + w.Subresource
			if !slices.Contains(got[f.Field], role) {
				got[f.Field] = append(got[f.Field], role)
			}
		}
	}
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		t.Errorf("ownership (-want +got):\n%s", diff)
	}
}

// lawChanges: the changes and nothing else turn the live object into the
// resulting one.
func lawChanges(t *testing.T, s step, r report.Result) {
	t.Helper()
	if r.Object == nil || r.Deleted {
		return
	}
	shape := managedfields.ShapeOf(types.Types(s.write().Kind).ParseableType)
	live := decode(t, s.LiveBefore)
	changed := map[string]bool{}
	for _, c := range r.Changes {
		if c.Reason == "" {
			t.Errorf("%s: no reason", c.Field)
		}
		if c.Kind == report.Modified && cmp.Equal(c.Before, c.After) {
			t.Errorf("%s: modified from %v to the same", c.Field, c.Before)
		}
		changed[c.Field] = true
	}
	for _, pair := range [][2]map[string]any{{live, r.Object}, {r.Object, live}} {
		for _, l := range shape.Leaves(pair[0]) {
			found := shape.Lookup(pair[1], l.Path)
			told := toldAt(changed, l.Path)
			same := len(found) > 0 && value.Equals(value.NewValueInterface(only(found)), value.NewValueInterface(l.Value))
			if !same && !told && !containerOf(l.Value, found) {
				t.Errorf("%s differs and is not told", l.Path)
			}
			if same && changed[l.Path.String()] {
				t.Errorf("%s is told and does not differ", l.Path)
			}
		}
	}
}

// only is the value found, or the list of those of a repeated item.
func only(found []any) any {
	if len(found) == 1 {
		return found[0]
	}
	return found
}

// toldAt reports whether path or a parent, which changed its type, is reported.
func toldAt(changed map[string]bool, path fieldpath.Path) bool {
	for n := len(path); n > 0; n-- {
		if changed[path[:n].String()] {
			return true
		}
	}
	return false
}

// containerOf says that an empty map gained or lost its content, which is
// reported by the content.
func containerOf(v any, found []any) bool {
	m, ok := v.(map[string]any)
	if !ok || len(m) > 0 || len(found) != 1 {
		return false
	}
	_, ok = found[0].(map[string]any)
	return ok
}

// lawTransfers: what each role owned, with what it won and without what it
// lost, is what it owns.
func lawTransfers(t *testing.T, s step, r report.Result) {
	t.Helper()
	if r.Object == nil || r.Deleted {
		return
	}
	got := owned(t, decode(t, s.LiveBefore))
	for _, tr := range r.Transfers {
		role := tr.Manager + "|" + tr.Operation + "|" + tr.Subresource
		if got[role] == nil {
			got[role] = map[string]bool{}
		}
		won := tr.Kind == report.Acquired || tr.Kind == report.Shared
		if got[role][tr.Field] == won {
			t.Errorf("%s of %s %s twice", tr.Field, role, tr.Kind)
		}
		if won {
			got[role][tr.Field] = true
		} else {
			delete(got[role], tr.Field)
		}
	}
	for role, fields := range got {
		if len(fields) == 0 {
			delete(got, role)
		}
	}
	if diff := cmp.Diff(owned(t, r.Object), got); diff != "" {
		t.Errorf("live ownership and transfers (-want +got):\n%s", diff)
	}
}

// owned reads managedFields by structured-merge-diff: fields by role.
func owned(t *testing.T, object map[string]any) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	for _, v := range entries {
		e := v.(map[string]any)
		text := func(key string) string { s, _ := e[key].(string); return s }
		set := fieldpath.NewSet()
		if err := set.FromJSON(bytes.NewReader(marshal(t, e["fieldsV1"]))); err != nil {
			t.Fatal(err)
		}
		role := text("manager") + "|" + text("operation") + "|" + text("subresource")
		set.Iterate(func(p fieldpath.Path) {
			if out[role] == nil {
				out[role] = map[string]bool{}
			}
			out[role][p.String()] = true
		})
	}
	return out
}

func sorted(m map[string][]string) map[string][]string {
	for _, v := range m {
		slices.Sort(v)
	}
	return m
}

func version(t *testing.T, b []byte) string {
	t.Helper()
	metadata, _ := decode(t, b)["metadata"].(map[string]any)
	v, _ := metadata["resourceVersion"].(string)
	return v
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
