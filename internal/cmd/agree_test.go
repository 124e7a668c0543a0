package cmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// saidFinding is what a report in JSON has of a finding.
type saidFinding struct {
	Rule, Severity, Field string
	Fields                []string
	Target                struct{ Kind, Namespace, Name string }
	Fixes                 []struct{ Does string }
}

// first is what the first fix does; that a command shows more is none.
func (f saidFinding) first() string {
	for _, fix := range f.Fixes {
		if !strings.HasPrefix(fix.Does, "shows ") {
			return strings.TrimSuffix(fix.Does, ".")
		}
	}
	return ""
}

// is names the object and the field that a finding is about.
func (f saidFinding) is() string {
	return fmt.Sprintf("%s %s/%s %s: %s", f.Target.Kind, f.Target.Namespace, f.Target.Name, f.Field, f.Rule)
}

// TestCommandsAgree: explain and audit say of each field of recorded runs what apply says of it: under the same
// rule, as severe, and with the same first fix. What resolve is to be told of are its conflicts.
func TestCommandsAgree(t *testing.T) {
	compared, audited, resolved := 0, 0, 0
	for i, run := range sampled.Of(t, 8, recorded(t, recordedRuns)) {
		if i%4 != 0 || slices.Contains(run.Flags, "--force-conflicts") {
			continue
		}
		applied := saidOf(t, run, "apply", "report")
		if len(applied) == 0 {
			continue
		}
		if explained := saidOf(t, run, "explain", "json"); explained != nil {
			compared += explainAgrees(t, run, applied, explained)
		}
		audited += auditAgrees(t, run, applied, saidOf(t, run, "audit", "json"))
		if run.Client != "argocd" && run.Client != "flux" {
			// Those force, and resolve is about what conflicts without.
			resolved += resolveAgrees(t, run, applied)
		}
	}
	if compared < 3 || audited < 3 || resolved < 3 {
		t.Errorf("explain was compared on %d findings, audit on %d, resolve on %d: nothing is tested",
			compared, audited, resolved)
	}
}

// resolveAgrees compares the conflicts of apply with those that resolve leaves where it is told of none.
func resolveAgrees(t *testing.T, run parity.ClientRun, applied map[string]saidFinding) int {
	t.Helper()
	var doc struct {
		Objects []struct {
			Target struct{ Kind, Namespace, Name string }
			Steps  []struct{ Field string }
		}
	}
	out := ranOn(t, run, "resolve", "json")
	if out == nil {
		return 0
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%s: resolve: %v", run.Name, err)
	}
	var want, got []string
	for is, f := range applied {
		if f.Rule == "conflict" {
			want = append(want, is)
		}
	}
	for _, o := range doc.Objects {
		for _, s := range o.Steps {
			got = append(got, saidFinding{Rule: "conflict", Field: s.Field, Target: o.Target}.is())
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("%s: apply has the conflicts %q; resolve %q", run.Name, want, got)
	}
	return len(got)
}

// explainAgrees compares what is said of each object that explain answers.
func explainAgrees(t *testing.T, run parity.ClientRun, applied, explained map[string]saidFinding) int {
	t.Helper()
	objects := map[string]bool{}
	for _, f := range explained {
		objects[f.Target.Kind+"/"+f.Target.Name] = true
	}
	n := 0
	for _, is := range slices.Sorted(maps.Keys(applied)) {
		f := applied[is]
		if !objects[f.Target.Kind+"/"+f.Target.Name] {
			continue
		}
		n++
		other, found := explained[is]
		if !found || other.Severity != f.Severity || other.first() != f.first() {
			t.Errorf("%s, %s: apply says %s, %q; explain says %q, %q",
				run.Name, is, f.Severity, f.first(), other.Severity, other.first())
		}
	}
	return n
}

// auditAgrees compares what is said of the objects that audit finds anything on. Several fields of one takeover
// are one finding there, and a part of one command.
func auditAgrees(t *testing.T, run parity.ClientRun, applied, audited map[string]saidFinding) int {
	t.Helper()
	n := 0
	for _, is := range slices.Sorted(maps.Keys(applied)) {
		f := applied[is]
		for _, other := range audited {
			if other.Rule != f.Rule || other.Target != f.Target || !slices.Contains(other.Fields, f.Field) {
				continue
			}
			n++
			joint := len(other.Fields) > 1
			if other.Severity != f.Severity || !joint && other.first() != f.first() {
				t.Errorf("%s, %s: apply says %s, %q; audit says %s, %q",
					run.Name, is, f.Severity, f.first(), other.Severity, other.first())
			}
		}
	}
	return n
}

// noAnswer are why a command has no answer for a run: nothing conflicts, or nothing of the run is live.
var noAnswer = []string{
	"applies client-side, and nothing conflicts", "the live files have no object", "the live files have none", "unknown flag: --validate",
}

// ranOn is what a command prints of a recorded run; nil where it gives no answer for the client.
func ranOn(t *testing.T, run parity.ClientRun, command, format string) []byte {
	t.Helper()
	args := append(askedAs(t, run, command), "-o", format)
	var out, errOut bytes.Buffer
	code := Main(args, iostreams.New(strings.NewReader(""), &out, &errOut, func(string) string { return "" }))
	if out.Len() == 0 {
		if !slices.ContainsFunc(noAnswer, func(why string) bool { return strings.Contains(errOut.String(), why) }) {
			t.Errorf("%s: %s ends with %d: %s", run.Name, command, code, errOut.String())
		}
		return nil
	}
	return out.Bytes()
}

// saidOf are the findings of a command on a recorded run, by what they are about; nil where the command gives no
// answer for the client. Cautions and notices are about the inputs.
func saidOf(t *testing.T, run parity.ClientRun, command, format string) map[string]saidFinding {
	t.Helper()
	out := ranOn(t, run, command, format)
	if out == nil {
		return nil
	}
	type object struct {
		Target   struct{ Kind, Namespace, Name string }
		Findings json.RawMessage
	}
	var doc struct {
		Results, Objects []object
		Findings         []saidFinding
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%s: %s: %v", run.Name, command, err)
	}
	for _, o := range append(doc.Results, doc.Objects...) {
		var list []saidFinding
		if err := json.Unmarshal(o.Findings, &list); err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			f.Target = cmp.Or(f.Target, o.Target)
			doc.Findings = append(doc.Findings, f)
		}
	}
	said := map[string]saidFinding{}
	for _, f := range doc.Findings {
		switch f.Rule {
		case "caveat", "input-notice", "server-warning":
			continue
		}
		said[f.is()] = f
	}
	return said
}
