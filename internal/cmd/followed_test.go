package cmd

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// TestFollowedCommands follows the first command that apply prints for each error and warning of recorded runs, on
// copies of the files: the finding is gone then, and no other one has come.
func TestFollowedCommands(t *testing.T) {
	followed := 0
	for _, run := range sampled.Of(t, 8, recorded(t, recordedRuns)) {
		for _, f := range commandedIn(t, run, askedAs(t, run, "apply")) {
			if follows(t, run, f) {
				followed++
			}
		}
	}
	t.Logf("%d commands were followed", followed)
	if followed < 3 {
		t.Errorf("%d commands were followed: nothing is tested", followed)
	}
}

// commandedFinding is a finding with the command of its first fix, as words.
type commandedFinding struct {
	Rule, Severity, Field string
	Target                struct{ Kind, Name string }
	Fixes                 []struct{ Command string }
	words                 []string
}

func (f commandedFinding) is() string {
	return strings.Join([]string{f.Target.Kind, f.Target.Name, f.Field, f.Rule}, " ")
}

// commandedIn are the errors and warnings of an answer, cautions aside; the words are nil where the first fix has
// no command that changes anything.
func commandedIn(t *testing.T, run parity.ClientRun, args []string) map[string]commandedFinding {
	t.Helper()
	var doc struct {
		Results []struct{ Findings []commandedFinding }
	}
	out := mainText(append(args, "-o", "report"))
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%s: %v", run.Name, err)
	}
	found := map[string]commandedFinding{}
	for _, r := range doc.Results {
		for _, f := range r.Findings {
			if f.Severity == string(report.SeverityNote) || f.Rule == report.RuleCaveat {
				continue
			}
			if len(f.Fixes) > 0 {
				f.words = changing(t, f.Fixes[0].Command)
			}
			found[f.is()] = f
		}
	}
	return found
}

// changing are the words that do in files what a printed command does; nil for one that only shows something.
func changing(t *testing.T, command string) []string {
	t.Helper()
	words, err := shellWords(command)
	if err != nil {
		t.Fatal(err)
	}
	if len(words) < 2 {
		return nil
	}
	switch words[0] + " " + words[1] {
	case "ssactl resolve":
		return words[1:]
	case "ssactl migrate":
		return slices.Insert(words[1:], 1, "--write")
	case "kubectl patch":
		return append([]string{"patch", "--write"}, words[2:]...)
	}
	return nil
}

// follows runs the command of a finding on files of its own, and compares the answers before and after.
func follows(t *testing.T, run parity.ClientRun, f commandedFinding) bool {
	t.Helper()
	if f.words == nil {
		return false
	}
	args := askedAs(t, run, "apply")
	before := commandedIn(t, run, args)
	words := before[f.is()].words
	if words[0] == "patch" {
		words = append(words, "--live", args[slices.Index(args, "--live")+1], "--crds", args[slices.Index(args, "--crds")+1])
		words = slices.DeleteFunc(words, func(w string) bool { return w == "--" })
	}
	said := mainText(words)
	after := commandedIn(t, run, args)
	if _, stays := after[f.is()]; stays {
		t.Errorf("%s: %s stays after %q, which said\n%s", run.Name, f.is(), words, said)
	}
	for _, is := range slices.Sorted(maps.Keys(after)) {
		_, known := before[is]
		// Only where an object is not refused does it show what the write does, and the run goes on to others.
		if came := after[is]; f.Rule == report.RuleRefused && (came.Rule != f.Rule || came.Target != f.Target) {
			continue
		}
		if !known {
			t.Errorf("%s: %s comes after %q, which was to fix %s", run.Name, is, words, f.is())
		}
	}
	return true
}

// mainText is what the program prints.
func mainText(args []string) string {
	var out, errOut bytes.Buffer
	// What is asked next shows what it has done.
	Main(args, iostreams.New(strings.NewReader(""), &out, &errOut, func(string) string { return "" }))
	if out.Len() == 0 {
		return errOut.String()
	}
	return out.String()
}
