package cmd

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/sampled"
)

// TestFollowedCommands follows the first command that apply prints for each error and warning of recorded runs, on
// copies of the files: the finding is gone then, and no other one has come.
func TestFollowedCommands(t *testing.T) {
	followed := 0
	for _, run := range sampled.Of(t, 8, recorded(t, recordedRuns)) {
		followed += followsAll(t, run.Name, func() []string { return askedAs(t, run, "apply") })
	}
	t.Logf("%d commands were followed", followed)
	if followed < 3 {
		t.Errorf("%d commands were followed: nothing is tested", followed)
	}
}

// TestFollowedExamples does the same for the applies that the documentation shows.
func TestFollowedExamples(t *testing.T) {
	root, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	followed := 0
	for _, shown := range shownApplies(t) {
		followed += followsAll(t, shown.in+": "+strings.Join(shown.args, " "), func() []string {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
				t.Fatal(err)
			}
			t.Chdir(filepath.Join(dir, shown.in))
			return slices.Clone(shown.args)
		})
	}
	t.Logf("%d commands were followed", followed)
	if followed < 5 {
		t.Errorf("%d commands were followed: nothing is tested", followed)
	}
}

// shownApply is an apply of the documentation, and the folder of the examples that it runs in.
type shownApply struct {
	in   string
	args []string
}

// shownApplies are those of the examples and of the pages, each once.
func shownApplies(t *testing.T) []shownApply {
	t.Helper()
	places := map[string]string{}
	for _, pattern := range []string{"../../examples/*/README.md", "../../examples/*/*/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			places[file] = strings.TrimPrefix(filepath.Dir(file), "../../examples/")
		}
	}
	for page, in := range pages {
		places[filepath.Join("../../docs", page)] = in
	}
	var out []shownApply
	seen := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(places)) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			words, err := shellWords(strings.TrimSpace(line))
			if err != nil || len(words) < 3 || !slices.Equal(words[:3], []string{"$", "ssactl", "apply"}) ||
				strings.ContainsAny(line, "|<>") || slices.Contains(words, "-o") || seen[places[file]+line] {
				continue
			}
			seen[places[file]+line] = true
			args := slices.DeleteFunc(words[2:], func(w string) bool { return w == "-q" })
			out = append(out, shownApply{places[file], args})
		}
	}
	return out
}

// followsAll follows the first command for each finding of an apply that fresh gives with files of its own, and
// counts them.
func followsAll(t *testing.T, name string, fresh func() []string) int {
	t.Helper()
	followed := 0
	for _, f := range commandedIn(t, name, fresh()) {
		if follows(t, name, fresh, f) {
			followed++
		}
	}
	return followed
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
func commandedIn(t *testing.T, name string, args []string) map[string]commandedFinding {
	t.Helper()
	var doc struct {
		Results []struct{ Findings []commandedFinding }
	}
	out := mainText(append(args, "-o", "report"))
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%s: %v", name, err)
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
func follows(t *testing.T, name string, fresh func() []string, f commandedFinding) bool {
	t.Helper()
	if f.words == nil {
		return false
	}
	args := fresh()
	before := commandedIn(t, name, args)
	words := before[f.is()].words
	if words[0] == "patch" {
		for _, flag := range []string{"--live", "--crds"} {
			if at := slices.Index(args, flag); at >= 0 {
				words = append(words, flag, args[at+1])
			}
		}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "--" })
	}
	said := mainText(words)
	after := commandedIn(t, name, args)
	if _, stays := after[f.is()]; stays {
		t.Errorf("%s: %s stays after %q, which said\n%s", name, f.is(), words, said)
	}
	for _, is := range slices.Sorted(maps.Keys(after)) {
		_, known := before[is]
		// Only where an object is not refused does it show what the write does, and the run goes on to others.
		if came := after[is]; f.Rule == report.RuleRefused && (came.Rule != f.Rule || came.Target != f.Target) {
			continue
		}
		if !known {
			t.Errorf("%s: %s comes after %q, which was to fix %s", name, is, words, f.is())
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
