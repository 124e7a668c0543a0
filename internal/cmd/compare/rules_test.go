package compare

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
)

// by are writers of an Apply entry.
func by(managers ...string) []report.Writer {
	var out []report.Writer
	for _, m := range managers {
		out = append(out, report.Writer{Manager: m, Operation: "Apply"})
	}
	return out
}

// TestFindings: what an object differs in is one finding for each rule and who did it, and
// one of a field: the worst.
func TestFindings(t *testing.T) {
	at := &report.Source{File: "after.yaml", Line: 3}
	for _, test := range []struct {
		name string
		c    Comparison
		want []string
	}{
		{"nothing", Comparison{State: Unchanged}, nil},
		{"it is new", Comparison{State: Added}, nil},
		{"it is gone", Comparison{State: Removed}, []string{"warning object-removed after.yaml:3: the object is removed"}},
		{"it was created again, with another value", Comparison{State: Recreated, Values: []Value{{Field: ".spec.a", Kind: report.Added, After: "x"}}}, []string{
			"warning object-removed after.yaml:3: the object is deleted and created again",
			"note value-changed after.yaml:3: .spec.a changed, with the object"}},
		{"fields that one took from another", Comparison{State: Changed, Moves: []Move{
			{Field: ".spec.a", Kind: Taken, From: by("x"), To: by("y")},
			{Field: ".spec.b", Kind: Taken, From: by("x"), To: by("z")},
			{Field: ".spec.c", Kind: Taken, From: by("x"), To: by("y")},
		}}, []string{
			"warning ownership-taken after.yaml:3 by y: y (Apply) took .spec.a and .spec.c from x (Apply)",
			"warning ownership-taken after.yaml:3 by z: z (Apply) took .spec.b from x (Apply)"}},
		{"owners that joined, left, or are gone", Comparison{State: Changed, Moves: []Move{
			{Field: ".spec.a", Kind: Joined, To: by("y")},
			{Field: ".spec.b", Kind: Left, From: by("x", "y")},
			{Field: ".spec.c", Kind: Claimed, To: by("y")},
			{Field: ".spec.d", Kind: Unowned, From: by("x")},
			{Field: ".spec.e", Kind: Came, To: by("y")},
			{Field: ".spec.f", Kind: Gone, From: by("y")},
		}}, []string{
			"warning field-unowned after.yaml:3 by x: no manager owns .spec.d any more, x (Apply) did",
			"note owners-changed after.yaml:3 by y: y (Apply) owns .spec.a too",
			"note owners-changed after.yaml:3 by x: x (Apply), y (Apply) no longer owns .spec.b, others do",
			"note owners-changed after.yaml:3 by y: y (Apply) owns .spec.c, which had no owner"}},
		{"entries", Comparison{State: Changed, Entries: []Entry{
			{Writer: by("x")[0], Kind: EntryRemoved, Fields: 2}, {Writer: by("y")[0], Kind: EntryAdded, Fields: 1},
		}}, []string{"warning entry-lost after.yaml:3 by x: the entry of x (Apply) is lost; it owned 2 fields"}},
		{"entries that a dump may not have fetched", Comparison{State: Changed, Bare: BareAfter, Entries: []Entry{{Writer: by("x")[0], Kind: EntryRemoved}},
			Moves: []Move{{Field: ".spec.a", Kind: Unowned, From: by("x")}}}, nil},
		{"values by who wrote them", Comparison{State: Changed, Values: []Value{
			{Field: ".spec.a", Kind: report.Modified, Before: 1, After: 2, By: by("x")},
			{Field: ".spec.b", Kind: report.Modified, Before: 1, After: 2},
			{Field: ".spec.c", Kind: report.Added, After: 2},
		}}, []string{
			"note value-changed after.yaml:3 by x: x (Apply) changed .spec.a: 1 -> 2",
			"note value-changed after.yaml:3: .spec.b and .spec.c changed"}},
		{"a whole map is no value to show", Comparison{State: Changed, Values: []Value{
			{Field: ".spec.a", Kind: report.Modified, Before: map[string]any{"a": 1}, After: map[string]any{"b": 1}, By: by("x")},
		}}, []string{"note value-changed after.yaml:3 by x: x (Apply) changed .spec.a"}},
		{"a value whose owner changed too is said once", Comparison{State: Changed,
			Values: []Value{{Field: ".spec.a", Kind: report.Modified, Before: 1, After: 2, By: by("y")}},
			Moves:  []Move{{Field: ".spec.a", Kind: Taken, From: by("x"), To: by("y")}},
		}, []string{"warning ownership-taken after.yaml:3 by y: y (Apply) took .spec.a from x (Apply) | y (Apply) changed .spec.a: 1 -> 2"}},
		{"the next apply", Comparison{State: Unchanged, Next: &Next{Source: report.Source{File: "m.yaml", Line: 1}, Manager: "x",
			After:     report.Answer{Outcome: report.Conflicted, Code: 409, Message: "1 conflict\nwith more"},
			Conflicts: []report.Conflict{{Field: ".spec.a", Source: &report.Source{File: "m.yaml", Line: 7}}, {Field: ".spec.b", Source: &report.Source{File: "m.yaml", Line: 8}}},
		}}, []string{"error next-apply-rejected m.yaml:7 by x: the API server would answer 409 to the next apply by x: 1 conflict"}},
		{"an accepted next apply", Comparison{State: Unchanged, Next: &Next{After: report.Answer{Outcome: report.Configured}}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.c.Target, test.c.After = report.Target{Kind: "Widget", Name: "w"}, at
			var got []string
			for _, f := range differences([]Comparison{test.c}) {
				line := string(f.Severity) + " " + f.Rule + " " + f.Source.File + ":" + string(rune('0'+f.Source.Line))
				if f.Manager != "" {
					line += " by " + f.Manager
				}
				line += ": " + f.Message.String()
				for _, also := range f.Others {
					line += " | " + also.Message.String()
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestBare: a dump without any managed fields is doubted, and one that lacks those of some
// objects is not.
func TestBare(t *testing.T) {
	for _, test := range []struct {
		name string
		of   []Comparison
		want []BareSide
	}{
		{"all of one side", []Comparison{{Bare: BareAfter}, {}, {Bare: BareAfter}}, []BareSide{BareAfter, "", BareAfter}},
		{"one has them on both sides", []Comparison{{Bare: BareAfter}, {Owned: true}}, []BareSide{"", ""}},
		{"either side", []Comparison{{Bare: BareAfter}, {Bare: BareBefore}}, []BareSide{"", ""}},
	} {
		var got []BareSide
		for _, o := range NewDocument(report.Run{}, test.of).Objects {
			got = append(got, o.Bare)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if slices.ContainsFunc(
			test.of,
			func(c Comparison) bool { return c.Bare == "" && !c.Owned },
		) != (test.name == "all of one side") {
			t.Errorf("%s: the given comparisons were changed", test.name)
		}
	}
}

// TestExit: the exit code is 2 where something was not compared, and 1 for a reason that is
// said.
func TestExit(t *testing.T) {
	for _, test := range []struct {
		name     string
		d        Document
		exitCode bool
		err      error
		want     string
	}{
		{"nothing differs", Document{Summary: Summary{Total: 2, Unchanged: 2}}, true, nil, ""},
		{"something differs", Document{Summary: Summary{Total: 2, Unchanged: 1, Changed: 1}}, false, nil, ""},
		{"something differs, and that was asked", Document{Summary: Summary{Total: 3, Unchanged: 1, Changed: 2}}, true, app.ErrNo, "exit 1: --exit-code (2 objects changed)"},
		{"a next apply is refused", Document{Summary: Summary{Total: 1, Unchanged: 1, Refused: 1}}, false, app.ErrNo, "exit 1: the API server would reject 1 next apply"},
		{"an object failed", Document{Summary: Summary{Total: 2, Changed: 1, Failed: 1, Refused: 1}}, true, app.ErrTrouble, ""},
		{"an input could not be read", Document{Summary: Summary{Total: 1, Changed: 1}, Ending: report.Ending{Problems: make([]report.Problem, 1)}}, true, app.ErrTrouble, ""},
		{"interrupted", Document{Summary: Summary{Total: 1, Changed: 1}, Ending: report.Ending{Interrupted: &report.Interruption{}}}, true, nil, ""},
	} {
		o := compareOptions{exitCode: test.exitCode}
		if err, exit := o.verdict(nil, test.d), o.exit(test.d); !errors.Is(err, test.err) || exit != test.want {
			t.Errorf("%s: %v, %q, want %v, %q", test.name, err, exit, test.err, test.want)
		}
	}
}

// TestUnread: an object that only one dump has may be in what could not be read of the
// other.
func TestUnread(t *testing.T) {
	for _, test := range []struct {
		before, after, hasBefore, hasAfter bool
		want                               string
	}{
		{true, true, true, true, ""}, {false, false, true, false, ""}, {true, false, true, false, ""}, {false, true, false, true, ""},
		{true, false, false, true, "the earlier dump"}, {false, true, true, false, "the later dump"},
	} {
		o := compareOptions{}
		o.partial.before, o.partial.after = test.before, test.after
		var b bothDumps
		if test.hasBefore {
			b.before = new(live.Object)
		}
		if test.hasAfter {
			b.after = new(live.Object)
		}
		err := o.unknown(b)
		if (err != nil) != (test.want != "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
