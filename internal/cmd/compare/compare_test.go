package compare

import (
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

// object is one of a kind without a schema, with managed fields entries.
func object(t *testing.T, body string, entries ...string) Side {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(body), &o); err != nil {
		t.Fatal(err)
	}
	var list []any
	for _, text := range entries {
		var e map[string]any
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	o["apiVersion"], o["kind"] = "example.com/v1", "Widget"
	o["metadata"] = map[string]any{
		"name":            "w",
		"uid":             "1",
		"resourceVersion": fmt.Sprint(len(body)),
		"managedFields":   list,
	}
	return Side{Object: o}
}

// entry owns fields of spec.
func entry(manager, time string, fields ...string) string {
	owned := map[string]any{}
	for _, f := range fields {
		owned["f:"+f] = map[string]any{}
	}
	text, err := json.Marshal(map[string]any{
		"manager": manager, "operation": "Apply", "apiVersion": "example.com/v1", "time": time,
		"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": owned},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

const (
	monday  = "2026-11-02T00:00:00Z"
	tuesday = "2026-11-03T00:00:00Z"
)

// moved are the moves as FIELD KIND FROM TO.
func moved(c Comparison) []string {
	var out []string
	for _, m := range c.Moves {
		out = append(out, fmt.Sprintf("%s %s %s>%s", m.Field, m.Kind, first(m.From), first(m.To)))
	}
	return out
}

func TestMoves(t *testing.T) {
	for _, test := range []struct {
		name          string
		before, after Side
		want          []string
	}{{
		name:   "the same owners, written again",
		before: object(t, `{"spec":{"a":1}}`, entry("x", monday, "a")),
		after:  object(t, `{"spec":{"a":2}}`, entry("x", tuesday, "a")),
	}, {
		name:   "taken by another",
		before: object(t, `{"spec":{"a":1}}`, entry("x", monday, "a")),
		after:  object(t, `{"spec":{"a":1}}`, entry("y", tuesday, "a")),
		want:   []string{".spec.a Taken x>y"},
	}, {
		name:   "shared, and no longer shared",
		before: object(t, `{"spec":{"a":1,"b":1}}`, entry("x", monday, "a", "b"), entry("y", monday, "b")),
		after:  object(t, `{"spec":{"a":1,"b":1}}`, entry("x", monday, "a", "b"), entry("y", tuesday, "a")),
		want:   []string{".spec.a Joined >y", ".spec.b Left y>"},
	}, {
		name:   "claimed, and left unowned",
		before: object(t, `{"spec":{"a":1,"b":1}}`, entry("x", monday, "a")),
		after:  object(t, `{"spec":{"a":1,"b":1}}`, entry("x", tuesday, "b")),
		want:   []string{".spec.a Unowned x>", ".spec.b Claimed >x"},
	}, {
		name:   "with their fields",
		before: object(t, `{"spec":{"a":1}}`, entry("x", monday, "a")),
		after:  object(t, `{"spec":{"b":1}}`, entry("x", tuesday, "b")),
		want:   []string{".spec.a Gone x>", ".spec.b Came >x"},
	}} {
		t.Run(test.name, func(t *testing.T) {
			got := Compare(t.Context(), Request{Before: test.before, After: test.after})
			if diff := cmp.Diff(test.want, moved(got)); diff != "" {
				t.Errorf("moves (-want +got):\n%s", diff)
			}
		})
	}
}

// TestValues reports who wrote a value since, and leaves out what every write
// changes.
func TestValues(t *testing.T) {
	before := object(
		t, `{"spec":{"a":1,"b":1,"c":1},"status":{"n":1}}`, entry("x", monday, "a"),
		entry("y", monday, "a", "b"),
	)
	after := object(
		t, `{"spec":{"a":2,"b":2,"d":1},"status":{"n":22}}`, entry("x", tuesday, "a"),
		entry("y", monday, "a", "b"),
	)
	got := Compare(t.Context(), Request{Before: before, After: after})
	var values []string
	for _, v := range got.Values {
		values = append(values, fmt.Sprintf("%s %s %v>%v %s", v.Field, v.Kind, v.Before, v.After, first(v.By)))
	}
	want := []string{
		".spec.a Modified 1>2 x", ".spec.b Modified 1>2 ", ".spec.c Removed 1><nil> ",
		".spec.d Added <nil>>1 ",
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if n := len(Compare(t.Context(), Request{Before: before, After: after, Status: true}).Values); n != len(want)+1 {
		t.Errorf("with the status there are %d values, want one more than %d", n, len(want))
	}
}

func TestStates(t *testing.T) {
	w := object(t, `{"spec":{"a":1}}`, entry("x", monday, "a"))
	rewritten := object(t, `{"spec":{"a":1} }`, entry("x", tuesday, "a"))
	again := object(t, `{"spec":{"a":1}}`, entry("x", monday, "a"))
	again.Object["metadata"].(map[string]any)["uid"] = "2"
	migrated := object(t, `{"spec":{"a":1}}`, entry("x", monday, "a"))
	migrated.Object["apiVersion"] = "example.com/v2"
	for _, test := range []struct {
		before, after Side
		want          State
	}{
		{Side{}, w, Added}, {w, Side{}, Removed}, {w, again, Recreated}, {w, w, Unchanged}, {w, rewritten, Unchanged}, {w, migrated, Changed},
	} {
		if got := Compare(t.Context(), Request{Before: test.before, After: test.after}); got.State != test.want {
			t.Errorf("the state is %s, want %s", got.State, test.want)
		}
	}
}

// TestDocument counts what all objects have in common.
func TestDocument(t *testing.T) {
	taken := Comparison{State: Changed, Moves: []Move{
		{Field: ".spec.a", Kind: Taken, From: []report.Writer{{Manager: "x"}}, To: []report.Writer{{Manager: "y"}}},
		{Field: ".spec.b", Kind: Taken, From: []report.Writer{{Manager: "x"}}, To: []report.Writer{{Manager: "y"}}},
		{Field: ".spec.c", Kind: Gone, From: []report.Writer{{Manager: "x"}}},
	}, Entries: []Entry{{Kind: EntryRemoved}, {Kind: EntryAdded}}}
	refused := Comparison{
		State: Unchanged,
		Next:  &Next{Before: &report.Answer{Outcome: report.Unchanged}, After: report.Answer{Outcome: report.Conflicted}},
	}
	d := NewDocument(report.Run{Version: "v1.36.3"}, []Comparison{taken, taken, refused, {State: Removed}})
	want := Summary{Total: 4, Removed: 1, Changed: 2, Unchanged: 1, Moves: 4, LostEntries: 2, Refused: 1, NewlyRefused: 1}
	if diff := cmp.Diff(want, d.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]ManagerMoves{{From: "x", To: "y", Fields: 4, Objects: 2}}, d.Managers); diff != "" {
		t.Errorf("managers (-want +got):\n%s", diff)
	}
}

// TestComparisonHoldsNoObject: what is kept of thousands of objects is what differs.
func TestComparisonHoldsNoObject(t *testing.T) {
	deployment := func(replicas int64) (Side, weak.Pointer[[64]byte]) {
		status := new([64]byte)
		return Side{Object: map[string]any{
			"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web"},
			"spec": map[string]any{"replicas": replicas}, "status": status,
		}}, weak.Make(status)
	}
	var held []weak.Pointer[[64]byte]
	q := Request{}
	for i, side := range []*Side{&q.Before, &q.After} {
		s, w := deployment(int64(i))
		*side, held = s, append(held, w)
	}
	c := Compare(t.Context(), q)
	q = Request{}
	runtime.GC()
	for i, w := range held {
		if w.Value() != nil {
			t.Errorf("side %d is held by its comparison", i)
		}
	}
	if len(c.Values) != 1 {
		t.Errorf("got %v", c.Values)
	}
}
