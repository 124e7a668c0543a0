package cmd

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/cmd/owners"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// eachRecorded visits every recorded step that is wanted, with a server that knows its
// kinds.
func eachRecorded(
	t *testing.T,
	pack string,
	wanted func(parity.Step) bool,
	visit func(name string, server *server.Server, step parity.Step, r api.Request),
) {
	t.Helper()
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "testdata", "corpus", pack))
	if err != nil {
		t.Fatal(err)
	}
	steps, every := 0, sampled.Every(t, 16)
	for _, scenario := range scenarios {
		for i, step := range scenario.Steps {
			if !wanted(step) {
				continue
			}
			if steps++; steps%every != 0 {
				continue
			}
			server, err := sharedServer(server.Options{CRDs: texts(scenario.CRDsAt(i)), Objects: texts(scenario.ObjectsAt(i))})
			if err != nil {
				t.Fatal(err)
			}
			r, err := parity.Request(step)
			if err != nil {
				t.Fatal(err)
			}
			visit(scenario.Name+" "+step.Request.Path, server, step, r)
		}
	}
}

func texts(raw []json.RawMessage) [][]byte {
	out := make([][]byte, len(raw))
	for i := range raw {
		out[i] = raw[i]
	}
	return out
}

// TestExplainRecordedConflicts explains every recorded conflict. The fields
// are those that the real server named; given up, a field conflicts no longer;
// where the difference is said to be none, force changes nothing; and what is
// recommended is accepted. An apply recommends the same, which is checked of one in
// two.
func TestExplainRecordedConflicts(t *testing.T) {
	told := 0
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, isConflict, func(name string, server *server.Server, step parity.Step, r api.Request) {
			e := conflict.Explain(context.Background(), server, writeOf(r), conflict.Judges{})
			if told%2 == 0 {
				checkAdvice(
					t,
					name,
					e,
					conflict.Advise(
						context.Background(),
						server,
						writeOf(r),
						engine.Simulate(context.Background(), server, writeOf(r)),
						conflict.Judges{},
					),
				)
			}
			e = explain.WithSettings(conflict.NewDocument(report.Run{}, []conflict.Explanation{e})).Objects[0]
			told++
			var fields []string
			for _, s := range e.Conflicts {
				fields = append(fields, s.Field)
				checkStory(t, name, s)
			}
			if diff := cmp.Diff(recordedFields(t, step), fields); diff != "" {
				t.Errorf("%s: fields (-recorded +explained)\n%s", name, diff)
			}
		})
	}
	if !testing.Short() && told < 50 {
		t.Errorf("only %d conflicts were explained", told)
	}
	t.Logf("%d conflicts explained", told)
}

// checkAdvice compares what an apply recommends with the explanation; the apply
// simulates only a part of it.
func checkAdvice(t *testing.T, name string, e conflict.Explanation, r report.Result) {
	t.Helper()
	type advice struct {
		field, reason string
		does          report.Edit
	}
	advised := func(list []report.Finding) []advice {
		var out []advice
		for _, f := range list {
			one := advice{f.Field, f.Because, f.Does()}
			if f.Because == string(conflict.LeftByClient) {
				// An explanation has the settings of the client beside its conflicts.
				one.does = ""
			}
			out = append(out, one)
		}
		return out
	}
	want, got := advised(conflict.Conflicting(report.Result{}, e.Conflicts).Contested), advised(r.Contested)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(advice{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: advice (-explained +applied)\n%s", name, diff)
	}
}

// checkStory checks that a conflict is explained in full, and that its resolutions do what they say.
func checkStory(t *testing.T, name string, s conflict.Conflict) {
	t.Helper()
	if s.Reason.IsZero() || strings.Contains(s.Reason.String(), "MANAGER") || len(s.Resolutions) != 3 ||
		len(s.Owners) == 0 {
		t.Errorf("%s: %s is not told in full: %+v", name, s.Field, s)
		return
	}
	take, give := s.Resolutions[0], s.Resolutions[1]
	if give.Impossible.IsZero() && give.Outcome == report.Conflicted {
		t.Errorf("%s: %s still conflicts when it is given up: %s", name, s.Field, give.Message)
	}
	if give.Safe && len(give.Changes) > 0 {
		t.Errorf("%s: stopping to manage %s is called safe, and changes %v", name, s.Field, give.Changes)
	}
	for _, c := range take.Changes {
		if !s.Difference.Changes() && c.Field == s.Field {
			t.Errorf(
				"%s: %s is called %s, and force changes it from %v to %v", name, s.Field, s.Difference.Kind,
				c.Before, c.After,
			)
		}
	}
	checkResolutions(t, name, s)
}

// checkResolutions checks that what is recommended is accepted, and that each resolution says what
// the owners do.
func checkResolutions(t *testing.T, name string, s conflict.Conflict) {
	t.Helper()
	for _, w := range s.Resolutions {
		if w.Kind == s.Recommended && (!w.Impossible.IsZero() || w.Outcome.Refused()) {
			t.Errorf("%s: %s of %s is recommended, and refused: %s%s", name, w.Kind, s.Field, w.Impossible, w.Message)
		}
		if slices.ContainsFunc(w.Reactions, func(r conflict.Reaction) bool { return r.Says.IsZero() }) {
			t.Errorf("%s: %s of %s does not say what the owners do: %+v", name, w.Kind, s.Field, w.Reactions)
		}
	}
}

func isConflict(s parity.Step) bool {
	return s.Status == 409 && s.Op == "apply" && strings.Contains(string(s.Response), "FieldManagerConflict")
}

func writeOf(r api.Request) engine.Write {
	return engine.Write{
		Verb: r.Verb, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Subresource: r.Subresource,
		Manager: r.Manager, FieldValidation: r.FieldValidation, Body: r.Body, Live: r.Live, Now: r.Now,
	}
}

func recordedFields(t *testing.T, step parity.Step) []string {
	t.Helper()
	var status struct {
		Details struct {
			Causes []struct{ Field string }
		}
	}
	if err := json.Unmarshal(step.Response, &status); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range status.Details.Causes {
		out = append(out, c.Field)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestWhyRecordedObjects asks about fields of the recorded live objects. Every
// question has an answer in full, and what is said to be removed can be.
func TestWhyRecordedObjects(t *testing.T) {
	asked := 0
	seen := map[string]bool{}
	eachRecorded(
		t,
		"public-handwritten.jsonl.gz",
		func(s parity.Step) bool { return s.Op == "apply" && s.Status >= 300 },
		func(name string, server *server.Server, _ parity.Step, r api.Request) {
			w := writeOf(r)
			var live map[string]any
			if json.Unmarshal(r.Live, &live) != nil || live == nil {
				return
			}
			names := conflict.NewNames(server.Types(w.Kind).ParseableType, live)
			for i, field := range names.Fields() {
				if seen[name+field] || i%3 != 0 {
					continue
				}
				seen[name+field] = true
				found, err := names.Find(field)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				asked++
				checkWhy(
					t,
					name,
					conflict.Ask(context.Background(), server, conflict.Question{Object: w, Path: found.Path, Typed: field}),
				)
			}
		},
	)
	t.Logf("%d fields asked about", asked)
}

func checkWhy(t *testing.T, name string, a conflict.Why) {
	t.Helper()
	a = owners.WhyDocument(conflict.Answers{Answers: []conflict.Why{a}}).Answers[0]
	if a.Says == "" || a.Origin == "" || a.Removal.Says == "" || a.Nature.Kind == "" {
		t.Errorf("%s: %s is not answered in full: %+v", name, a.Field, a)
	}
	if a.Removal.Effect == conflict.EffectRemoved && !a.Removal.After.Missing && len(a.Removal.Steps) > 0 {
		t.Errorf("%s: %s is said to be removed, and is %v", name, a.Field, a.Removal.After)
	}
	for _, d := range a.Drops {
		if d.Says == "" || d.Effect == "" {
			t.Errorf("%s: %s, dropped by %s, is not answered", name, a.Field, d.Manager)
		}
	}
}
